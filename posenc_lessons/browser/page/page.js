// The page of all explorers: tabs, language, theme, links. It shows stills at once, and live pictures when Python is
// up.

import { icon, inWords, make, setAttribute, write } from "./dom.js";
import { addMissingFont } from "./font.js";
import { Panel } from "./panel.js";
import { TABLE } from "./made.js";
import { bringFaces } from "./own_faces.js";
import { connect, firstViews, readFont } from "./runtime.js";
import { attempt } from "./store.js";
import { Tabs } from "./tabs.js";

/**
 * @import { Answer, Language, View, Words } from "./types.js"
 * @typedef {{words: Record<string, Words>, languages: Record<string, string>, explorers: Record<string, Words>,
 *   still(explorer: string, language: Language, mode: string): View}} Table
 */

const STORED = "posenc-lessons"; // the reader's choices, in this browser's storage
const ADDRESS_PAUSE = 120; // milliseconds; browsers refuse to change the address more than ten times a second
const MODES = ["light", "dark", "projector"];
const LANG = { zh: "zh-CN", en: "en", both: "zh-CN" };

// ---- The reader's choices, from the address or an earlier visit ----

function remembered() {
  return attempt(() => JSON.parse(localStorage.getItem(STORED) ?? "{}")) ?? {};
}

/** Keep a choice; without storage it holds for this visit. @param {Record<string, string>} choice */
function remember(choice) {
  attempt(() => localStorage.setItem(STORED, JSON.stringify({ ...remembered(), ...choice })));
}

// Return the parameters in the address; a page opened as a file may have them after #.
function queryAsked() {
  const query = location.search.slice(1) || location.hash.replace(/^#\??/, "");
  return query.includes("=") ? query : "";
}

/** @template T @param {T} value @param {T[]} among @returns {T | undefined} */
const ifAmong = (value, among) => (among.includes(value) ? value : undefined);

/** @param {Table} table @returns {{explorer: string, language: Language, mode: string}} */
function firstChoices(table) {
  const query = new URLSearchParams(queryAsked());
  const before = remembered();
  const own = navigator.languages?.[0] ?? navigator.language;
  return {
    explorer: ifAmong(query.get("explorer"), Object.keys(table.explorers)) ?? Object.keys(table.explorers)[0],
    language: ifAmong(query.get("lang"), Object.keys(table.languages)) ?? ifAmong(before.language, Object.keys(table.languages)) ?? (own.startsWith("zh") ? "zh" : "en"),
    mode: ifAmong(query.get("mode"), MODES) ?? ifAmong(before.mode, MODES) ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"),
  };
}

// ---- The page ----

class Page {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.words = table.words;
    /** @type {Map<string, Panel>} */
    this.panels = new Map();
    this.query = queryAsked();
    /** @type {{ask(place: string, call: string, args: unknown[]): Promise<Answer>} | null} */
    this.python = null;
    this.busy = 0;
    this.percent = 0;
    this.state = "";
    this.error = "";
    const { explorer, language, mode } = firstChoices(table);
    this.explorer = explorer;
    this.language = language;
    this.mode = mode;
    this.makeHeader();
    this.panel = this.show(this.explorer);
    this.relabel();
  }

  /** @param {string} name @param {Record<string, any>} [values] */
  text(name, values = {}) {
    return inWords(this.words[name], this.language, values);
  }

  makeHeader() {
    const { explorers, languages } = this.table;
    const menu = /** @type {HTMLSelectElement} */ (byId("menu"));
    this.tabs = new Tabs(explorers, (name) => this.show(name));
    this.tabs.element.id = "tabs";
    byId("tabs").replaceWith(this.tabs.element);
    for (const name of Object.keys(explorers)) menu.append(make("option", { value: name }));
    menu.addEventListener("change", () => this.show(menu.value));
    this.addChoices("languages", Object.entries(languages), (name) => this.setLanguage(/** @type {Language} */ (name)));
    this.addChoices("modes", MODES.map((mode) => [mode, icon(mode)]), (mode) => this.setMode(mode));
  }

  /** @param {string} id @param {[string, string | Node][]} options @param {(value: string) => void} choose */
  addChoices(id, options, choose) {
    for (const [value, face] of options) {
      const button = make("button", { type: "button", value }, face);
      button.addEventListener("click", () => choose(value));
      byId(id).append(button);
    }
  }

  relabel() {
    const { language, mode } = this;
    const page = document.documentElement;
    page.lang = LANG[language];
    Object.assign(page.dataset, { language, mode });
    document.title = this.text("title");
    write(byId("title"), document.title);
    for (const [id, name] of [["menu", "menu"], ["languages", "language"], ["modes", "mode"]]) {
      byId(id).setAttribute("aria-label", this.text(name));
    }
    const home = document.getElementById("home"); // only in a site
    if (home) {
      write(home, this.text("home"));
      home.title = this.text("homeToo");
    }
    this.tabs?.relabel(this.text("menu"), language);
    for (const option of /** @type {HTMLSelectElement} */ (byId("menu")).options) write(option, inWords(this.table.explorers[option.value], language));
    for (const button of buttonsIn("languages")) setAttribute(button, "aria-pressed", String(button.value === language));
    for (const button of buttonsIn("modes")) {
      setAttribute(button, "aria-pressed", String(button.value === mode));
      setAttribute(button, "aria-label", this.text(button.value));
      setAttribute(button, "title", this.text(button.value));
    }
    this.showState();
    this.panel.relabel();
    this.panel.room.refit();
  }

  showState() {
    const words = { none: "noWebAssembly", failed: "failed" }[this.state];
    const line = byId("state");
    write(line, words ? this.text(words, { error: this.error }) : "");
    line.hidden = !words;
    if (this.panel.view.tries) this.panel.showTip();
  }

  /** Return the tip that panels show while Python is starting. */
  get starting() {
    return this.state === "still" ? this.text("starting", { percent: this.percent }) : "";
  }

  /** @param {string} state @param {string} [error] */
  setState(state, error = "") {
    Object.assign(this, { state, error });
    document.documentElement.dataset.state = state;
    this.showState();
    this.panel.room.refit();
  }

  // ---- Explorers ----

  /** @param {string} name */
  show(name) {
    this.explorer = name;
    const panel = this.panels.get(name) ?? this.makePanel(name);
    this.panel = panel;
    for (const [other, { element }] of this.panels) element.hidden = other !== name;
    this.tabs?.mark(name);
    /** @type {HTMLSelectElement} */ (byId("menu")).value = name;
    this.update(panel);
    if (this.tabs) this.tabs.element.dataset.door = String(panel.view.door);
    return panel;
  }

  /** @param {string} name */
  makePanel(name) {
    const panel = new Panel(name, this);
    panel.element.setAttribute("role", "tabpanel");
    panel.element.setAttribute("aria-labelledby", `tab-${name}`);
    this.panels.set(name, panel);
    byId("explorers").append(panel.element);
    return panel;
  }

  // Show a panel's still or, with Python, its present view, in the reader's language and theme.
  /** @param {Panel} panel */
  async update(panel) {
    if (!panel.live) this.showStill(panel);
    panel.relabel();
    panel.room.refit();
    if (!this.python) return;
    const { language, mode } = this;
    if (!panel.live) await panel.begin("start", panel.name, this.queryFor(panel), language, mode).then(() => panel.beckon(false));
    else {
      if (panel.view.language !== language) await panel.questions.ask("set_language", language);
      if (panel.view.mode !== mode) await panel.questions.ask("set_mode", mode);
    }
    panel.relabel();
    panel.room.refit();
    this.linkChanged();
  }

  // Return the settings of the link, only once, with the language and theme that the reader has chosen since.
  /** @param {Panel} panel */
  queryFor(panel) {
    const query = new URLSearchParams(this.query);
    if (!this.query || (query.get("explorer") ?? panel.name) !== panel.name) {
      if (Object.keys(this.table.explorers).includes(query.get("explorer") ?? "")) return "";
    }
    if (Object.keys(this.table.languages).includes(query.get("lang") ?? "")) query.set("lang", this.language);
    if (MODES.includes(query.get("mode") ?? "")) query.set("mode", this.mode);
    this.query = "";
    return query.toString();
  }

  /** @param {Panel} panel */
  showStill(panel) {
    const values = new URLSearchParams(this.query);
    const others = values.get("explorer") === panel.name && [...values.keys()].some((key) => !["explorer", "lang", "mode"].includes(key));
    panel.element.classList.toggle("outdated", others); // the link has other settings than the still
    panel.receive(this.table.still(panel.name, this.language, this.mode));
  }

  /** @param {string} place @param {string} call @param {unknown[]} args */
  async ask(place, call, args) {
    if (!this.python) throw new Error("Python is not there yet");
    this.countPending(1);
    return this.python.ask(place, call, args).finally(() => this.countPending(-1));
  }

  // Count what is still to come (answers of Python, a change of the address, the font), for tests that wait for it.
  /** @param {number} more */
  countPending(more) {
    this.busy += more;
    document.documentElement.dataset.busy = String(this.busy);
  }

  /** @param {Language} language */
  setLanguage(language) {
    this.language = language;
    remember({ language });
    this.relabel();
    this.update(this.panel);
  }

  /** @param {string} mode */
  setMode(mode) {
    this.mode = mode;
    remember({ mode });
    this.relabel();
    this.update(this.panel);
  }

  // ---- Links ----

  // Write the settings into the address, a little later than the picture changes.
  linkChanged() {
    if (!this.panel?.live || this.addressDue) return;
    this.addressDue = true;
    this.countPending(1);
    setTimeout(() => {
      this.addressDue = false;
      this.writeAddress();
      this.countPending(-1);
    }, ADDRESS_PAUSE);
  }

  writeAddress() {
    const { live, view } = this.panel;
    if (!live || !view.link || location.search === `?${view.link}`) return;
    attempt(() => history.replaceState(null, "", `?${view.link}`)); // some browsers refuse it for a file
  }

  /** @param {View} view */
  linkTo({ link, left_out: leftOut }) {
    const address = `${location.href.replace(/[?#].*/, "")}?${link}`;
    return { address, said: leftOut.length ? this.text("leftOut", { names: leftOut.join("、") }) : this.text("linked") };
  }

  // ---- Python ----

  async startPython() {
    if (typeof WebAssembly !== "object") return this.setState("none");
    this.setState("still");
    await nextFrame(); // so that the still is painted first
    try {
      this.python = await connect({ progress: (percent) => this.showProgress(percent) });
    } catch (error) {
      return this.setState("failed", String(/** @type {any} */ (error)?.message ?? error));
    }
    await this.update(this.panel);
    this.setState("live");
  }

  /** @param {number} percent */
  showProgress(percent) {
    this.percent = percent;
    if (this.state === "still" && this.panel.view.tries) this.panel.showTip();
  }
}

// Resolve after the next frame, or after half a second, because a page in the background paints no frames.
const nextFrame = () =>
  new Promise((done) => {
    requestAnimationFrame(() => setTimeout(done));
    setTimeout(done, 500);
  });

/** @param {string} id */
const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** @param {string} id */
const buttonsIn = (id) => byId(id).querySelectorAll("button");

firstViews().then((still) => {
  const page = new Page({ ...TABLE, still });
  page.countPending(1);
  addMissingFont(readFont)
    .then((added) => added && page.panel.room.refit())
    .finally(() => page.countPending(-1));
  bringFaces().then(() => page.panel.room.refit()); // the panel's words have the picture's face
  page.startPython();
});
