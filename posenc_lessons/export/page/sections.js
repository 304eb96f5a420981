// The list of a page's sections: which one is being read, which have been, how long it is to the next exercise. A line
// at the top shows how far down the page is. A section has been read when its end was seen and it stood in the window
// for a tenth of the time that it takes; one that is jumped over has not.

import { all, one } from "./elements.js";
import { keepRead, readSoFar } from "./reading.js";

const READ_AT = 0.25; // share of the window's height: the last heading above this line is that of the present section
const SECONDS = 4; // the least that a section stands in the window
const WORDS = 140, CHARACTERS = 178, LINES = 12; // a minute's English words, Chinese characters, and lines of code

/** @param {HTMLAnchorElement[]} links */
export function startSections(links) {
  const places = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
  const line = document.querySelector(".read");
  const next = document.querySelector(".to-exercise");
  const opener = document.querySelector(".opener[popovertarget=sections]"); // on a phone, where the list is closed
  const { toExercise, lengths } = minutes(places);
  const page = location.pathname.split("/").pop() ?? "";
  const isLesson = /^\d\d_/.test(page) && !location.pathname.includes("/solutions/");
  const read = new Set(isLesson ? readSoFar().sections[page] : []);
  let due = false;
  const mark = () => {
    due = false;
    const length = document.documentElement.scrollHeight - innerHeight;
    if (line instanceof HTMLElement) line.style.transform = `scaleX(${length > 0 ? Math.min(1, scrollY / length) : 0})`;
    const lowest = innerHeight + scrollY >= document.documentElement.scrollHeight - 2 ? innerHeight : innerHeight * READ_AT;
    const present = places.findLastIndex((place) => place && place.getBoundingClientRect().top <= lowest);
    for (const [at, link] of links.entries()) {
      link.classList.toggle("done", read.has(at));
      if (at !== present) link.removeAttribute("aria-current");
      else if (!link.hasAttribute("aria-current")) {
        link.setAttribute("aria-current", "location");
        keepInSight(link);
      }
    }
    if (opener instanceof HTMLElement && present >= 0) {
      opener.textContent = `${present + 1}/${links.length}`;
      opener.ariaLabel = `${opener.title} ${opener.textContent}`;
    }
    if (next instanceof HTMLElement) {
      const ahead = toExercise[Math.max(present, 0)];
      next.hidden = ahead === null;
      next.textContent = String(next.dataset.said).replaceAll("{n}", String(ahead));
    }
  };
  const later = () => {
    if (due) return;
    due = true;
    requestAnimationFrame(mark);
  };
  addEventListener("scroll", later, { passive: true });
  addEventListener("resize", later);
  mark();
  if (!isLesson) return;
  keepRead({ ...readSoFar(), lesson: page });
  const after = one(document, "main > .way, footer", HTMLElement);
  const stood = places.map(() => 0); // seconds
  const look = () => {
    if (document.hidden) return;
    const tops = [...places, after].map((place) => place?.getBoundingClientRect().top ?? 0);
    for (const [at, place] of places.entries()) {
      const [top, end] = [Math.max(tops[at], 0), Math.min(tops[at + 1], innerHeight)];
      if (end - top > Math.min(innerHeight / 4, tops[at + 1] - tops[at] - 1)) stood[at] += 1;
      const ends = end === tops[at + 1] && end > 0 && !place?.matches("details:not([open])");
      if (ends && stood[at] >= Math.max(SECONDS, 6 * lengths[at])) read.add(at);
    }
    const { lesson, sections } = readSoFar();
    if (read.size > (sections[page]?.length ?? 0)) keepRead({ lesson, sections: { ...sections, [page]: [...read] } });
    later();
  };
  setInterval(look, 1000);
}

/** Return for every section the minutes to the next exercise, or null, and its own. @param {(HTMLElement | null)[]} places */
function minutes(places) {
  const blocks = all(document, "main > :is(.md, .code, .deeper)", HTMLElement);
  const starts = [...places.map((place) => blocks.findIndex((block) => block === place || place?.contains(block))), blocks.length];
  const between = (/** @type {number} */ start, /** @type {number} */ end) => blocks.slice(start, end).reduce((sum, block) => sum + minutesOf(block), 0);
  const toExercise = places.map((_, at) => {
    const end = blocks.findIndex((block, place) => place >= starts[at] && block.dataset.exercise !== undefined);
    return starts[at] < 0 || end < 0 ? null : Math.max(1, Math.round(between(starts[at], end)));
  });
  return { toExercise, lengths: places.map((_, at) => (starts[at] < 0 ? 0 : between(starts[at], starts[at + 1]))) };
}

/** @param {HTMLElement} block */
function minutesOf(block) {
  if (block.matches(".deeper:not([open])")) return 0;
  const text = block.textContent ?? "";
  if (block.matches(".code")) return (block.querySelector(":scope > .source pre")?.textContent ?? "").split("\n").length / LINES;
  return (text.match(/[A-Za-z]{2,}/g) ?? []).length / WORDS + (text.match(/[\u4e00-\u9fff]/g) ?? []).length / CHARACTERS;
}

/** Scroll the list, but not the page, until `link` is visible. @param {HTMLElement} link */
function keepInSight(link) {
  const list = link.closest("nav");
  if (!list) return;
  const { top, bottom } = link.getBoundingClientRect();
  const around = list.getBoundingClientRect();
  if (top < around.top) list.scrollTop -= around.top - top + 40;
  if (bottom > around.bottom) list.scrollTop += bottom - around.bottom + 40;
}
