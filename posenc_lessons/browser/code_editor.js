// The editor of a cell: a text area, replaced by CodeMirror when the reader first enters one and CodeMirror has loaded.
// If it cannot be loaded, or the reader prefers plain editors, the text area stays. Until then the published code is
// shown in its colours.

import { make } from "./dom.js";
import { EDITOR, FOLDER } from "./made.js";
import { forget, keep, read } from "./store.js";

/**
 * @typedef {{element: HTMLElement, text: string, focus: () => void, setLabel: (words: string) => void, mark: (line: number) => void}} Coloured
 * @typedef {{text: string, from: number, to: number, label: string, changed: () => void, run: () => void}} Options
 */

const PLAIN = "plain-editor"; // the name under which this browser keeps the reader's choice

/** @type {Promise<((options: Options) => Coloured) | null> | undefined} */
let loading;

/** Load CodeMirror; resolve to the function that makes an editor, or to null. */
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
  /** @param {string} text @param {() => void} changed called when the reader has typed @param {() => void} run called at Shift+Enter @param {HTMLElement | null} published the same text in its colours */
  constructor(text, changed, run, published) {
    this.changed = changed;
    this.run = run;
    this.label = "";
    this.area = make("textarea", { className: "editor", value: text, spellcheck: false, autocapitalize: "off" });
    this.element = make("div", { className: "editing highlight" }, this.area); // with the colours of read-only code
    if (published) {
      this.element.classList.add("published");
      this.element.append(make("div", { className: "source", "aria-hidden": "true" }, ...published.cloneNode(true).childNodes));
    }
    /** @type {Coloured | null} */
    this.coloured = null;
    this.area.addEventListener("input", () => {
      this.fit();
      changed();
    });
    this.area.addEventListener("focus", () => {
      this.uncover();
      this.upgrade();
    });
    this.composing = false; // an input method, such as pinyin, has not finished a word
    this.area.addEventListener("compositionstart", () => (this.composing = true));
    this.area.addEventListener("compositionend", () => (this.composing = false));
    this.area.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !event.shiftKey || event.isComposing) return;
      event.preventDefault();
      run();
    });
    this.fit();
  }

  /** Show the text itself in place of the published code. */
  uncover() {
    this.element.classList.remove("published");
    this.element.querySelector(".source")?.remove();
  }

  fit() {
    this.area.rows = Math.max(2, this.area.value.split("\n").length);
  }

  get text() {
    return this.coloured ? this.coloured.text : this.area.value;
  }

  set text(written) {
    this.uncover();
    if (this.coloured) this.coloured.text = written;
    else this.area.value = written;
    this.fit();
  }

  focus() {
    if (this.coloured) this.coloured.focus();
    else this.area.focus();
  }

  /** Mark a line, counted from 1; none for NaN. @param {number} line */
  mark(line) {
    this.element.classList.toggle("faulty", line > 0);
    this.element.style.setProperty("--line", String(line));
    this.coloured?.mark(line);
  }

  /** @param {string} words */
  setLabel(words) {
    this.label = words;
    this.area.setAttribute("aria-label", words);
    this.coloured?.setLabel(words);
  }

  /** Replace the text area by CodeMirror, with everything typed so far. */
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

  /** Return to the text area if the reader has chosen plain editors. */
  followChoice() {
    if (!plainChosen() || !this.coloured) return;
    const { element, text } = this.coloured;
    this.coloured = null;
    this.area.value = text;
    this.fit();
    element.replaceWith(this.area);
  }
}
