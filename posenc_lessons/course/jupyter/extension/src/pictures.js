// A lesson that is opened again the next day has no live widgets. This module shows the notebook's still in place of
// a missing widget, with a button that runs the cells of all widgets.
import { CodeCell } from "@jupyterlab/cells";
import { say } from "./choice.js";

/** @import { Cell } from "@jupyterlab/cells" */
/** @import { NotebookPanel } from "@jupyterlab/notebook" */
/** @import { IOutputModel } from "@jupyterlab/rendermime" */
/** @import { Choice } from "./choice.js" */

const SETS_UP = /\blanguage_switch\(\)/; // in the first code cell of every lesson
const TOOLS = ["tools", "imports"]; // the id of the cell with a lesson's imports
// The code of cells whose output is a widget.
const LIVING = /\b(?:\w+Explorer|language_switch|progress_map)\(|^guess\(/m;
const GUESSES = /^guess\(/m;
const GONE = /^(?:Loading widget|Error displaying widget)/; // JupyterLab's words where a widget is missing
const STILL = ".jp-RenderedImage, .jp-RenderedText, .jp-RenderedHTMLCommon"; // an output without widgets
const STILLS = "in_one_language"; // export/outputs.py: the same picture by language
const ASLEEP = { zh: "它还没有运行。按一下，就运行它需要的格子。", en: "This has not run yet. One press runs the cells it needs." };
const REVIVE = { zh: "让图动起来", en: "Bring the pictures to life" };
const ANSWER = { zh: "选一个答案", en: "Choose an answer" };
const REVIVING = { zh: "正在运行…", en: "Running…" };

/**
 * Return whether `cell` is the one that makes a notebook a lesson.
 *
 * @param {Cell} cell
 */
export function setsUp(cell) {
  return cell.model.type === "code" && SETS_UP.test(cell.model.sharedModel.getSource());
}

/**
 * Return whether `cell` has what all cells below it need: the first one, and the one with the imports.
 *
 * @param {Cell} cell
 */
export function prepares(cell) {
  return setsUp(cell) || (cell.model.type === "code" && TOOLS.includes(cell.model.id));
}

/** The stills of one lesson. */
export class Stills {
  /**
   * @param {NotebookPanel} panel
   * @param {Choice} choice
   * @param {(cells: Cell[]) => Promise<boolean>} runCells
   */
  constructor(panel, choice, runCells) {
    this._panel = panel;
    this._choice = choice;
    this._runCells = runCells;
    this._running = false;
  }

  /** Show stills for missing widgets, in the reader's language, and remove the stills of live ones. */
  tend() {
    for (const cell of this._living())
      for (const [place, child] of cell.outputArea.widgets.entries()) {
        const shown = child.node.querySelector(":scope > .jp-OutputArea-output");
        if (!shown || cell.model.outputs.length <= place) continue;
        const output = cell.model.outputs.get(place);
        // The toolbar has the switch, and in this place it only tells errors.
        if (setsUp(cell)) child.node.classList.toggle("posenc-gone", output.type === "execute_result" && !("text/html" in output.data));
        else this._tendOne(child.node, shown, output);
        this._translate(child.node, output);
      }
    this.relabel();
  }

  /** Write all words in the reader's language; only the first still says why there is a button. */
  relabel() {
    const cells = [...this._living()].filter((cell) => cell.node.querySelector(".posenc-still"));
    for (const cell of cells)
      for (const still of cell.node.querySelectorAll(".posenc-still")) this._label(still, cell === cells[0], cell);
  }

  /**
   * Show an explorer's still in the reader's language if the notebook has it in each.
   *
   * @param {Element} node
   * @param {IOutputModel} output
   */
  _translate(node, output) {
    const about = /** @type {Record<string, Record<string, string>> | undefined} */ (output.metadata["image/png"]);
    const pictures = about?.[STILLS];
    const image = node.querySelector("img");
    if (!pictures || !image) return;
    const source = `data:image/png;base64,${pictures[this._choice.language] ?? output.data["image/png"]}`;
    if (image.src !== source) image.src = source;
  }

  /**
   * @param {HTMLElement} node
   * @param {Element} shown what JupyterLab shows of the output
   * @param {IOutputModel} output
   */
  _tendOne(node, shown, output) {
    if (output.type !== "execute_result") return;
    const missing = GONE.test(shown.textContent ?? "");
    const asleep = missing || shown.matches(STILL);
    const kept = "image/png" in output.data || "text/html" in output.data; // else only words that the caption replaces
    const wanted = asleep ? (missing && kept ? "still" : "words") : "";
    const still = /** @type {HTMLElement | null} */ (node.querySelector(":scope > .posenc-still"));
    shown.classList.toggle("posenc-gone", missing || (asleep && !kept));
    if ((still === null ? "" : still.dataset["shows"]) === wanted) return;
    if (still !== null) still.remove();
    if (wanted) node.append(this._make(wanted, output));
  }

  /**
   * @param {"still" | "words"} wanted
   * @param {IOutputModel} output
   */
  _make(wanted, output) {
    const still = document.createElement("figure");
    still.className = "posenc-still";
    still.dataset["shows"] = wanted;
    const words = document.createElement("div");
    const press = document.createElement("button");
    press.type = "button";
    press.addEventListener("click", () => void this.revive(still));
    words.append(press, document.createElement("figcaption"));
    still.append(words);
    if (wanted === "still") still.append(this._rendered(output));
    return still;
  }

  /**
   * Show an output without its widget: its picture, or its HTML, sanitized if the notebook is not trusted.
   *
   * @param {IOutputModel} output
   */
  _rendered(output) {
    const png = output.data["image/png"];
    if (typeof png === "string") return picture(png, output);
    const renderer = this._panel.content.rendermime.createRenderer("text/html");
    void renderer.renderModel(output);
    return renderer.node;
  }

  /** @param {Element} still @param {boolean} first @param {CodeCell} cell */
  _label(still, first, cell) {
    const { language } = this._choice;
    const [caption, press] = [still.querySelector("figcaption"), still.querySelector("button")];
    if (!caption || !press) throw new Error("posenc-lessons: a still without words");
    const revive = GUESSES.test(cell.model.sharedModel.getSource()) ? ANSWER : REVIVE;
    const [words, label] = [first ? say(ASLEEP, language) : "", say(this._running ? REVIVING : revive, language)];
    if (caption.textContent !== words) caption.textContent = words;
    if (press.textContent !== label) press.textContent = label;
    press.disabled = this._running;
  }

  /**
   * Run the first cell and those of the explorers, in order, and show the one that was pressed from its top.
   *
   * @param {Element} still
   */
  async revive(still) {
    if (this._running) return;
    this._running = true;
    this.relabel();
    const cell = still.closest(".jp-Cell");
    try {
      await this._panel.sessionContext.ready;
      await this._runCells([...this._living()]);
      cell?.scrollIntoView();
    } finally {
      this._running = false;
      this.relabel();
    }
  }

  /** @returns {Generator<CodeCell>} */
  *_living() {
    for (const cell of this._panel.content.widgets)
      if (cell instanceof CodeCell && LIVING.test(cell.model.sharedModel.getSource())) yield cell;
  }
}

/**
 * Make the image of an output's PNG, as wide as the notebook says.
 *
 * @param {string} png
 * @param {IOutputModel} output
 */
function picture(png, output) {
  const image = document.createElement("img");
  image.src = `data:image/png;base64,${png}`;
  image.alt = String(output.data["text/plain"] ?? "");
  const size = /** @type {{ width?: number } | undefined} */ (output.metadata["image/png"]);
  if (size?.width) image.width = size.width;
  return image;
}
