// What a reader has guessed and solved, by the names that JupyterLab's progress has for them.

import { keep, kept, read, whenChangedElsewhere } from "./store.js";

const GUESS = "guess:"; // export/page/page.js keeps guesses there
const SETTLED = "settled:";
const SOLVED = "solved:";

/** @param {string} exercise */
export function isSolved(exercise) {
  return read(SOLVED + exercise) !== null;
}

/** @param {string} exercise */
export function keepSolved(exercise) {
  return isSolved(exercise) || keep(SOLVED + exercise, "1");
}

/** @returns {string[]} */
export function allSolved() {
  return kept(SOLVED).map(([name]) => name).sort();
}

/** The choice (from 0) of every guess that was made. @returns {Record<string, number>} */
export function allGuesses() {
  return Object.fromEntries(kept(GUESS).filter(([, choice]) => /^\d+$/.test(choice)).map(([name, choice]) => [name, Number(choice)]));
}

/** @param {string} name @param {number} choice */
export function keepGuess(name, choice) {
  return keep(GUESS + name, String(choice));
}

/** @param {string} name */
export function guessKept(name) {
  return read(GUESS + name);
}

/** Keep that the answer to a guess was seen after it was made. @param {string} name */
export function keepSettled(name) {
  return isSettled(name) || keep(SETTLED + name, "1");
}

/** @param {string} name */
export function isSettled(name) {
  return read(SETTLED + name) !== null;
}

/** @returns {string[]} */
export function allSettled() {
  return kept(SETTLED).map(([name]) => name).sort();
}

/** Call `then` when another tab has solved an exercise, or forgotten it. @param {() => void} then */
export function whenSolvedElsewhere(then) {
  whenChangedElsewhere(SOLVED, then);
}
