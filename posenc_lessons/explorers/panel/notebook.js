// Shows a panel in a notebook, as an anywidget: a comm carries its questions to the kernel. It uses only what
// JupyterLab, Notebook 7, VS Code and Colab have in common. The panel is in a shadow root, so that styles and ids of
// the notebook do not affect it.

import { make } from "./dom.js";
import { ARRIVED, ASKED, addFontToJupyter, drawsChinese } from "./font.js";
import { measureAgain } from "./type.js";
import { Panel, withAnswer } from "./panel.js";
import { STYLE } from "./style.js";

/**
 * @import { Answer, Surroundings } from "./types.js"
 * @typedef {{get(name: string): any, set(name: string, value: any): void, send(content: any): void,
 *   on(event: string, called: (...args: any[]) => void): void,
 *   off(event: string, called: (...args: any[]) => void): void}} Model
 */

// Keys that controls use. Jupyter uses them too, to move between cells, and some front ends see a key before the
// control with the focus does. Text boxes and menus need every key.
const CONTROL_KEYS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown", "Enter", " ", "[", "]", "Escape"];
const TYPED_IN = "select, input[type=text], input[type=number], .listing";

/** Sends questions over the comm. Every view of the widget receives every answer and shows it. */
class Transport {
  /** @param {Model} model @param {(answer: Answer) => void} heard receives answers to other views, and changes that nobody asked for */
  constructor(model, heard) {
    this.model = model;
    this.name = crypto.getRandomValues(new Uint32Array(2)).join("-");
    this.count = 0;
    /** @type {Map<string, {resolve: (answer: Answer) => void, reject: (error: Error) => void}>} */
    this.asked = new Map();
    this.receive = (/** @type {any} */ { id, answer, error, font }, /** @type {DataView[]} */ buffers) => {
      if (font) return; // see askForFont
      const waiting = this.asked.get(id);
      this.asked.delete(id);
      if (error !== undefined) waiting?.reject(new Error(error));
      else if (waiting) waiting.resolve(withBytes(answer, buffers));
      else heard(withBytes(answer, buffers));
    };
    model.on("msg:custom", this.receive);
  }

  /** @param {string} call @param {unknown[]} args @returns {Promise<Answer>} */
  ask(call, args) {
    const id = `${this.name}-${++this.count}`;
    return new Promise((resolve, reject) => {
      this.asked.set(id, { resolve, reject });
      this.model.send({ id, call, args });
    });
  }

  close() {
    this.model.off("msg:custom", this.receive);
  }
}

// Return `value` with its bytes. Messages have them in `buffers`; in a model's state they are in their places.
/** @param {any} value @param {DataView[]} buffers @returns {any} */
function withBytes(value, buffers = []) {
  if (Array.isArray(value)) return value.map((item) => withBytes(item, buffers));
  if (value === null || typeof value !== "object" || value instanceof Uint8Array) return value;
  const content = "$buffer" in value ? buffers[value.$buffer] : value;
  if (ArrayBuffer.isView(content)) return new Uint8Array(content.buffer, content.byteOffset, content.byteLength);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withBytes(item, buffers)]));
}

/** Shows the panel of one widget in a cell's output. */
class Notebook {
  /** @param {Model} model @param {HTMLElement} el */
  constructor(model, el) {
    this.el = el;
    this.model = model;
    const { explorer, words, disconnected, language } = model.get("fixed");
    this.disconnected = disconnected;
    this.transport = new Transport(model, (answer) => {
      if (this.panel.view.explorer) this.panel.receive(answer); // else its complete first answer is still to come
    });
    /** @type {Surroundings} */
    const surroundings = {
      ask: (_, call, args) => this.transport.ask(call, args),
      words,
      language,
      titled: true,
      height: (panel) => heightFor(panel),
      shown: ({ mode, language }) => Object.assign(this.host.dataset, { mode, language }),
    };
    this.panel = new Panel(explorer, surroundings);
    this.notice = make("div", { role: "alert", hidden: true });
    this.notice.style.cssText = "border-left:4px solid #b3261e;background:#fdecea;color:#222;padding:8px 14px";
    this.host = make("div", { className: "posenc-panel" });
    el.classList.add("posenc-explorer");
    el.append(this.notice, this.host); // not in the shadow root: the language switch must reach it
    const style = new CSSStyleSheet();
    style.replaceSync(STYLE);
    const root = this.host.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [style];
    root.append(this.panel.element);
    this.watch(model);
    this.begin();
  }

  /** @param {Model} model */
  watch(model) {
    const leave = (/** @type {KeyboardEvent} */ event) => this.leaveToControls(event);
    window.addEventListener("keydown", leave, true); // runs before the listeners of every front end
    const lights = new MutationObserver(() => this.followLight());
    lights.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light", "class"] });
    const probe = () => this.probe();
    model.on("comm_live_update", probe);
    const fontCame = () => {
      measureAgain(); // another module of the page loaded it; this copy of the painter measured without it
      this.panel.room.refit();
    };
    window.addEventListener(ARRIVED, fontCame);
    const stopAsking = askForFont(model);
    this.stop = () => {
      window.removeEventListener("keydown", leave, true);
      window.removeEventListener(ARRIVED, fontCame);
      lights.disconnect();
      model.off("comm_live_update", probe);
      stopAsking();
    };
  }

  begin() {
    const view = withBytes(this.model.get("view"));
    if (view.explorer) this.panel.receive(view); // until the answer, which waits for a running cell
    this.panel.begin("view").then(() => this.followLight());
    this.panel.room.refit();
  }

  // Follow the theme of JupyterLab or VS Code; elsewhere the picture stays light.
  followLight() {
    const { dataset, classList } = document.body;
    const dark = dataset.jpThemeLight === "false" || classList.contains("vscode-dark");
    if (this.panel.view.mode === (dark ? "light" : "dark")) this.panel.questions.ask("follow_page", dark);
  }

  // Ask the kernel whether it is there. ipywidgets reports that the comm was cut or connected again, but not which.
  async probe() {
    this.showConnection(true);
    try {
      this.panel.receive(await this.transport.ask("view", []));
      this.showConnection(false);
    } catch {
      return; // the question could not be sent; the notice stays
    }
  }

  // Show or hide the notice. It is in both languages, because the language switch can hide one without a kernel.
  /** @param {boolean} gone */
  showConnection(gone) {
    this.notice.hidden = !gone;
    const sentences = Object.entries(gone ? this.disconnected : {});
    this.notice.replaceChildren(...sentences.map(([lang, words]) => make("div", { lang }, words)));
  }

  /** @param {KeyboardEvent} event */
  leaveToControls(event) {
    if (!event.composedPath().includes(this.host)) return;
    const control = /** @type {Element} */ (event.composedPath()[0]);
    const combined = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
    const wanted = control.matches(TYPED_IN) ? !event.ctrlKey && !event.metaKey && !(event.shiftKey && event.key === "Enter") : !combined && CONTROL_KEYS.includes(event.key);
    this.host.toggleAttribute("data-lm-suppress-shortcuts", wanted);
  }

  close() {
    this.stop?.();
    this.transport.close();
    this.panel.close();
  }
}

// Return how many CSS pixels high picture and words may be to fit on the screen. In a page that grows with its content,
// such as an output in a frame, there is no limit.
/** @param {Element} panel */
function heightFor(panel) {
  const notebook = /** @type {ShadowRoot} */ (panel.getRootNode()).host.closest(".jp-WindowedPanel-outer, .jp-Notebook");
  return notebook ? notebook.clientHeight - 140 : Infinity; // the first lines of the text below are in sight
}

// Ask the kernel for the course's Chinese font if this machine has none and the extension for the lessons has not
// brought it. Return a function that stops listening.
/** @param {Model} model */
function askForFont(model) {
  const page = /** @type {any} */ (globalThis);
  const receive = (/** @type {any} */ { font }, /** @type {DataView<ArrayBuffer>[]} */ [content]) => font && addFontToJupyter(content);
  model.on("msg:custom", receive);
  if (!page[ASKED] && !drawsChinese()) {
    page[ASKED] = model;
    model.send({ wanted: "font" });
  }
  return () => {
    model.off("msg:custom", receive);
    if (page[ASKED] === model) delete page[ASKED]; // so that another widget can ask, if no answer has come
  };
}

// Keep the model's view up to date, for outputs that show it later.
/** @param {{model: Model}} widget */
export function initialize({ model }) {
  model.on("msg:custom", ({ answer }, /** @type {DataView[]} */ buffers) => {
    if (answer) model.set("view", withAnswer(model.get("view"), withBytes(answer, buffers)));
  });
}

/** @param {{model: Model, el: HTMLElement}} widget */
export function render({ model, el }) {
  const notebook = new Notebook(model, el);
  return () => notebook.close();
}
