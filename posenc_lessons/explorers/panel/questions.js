// Asks Python questions, one at a time. While it waits for an answer, it keeps the newest value of each control and the
// newest place of the pointer, and drops older ones. All other questions are asked in order; those about where a number
// comes from (`askAside`) only when nothing else waits. No other part of the page holds questions back.

/**
 * @import { Answer, Place } from "./types.js"
 * @typedef {{values?: Map<string, any>, place?: Place, call?: string, args?: unknown[],
 *   resolve?: (answer: Answer) => void, reject?: (error: unknown) => void}} Question
 */

const PASSING = ["hover", "leave"];

export class Questions {
  /**
   * @param {(call: string, args: unknown[]) => Promise<Answer>} put
   * @param {(answer: Answer, question: Question) => void} receive gets every answer before the caller does
   * @param {(error: unknown) => void} failed
   */
  constructor(put, receive, failed) {
    this.put = put;
    this.receive = receive;
    this.failed = failed;
    /** @type {Question[]} */
    this.waiting = [];
    /** @type {Question | null} */
    this.aside = null; // the question to ask when nothing else waits
    /** @type {Question | null} */
    this.underWay = null;
    this.open = false;
  }

  /** Ask this question first, and from now on the waiting ones. @param {string} call @param {unknown[]} args @returns {Promise<Answer>} */
  begin(call, ...args) {
    this.open = true;
    return new Promise((resolve, reject) => {
      this.waiting.unshift({ call, args, resolve, reject });
      this.next();
    });
  }

  /** @param {string} control @param {any} value */
  set(control, value) {
    const last = this.waiting.at(-1);
    if (last?.values) last.values.set(control, value);
    else this.add({ values: new Map([[control, value]]) });
  }

  /** @param {Place} place */
  point(place) {
    const last = this.waiting.at(-1);
    const waiting = last?.place?.kind ?? "";
    if (last && (waiting === place.kind || (PASSING.includes(waiting) && PASSING.includes(place.kind)))) last.place = place;
    else this.add({ place });
  }

  /** @param {string} call @param {unknown[]} args @returns {Promise<Answer>} */
  ask(call, ...args) {
    return new Promise((resolve, reject) => this.add({ call, args, resolve, reject }));
  }

  /** Ask when nothing else waits; a newer question of this kind replaces it. @param {string} call @param {unknown[]} args @returns {Promise<Answer>} */
  askAside(call, ...args) {
    this.aside?.resolve?.({});
    return new Promise((resolve, reject) => {
      this.aside = { call, args, resolve, reject };
      this.next();
    });
  }

  /** Drop all waiting questions. */
  clear() {
    this.aside?.resolve?.({});
    this.aside = null;
    for (const { resolve } of this.waiting.splice(0)) resolve?.({});
  }

  /** Return whether an answer to a value of this control is still to come. @param {string} control */
  holds(control) {
    return [this.underWay, ...this.waiting].some((question) => question?.values?.has(control));
  }

  /** @param {Question} question */
  add(question) {
    this.waiting.push(question);
    this.next();
  }

  async next() {
    if (!this.open || this.underWay) return;
    const question = (this.underWay = this.waiting.shift() ?? this.aside);
    if (!question) return;
    if (question === this.aside) this.aside = null;
    try {
      const answer = await this.put(...asCall(question));
      this.underWay = null;
      this.receive(answer, question);
      question.resolve?.(answer);
    } catch (error) {
      this.underWay = null;
      this.failed(error);
      question.reject?.(error);
    }
    this.next();
  }
}

/** @param {Question} question @returns {[string, unknown[]]} */
function asCall({ values, place, call, args }) {
  if (place) return ["point", [place.panel, place.x, place.y, place.kind]];
  if (!values) return [/** @type {string} */ (call), args ?? []];
  return values.size > 1 ? ["restore", [Object.fromEntries(values)]] : ["set", [...values][0]];
}
