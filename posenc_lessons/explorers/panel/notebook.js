// A panel in a notebook, asked for by anywidget: a comm carries its questions to the kernel. JupyterLab, Notebook 7,
// VS Code and Colab show it; only what they agree on is relied upon. It stands in a shadow root, where neither the
// notebook's style nor its ids meet the panel's.

import { inWords, make } from "./dom.js";
import { ARRIVED, ASKED, addFontToJupyter, drawsChinese } from "./font.js";
import { measureAgain } from "./type.js";
import { Panel, withAnswer } from "./panel.js";
import { STYLE } from "./style.js";
import { Tabs } from "./tabs.js";

/**
 * @import { Answer, Language, Surroundings, View } from "./types.js"
 * @typedef {{get(name: string): any, set(name: string, value: any): void, send(content: any): void,
 *   on(event: string, called: (...said: any[]) => void): void,
 *   off(event: string, called: (...said: any[]) => void): void}} Model
 */

// Keys that controls use. Jupyter looks at them too, some of its front ends before the control that has the focus, and
// walks between cells; a box to type in and a menu need every key.
const CONTROL_KEYS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown", "Enter", " ", "[", "]", "Escape"];
const TYPED_IN = "select, input[type=text], input[type=number], .listing";

/** Questions over the comm. Every view of the widget hears every answer, and shows it. */
class Transport {
  /** @param {Model} model @param {(place: string, answer: Answer) => void} heard answers to others, and what changes by itself */
  constructor(model, heard) {
    this.model = model;
    this.name = crypto.getRandomValues(new Uint32Array(2)).join("-");
    this.count = 0;
    /** @type {Map<string, {resolve: (answer: Answer) => void, reject: (error: Error) => void}>} */
    this.asked = new Map();
    this.receive = (/** @type {any} */ { id, place, answer, error }, /** @type {DataView[]} */ buffers) => {
      if (!place) return; // a font
      const waiting = this.asked.get(id);
      this.asked.delete(id);
      if (error !== undefined) waiting?.reject(new Error(error));
      else if (waiting) waiting.resolve(withBytes(answer, buffers));
      else heard(place, withBytes(answer, buffers));
    };
    model.on("msg:custom", this.receive);
  }

  /** @param {string} place @param {string} call @param {unknown[]} args @returns {Promise<Answer>} */
  ask(place, call, args) {
    const id = `${this.name}-${++this.count}`;
    return new Promise((resolve, reject) => {
      this.asked.set(id, { resolve, reject });
      this.model.send({ id, place, call, args });
    });
  }

  close() {
    this.model.off("msg:custom", this.receive);
  }
}

// Bytes are beside a message, and within a model's state.
/** @param {any} value @param {DataView[]} buffers @returns {any} */
function withBytes(value, buffers = []) {
  if (Array.isArray(value)) return value.map((each) => withBytes(each, buffers));
  if (value === null || typeof value !== "object" || value instanceof Uint8Array) return value;
  const content = "$buffer" in value ? buffers[value.$buffer] : value;
  if (ArrayBuffer.isView(content)) return new Uint8Array(content.buffer, content.byteOffset, content.byteLength);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withBytes(each, buffers)]));
}

/** The panels of one widget, in tabs where there are several, in an output of a notebook. */
class Notebook {
  /** @param {Model} model @param {HTMLElement} el */
  constructor(model, el) {
    this.el = el;
    this.model = model;
    this.places = Object.keys(model.get("places"));
    this.disconnected = model.get("disconnected");
    /** @type {Map<string, Panel>} */
    this.panels = new Map();
    this.transport = new Transport(model, (place, answer) => {
      const panel = this.panels.get(place);
      if (panel?.view.explorer) panel.receive(answer); // else its first answer is still to come, and will be whole
    });
    /** @type {Surroundings} */
    this.surroundings = {
      ask: (place, call, args) => this.transport.ask(place, call, args),
      words: model.get("words"),
      language: model.get("language"),
      titled: this.places.length === 1,
      height: (panel) => heightFor(panel),
      linkTo: (view) => ({ address: `?${view.link}`, said: inWords(this.surroundings.words.linkForPage, view.language) }),
      shown: (view) => this.adorn(view),
    };
    this.tabs = this.places.length > 1 ? new Tabs(model.get("places"), (place) => this.show(place)) : null;
    this.notice = make("div", { role: "alert", hidden: true });
    this.notice.style.cssText = "border-left:4px solid #b3261e;background:#fdecea;color:#222;padding:8px 14px";
    this.host = make("div", { className: "posenc-panel" });
    el.classList.add("posenc-explorer");
    el.append(this.notice, this.host); // outside of the panel's root, for the lesson's switch to hide a language
    const style = new CSSStyleSheet();
    style.replaceSync(STYLE);
    const root = this.host.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [style];
    if (this.tabs) root.append(this.tabs.element);
    this.root = root;
    this.watch(model);
    this.present = this.show(this.places[0]);
  }

  /** @param {Model} model */
  watch(model) {
    const leave = (/** @type {KeyboardEvent} */ event) => this.leaveToControls(event);
    window.addEventListener("keydown", leave, true); // the one place that comes before every front end's own
    const lights = new MutationObserver(() => this.followLight());
    lights.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light", "class"] });
    const probe = () => this.probe();
    model.on("comm_live_update", probe);
    const fontCame = () => {
      measureAgain(); // the page brought it, with another copy of the painter
      for (const panel of this.panels.values()) panel.room.refit();
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

  /** @param {string} place */
  show(place) {
    let panel = this.panels.get(place);
    if (!panel) {
      panel = new Panel(place, this.surroundings);
      this.panels.set(place, panel);
      this.root.append(panel.element);
      const { explorer, ...rest } = withBytes(this.model.get("view"));
      if (explorer === place) panel.receive({ explorer, ...rest }); // the answer takes as long as a cell may run
      panel.begin("view").then(() => this.followLight());
    }
    for (const [each, { element }] of this.panels) element.hidden = each !== place;
    if (this.tabs) {
      this.tabs.mark(place);
      panel.element.setAttribute("role", "tabpanel");
      panel.element.setAttribute("aria-labelledby", `tab-${place}`);
    }
    if (this.present && this.present !== panel) panel.glide.comeAfter(this.present);
    this.present = panel;
    if (panel.view.language) this.adorn(/** @type {View} */ (panel.view));
    panel.room.refit();
    return panel;
  }

  /** Give the frame around the panels their language and their light. @param {View} view */
  adorn({ mode, language, door }) {
    Object.assign(this.host.dataset, { mode, language });
    if (this.tabs) this.tabs.element.dataset.door = String(door);
    this.tabs?.relabel(inWords(this.surroundings.words.menu, language), language);
  }

  // Elsewhere than in JupyterLab and VS Code the picture stays light.
  followLight() {
    const { dataset, classList } = document.body;
    const dark = dataset.jpThemeLight === "false" || classList.contains("vscode-dark");
    for (const panel of this.panels.values()) {
      const { mode } = panel.view;
      if (mode === (dark ? "light" : "dark")) panel.questions.ask("follow_page", dark);
    }
  }

  // ipywidgets tells its models when their comm is cut or joined again, and not which of both: a kernel that is there
  // answers.
  async probe() {
    this.showConnection(true);
    try {
      const answer = await this.transport.ask(this.present.name, "view", []);
      this.present.receive(answer);
      this.showConnection(false);
    } catch {
      return; // it cannot even be asked, and the notice says so
    }
  }

  // The notice is in both languages: the switch hides one without a kernel.
  /** @param {boolean} gone */
  showConnection(gone) {
    this.notice.hidden = !gone;
    const said = Object.entries(gone ? this.disconnected : {});
    this.notice.replaceChildren(...said.map(([lang, words]) => make("div", { lang }, words)));
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
    for (const panel of this.panels.values()) panel.close();
  }
}

// Return how many CSS pixels high a panel may be so that all of it is on the screen at once. A page that is as high as its
// content, such as an output in its own frame, limits nothing.
/** @param {Element} panel */
function heightFor(panel) {
  const notebook = /** @type {ShadowRoot} */ (panel.getRootNode()).host.closest(".jp-WindowedPanel-outer, .jp-Notebook");
  return notebook ? notebook.clientHeight - 24 : Infinity;
}

// A machine without a Chinese font paints boxes. The kernel then sends the course's font, unless the extension for the
// lessons has brought it. Returns what stops asking.
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
    if (page[ASKED] === model) delete page[ASKED]; // perhaps it was never answered
  };
}

// The model's view stays the present one, for outputs that show it later.
/** @param {{model: Model}} widget */
export function initialize({ model }) {
  model.on("msg:custom", ({ place, answer }, /** @type {DataView[]} */ buffers) => {
    const view = model.get("view");
    if (answer && view.explorer === place) model.set("view", withAnswer(view, withBytes(answer, buffers)));
  });
}

/** @param {{model: Model, el: HTMLElement}} widget */
export function render({ model, el }) {
  const notebook = new Notebook(model, el);
  return () => notebook.close();
}
