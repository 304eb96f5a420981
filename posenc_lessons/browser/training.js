// What a cell's training takes here, in steps and minutes, and a shorter run of it where the lesson has one.

import { attempt, keep, read } from "./store.js";

/**
 * @import { Words } from "../explorers/panel/types.js"
 * @typedef {{changes: [string, string][], steps: number, seconds: number, differs: Words}} Shorter what is changed in
 *   the code and by what, and what the reader should know of it (shorter_runs.py)
 */

const PACE = "training-pace"; // how many times as long as recorded a step took in this browser
const FIRST_STEPS = 10; // of training that say nothing of the pace: Python is still warming up

export class Training {
  /** @param {DOMStringMap} data of the cell's element */
  constructor({ trains, seconds, shorter }) {
    this.published = { steps: Number(trains), seconds: Number(seconds) };
    /** @type {Shorter | null} */
    this.shorter = shorter ? JSON.parse(shorter) : null;
  }

  /** The code with a shorter run's changes; null where there is none, it saves no minute, or a line that it changes is another by now. @param {string} code */
  shortened(code) {
    if (!this.shorter?.changes.every(([before]) => code.split(before).length === 2)) return null;
    const short = this.shorter.changes.reduce((text, [before, after]) => text.replace(before, () => after), code);
    return this.minutes(short) < this.minutes(code) ? short : null;
  }

  /** @param {string} code */
  isShort(code) {
    return Boolean(this.shorter?.changes.every(([before, after]) => code.includes(after) && !code.includes(before)));
  }

  /** Return how many steps the code takes, as far as is known. @param {string} code */
  steps(code) {
    return this.of(code).steps;
  }

  /** Minutes that the code takes, at the pace that steps had here before. @param {string} code */
  minutes(code) {
    const seconds = this.of(code).seconds * pace();
    return Math.max(1, Math.round(seconds / 60));
  }

  /** @param {string} code @returns {{steps: number, seconds: number}} */
  of(code) {
    return this.shorter && this.isShort(code) ? this.shorter : this.published;
  }

  /** Keep the pace: so many steps took so many milliseconds. @param {number} steps @param {number} took */
  hear(steps, took) {
    const { steps: of, seconds } = this.published;
    if (steps >= FIRST_STEPS && of && seconds) keep(PACE, String(took / steps / ((1000 * seconds) / of)));
  }
}

function pace() {
  const kept = Number(attempt(() => read(PACE)) ?? 1);
  return kept > 0 && Number.isFinite(kept) ? kept : 1;
}
