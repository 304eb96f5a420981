// The front page for a reader who has been here: a ring on each card with its solved exercises, and where to go on.

import { all } from "./elements.js";
import { solved } from "./learned.js";
import { readSoFar } from "./reading.js";

const LENGTH = 2 * Math.PI * 14;

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
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  picture.setAttribute("class", "ring");
  picture.setAttribute("viewBox", "0 0 34 34");
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", `${done}/${of}`);
  const part = (LENGTH * done) / of;
  picture.innerHTML = `<circle cx="17" cy="17" r="14"/><circle class="part" cx="17" cy="17" r="14" stroke-dasharray="${part} ${LENGTH}"/><text x="17" y="21">${done}/${of}</text>`;
  return picture;
}
