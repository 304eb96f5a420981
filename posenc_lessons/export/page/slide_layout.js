// Chooses for each slide the largest type that fits, and whether its picture stands beside its words or below them: what
// leaves it more room.

import { all } from "./elements.js";

const GROWN = [1.3, 1.2, 1.1, 1, 0.9, 0.8]; // scales of the type of words
const WITH_PICTURE = [1.1, 1, 0.9]; // of words below which, or beside which, a picture stands
const CODE = [1.9, 1.8, 1.7, 1.6, 1.5, 1.4, 1.3, 1.2, 1.1, 1]; // scales of the type of code, cells and boxes
const LEGIBLE = 1.2; // the smallest scale of code whose lines do not break
const WIDTHS = [50, 46, 42, 38, 34]; // per cent of the slide for words beside a picture: the broadest that takes nothing from it

/** Lay out all slides, which have to be displayed. `shape`: a picture's width as a share of its height. @param {HTMLElement} reveal @param {(picture: Element) => number} shape */
export function layOut(reveal, shape) {
  for (const slide of all(reveal, ".slides section:not(:has(section, .imprint))", HTMLElement)) {
    const picture = slide.querySelector(".picture, .shown > img");
    if (picture && words(slide).length) placePicture(slide, shape(picture));
    else if (!picture) enlarge(slide);
  }
}

/** What a slide says below its title. @param {HTMLElement} slide */
const words = (slide) => all(slide, ":scope > .md:not(:first-child)", HTMLElement);

/** @param {HTMLElement} slide @param {Record<string, number>} sizes */
function setSizes(slide, sizes) {
  for (const [name, size] of Object.entries(sizes)) slide.style.setProperty(`--${name}`, String(size));
}

/** Whether nothing on the slide is wider or higher than its place, which ends above the page's number. @param {HTMLElement} slide */
function fits(slide) {
  const wide = [slide, ...all(slide, ":scope > .md, pre, table, .cells .wide, .flow ul", HTMLElement)];
  const end = slide.getBoundingClientRect().bottom - parseFloat(getComputedStyle(slide).paddingBottom) + 1;
  return slide.scrollHeight <= slide.clientHeight + 1 && [...words(slide), ...all(slide, ".posenc-settled", HTMLElement)].every((part) => part.getBoundingClientRect().bottom <= end) && wide.every((part) => part.scrollWidth <= part.clientWidth + 1);
}

/** Set the largest type with which a slide without a picture fits, of code, cells and boxes before words; lines of code break only if they had to be small. @param {HTMLElement} slide */
function enlarge(slide) {
  const code = slide.querySelector("pre, .cells, .flow") ? CODE : [1];
  const sizes = GROWN.flatMap((grow) => code.map((letters) => ({ grow, letters }))).sort((a, b) => b.grow * b.letters ** 2 - a.grow * a.letters ** 2);
  for (const breaks of [false, true]) {
    slide.classList.toggle("breaks", breaks);
    for (const size of sizes) {
      setSizes(slide, size);
      if ((breaks || code.length === 1 || size.letters >= LEGIBLE) && fits(slide)) return;
    }
  }
}

/** Place the picture where it is largest; larger words count a little. @param {HTMLElement} slide @param {number} shape */
function placePicture(slide, shape) {
  const places = WITH_PICTURE.flatMap((grow) => [0, ...WIDTHS].map((words) => ({ grow, words })));
  const areas = places.map((place) => {
    set(place);
    if (!fits(slide)) return 0;
    const { clientWidth, clientHeight } = /** @type {HTMLElement} */ (slide.querySelector(".shown:has(> .picture, > img)"));
    const width = Math.min(clientWidth, clientHeight * shape);
    return (width * width) / shape * (0.5 + place.grow / 2);
  });
  set(places[areas.indexOf(Math.max(...areas))]);

  function set(/** @type {{ grow: number, words: number }} */ { grow, words: share }) {
    slide.classList.toggle("beside", share > 0);
    setSizes(slide, { grow, words: share / 100 });
  }
}
