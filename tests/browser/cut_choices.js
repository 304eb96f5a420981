// Return the options of these menus that are wider than their menu.
(/** @type {HTMLSelectElement[]} */ menus) => menus.flatMap(menu => [...menu.options].filter(({ text }) => {
    const alone = /** @type {HTMLSelectElement} */ (menu.cloneNode());
    alone.append(new Option(text));
    alone.style.cssText = "position: absolute; flex: none; width: max-content; max-width: none";
    menu.after(alone);
    const wide = alone.offsetWidth;
    alone.remove();
    return wide > menu.offsetWidth;
}).map(({ text }) => `${text} has no room in its menu`))
