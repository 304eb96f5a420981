// Drafts: what a reader has typed into cells. Each is kept by lesson, language and cell, with the source it started
// from.

import { attempt, forget, keep, textsUnder, read, whenChangedElsewhere } from "./store.js";

/**
 * @typedef {{code: string, of: string, other?: string}} Draft `of`: the cell's published source when
 *   the draft was begun; `other`: a different text of another tab or a file
 * @typedef {{lesson: string, language: string, cell: string}} Place
 */

const DRAFT = "draft:";

export class Drafts {
  /** @param {string} lesson */
  constructor(lesson) {
    this.lesson = lesson;
  }

  /** @param {string} cell */
  name(cell) {
    return nameOf({ lesson: this.lesson, language: document.documentElement.lang, cell });
  }

  /** @param {string} cell @returns {Draft | null} */
  read(cell) {
    return understood(read(this.name(cell)));
  }

  /** Keep a draft; return false if this browser keeps nothing. @param {string} cell @param {Draft} draft @returns {boolean} */
  keep(cell, draft) {
    return keep(this.name(cell), JSON.stringify(draft));
  }

  /** @param {string} cell */
  forget(cell) {
    forget(this.name(cell));
  }

  /** Call `then` when another tab changes the draft of `cell`. @param {string} cell @param {() => void} then */
  whenChangedElsewhere(cell, then) {
    const own = this.name(cell);
    whenChangedElsewhere(own, (name) => name === own && then());
  }
}

/** Return every draft of every lesson, with its place. @returns {(Place & Draft)[]} */
export function allDrafts() {
  return textsUnder(DRAFT).flatMap(([place, text]) => {
    const [lesson, language, cell] = place.split(":");
    const draft = understood(text);
    return draft && cell ? [{ lesson, language, cell, ...draft }] : [];
  });
}

/** Keep a draft from a file. A different draft that is already here becomes its `other`. @param {Place & Draft} from */
export function takeDraft({ lesson, language, cell, code, of }) {
  const name = nameOf({ lesson, language, cell });
  const draft = understood(read(name));
  const other = draft && draft.code !== code ? draft.code : draft?.other;
  return keep(name, JSON.stringify({ code, of, ...(other === undefined ? {} : { other }) }));
}

/** @param {Place} place */
function nameOf({ lesson, language, cell }) {
  return `${DRAFT}${lesson}:${language}:${cell}`;
}

/** @param {string | null} text @returns {Draft | null} */
function understood(text) {
  const draft = attempt(() => JSON.parse(text ?? ""));
  return isDraft(draft) ? draft : null;
}

/** @param {any} draft @returns {boolean} */
export function isDraft(draft) {
  return typeof draft?.code === "string" && typeof draft?.of === "string" && ["string", "undefined"].includes(typeof draft.other);
}
