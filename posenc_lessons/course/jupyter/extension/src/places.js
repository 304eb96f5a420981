// Navigation in the course: the previous and the next lesson, and the place where the reader stopped.
import { NotebookActions } from "@jupyterlab/notebook";
import { say } from "./choice.js";
import { heading } from "./headings.js";

/** @import { Cell } from "@jupyterlab/cells" */
/** @import { Notebook, NotebookPanel } from "@jupyterlab/notebook" */
/** @import { IStateDB } from "@jupyterlab/statedb" */
/** @import { Choice } from "./choice.js" */

const LESSON = /^\d\d_.*\.ipynb$/;
const BEFORE = { zh: "上一课", en: "Previous lesson" };
const AFTER = { zh: "下一课", en: "Next lesson" };
const GO_ON = { zh: "接着上次", en: "Go on" };
const PAUSE = 400; // ms without scrolling after which a place is remembered
const BEGINNING = 3; // cells: title, table of contents, setup
const QUIET = 1000; // ms without movement after which a notebook counts as laid out
const LATEST = 20_000; // ms without growth after which a cell is given up, because it is folded away
const ACTS = ["wheel", "keydown", "pointerdown", "touchstart"]; // events by which a reader goes elsewhere

/**
 * Return the paths of the lessons before and after `path`; null at either end.
 *
 * @param {string} path
 * @param {string[]} names the files of its folder
 */
export function neighbours(path, names) {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const lessons = names.filter((name) => LESSON.test(name)).sort();
  const here = lessons.indexOf(path.slice(folder.length));
  const at = (/** @type {number} */ place) => (here >= 0 && lessons[place] ? folder + lessons[place] : null);
  return [at(here - 1), at(here + 1)];
}

/** Two buttons for the toolbar, which open the lessons before and after. */
export class Way {
  /**
   * @param {Choice} choice
   * @param {(path: string) => void} open
   */
  constructor(choice, open) {
    this.node = document.createElement("div");
    this.node.className = "posenc-way";
    this._choice = choice;
    this._buttons = [BEFORE, AFTER].map((words, side) => {
      const button = document.createElement("button");
      button.addEventListener("click", () => {
        const path = this._paths[side];
        if (path) open(path);
      });
      this.node.append(button);
      return button;
    });
    /** @type {(string | null)[]} */
    this._paths = [null, null];
  }

  /** @param {(string | null)[]} paths */
  lead(paths) {
    this._paths = paths;
    this.relabel();
  }

  relabel() {
    this._buttons.forEach((button, side) => {
      const path = this._paths[side];
      button.hidden = path === null;
      if (path === null) return;
      const number = path.slice(path.lastIndexOf("/") + 1).slice(0, 2);
      button.textContent = side === 0 ? `← ${number}` : `${number} →`;
      button.title = `${say(side === 0 ? BEFORE : AFTER, this._choice.language)}: ${path}`;
      button.setAttribute("aria-label", button.title);
    });
  }
}

/**
 * The cell at the top of a lesson, where the reader can continue when the lesson is opened again. The browser keeps
 * it at once, in case the page is left while it scrolls; JupyterLab keeps it a second later, for another port or
 * browser.
 */
export class Place {
  /**
   * @param {NotebookPanel} panel
   * @param {Choice} choice
   * @param {IStateDB} memory kept with the workspace
   */
  constructor(panel, choice, memory) {
    this.node = document.createElement("button");
    this.node.className = "posenc-go-on";
    this.node.hidden = true;
    this.node.addEventListener("click", () => this._goOn());
    this._panel = panel;
    this._choice = choice;
    this._memory = memory;
    /** @type {Cell | undefined} where the reader stopped */
    this._cell = undefined;
    this._waiting = 0;
    this._leave = () => {
      if (this._waiting) this._remember();
    };
  }

  dispose() {
    removeEventListener("pagehide", this._leave);
  }

  get _key() {
    return `posenc-lessons:place:${this._panel.context.path}`;
  }

  /** Remember places from now on. Earlier, a notebook scrolls by itself while it is laid out. */
  follow() {
    this._panel.node.addEventListener("scroll", () => this._moved(), true); // also for parts that scroll
    addEventListener("pagehide", this._leave);
  }

  /** Offer to go where the reader stopped, if that is not where the lesson opens. */
  async offer() {
    const kept = /** @type {{ cell: string } | undefined} */ (await this._memory.fetch(this._key));
    const before = localStorage.getItem(this._key) ?? kept?.cell;
    this._cell = this._panel.content.widgets.find((cell) => cell.model.id === before);
    this.node.hidden = !this._cell || this._panel.content.widgets.indexOf(this._cell) < BEGINNING;
    this.relabel();
  }

  relabel() {
    if (!this._cell) return;
    const title = heading(this._section(this._cell), this._choice.language);
    this.node.textContent = `↓ ${say(GO_ON, this._choice.language)}`;
    this.node.title = title;
    this.node.setAttribute("aria-label", `${say(GO_ON, this._choice.language)}: ${title}`);
  }

  async _goOn() {
    this.node.hidden = true;
    if (this._cell) await showCell(this._panel, this._cell);
  }

  /**
   * Return the last heading at or above `cell`.
   *
   * @param {Cell} cell
   */
  _section(cell) {
    const cells = this._panel.content.widgets;
    for (let place = cells.indexOf(cell); place >= 0; place--) {
      const { model } = cells[place];
      const found = model.type === "markdown" ? /^#+ +(.*)$/m.exec(model.sharedModel.getSource()) : null;
      if (found) return found[1];
    }
    return "";
  }

  _moved() {
    clearTimeout(this._waiting);
    this._waiting = window.setTimeout(() => this._remember(), PAUSE);
  }

  _remember() {
    clearTimeout(this._waiting);
    this._waiting = 0;
    const top = topCell(this._panel);
    if (!top || this._panel.isDisposed) return;
    // A lesson that opens scrolls a little by itself; the earlier place must still be offered.
    if (!this.node.hidden && this._panel.content.widgets.indexOf(top.cell) < BEGINNING) return;
    const cell = top.cell.model.id;
    localStorage.setItem(this._key, cell);
    void this._memory.save(this._key, { cell });
  }
}

/**
 * Return the first cell in view and how far its top is below the window's; null when none is in view.
 *
 * @param {NotebookPanel} panel
 */
export function topCell(panel) {
  const window = panel.content.node.getBoundingClientRect();
  for (const cell of panel.content.widgets) {
    if (!cell.node.isConnected) continue;
    const box = cell.node.getBoundingClientRect();
    if (box.height > 0 && box.bottom > window.top + 1) return { cell, below: box.top - window.top };
  }
  return null;
}

/**
 * Scroll `cell` to the top of its notebook, and scroll again while cells above are laid out, which moves it away. Stop
 * when it stays, or when the reader goes elsewhere. Unfold the section around it.
 *
 * @param {NotebookPanel} panel
 * @param {Cell} cell
 */
export async function showCell(panel, cell) {
  const notebook = panel.content;
  for (let turns = 0; turns < 100 && !panel.isVisible; turns++) await painted();
  NotebookActions.expandParent(cell, notebook);
  notebook.activeCellIndex = notebook.widgets.indexOf(cell);
  const left = new AbortController();
  const listening = { capture: true, signal: left.signal };
  for (const act of ACTS) panel.node.addEventListener(act, () => left.abort(), listening);
  let [height, grown, quiet] = [0, Date.now(), 0];
  while (quiet < QUIET && Date.now() - grown < LATEST && !left.signal.aborted && !panel.isDisposed) {
    const before = Date.now();
    await painted();
    quiet += Math.min(Date.now() - before, QUIET / 10); // a page that is too busy to paint may still be laying out
    const { scrollHeight } = notebook.outerNode;
    if (scrollHeight !== height) [height, grown, quiet] = [scrollHeight, Date.now(), 0];
    if (inPlace(notebook, cell)) continue;
    quiet = 0;
    // JupyterLab refuses while it lays the notebook out; then this turn ends, and the next one tries again.
    const scrolled = notebook.scrollToItem(notebook.widgets.indexOf(cell), "start").catch(() => undefined);
    await Promise.race([scrolled, someFrames(20)]);
    if (cell.node.isConnected) cell.node.scrollIntoView();
  }
  left.abort();
}

/**
 * Return whether `cell` is at the top, or in view at the notebook's end.
 *
 * @param {Notebook} notebook
 * @param {Cell} cell
 */
function inPlace(notebook, cell) {
  if (!cell.node.isConnected) return false;
  const [window, box] = [notebook.node, cell.node].map((node) => node.getBoundingClientRect());
  const last = notebook.widgets[notebook.widgets.length - 1].node;
  const atEnd = last.isConnected && last.getBoundingClientRect().bottom <= window.bottom + 1;
  return Math.abs(box.top - window.top) < 24 || (atEnd && box.top >= window.top && box.top < window.bottom);
}

/** @param {number} many */
async function someFrames(many) {
  for (let frame = 0; frame < many; frame++) await painted();
}

/** Wait for the next frame, but not in a background tab, which paints none. */
function painted() {
  return new Promise((done) => {
    if (document.hidden) setTimeout(done);
    else requestAnimationFrame(() => setTimeout(done));
  });
}
