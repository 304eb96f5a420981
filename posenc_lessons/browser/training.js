// How many steps and minutes a cell's training takes in this browser, and its shorter run if the lesson has one.

import { attempt, keep, read } from "./store.js";

/**
 * @import { Words } from "../explorers/panel/types.js"
 * @typedef {{changes: [string, string][], steps: number, seconds: number, differs: Words}} Shorter `changes`: lines of
 *   the code and their replacements; `differs`: what the reader should know (shorter_runs.py)
 */

const PACE = "training-pace"; // how much longer a step takes in this browser than recorded
const FIRST_STEPS = 10; // the first steps are slow and do not count for the pace

export class Training {
  /** @param {DOMStringMap} data of the cell's element */
  constructor({ trains, seconds, shorter }) {
    this.published = { steps: Number(trains), seconds: Number(seconds) };
    /** @type {Shorter | null} */
    this.shorter = shorter ? JSON.parse(shorter) : null;
  }

  /** Return the code with the shorter run's changes; null if there are none, the reader has edited those lines, or no minute is saved. @param {string} code */
  shortened(code) {
    if (!this.shorter?.changes.every(([before]) => code.split(before).length === 2)) return null;
    const short = this.shorter.changes.reduce((text, [before, after]) => text.replace(before, () => after), code);
    return this.minutes(short) < this.minutes(code) ? short : null;
  }

  /** @param {string} code */
  isShort(code) {
    return Boolean(this.shorter?.changes.every(([before, after]) => code.includes(after) && !code.includes(before)));
  }

  /** Return how many steps the published or the shorter run takes. @param {string} code */
  steps(code) {
    return this.of(code).steps;
  }

  /** Return the minutes that the code takes at this browser's pace so far. @param {string} code */
  minutes(code) {
    const seconds = this.of(code).seconds * pace();
    return Math.max(1, Math.round(seconds / 60));
  }

  /** @param {string} code @returns {{steps: number, seconds: number}} */
  of(code) {
    return this.shorter && this.isShort(code) ? this.shorter : this.published;
  }

  /** Keep the pace, after `steps` steps took `took` milliseconds. @param {number} steps @param {number} took */
  hear(steps, took) {
    const { steps: of, seconds } = this.published;
    if (steps >= FIRST_STEPS && of && seconds) keep(PACE, String(took / steps / ((1000 * seconds) / of)));
  }
}

function pace() {
  const kept = Number(attempt(() => read(PACE)) ?? 1);
  return kept > 0 && Number.isFinite(kept) ? kept : 1;
}
