// A lesson's page: its cells can be run, and its explorers replace their stills when the reader asks for it. All use
// the same Python. Each explorer has a shadow root, so that styles and ids of the page do not affect it.

import { inWords, make, write } from "./dom.js";
import { TABLE } from "./made.js";
import { Panel } from "./panel.js";
import { FONT } from "./type.js";
import { startCells } from "./cells.js";
import { canRun, LANGUAGE } from "./page_language.js";
import { mode, whenModeChanges } from "./page_mode.js";
import { connect, Stopped } from "./runtime.js";
import { STYLE } from "./style.js";

/** @import { Surroundings, View } from "../explorers/panel/types.js" */

const onSlides = document.querySelector(".reveal") !== null;
const style = new CSSStyleSheet();
style.replaceSync(STYLE);

/** Make the element of an explorer with its panel. @param {string} place @param {Surroundings} surroundings */
function panelIn(place, surroundings) {
  const panel = new Panel(place, surroundings);
  const element = make("div", { className: "explorer", role: "group" });
  element.toggleAttribute("data-slide", onSlides);
  const root = element.attachShadow({ mode: "open" });
  root.adoptedStyleSheets = [style];
  root.append(panel.element);
  return { panel, element };
}

/** @param {HTMLElement} element of an explorer @param {View} view that it shows now */
function describe(element, { title, mode }) {
  element.setAttribute("aria-label", title);
  element.dataset.mode = mode;
}

/** @param {Panel} panel */
async function followMode(panel) {
  if (panel.view.mode !== mode()) await panel.questions.ask("set_mode", mode());
  panel.room.refit();
}

const TRIES = onSlides ? 76 : 110; // CSS pixels: the height of the tries below the sentence, with some room

// Return how many CSS pixels high a panel may be to fit on the screen, below the head of the page.
/** @param {HTMLElement} panel */
function heightFor(panel) {
  const head = /** @type {HTMLElement | null} */ (document.querySelector(".top"))?.offsetHeight ?? 0;
  return innerHeight / (panel.currentCSSZoom ?? 1) - head - TRIES;
}

let percent = 0; // of the start of Python

/** One explorer of the page: it is the surroundings of its panel. */
class ExplorerFigure {
  /** @param {HTMLElement} figure @param {number} at */
  constructor(figure, at) {
    this.figure = figure;
    this.name = `${figure.dataset.explorer}-${at}`;
    this.words = TABLE.words;
    this.height = heightFor;
    this.language = LANGUAGE;
    this.started = false;
    /** @type {[string, Record<string, any>] | null} */
    this.state = null;
    /** @type {Awaited<ReturnType<typeof connect>> | null} */
    this.python = null;
    /** @type {Panel | null} */
    this.panel = null;
    this.button = make("button", { type: "button" });
    this.status = make("span", { role: "status" });
    this.button.addEventListener("click", () => this.start());
    figure.append(make("p", { className: "start" }, this.button, " ", this.status));
    this.relabel();
  }

  /** @param {string} name @param {Record<string, any>} [values] */
  text(name, values) {
    return inWords(this.words[name], this.language, values);
  }

  relabel() {
    write(this.button, this.text("makeLive"));
    write(this.status, this.state ? this.text(...this.state) : "");
  }

  /** @param {string} name @param {Record<string, any>} values */
  showState(name, values) {
    this.state = [name, values];
    this.relabel();
  }

  async start() {
    if (this.started) return;
    this.started = true;
    this.button.disabled = true;
    try {
      this.showState("gettingReady", { percent });
      this.python = await connect({ onlyLanguage: LANGUAGE, progress: showProgress });
      await this.replaceStill();
    } catch (error) {
      this.started = false; // the reader may try again
      if (error instanceof Stopped) return this.start(); // the reader stopped a cell, and Python with it
      this.showState("failed", { error: String(/** @type {any} */ (error)?.message ?? error) });
      this.button.disabled = false;
    }
  }

  async replaceStill() {
    const { explorer, query, initial } = this.figure.dataset;
    const { panel, element: host } = panelIn(this.name, this);
    host.hidden = true;
    this.figure.append(host);
    const begin = (/** @type {string | undefined} */ link) => panel.begin("start", explorer, link, LANGUAGE, mode(), JSON.parse(initial ?? "{}"));
    await begin(query);
    this.python?.restarted.add(() => begin(panel.view.link)); // the new Python does not know this explorer
    if (LANGUAGE !== "en") await document.fonts.load(`12px "${FONT}"`, "位");
    for (const child of this.figure.children) /** @type {HTMLElement} */ (child).hidden = child !== host;
    this.panel = panel;
    panel.room.refit();
    this.figure.dataset.live = "";
    await this.followMode();
    if (this === figures[0]) panel.beckon(); // the hero of the lesson
  }

  async followMode() {
    if (this.panel) await followMode(this.panel);
  }

  // ---- What the panel asks of the page around it ----

  /** @param {string} place @param {string} call @param {unknown[]} args */
  async ask(place, call, args) {
    if (!this.python) throw new Error("Python is not there yet");
    return this.python.ask(place, call, args);
  }

  /** @param {View} view */
  shown(view) {
    describe(/** @type {HTMLElement} */ (this.figure.lastElementChild), view);
  }
}

/** @type {ExplorerFigure[]} */
const figures = [];

/** @param {number} now */
function showProgress(now) {
  percent = now;
  for (const figure of figures) if (figure.started && !figure.panel) figure.showState("gettingReady", { percent });
}

/** Start each explorer when its slide is shown. */
function startWhenShown() {
  const watcher = new IntersectionObserver((seen) => {
    for (const { target, isIntersecting } of seen) if (isIntersecting) figures.find(({ figure }) => figure === target)?.start();
  });
  for (const { figure } of figures) watcher.observe(figure);
}

/** Return an element with a live explorer that a cell has made. @param {import("./runner.js").Output} output @returns {HTMLElement} */
function showMade({ place = "", explorer, initial }) {
  const { panel, element } = panelIn(place, {
    words: TABLE.words,
    height: heightFor,
    language: LANGUAGE,
    ask: async (at, call, args) => (await connect({ onlyLanguage: LANGUAGE })).ask(at, call, args),
    shown: (view) => describe(element, view),
  });
  panel.begin("view").then(() => followMode(panel));
  whenModeChanges(() => followMode(panel));
  bringBack(element, () => {
    if (explorer) panel.begin("start", explorer, panel.view.link, LANGUAGE, mode(), initial);
    else element.replaceWith(make("p", { className: "above" }, inWords(TABLE.words.explorerEnded, LANGUAGE)));
  });
  return element;
}

/** Call `again` whenever Python has restarted, as long as `element` is on the page. @param {HTMLElement} element @param {() => void} again */
async function bringBack(element, again) {
  const { restarted } = await connect({ onlyLanguage: LANGUAGE });
  const follow = () => {
    if (element.isConnected) again();
    else restarted.delete(follow);
  };
  restarted.add(follow);
}

// If Python cannot run here, the stills remain without a button.
if (canRun) {
  figures.push(...[.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("figure[data-explorer]"))].map((figure, at) => new ExplorerFigure(figure, at)));
  for (const explorer of figures) explorer.figure.addEventListener("pointerdown", () => explorer.start(), { once: true });
  whenModeChanges(() => figures.forEach((explorer) => explorer.followMode()));
  if (document.querySelector(".reveal")) startWhenShown(); // on slides, explorers start without a click
}
startCells({ start: (figure) => figures.find((explorer) => explorer.figure === figure)?.start(), show: showMade });
