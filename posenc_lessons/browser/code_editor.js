// The editor of a cell: a plain text area, and CodeMirror in its place once that has come. It is fetched when the
// reader first comes to an editor; where it cannot be had, or the reader wants none, the text area stays.

import { make } from "./dom.js";
import { EDITOR, FOLDER } from "./made.js";
import { forget, keep, read } from "./store.js";
import { addKeys } from "./typing.js";

/**
 * @typedef {{element: HTMLElement, text: string, focus: () => void, setLabel: (words: string) => void}} Coloured
 * @typedef {{text: string, from: number, to: number, label: string, changed: () => void, run: () => void}} Options
 */

const PLAIN = "plain-editor"; // a choice that this browser keeps

/** @type {Promise<((options: Options) => Coloured) | null> | undefined} */
let loading;

/** Resolves to what makes a CodeMirror, or to null. */
function load() {
  loading ??= new Promise((resolve) => {
    if (!EDITOR) return resolve(null);
    const script = make("script", { src: FOLDER + EDITOR.file });
    script.addEventListener("load", () => resolve(/** @type {any} */ (window).posencEditor ?? null));
    script.addEventListener("error", () => resolve(null));
    document.head.append(script);
  });
  return loading;
}

/** Return whether the reader wants plain text areas. */
export function plainChosen() {
  return read(PLAIN) !== null;
}

/** @param {boolean} plain */
export function choosePlain(plain) {
  if (plain) keep(PLAIN, "1");
  else forget(PLAIN);
}

export class CodeEditor {
  /** @param {string} text @param {() => void} changed by the reader @param {() => void} run Shift+Enter was pressed */
  constructor(text, changed, run) {
    this.changed = changed;
    this.run = run;
    this.label = "";
    this.area = make("textarea", { className: "editor", value: text, spellcheck: false, autocapitalize: "off" });
    this.element = make("div", { className: "editing highlight" }, this.area); // in the colours of code that is only read
    /** @type {Coloured | null} */
    this.coloured = null;
    this.area.addEventListener("input", () => {
      this.fit();
      changed();
    });
    this.area.addEventListener("focus", () => this.upgrade());
    this.composing = false; // a word of an input method, such as pinyin, is not ready yet
    this.area.addEventListener("compositionstart", () => (this.composing = true));
    this.area.addEventListener("compositionend", () => (this.composing = false));
    addKeys(this.area, run);
    this.fit();
  }

  fit() {
    this.area.rows = Math.max(2, this.area.value.split("\n").length);
  }

  get text() {
    return this.coloured ? this.coloured.text : this.area.value;
  }

  set text(written) {
    if (this.coloured) this.coloured.text = written;
    else this.area.value = written;
    this.fit();
  }

  focus() {
    if (this.coloured) this.coloured.focus();
    else this.area.focus();
  }

  /** @param {string} words */
  setLabel(words) {
    this.label = words;
    this.area.setAttribute("aria-label", words);
    this.coloured?.setLabel(words);
  }

  /** Put CodeMirror in the place of the text area, with what was typed meanwhile. */
  async upgrade() {
    if (this.coloured || plainChosen()) return;
    const makeEditor = await load();
    if (this.composing) await new Promise((done) => this.area.addEventListener("compositionend", done, { once: true }));
    if (!makeEditor || this.coloured || plainChosen() || !this.area.isConnected) return;
    const { value: text, selectionStart: from, selectionEnd: to } = this.area;
    const focused = document.activeElement === this.area;
    this.coloured = makeEditor({ text, from, to, label: this.label, changed: this.changed, run: this.run });
    this.area.replaceWith(this.coloured.element);
    if (focused) this.coloured.focus();
  }

  /** Follow the reader's choice of a plain editor, or of none. */
  followChoice() {
    if (!plainChosen() || !this.coloured) return;
    const { element, text } = this.coloured;
    this.coloured = null;
    this.area.value = text;
    this.fit();
    element.replaceWith(this.area);
  }
}
