// With ?only=CELL,… in its address, a page shows only these cells, for a frame in another page.

import { all, one } from "./elements.js";

/** Show only the cells in the address, exercises with their text, and a link to the whole lesson. */
export function showOnlyAskedCells() {
  const only = (new URLSearchParams(location.search).get("only") ?? "").split(",");
  const asked = all(document, "main [id]", HTMLElement).filter(({ id }) => only.includes(id));
  const cells = asked.flatMap((cell) => (cell.dataset.exercise === undefined ? [cell] : [cell.previousElementSibling, cell]));
  if (!cells.length) return;
  document.body.classList.add("embedded");
  hideOthers(document.body, cells);
  const whole = document.createElement("a");
  Object.assign(whole, { href: `${location.pathname}#${only[0]}`, target: "_blank", rel: "noopener", textContent: `${document.title} ↗` });
  const below = document.createElement("p");
  below.append(whole);
  one(document, "main", HTMLElement).append(below);
}

/** @param {Element} within @param {(Element | null)[]} cells */
function hideOthers(within, cells) {
  for (const child of all(within, ":scope > *", HTMLElement)) {
    if (cells.includes(child)) continue;
    if (cells.some((cell) => child.contains(cell))) hideOthers(child, cells);
    else child.hidden = true;
    if (child instanceof HTMLDetailsElement) child.open = true;
  }
}
