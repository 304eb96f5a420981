// A lesson that is opened again the next day has no live widgets. This module shows the notebook's still in place of
// a missing widget, with a button that runs the cells of all widgets.
import { CodeCell } from "@jupyterlab/cells";
import { say } from "./choice.js";

/** @import { Cell } from "@jupyterlab/cells" */
/** @import { NotebookPanel } from "@jupyterlab/notebook" */
/** @import { IOutputModel } from "@jupyterlab/rendermime" */
/** @import { Choice, Words } from "./choice.js" */

/** @typedef {{ code: RegExp, words: Words, picture?: boolean, html?: boolean }} Kind */

const GONE = /^(?:Loading widget|Error displaying widget)/; // JupyterLab's words where a widget is missing
const STILL = ".jp-RenderedImage, .jp-RenderedText, .jp-RenderedHTMLCommon"; // an output without widgets
const REVIVE = { zh: "让图动起来", en: "Bring the pictures to life" };
const REVIVING = { zh: "正在运行…", en: "Running…" };
// The live outputs of a lesson, recognized by the code of their cells, and the words for each while it does not run.
// Stills of pictures and of HTML outputs are shown.
/** @type {Kind[]} */
const LIVING = [
  {
    code: /\b\w+Explorer\(/,
    picture: true,
    words: {
      zh: "这是上次留下的图。按一下就运行它需要的格子，图就能动了。",
      en: "This is the picture as it was left. One press runs the cells it needs, and it moves.",
    },
  },
  {
    code: /\blanguage_switch\(\)/,
    words: {
      zh: "语言可以随时在上方的工具栏里换。交互图运行之后才会动。",
      en: "The toolbar above changes the language at any time. Explorers move once they have run.",
    },
  },
  {
    code: /^guess\(/m,
    html: true,
    words: {
      zh: "按一下，就能选了；选了什么，会记下来。",
      en: "One press, and you can choose; your choice is kept.",
    },
  },
  {
    code: /\bdevice_picker\(\)/,
    words: { zh: "运行之后，在这里选计算设备。", en: "Once it has run, choose here where to compute." },
  },
  {
    code: /\bprogress_map\(\)/,
    words: { zh: "运行之后，上面是今天的进度。", en: "Once it has run, what you have done by today stands above." },
  },
];

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
    /** @type {WeakMap<Element, Words>} what each still says */
    this._words = new WeakMap();
  }

  /** Show stills for missing widgets, and remove the stills of live ones. */
  tend() {
    for (const [cell, kind] of this._living())
      for (const [place, child] of cell.outputArea.widgets.entries()) {
        const shown = child.node.querySelector(":scope > .jp-OutputArea-output");
        if (shown && cell.model.outputs.length > place)
          this._tendOne(child.node, shown, cell.model.outputs.get(place), kind);
      }
  }

  /** Write all words in the reader's language. */
  relabel() {
    for (const still of this._panel.node.querySelectorAll(".posenc-still")) this._label(still);
  }

  /**
   * @param {HTMLElement} node
   * @param {Element} shown what JupyterLab shows of the output
   * @param {IOutputModel} output
   * @param {Kind} kind
   */
  _tendOne(node, shown, output, kind) {
    if (output.type !== "execute_result") return;
    const missing = GONE.test(shown.textContent ?? "");
    const asleep = missing || shown.matches(STILL);
    const kept = kind.picture === true || kind.html === true;
    const wanted = asleep ? (missing && kept ? "still" : "words") : "";
    const still = /** @type {HTMLElement | null} */ (node.querySelector(":scope > .posenc-still"));
    shown.classList.toggle("posenc-gone", missing || (asleep && !kept));
    if ((still === null ? "" : still.dataset["shows"]) === wanted) return;
    if (still !== null) still.remove();
    if (wanted) node.append(this._make(wanted, output, kind));
  }

  /**
   * @param {"still" | "words"} wanted
   * @param {IOutputModel} output
   * @param {Kind} kind
   */
  _make(wanted, output, kind) {
    const still = document.createElement("figure");
    still.className = "posenc-still";
    still.dataset["shows"] = wanted;
    this._words.set(still, kind.words);
    const press = document.createElement("button");
    press.type = "button";
    press.addEventListener("click", () => void this.revive());
    still.append(document.createElement("figcaption"), press); // above the picture, which may fill the screen
    if (wanted === "still" && kind.html) still.append(this._html(output));
    const png = output.data["image/png"];
    if (wanted === "still" && typeof png === "string") still.append(picture(png, output));
    this._label(still);
    return still;
  }

  /**
   * Render the notebook's HTML output; JupyterLab sanitizes it if the notebook is not trusted.
   *
   * @param {IOutputModel} output
   */
  _html(output) {
    const renderer = this._panel.content.rendermime.createRenderer("text/html");
    void renderer.renderModel(output);
    return renderer.node;
  }

  /** @param {Element} still */
  _label(still) {
    const { language } = this._choice;
    const words = this._words.get(still);
    const [caption, press] = [still.querySelector("figcaption"), still.querySelector("button")];
    if (!words || !caption || !press) throw new Error("posenc-lessons: a still without words");
    caption.textContent = say(words, language);
    press.textContent = say(this._running ? REVIVING : REVIVE, language);
    press.disabled = this._running;
  }

  /** Run the first cell and those of the explorers, in order. */
  async revive() {
    if (this._running) return;
    this._running = true;
    this.relabel();
    try {
      await this._panel.sessionContext.ready;
      await this._runCells([...this._living()].map(([cell]) => cell));
    } finally {
      this._running = false;
      this.relabel();
    }
  }

  /** @returns {Generator<[CodeCell, Kind]>} */
  *_living() {
    for (const cell of this._panel.content.widgets) {
      if (!(cell instanceof CodeCell)) continue;
      const source = cell.model.sharedModel.getSource();
      const kind = LIVING.find(({ code }) => code.test(source));
      if (kind) yield [cell, kind];
    }
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
