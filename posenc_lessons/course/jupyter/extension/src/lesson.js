// One open lesson: its toolbar, its headings, its stills.
import { NotebookActions } from "@jupyterlab/notebook";
import { TableOfContentsModel } from "@jupyterlab/toc";
import { Widget } from "@lumino/widgets";
import { KernelLanguage, LANGUAGES } from "./choice.js";
import { markHeadings, speakInContents } from "./headings.js";
import { Stills } from "./pictures.js";
import { neighbours, Place, Way } from "./places.js";

/** @import { JupyterFrontEnd } from "@jupyterlab/application" */
/** @import { Cell } from "@jupyterlab/cells" */
/** @import { NotebookPanel } from "@jupyterlab/notebook" */
/** @import { IStateDB } from "@jupyterlab/statedb" */
/** @import { ITableOfContentsTracker } from "@jupyterlab/toc" */
/** @import { Choice } from "./choice.js" */
/** @import { Links } from "./links.js" */

const NAMES = { zh: "中文", en: "English", both: "双语" };
const SETS_UP = /\blanguage_switch\(\)/; // in the first code cell of every lesson
const QUIET = ".posenc-explorer, .cm-editor, .posenc-still"; // changes inside these add no headings and no widgets

/**
 * Return whether `cell` is the one that makes a notebook a lesson.
 *
 * @param {Cell} cell
 */
export function setsUp(cell) {
  return cell.model.type === "code" && SETS_UP.test(cell.model.sharedModel.getSource());
}

/**
 * Return whether the notebook in `panel`, which is ready, is a lesson.
 *
 * @param {NotebookPanel} panel
 */
export function isLesson(panel) {
  return panel.content.widgets.some(setsUp);
}

/** One lesson's additions to JupyterLab's page: toolbar, headings, stills. */
export class Lesson {
  /**
   * @param {NotebookPanel} panel
   * @param {{ app: JupyterFrontEnd, choice: Choice, memory: IStateDB, links: Links,
   *   contents: ITableOfContentsTracker | null }} parts
   */
  constructor(panel, { app, choice, memory, links, contents }) {
    this.panel = panel;
    this._choice = choice;
    const { sessionContext, content } = panel;
    content.addClass("posenc-lesson");
    this.kernel = new KernelLanguage(sessionContext, choice);
    this._stills = new Stills(panel, choice, (cells) => NotebookActions.runCells(content, cells, sessionContext));
    const way = new Way(choice, (path) => void app.commands.execute("docmanager:open", { path }));
    this._place = new Place(panel, choice, memory);
    this._labelled = [way, this._stills, this._place];
    this._addToToolbar("posenc-language", languageButtons(choice));
    this._addToToolbar("posenc-way", way.node);
    this._addToToolbar("posenc-go-on", this._place.node);
    void this._offer(links.leadTo(panel));
    links.opened(panel);
    void this._findWay(way, app.serviceManager.contents);
    content.node.addEventListener("click", (event) => this._switchedInCell(event));
    this._stops = [choice.subscribe(() => this._say())];
    this._contents = contents;
    this._observer = new MutationObserver((changes) => {
      const elsewhere = changes.some(({ target }) => {
        const element = target instanceof Element ? target : target.parentElement;
        return element !== null && element.closest(QUIET) === null;
      });
      if (elsewhere) this._tend();
    });
    this._observer.observe(content.node, { childList: true, subtree: true, characterData: true });
    this._say();
  }

  /** Connect to the table of contents, which JupyterLab makes when it first shows the lesson. */
  shown() {
    if (!this._contents) return;
    const model = this._contents.get(this.panel);
    if (model instanceof TableOfContentsModel) this._stops.push(speakInContents(model, this._choice));
    else console.warn("posenc-lessons: no table of contents to show in one language");
    this._contents = null;
  }

  dispose() {
    for (const stop of this._stops) stop();
    this._observer.disconnect();
    this._place.dispose();
    this.kernel.dispose();
  }

  /**
   * @param {string} name
   * @param {HTMLElement} node
   */
  _addToToolbar(name, node) {
    const { toolbar } = this.panel;
    const widget = new Widget({ node });
    if (!toolbar.insertBefore("spacer", name, widget)) toolbar.addItem(name, widget);
  }

  /** @param {boolean} linked whether a link to a cell opened the lesson */
  async _offer(linked) {
    if (!linked) await this._place.offer();
    this._place.follow();
  }

  _tend() {
    markHeadings(this.panel.content.node);
    this._stills.tend();
  }

  _say() {
    this._tend();
    for (const each of this._labelled) each.relabel();
    this._pressInCell();
  }

  /** Press the button in the first cell's switch if its kernel, which would do it, is gone. */
  _pressInCell() {
    const place = LANGUAGES.indexOf(this._choice.language);
    for (const gone of this.panel.content.node.querySelectorAll(".posenc-switch.jupyter-widgets-disconnected")) {
      const button = /** @type {HTMLElement} */ (gone.querySelectorAll(".widget-toggle-button")[place]);
      if (!button.classList.contains("mod-active")) button.click();
    }
  }

  /**
   * Follow the first cell's switch if there is no kernel that it could tell.
   *
   * @param {MouseEvent} event
   */
  _switchedInCell(event) {
    const target = /** @type {Element} */ (event.target);
    const button = target.closest(".posenc-switch .widget-toggle-button");
    if (!button || !button.parentElement) return;
    this._choice.choose(LANGUAGES[[...button.parentElement.children].indexOf(button)]);
  }

  /**
   * @param {Way} way
   * @param {JupyterFrontEnd["serviceManager"]["contents"]} contents
   */
  async _findWay(way, contents) {
    const { path } = this.panel.context;
    const folder = await contents.get(path.slice(0, Math.max(0, path.lastIndexOf("/"))), { content: true });
    const files = /** @type {{ name: string }[]} */ (folder.content);
    way.lead(neighbours(path, files.map((file) => file.name)));
  }
}

/**
 * Make 中文 / English / 双语 for the toolbar.
 *
 * @param {Choice} choice
 */
function languageButtons(choice) {
  const group = document.createElement("div");
  group.className = "posenc-languages";
  group.setAttribute("role", "group");
  group.setAttribute("aria-label", "语言 · Language");
  for (const language of LANGUAGES) {
    const button = document.createElement("button");
    button.textContent = NAMES[language];
    button.addEventListener("click", () => choice.choose(language));
    const show = () => button.setAttribute("aria-pressed", String(choice.language === language));
    choice.subscribe(show);
    show();
    group.append(button);
  }
  return group;
}
