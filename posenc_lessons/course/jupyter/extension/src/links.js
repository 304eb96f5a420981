// Follows a link to a cell of a lesson that is not open yet: JupyterLab scrolls there before the cells above are laid
// out, and each of those then moves the cell away.
import { NotebookActions } from "@jupyterlab/notebook";
import { setsUp } from "./pictures.js";

/** @import { JupyterFrontEnd } from "@jupyterlab/application" */
/** @import { Cell } from "@jupyterlab/cells" */
/** @import { INotebookTracker, Notebook, NotebookPanel } from "@jupyterlab/notebook" */

const FOLLOW = "rendermime:handle-local-link"; // JupyterLab's command behind each link to a file
const CELL = /^#cell-id=(.+)$/;
const QUIET = 1000; // ms without movement after which a notebook counts as laid out
const LATEST = 20_000; // ms without growth after which a cell is given up, because it is folded away
const ACTS = ["wheel", "keydown", "pointerdown", "touchstart"]; // events by which a reader goes elsewhere

/**
 * Follow the reader's links to cells of lessons.
 *
 * @param {JupyterFrontEnd} app
 * @param {INotebookTracker} tracker
 */
export function followLinks({ commands }, tracker) {
  commands.commandExecuted.connect(async (_, { id, args, result }) => {
    const wanted = id === FOLLOW ? CELL.exec(String(args["id"]))?.[1] : undefined;
    if (wanted === undefined) return;
    await result; // JupyterLab's own way there
    const panel = tracker.find(({ context }) => context.path === args["path"]);
    await panel?.context.ready;
    const cell = panel?.content.widgets.find(({ model }) => model.id === wanted);
    if (panel && cell && panel.content.widgets.some(setsUp)) void showCell(panel, cell);
  });
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
    await Promise.race([scrolled, new Promise((done) => setTimeout(done, QUIET / 3))]);
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

/** Wait for the next frame, but not in a background tab, which paints none. */
function painted() {
  return new Promise((done) => {
    if (document.hidden) setTimeout(done);
    else requestAnimationFrame(() => setTimeout(done));
  });
}
