// The reader's work over all lessons as one file: guesses and solved exercises as in JupyterLab's progress.json, and
// drafts besides. JupyterLab's map of the course reads it too (course/progress_map.py).

import { allDrafts, isDraft, takeDraft } from "./drafts.js";
import { allGuesses, allSolved, keepGuess, keepSolved } from "./learned.js";
import { forget, kept } from "./store.js";

/**
 * @import { Draft, Place } from "./drafts.js"
 * @typedef {{guessed: Record<string, number>, settled: string[], solved: string[], drafts: (Place & Draft)[]}} Work
 */

const PARTS = ["guess:", "solved:", "draft:"];

/** @returns {Work} */
export function allWork() {
  const guessed = allGuesses();
  return { guessed, settled: [], solved: allSolved(), drafts: allDrafts() };
}

/** What `text` says, if it is such a file; null if not. @param {string} text @returns {Work | null} */
export function parsed(text) {
  /** @type {any} */
  let found;
  try {
    found = JSON.parse(text);
  } catch {
    return null;
  }
  const { guessed, solved, drafts = [] } = found ?? {}; // JupyterLab's own file has no drafts
  const isName = (/** @type {unknown} */ name) => typeof name === "string";
  const whole =
    guessed !== null &&
    typeof guessed === "object" &&
    Object.values(guessed).every((choice) => Number.isInteger(choice) && Number(choice) >= 0) &&
    Array.isArray(solved) &&
    solved.every(isName) &&
    Array.isArray(drafts) &&
    drafts.every((each) => isDraft(each) && [each.lesson, each.language, each.cell].every(isName));
  return whole ? { guessed, settled: [], solved, drafts } : null;
}

/** Keep all of `work`; false where this browser does not. @param {Work} work @returns {boolean} */
export function take({ guessed, solved, drafts }) {
  const kept = [
    ...Object.entries(guessed).map(([name, choice]) => keepGuess(name, choice)),
    ...solved.map(keepSolved),
    ...drafts.map(takeDraft),
  ];
  return kept.every(Boolean);
}

/** Forget all of it; what the reader prefers stays. */
export function forgetAll() {
  for (const part of PARTS) for (const [name] of kept(part)) forget(part + name);
}
