// On a phone a wide picture stands in pieces, one below the other: it is broken in the gaps between its panels.

import { all } from "./elements.js";

const ROW = 388; // CSS pixels: a piece of this width keeps letters of 12 px at 11 px on a phone of 390 px
const GAP = 8, GAP_IN_STILL = 20, LEAST = 120; // the narrowest gap, also in an explorer's still, and the narrowest piece

export async function startPieces() {
  if (!matchMedia("(max-width: 40rem)").matches) return;
  for (const picture of all(document, ":is(.shown, .frame) > img[width]", HTMLImageElement)) {
    await picture.decode();
    const places = [0, ...cuts(picture), Number(picture.getAttribute("width"))];
    if (places.length > 2) picture.after(...places.slice(1).map((end, at) => piece(picture, places[at], end)));
  }
}

/** Return where a picture is broken, in pixels from its left edge: in bands without ink. @param {HTMLImageElement} picture */
function cuts(picture) {
  const width = Number(picture.getAttribute("width")), height = Math.round((width * picture.naturalHeight) / picture.naturalWidth);
  if (width <= ROW) return [];
  const context = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d");
  if (!context) return [];
  context.drawImage(picture, 0, 0, width, height);
  const least = picture.closest(".frame, [data-explores]") ? GAP_IN_STILL : GAP;
  const pixels = new Uint32Array(context.getImageData(0, 0, width, height).data.buffer);
  const gaps = /** @type {number[]} */ ([]); // their middles
  for (let x = 0, blank = 0; x < width; x += 1) {
    let y = 0;
    while (y < height && pixels[y * width + x] === pixels[0]) y += 1;
    if (y < height && blank >= least) gaps.push(Math.round(x - blank / 2));
    blank = y < height ? 0 : blank + 1;
  }
  const places = /** @type {number[]} */ ([]);
  for (const [at, gap] of gaps.entries()) {
    const start = places.at(-1) ?? 0;
    if ((gaps[at + 1] ?? width) - start > ROW && gap - start >= LEAST && width - gap >= LEAST) places.push(gap);
  }
  return places;
}

/** Return the part of a picture between two places. @param {HTMLImageElement} picture @param {number} start @param {number} end */
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
