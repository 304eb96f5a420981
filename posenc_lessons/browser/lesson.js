// A lesson's page: its cells can be run, and its explorers replace their stills when they come into view. All use the
// same Python. Each explorer has a shadow root, so that styles and ids of the page do not affect it.

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

/** Return the theme of pictures: on a slide only the main panel, in large type. */
const shownMode = () => (onSlides ? "slide" : mode());

/** @param {Panel} panel */
async function followMode(panel) {
  if (panel.view.mode !== shownMode()) await panel.questions.ask("set_mode", shownMode());
  panel.room.refit();
}

const NEAR = "25%"; // of the screen's height: an explorer so far below it starts

// Return how many CSS pixels high a panel may be to fit on the screen, below the head of the page.
/** @param {HTMLElement} panel */
function heightFor(panel) {
  const head = /** @type {HTMLElement | null} */ (document.querySelector(".top"))?.offsetHeight ?? 0;
  return innerHeight / (panel.currentCSSZoom ?? 1) - head;
}

let percent = 0; // of the start of Python

/** One explorer of the page: it is the surroundings of its panel. */
class ExplorerFigure {
  /** @param {HTMLElement} figure @param {number} at */
  constructor(figure, at) {
    this.figure = figure;
    this.name = `${figure.dataset.explorer}-${at}`;
    this.words = TABLE.words;
    this.height = onSlides ? () => figure.clientHeight : heightFor;
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
    this.still = /** @type {HTMLImageElement} */ (figure.querySelector("img")); // on a slide a canvas
    figure.append(make("p", { className: "start" }, this.button, " ", this.status));
    this.relabel();
  }

  /** Return the height of the still, whose place a picture of the same shape takes; undefined for others. */
  pictureHeight() {
    const { stage } = this.panel?.view ?? {};
    if (onSlides || !stage) return undefined;
    const { naturalWidth, naturalHeight } = this.still;
    if ( Math.abs(naturalWidth / naturalHeight - stage.width / stage.height) > 0.01) return undefined;
    return this.still.getBoundingClientRect().height || undefined;
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

  /** Make the explorer live. @param {boolean} [unasked] the reader did not ask for it and hears of no failure */
  async start(unasked = false) {
    if (this.started) return;
    this.started = true;
    this.button.hidden = true;
    try {
      this.showState("gettingReady", { percent });
      this.python = await connect({ onlyLanguage: LANGUAGE, progress: showProgress });
      await this.replaceStill();
    } catch (error) {
      this.started = false; // the reader may try again
      if (error instanceof Stopped) return this.start(unasked); // the reader stopped a cell, and Python with it
      if (unasked) this.state = null;
      else this.state = ["failed", { error: String(/** @type {any} */ (error)?.message ?? error) }];
      this.relabel();
      this.button.hidden = false;
    }
  }

  async replaceStill() {
    const { explorer, query, initial, levers = "" } = this.figure.dataset;
    const { panel, element: host } = panelIn(this.name, this);
    host.hidden = true;
    this.figure.append(host);
    const begin = (/** @type {string | undefined} */ link) => panel.begin("start", explorer, link, LANGUAGE, shownMode(), JSON.parse(initial ?? "{}"));
    await begin(query);
    this.python?.restarted.add(() => begin(panel.view.link)); // the new Python does not know this explorer
    if (LANGUAGE !== "en") await document.fonts.load(`12px "${FONT}"`, "位");
    // In a lesson the still keeps its room, out of sight, and what is below the figure stays where it is.
    if (!onSlides) {
      this.figure.style.minHeight = `${this.figure.offsetHeight}px`;
      addEventListener("resize", () => (this.figure.style.minHeight = ""), { once: true });
    }
    for (const child of this.figure.children) /** @type {HTMLElement} */ (child).hidden = child !== host && (onSlides || !child.contains(this.still));
    for (const [name, { element }] of panel.controls) element.classList.toggle("lever", levers.split(" ").includes(name));
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

/** Start each explorer when it comes near the screen, or when its slide is shown. */
function startWhenNear() {
  const watcher = new IntersectionObserver((seen) => {
    for (const { target, isIntersecting } of seen) {
      if (!isIntersecting) continue;
      watcher.unobserve(target);
      figures.find(({ figure }) => figure === target)?.start(true);
    }
  }, { rootMargin: onSlides ? "0%" : NEAR });
  for (const { figure } of figures) watcher.observe(figure);
}

/** Call `then` when the page has loaded and has nothing else to do. @param {() => void} then */
function whenIdle(then) {
  const wait = () => (window.requestIdleCallback ?? setTimeout)(then); // Safari has only the second
  if (document.readyState === "complete") wait();
  else addEventListener("load", wait);
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
    if (explorer) panel.begin("start", explorer, panel.view.link, LANGUAGE, shownMode(), initial);
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

// Explorers start by themselves, or at the reader's touch. If Python cannot run here, the stills remain.
if (canRun) {
  figures.push(...[.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("figure[data-explorer]"))].map((figure, at) => new ExplorerFigure(figure, at)));
  for (const explorer of figures) explorer.figure.addEventListener("pointerdown", () => explorer.start(), { once: true });
  whenModeChanges(() => figures.forEach((explorer) => explorer.followMode()));
  if (onSlides) startWhenNear();
  // Python gets ready while the first slides are shown. If that fails, the explorer's own slide tries again and says so.
  if (!(/** @type {any} */ (navigator).connection?.saveData)) whenIdle(onSlides ? () => connect({ onlyLanguage: LANGUAGE, progress: showProgress }).catch(() => {}) : startWhenNear);
}
startCells({ start: (figure) => figures.find((explorer) => explorer.figure === figure)?.start(), show: showMade });
