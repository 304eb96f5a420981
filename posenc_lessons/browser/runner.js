// Runs the cells of a lesson in the page's Python, one at a time, each after the cells that it needs.

import { language, onlyLanguage } from "./page_language.js";
import { connect, restart } from "./runtime.js";

/**
 * @import { Training } from "./training.js"
 * @typedef {{kind: string, text?: string, plain?: string, html?: string, place?: string, explorer?: string, initial?: Record<string, any>}} Output
 * @typedef {{outputs: Output[], text: string, error?: string, above?: string, untrained?: boolean, ran?: string[], solved?: string[], exhausted?: boolean, steps?: number, stopped?: boolean}} Result
 *   `ran`: cells that ran without an error; `solved`: exercises that passed their checks; `above`: the needed cell
 *   that ended in an error; `untrained`: a needed cell trains, so nothing ran; `steps`: how many steps of training were
 *   done; `stopped`: the reader ended the training
 * @typedef {{percent?: number, at?: number, of?: number, steps?: number}} Step of a run: Python starts (`percent`),
 *   cell number `at` of the needed ones runs, or `steps` steps of training are done
 * @typedef {{cells: [string, string][], training: Map<string, Training>, raises: Set<string>}} Lesson `cells`:
 *   their ids and sources; `training`: those that train; `raises`: those that end in an error on purpose
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
   * @param {boolean} [train] whether needed cells may train
   * @returns {Promise<Result>}
   */
  run(name, cell, code, drafts, hear = () => {}, train = false) {
    const now = this.last.then(() => this.runNow(name, cell, code, drafts, hear, train));
    this.last = now.catch(() => {});
    return now;
  }

  /** @param {string} name @param {string} cell @param {string | null} code @param {Record<string, string>} drafts @param {(step: Step) => void} hear @param {boolean} train @returns {Promise<Result>} */
  async runNow(name, cell, code, drafts, hear, train) {
    const python = await connect({ onlyLanguage, progress: (percent) => hear({ percent }) });
    if (this.python !== python) python.restarted.add(() => this.defined.clear());
    this.python = python;
    const ask = (/** @type {string} */ call, /** @type {unknown[]} */ ...args) => python.askCells(name, call, args);
    if (!onlyLanguage) await ask("set_language", language());
    if (!this.defined.has(name)) await ask("define", this.lesson.cells);
    this.defined.add(name);
    const needed = await ask("needed", cell, code, drafts);
    if (!train && needed.some((/** @type {string} */ each) => this.lesson.training.has(each))) {
      return { outputs: [], text: "", untrained: true };
    }
    const sources = { ...Object.fromEntries(this.lesson.cells), ...drafts, ...(code === null ? {} : { [cell]: code }) };
    const steps = (/** @type {string} */ each) => this.lesson.training.get(each)?.steps(sources[each]) ?? 0;
    const total = [...needed, cell].reduce((sum, each) => sum + steps(each), 0);
    let done = 0;
    python.trained = (now) => hear({ steps: done + now, of: total });
    /** @type {string[]} */
    const ran = [];
    for (const [at, each] of needed.entries()) {
      hear({ at: at + 1, of: needed.length });
      const result = await this.runOne(ask, each, drafts[each] ?? null, ran);
      done += result.steps ?? 0;
      if (result.stopped) return { ...result, outputs: [] };
      if (result.error && !this.lesson.raises.has(each)) return { ...result, above: each };
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

  /** End training after its next step and keep the result; in a browser that cannot do so, end everything. */
  endTraining() {
    if (!(/** @type {any} */ (this.python)?.endTraining())) this.stop();
  }

  /** End everything that runs: waiting questions are rejected, and Python starts again. */
  stop() {
    this.last = Promise.resolve();
    restart();
  }
}
