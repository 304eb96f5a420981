// Formulas, code, tables, paragraphs and pictures wider than the page scroll sideways. A keyboard reaches those that
// scroll, and no others; an edge behind which there is more fades.

import { all } from "./elements.js";

export function startScrollable() {
  const boxes = all(document, "main :is(.formula, p, pre, .md > .wide, .shown, .frame)", HTMLElement);
  const watched = new ResizeObserver((entries) => {
    for (const { target } of entries) if (target instanceof HTMLElement) mark(target);
  });
  for (const box of boxes) {
    watched.observe(box);
    box.addEventListener("scroll", () => mark(box), { passive: true });
  }
  document.fonts.ready.then(() => boxes.forEach(mark)); // a font that loads late changes widths
}

/** Let the keyboard reach `box` if it scrolls. @param {HTMLElement} box */
function mark(box) {
  const scrolls = box.scrollWidth > box.clientWidth && getComputedStyle(box).overflowX === "auto";
  if (scrolls) box.tabIndex = 0;
  else box.removeAttribute("tabindex");
  box.classList.toggle("more", scrolls && box.scrollLeft + box.clientWidth < box.scrollWidth - 1);
}
