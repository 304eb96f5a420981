// The front page for a reader who has been here: a ring on each card with its solved exercises, and where to go on.

import { all } from "./elements.js";
import { solved } from "./learned.js";
import { readSoFar } from "./reading.js";

export function startFront() {
  const begin = document.querySelector("a.begin");
  if (!(begin instanceof HTMLAnchorElement)) return;
  const cards = all(document, ".cards > [data-exercises]", HTMLElement).map((card) => {
    const names = String(card.dataset.exercises).split(" ");
    const passed = names.filter((name) => solved.has(name)).length;
    if (passed) card.append(ring(passed, names.length));
    return { link: card.querySelector("a"), passed, of: names.length };
  });
  const { lesson } = readSoFar();
  const present = cards.find(({ link }) => link?.getAttribute("href") === lesson) ?? cards.findLast(({ passed, of }) => passed > 0 && passed < of);
  if (!present?.link) return;
  begin.href = present.link.href;
  const values = { title: present.link.textContent, solved: present.passed, exercises: present.of };
  begin.textContent = String(begin.dataset.goOn).replace(/\{(\w+)\}/g, (_, name) => String(values[/** @type {keyof values} */ (name)]));
}

/** @param {number} passed @param {number} of */
function ring(passed, of) {
  const picture = document.createElement("span");
  picture.className = "ring";
  picture.style.setProperty("--part", `${(100 * passed) / of}%`);
  picture.textContent = `${passed}/${of}`;
  return picture;
}
