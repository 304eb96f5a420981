// On a phone a wide picture is shown in rows, one below the other: it is broken at the gaps between its panels.

import { all } from "./elements.js";

export function startPieces() {
  const phone = matchMedia("(max-width: 40rem)");
  const breakAll = () => {
    if (!phone.matches) return;
    phone.removeEventListener("change", breakAll);
    for (const picture of all(document, "img[data-cuts]", HTMLImageElement)) {
      const places = `0 ${picture.dataset.cuts} ${picture.getAttribute("width")}`.split(" ").map(Number);
      picture.after(...places.slice(1).map((end, at) => piece(picture, places[at], end)));
    }
  };
  phone.addEventListener("change", breakAll);
  breakAll();
}

/** Return the part of a picture between two places, in pixels from its left edge. @param {HTMLImageElement} picture @param {number} start @param {number} end */
function piece(picture, start, end) {
  const box = document.createElement("span"), whole = document.createElement("img");
  const percent = 100 / (end - start);
  box.className = "piece";
  box.style.setProperty("--w", `${end - start}px`);
  Object.assign(whole, { src: picture.src, alt: start === 0 ? picture.alt : "" });
  whole.style.width = `${percent * Number(picture.getAttribute("width"))}%`;
  whole.style.marginInlineStart = `${-percent * start}%`;
  box.append(whole);
  return box;
}
