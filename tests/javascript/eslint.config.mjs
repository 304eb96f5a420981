// The rules of eslint for our JavaScript. Its types are checked by tsc.
import js from "@eslint/js";
import globals from "globals";

export default [
  {
    ignores: [
      "**/node_modules/**",
      "**/*.min.js",
      "posenc_lessons/browser/runtime/**",
      "posenc_lessons/course/jupyter/labextensions/**", // built
    ],
  },
  js.configs.recommended,
  {
    rules: {
      eqeqeq: "error",
      "no-var": "error",
      "prefer-const": "error",
    },
  },
  { files: ["posenc_lessons/**/*.js"], languageOptions: { globals: globals.browser } },
  {
    // Functions that Playwright runs in a page.
    files: ["tests/browser/*.js"],
    languageOptions: { globals: globals.browser },
    rules: { "no-unused-expressions": "off" },
  },
  { files: ["tests/**/*.mjs"], languageOptions: { globals: globals.node } },
];
