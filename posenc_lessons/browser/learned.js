// The reader's guesses and solved exercises, under the same names as in JupyterLab's progress.

import { keep, textsUnder, read, whenChangedElsewhere } from "./store.js";

const GUESS = "guess:";
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
  return textsUnder(SOLVED).map(([name]) => name).sort();
}

/** Return the reader's choice (counted from 0) for every guess that was made. @returns {Record<string, number>} */
export function allGuesses() {
  return Object.fromEntries(textsUnder(GUESS).filter(([, choice]) => /^\d+$/.test(choice)).map(([name, choice]) => [name, Number(choice)]));
}

/** @param {string} name @param {number} choice */
export function keepGuess(name, choice) {
  return keep(GUESS + name, String(choice));
}

/** @param {string} name */
export function guessKept(name) {
  return read(GUESS + name);
}

/** Note that the reader has made a guess and then seen its answer. @param {string} name */
export function keepSettled(name) {
  return isSettled(name) || keep(SETTLED + name, "1");
}

/** @param {string} name */
export function isSettled(name) {
  return read(SETTLED + name) !== null;
}

/** @returns {string[]} */
export function allSettled() {
  return textsUnder(SETTLED).map(([name]) => name).sort();
}

/** Call `then` when an exercise was marked as solved, or forgotten, in another tab. @param {() => void} then */
export function whenSolvedElsewhere(then) {
  whenChangedElsewhere(SOLVED, then);
}
