// Return the layout errors of the explorer that is shown: text cut off, elements off the screen or over others.
() => {
    const panels = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".panel"));
    const panel = /** @type {HTMLElement} */ ([...panels].find(it => !it.hidden));
    const seen = selector => [...panel.querySelectorAll(selector)].filter(it => it.checkVisibility() && it.offsetWidth);
    const called = it => `${it.tagName} ${it.className} ${it.textContent.slice(0, 30)}`;
    const box = it => it.getBoundingClientRect();
    const narrow = innerWidth < 900;
    const found = [];
    const root = document.documentElement;
    if (root.scrollWidth > innerWidth) found.push(`the page is ${root.scrollWidth} wide`);
    const words = [...seen("button, .name, .reading, .tip, .control"), ...document.querySelectorAll("header button")];
    for (const it of words.filter(it => it.checkVisibility() && getComputedStyle(it).display !== "inline")) {
        const [wider, higher] = [it.scrollWidth - it.clientWidth, it.scrollHeight - it.clientHeight];
        if (wider > 1 || higher > 2) found.push(`${called(it)} is cut by ${wider}, ${higher}`);
    }
    for (const it of seen(".actions button")) {
        const words = document.createRange();
        words.selectNodeContents(it);
        if (box(words).left < box(it).left + 2 || box(words).right > box(it).right - 2) found.push(`${called(it)} has no margin`);
    }
    const header = box(document.querySelector("header"));
    for (const it of document.querySelectorAll("header button, header select"))
        if (it.checkVisibility() && (box(it).right > innerWidth || box(it).bottom > header.bottom + 1)) found.push(`${called(it)} is outside`);
    const inHeader = [...document.querySelectorAll("header button, header select")].filter(it => it.checkVisibility());
    for (const it of inHeader) if (box(it).width < 24) found.push(`${called(it)} is too small for a finger`);
    for (const [i, it] of inHeader.slice(1).entries())
        if (box(it).left < box(inHeader[i]).right - 1) found.push(`${called(it)} lies on ${called(inHeader[i])}`);
    if (!narrow) {
        for (const it of seen("button, input, select, .name, .reading, .tip, canvas"))
            if (box(it).bottom > innerHeight + 0.5 || box(it).right > innerWidth + 0.5 || box(it).top < header.bottom - 0.5)
                found.push(`${called(it)} is outside: ${Math.round(box(it).right)}, ${Math.round(box(it).bottom)}`);
        const side = /** @type {HTMLElement} */ (panel.querySelector(".side"));
        if (side.scrollHeight > side.clientHeight) found.push("the settings have to be scrolled");
    }
    const blocks = narrow ? seen(".frame, .reading, .tries button, .control, .side button")
        : seen("canvas, .reading, .tip, .tries button, .next, .control, .side > .actions button, summary");
    for (const [i, one] of blocks.entries())
        for (const other of blocks.slice(i + 1)) {
            if (one.contains(other) || other.contains(one)) continue;
            const [a, b] = [box(one), box(other)];
            const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
            const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
            if (across > 1 && down > 1) found.push(`${called(one)} lies on ${called(other)}`);
        }
    return found;
}