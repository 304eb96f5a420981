// One open lesson: its toolbar, its headings, its stills.
import { NotebookActions } from "@jupyterlab/notebook";
import { TableOfContentsModel } from "@jupyterlab/toc";
import { Widget } from "@lumino/widgets";
import { KernelLanguage, LANGUAGES } from "./choice.js";
import { markHeadings, speakInContents } from "./headings.js";
import { Stills } from "./pictures.js";

/** @import { Cell } from "@jupyterlab/cells" */
/** @import { NotebookPanel } from "@jupyterlab/notebook" */
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
   * @param {{ choice: Choice, links: Links, contents: ITableOfContentsTracker | null }} parts
   */
  constructor(panel, { choice, links, contents }) {
    this.panel = panel;
    this._choice = choice;
    const { sessionContext, content } = panel;
    content.addClass("posenc-lesson");
    this.kernel = new KernelLanguage(sessionContext, choice);
    this._stills = new Stills(panel, choice, (cells) => NotebookActions.runCells(content, cells, sessionContext));
    const buttons = new Widget({ node: languageButtons(choice) });
    const name = "posenc-language";
    if (!panel.toolbar.insertBefore("spacer", name, buttons)) panel.toolbar.addItem(name, buttons);
    links.opened(panel);
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
    this.kernel.dispose();
  }

  _tend() {
    markHeadings(this.panel.content.node);
    this._stills.tend();
  }

  _say() {
    this._tend();
    this._stills.relabel();
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
    if (!event.isTrusted || !button || !button.parentElement) return; // _pressInCell's press is no choice
    this._choice.choose(LANGUAGES[[...button.parentElement.children].indexOf(button)]);
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
