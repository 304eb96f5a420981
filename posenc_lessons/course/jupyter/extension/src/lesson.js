// One open lesson: its toolbar, its headings, its stills.
import { NotebookActions } from "@jupyterlab/notebook";
import { TableOfContentsModel } from "@jupyterlab/toc";
import { Widget } from "@lumino/widgets";
import { KernelLanguage, LANGUAGES } from "./choice.js";
import { linkGuesses } from "./guesses.js";
import { speakInCode } from "./halves.js";
import { keepTogether, markHeadings, speakInContents } from "./headings.js";
import { prepares, setsUp, Stills } from "./pictures.js";
import { Where } from "./where.js";

/** @import { Cell } from "@jupyterlab/cells" */
/** @import { NotebookPanel } from "@jupyterlab/notebook" */
/** @import { ITableOfContentsTracker } from "@jupyterlab/toc" */
/** @import { Choice } from "./choice.js" */

const NAMES = { zh: "中文", en: "English", both: "双语" };
const QUIET = ".posenc-explorer, .cm-editor, .posenc-still"; // changes inside these add no headings and no widgets

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
   * @param {{ choice: Choice, contents: ITableOfContentsTracker | null }} parts
   */
  constructor(panel, { choice, contents }) {
    this.panel = panel;
    this._choice = choice;
    const { sessionContext, content } = panel;
    content.addClass("posenc-lesson");
    content.node.dataset["lesson"] = /(\d\d)_\w+[.]ipynb$/.exec(panel.context.path)?.[1] ?? "";
    this.kernel = new KernelLanguage(sessionContext, choice);
    this._stills = new Stills(panel, choice, (cells) => NotebookActions.runCells(content, cells, sessionContext));
    this.where = new Where(panel, choice);
    const parts = { "posenc-language": languageButtons(choice), "posenc-where": this.where.node };
    for (const [name, node] of Object.entries(parts)) {
      const item = new Widget({ node });
      if (!panel.toolbar.insertBefore("spacer", name, item)) panel.toolbar.addItem(name, item);
    }
    /** @type {Set<Cell>} */
    this._prepared = new Set(); // cells with imports that this kernel has run
    sessionContext.kernelChanged.connect(() => this._prepared.clear());
    sessionContext.statusChanged.connect((_, status) => status.endsWith("restarting") && this._prepared.clear());
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

  /**
   * Before `cell` runs, run the cells above it with imports that have not run yet, so that an exercise works alone.
   *
   * @param {Cell} cell
   */
  prepare(cell) {
    const { content, sessionContext } = this.panel;
    if (prepares(cell)) this._prepared.add(cell);
    const above = content.widgets.slice(0, content.widgets.indexOf(cell));
    const missing = above.filter((each) => prepares(each) && !this._prepared.has(each));
    if (missing.length > 0) void NotebookActions.runCells(content, missing, sessionContext);
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
    const { node, widgets } = this.panel.content;
    markHeadings(node);
    keepTogether(node);
    for (const { model, editorWidget } of widgets)
      if (model.type === "code" && editorWidget) speakInCode(editorWidget.node, this._choice.language);
    this._stills.tend();
    linkGuesses(this.panel, this._choice.language);
  }

  _say() {
    this._tend();
    this._stills.relabel();
    this.where.show();
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
