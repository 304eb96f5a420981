// The reader's guesses and solved exercises, under the same names as in JupyterLab's progress.

import { keep, read, textsUnder, whenChangedElsewhere } from "./store.js";

const GUESS = "guess:";

/** A set of names that this browser keeps. */
class Names {
  /** @param {string} beginning of their names in the store */
  constructor(beginning) {
    this.beginning = beginning;
  }

  /** @param {string} name */
  has(name) {
    return read(this.beginning + name) !== null;
  }

  /** Add a name; return whether the browser could keep it. @param {string} name */
  add(name) {
    return this.has(name) || keep(this.beginning + name, "1");
  }

  /** @returns {string[]} */
  all() {
    return textsUnder(this.beginning).map(([name]) => name).sort();
  }

  /** Call `then` when a name was added, or forgotten, in another tab. @param {() => void} then */
  whenChangedElsewhere(then) {
    whenChangedElsewhere(this.beginning, then);
  }
}

/** The exercises that passed their checks. */
export const solved = new Names("solved:");

/** The guesses whose answers the reader has seen. */
export const settled = new Names("settled:");

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
