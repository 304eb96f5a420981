// The reader's work in all lessons as one file: guesses and solved exercises as in JupyterLab's progress.json, and also
// drafts. JupyterLab's map of the course reads this file too (course/progress_map.py).

import { allDrafts, isDraft, takeDraft } from "./drafts.js";
import { allGuesses, guessKept, keepGuess, settled, solved } from "./learned.js";
import { forgetRead } from "./reading.js";
import { attempt, forget, textsUnder } from "./store.js";

/**
 * @import { Draft, Place } from "./drafts.js"
 * @typedef {{guessed: Record<string, number>, settled: string[], solved: string[], drafts: (Place & Draft)[]}} Work
 */

const PARTS = ["guess:", "settled:", "solved:", "draft:"];

/** @returns {Work} */
export function allWork() {
  return { guessed: allGuesses(), settled: settled.all(), solved: solved.all(), drafts: allDrafts() };
}

/** Return the work in `text`, or null if it is not such a file. @param {string} text @returns {Work | null} */
export function parsed(text) {
  const data = attempt(() => JSON.parse(text));
  const work = { drafts: [], ...data }; // JupyterLab's own file has no drafts
  const { guessed, drafts } = work;
  const isName = (/** @type {unknown} */ name) => typeof name === "string";
  const whole =
    guessed !== null &&
    typeof guessed === "object" &&
    Object.values(guessed).every((choice) => Number.isInteger(choice) && Number(choice) >= 0) &&
    [work.settled, work.solved].every((names) => Array.isArray(names) && names.every(isName)) &&
    Array.isArray(drafts) &&
    drafts.every((/** @type {any} */ draft) => isDraft(draft) && [draft.lesson, draft.language, draft.cell].every(isName));
  return whole ? work : null;
}

/**
 * Keep all of `work`; return whether the browser could. A guess whose answer was seen here does not change.
 *
 * @param {Work} work
 * @returns {boolean}
 */
export function take(work) {
  const open = Object.entries(work.guessed).filter(([name]) => !settled.has(name) || guessKept(name) === null);
  const results = [
    ...open.map(([name, choice]) => keepGuess(name, choice)),
    ...work.settled.map((name) => settled.add(name)),
    ...work.solved.map((name) => solved.add(name)),
    ...work.drafts.map(takeDraft),
  ];
  return results.every(Boolean);
}

/** Forget the reader's work, but not the preferences. */
export function forgetAll() {
  forgetRead();
  for (const part of PARTS) for (const [name] of textsUnder(part)) forget(part + name);
}
