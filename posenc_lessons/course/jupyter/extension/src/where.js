// Says in a lesson's toolbar which section is in view and which exercise comes next, and leads to it.
import { say } from "./choice.js";
import { showCell } from "./links.js";

/** @import { Cell } from "@jupyterlab/cells" */
/** @import { NotebookPanel } from "@jupyterlab/notebook" */
/** @import { Choice } from "./choice.js" */

const SECTION = /^## (\d+) · /m;
const EXERCISE = { zh: "练习", en: "Exercise" };

/** The button in one lesson's toolbar. */
export class Where {
  /**
   * @param {NotebookPanel} panel
   * @param {Choice} choice
   */
  constructor(panel, choice) {
    this._panel = panel;
    this._choice = choice;
    /** @type {ReturnType<Where["_read"]> | null} read again after each change of the notebook */
    this._outline = null;
    this.node = document.createElement("button");
    this.node.className = "posenc-where";
    this.node.addEventListener("click", () => this._next && void showCell(panel, this._next));
    panel.content.outerNode.addEventListener("scroll", () => requestAnimationFrame(() => this.show()), { passive: true });
    panel.content.model?.contentChanged.connect(() => (this._outline = null));
    void choice.ready.then(() => this.show());
  }

  /** Return the number of each cell's section, 0 for a cell that begins none, and the cells with exercises. */
  _read() {
    const { widgets } = this._panel.content;
    const solutions = this._panel.context.path.includes("solutions/");
    return {
      sections: widgets.map(({ model }) => Number(SECTION.exec(model.sharedModel.getSource())?.[1] ?? 0)),
      exercises: widgets.filter(({ model }) => !solutions && model.getMetadata("exercise")),
    };
  }

  /** Write the section in view, and the first exercise that is not solved. */
  show() {
    const { widgets } = this._panel.content;
    const { sections, exercises } = (this._outline ??= this._read());
    const top = topCell(this._panel)?.cell;
    const section = top ? Math.max(0, ...sections.slice(0, widgets.indexOf(top) + 1)) : 0;
    const open = exercises.filter(({ model }) => !this._choice.solved.includes(model.getMetadata("exercise")));
    const all = exercises.length;
    /** @type {Cell | undefined} the words of the first that is not solved */
    this._next = open[0] && widgets[widgets.indexOf(open[0]) - 1];
    const words = open[0] ? `${say(EXERCISE, this._choice.language)} ${exercises.indexOf(open[0]) + 1}/${all} ↓` : `✓ ${all}/${all}`;
    const parts = [...(section ? [`§ ${section}/${Math.max(...sections)}`] : []), ...(all ? [words] : [])];
    this.node.title = `✓ ${all - open.length}/${all}`;
    this.node.textContent = parts.join(" · ");
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
