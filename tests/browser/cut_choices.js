// The choices of these menus that have no room in them, in the menu's own type.
menus => menus.flatMap(menu => [...menu.options].filter(({ text }) => {
    const alone = menu.cloneNode();
    alone.append(new Option(text));
    alone.style.cssText = "position: absolute; flex: none; width: max-content; max-width: none";
    menu.parentElement.append(alone);
    const wide = alone.offsetWidth;
    alone.remove();
    return wide > menu.offsetWidth;
}).map(({ text }) => `${text} has no room in its menu`))
