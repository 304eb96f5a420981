// Of every slide: what hangs out, is cut off or scrolls, letters too small to be read from afar (under 14 pixels), and
// slides that show other words than the lesson has for them.
() => {
  const found = [];
  const told = (place, what, box) => found.push(`${place + 1}: ${what} ${box.localName}.${box.className}`);
  const words_of = new Map(sources.map((source) => [source, ""]));
  pages.forEach(({ source, section, fit }, place) => {
    show(place);
    const stage = section.querySelector(".stage");
    const times = stage.getBoundingClientRect().width / stage.offsetWidth;
    const within = (box, around) => {
      const [inner, outer] = [box.getBoundingClientRect(), around.getBoundingClientRect()];
      return inner.left > outer.left - 1 && inner.right < outer.right + 1 &&
        inner.top > outer.top - 1 && inner.bottom < outer.bottom + 1;
    };
    if (!within(stage, document.documentElement)) told(place, "outside the window", stage);
    for (const block of fit.children) if (!within(block, fit)) told(place, "outside its place", block);
    for (const box of stage.querySelectorAll("*")) {
      const style = getComputedStyle(box);
      const math = box.closest("math");
      if (style.visibility === "hidden" || !box.getClientRects().length || (math && math !== box)) continue;
      if (!within(box, stage)) told(place, "outside the slide", box);
      const over = box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1;
      if (style.overflow !== "visible" && over) told(place, "cut off", box);
      if (parseFloat(style.fontSize) * times < 14) told(place, "small", box);
    }
    const copy = fit.cloneNode(true);
    if (words_of.get(source)) for (const head of copy.querySelectorAll("thead")) head.remove(); // it is repeated
    words_of.set(source, words_of.get(source) + copy.textContent);
  });
  const bare = (text) => text.replace(/\s+/g, "");
  for (const [source, words] of words_of) {
    const wanted = source.blocks.filter(shown).map((block) => block.textContent).join("");
    if (bare(wanted) !== bare(words)) found.push(`other words: ${words}`);
  }
  return found;
}
