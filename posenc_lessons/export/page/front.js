// The front page for a reader who has been here: a ring on each card with its solved exercises, and where to go on.

import { all } from "./elements.js";
import { solved } from "./learned.js";
import { readSoFar } from "./reading.js";

export function startFront() {
  const begin = document.querySelector("a.begin");
  if (!(begin instanceof HTMLAnchorElement)) return;
  const cards = all(document, ".cards > [data-exercises]", HTMLElement).map((card) => {
    const names = String(card.dataset.exercises).split(" ");
    const done = names.filter((name) => solved.has(name)).length;
    if (done) card.append(ring(done, names.length));
    return { link: card.querySelector("a"), done, of: names.length };
  });
  const { lesson } = readSoFar();
  const present = cards.find(({ link }) => link?.getAttribute("href") === lesson) ?? cards.findLast(({ done, of }) => done > 0 && done < of);
  if (!present?.link) return;
  begin.href = present.link.href;
  const values = { title: present.link.textContent, solved: present.done, exercises: present.of };
  begin.textContent = String(begin.dataset.goOn).replace(/\{(\w+)\}/g, (_, name) => String(values[/** @type {keyof values} */ (name)]));
}

/** @param {number} done @param {number} of */
function ring(done, of) {
  const picture = document.createElement("span");
  picture.className = "ring";
  picture.style.setProperty("--part", `${(100 * done) / of}%`);
  picture.textContent = `${done}/${of}`;
  return picture;
}
