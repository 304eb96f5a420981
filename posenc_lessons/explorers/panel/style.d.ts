// Made when modules are joined: see joined_modules.style_module.

export const STYLE: string;
