// Runs the cells of a lesson in the page's Python, one at a time, each after the cells that it needs.

import { LANGUAGE } from "./page_language.js";
import { connect, restart } from "./runtime.js";

/**
 * @typedef {{kind: string, text?: string, plain?: string, html?: string, meaning?: string, line?: number, where?: string, code?: string, place?: string, explorer?: string, initial?: Record<string, any>}} Output
 * @typedef {{outputs: Output[], error?: string, above?: string, untrained?: string, ran?: string[], solved?: string[], exhausted?: boolean}} Result
 *   `ran`: cells that ran without an error; `solved`: exercises that passed their checks; `above`: the needed cell
 *   that ended in an error; `untrained`: the needed cell that trains and has not run, so that nothing ran
 * @typedef {{percent?: number, at?: number, of?: number, steps?: number}} Step of a run: Python starts (`percent`),
 *   cell number `at` of the needed ones runs, or `steps` steps of a training are done
 * @typedef {{cells: [string, string][], training: string[], raises: Set<string>}} Lesson `cells`: their ids and
 *   sources; `training`: those that train; `raises`: those that end in an error on purpose
 */

export class Runner {
  /** @param {Lesson} lesson */
  constructor(lesson) {
    this.lesson = lesson;
    /** @type {Promise<unknown>} */
    this.last = Promise.resolve();
    /** @type {Set<string>} names of lessons that Python knows */
    this.defined = new Set();
    /** @type {unknown} */
    this.python = null;
  }

  /**
   * Run `cell` with `code` (null: as published) when earlier runs are done. `name`: the set of variables to use, the
   * reader's or a script's. `drafts`: what the reader has typed into other cells.
   *
   * @param {string} name @param {string} cell @param {string | null} code @param {Record<string, string>} drafts
   * @param {(step: Step) => void} [hear]
   * @returns {Promise<Result>}
   */
  run(name, cell, code, drafts, hear = () => {}) {
    const now = this.last.then(() => this.runNow(name, cell, code, drafts, hear));
    this.last = now.catch(() => {});
    return now;
  }

  /** @param {string} name @param {string} cell @param {string | null} code @param {Record<string, string>} drafts @param {(step: Step) => void} hear @returns {Promise<Result>} */
  async runNow(name, cell, code, drafts, hear) {
    const { cells, training, raises } = this.lesson;
    const python = await connect({ onlyLanguage: LANGUAGE, progress: (percent) => hear({ percent }) });
    if (this.python !== python) python.restarted.add(() => this.defined.clear());
    this.python = python;
    python.trained = (steps, of) => hear({ steps, of });
    const ask = (/** @type {string} */ call, /** @type {unknown[]} */ ...args) => python.askCells(name, call, args);
    if (!this.defined.has(name)) await ask("define", cells, training);
    this.defined.add(name);
    /** @type {string[]} */
    const needed = await ask("needed", cell, code, drafts);
    const untrained = needed.find((above) => training.includes(above));
    if (untrained) return { outputs: [], untrained };
    /** @type {string[]} */
    const ran = [];
    for (const [at, above] of needed.entries()) {
      hear({ at: at + 1, of: needed.length });
      const result = await this.runOne(ask, above, drafts[above] ?? null, ran);
      if (result.error && !raises.has(above)) return { ...result, above };
    }
    hear({});
    return this.runOne(ask, cell, code, ran);
  }

  /** @param {(call: string, ...args: unknown[]) => Promise<any>} ask @param {string} cell @param {string | null} code @param {string[]} ran @returns {Promise<Result>} */
  async runOne(ask, cell, code, ran) {
    const result = await ask("run", cell, code);
    if (!result.error || this.lesson.raises.has(cell)) ran.push(cell);
    if (result.exhausted) restart(); // only a restart gives the memory back
    return { ...result, ran };
  }

  /** End everything that runs: waiting questions are rejected, and Python starts again. */
  stop() {
    this.last = Promise.resolve();
    restart();
  }
}
