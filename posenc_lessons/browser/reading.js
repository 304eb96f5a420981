// How far the reader has read: the last lesson opened, and for each lesson the sections. If this browser keeps
// nothing, nothing is said: it is no work that could be lost.

import { attempt } from "./store.js";

const NAME = "posenc-lessons-read";

/** @typedef {{lesson?: string, sections: Record<string, number[]>}} Read `lesson`: its file name; sections by their place in it */

/** @returns {Read} */
export function readSoFar() {
  const stored = attempt(() => JSON.parse(localStorage.getItem(NAME) ?? "null"));
  return { lesson: stored?.lesson, sections: { ...stored?.sections } };
}

/** @param {Read} read */
export function keepRead(read) {
  attempt(() => localStorage.setItem(NAME, JSON.stringify(read)));
}

export function forgetRead() {
  attempt(() => localStorage.removeItem(NAME));
}
