// Follows a link to a cell of a lesson that is not open yet: JupyterLab scrolls there before the cells above are laid
// out, and each of those then moves the cell away.
import { showCell } from "./places.js";

/** @import { JupyterFrontEnd } from "@jupyterlab/application" */
/** @import { NotebookPanel } from "@jupyterlab/notebook" */

const FOLLOW = "rendermime:handle-local-link"; // JupyterLab's command behind each link to a file
const CELL = /^#cell-id=(.+)$/;

/** The links to cells that the reader has followed. */
export class Links {
  /** @param {JupyterFrontEnd} app */
  constructor({ commands, restored }) {
    /** @type {Map<string, string>} the cell's id by the lesson's path, until the cell is shown */
    this._asked = new Map();
    /** @type {Map<string, NotebookPanel>} */
    this._open = new Map();
    commands.commandExecuted.connect((_, { id, args, result }) => {
      if (id === FOLLOW) void this._follow(String(args["path"]), String(args["id"]), result);
    });
    void restored.then(() => {
      if (!commands.hasCommand(FOLLOW))
        console.error(`posenc-lessons: JupyterLab has no command ${FOLLOW}; links to cells may miss them`);
    });
  }

  /**
   * Return whether `panel` was opened by a link to one of its cells.
   *
   * @param {NotebookPanel} panel
   */
  leadTo(panel) {
    return this._asked.has(panel.context.path);
  }

  /**
   * Note that the lesson in `panel` is ready, so that one of its cells can be shown.
   *
   * @param {NotebookPanel} panel
   */
  opened(panel) {
    const { path } = panel.context;
    this._open.set(path, panel);
    panel.disposed.connect(() => this._open.delete(path));
    this._show(path);
  }

  /**
   * @param {string} path
   * @param {string} fragment
   * @param {Promise<unknown>} following JupyterLab's own way there
   */
  async _follow(path, fragment, following) {
    const cell = CELL.exec(fragment)?.[1];
    if (cell === undefined) return;
    this._asked.set(path, cell);
    await following;
    this._show(path);
  }

  /** @param {string} path */
  _show(path) {
    const panel = this._open.get(path);
    const id = this._asked.get(path);
    const cell = panel?.content.widgets.find((each) => each.model.id === id);
    if (!panel || !cell) return;
    this._asked.delete(path);
    void showCell(panel, cell);
  }
}
