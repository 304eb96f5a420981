// The list of a page's sections: which one is being read, which are done, how long it is to the next exercise. A line
// at the top shows how much of the page has been read.

import { all } from "./elements.js";
import { keepRead, readSoFar } from "./reading.js";

const READ_AT = 0.25; // share of the window's height: the last heading above this line is that of the present section
const WORDS = 140, CHARACTERS = 178, LINES = 12; // a minute's English words, Chinese characters, and lines of code

/** @param {HTMLAnchorElement[]} links */
export function startSections(links) {
  const places = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
  const line = document.querySelector(".read");
  const next = document.querySelector(".to-exercise");
  const minutes = minutesToExercise(places);
  const page = location.pathname.split("/").pop() ?? "";
  const isLesson = document.getElementById("lesson-cells") !== null && /^\d\d_/.test(page);
  if (isLesson) keepRead({ ...readSoFar(), lesson: page });
  let due = false;
  let marked = -1;
  const mark = () => {
    due = false;
    const length = document.documentElement.scrollHeight - innerHeight;
    if (line instanceof HTMLElement) line.style.transform = `scaleX(${length > 0 ? Math.min(1, scrollY / length) : 0})`;
    const lowest = innerHeight + scrollY >= document.documentElement.scrollHeight - 2 ? innerHeight : innerHeight * READ_AT;
    const present = places.findLastIndex((place) => place && place.getBoundingClientRect().top <= lowest);
    if (present === marked) return;
    marked = present;
    const { lesson, sections } = readSoFar();
    const farthest = sections[page] ?? 0;
    if (isLesson && present > farthest) keepRead({ lesson, sections: { ...sections, [page]: present } });
    for (const [at, link] of links.entries()) {
      link.classList.toggle("done", at < (isLesson ? Math.max(present, farthest) : 0));
      if (at !== present) link.removeAttribute("aria-current");
      else {
        link.setAttribute("aria-current", "location");
        keepInSight(link);
      }
    }
    if (next instanceof HTMLElement) {
      const ahead = minutes[Math.max(present, 0)];
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
}

/** Return for every section the minutes from its heading to the next exercise, or null. @param {(HTMLElement | null)[]} places */
function minutesToExercise(places) {
  const blocks = all(document, "main > :is(.md, .code)", HTMLElement);
  return places.map((place) => {
    const start = blocks.findIndex((block) => block === place || place?.contains(block));
    const end = blocks.findIndex((block, at) => at >= start && block.dataset.exercise !== undefined);
    return start < 0 || end < 0 ? null : Math.max(1, Math.round(blocks.slice(start, end).reduce((sum, block) => sum + minutesOf(block), 0)));
  });
}

/** @param {HTMLElement} block */
function minutesOf(block) {
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
