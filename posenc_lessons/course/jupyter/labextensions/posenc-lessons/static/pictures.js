// Day two: a lesson that ran, was saved and is opened again has no living widgets. Where one is missing stands
// its still, which the notebook holds beside it, and one press runs the cells that bring all of them to life.
import { say } from "./choice.js";

const GONE = /^(?:Loading widget|Error displaying widget)/; // what JupyterLab's widgets say of a missing one

const STILL = ".jp-RenderedImage, .jp-RenderedText, .jp-RenderedHTMLCommon"; // what stands in for a widget
const REVIVE = { zh: "让图动起来", en: "Bring the pictures to life" };
const REVIVING = { zh: "正在运行…", en: "Running…" };
// What is alive in a lesson, by the code of its cell, and what to say where it is not.
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
  constructor(panel, choice, runCells) {
    this._panel = panel;
    this._choice = choice;
    this._runCells = runCells;
    this._running = false;
  }

  /** Put stills where widgets are missing, and take them away where they have come to life. */
  tend() {
    for (const [cell, kind] of this._living())
      cell.outputArea?.widgets.forEach((child, place) => {
        const output = cell.model.outputs.get(place);
        if (output) this._tendOne(child.node, output, kind);
      });
  }

  /** Say everything again, in the language of now. */
  relabel() {
    for (const note of this._panel.node.querySelectorAll(".posenc-still")) this._label(note);
  }

  _tendOne(node, output, kind) {
    const shown = node.querySelector(":scope > .jp-OutputArea-output");
    if (!shown || output.type !== "execute_result") return;
    const missing = GONE.test(shown.textContent);
    const asleep = missing || shown.matches(STILL);
    const kept = kind.picture || kind.html; // worth seeing while it is asleep
    const wanted = asleep ? (missing && kept ? "still" : "words") : "";
    const still = node.querySelector(":scope > .posenc-still");
    shown.classList.toggle("posenc-gone", missing || (asleep && !kept));
    if ((still?.dataset.shows ?? "") === wanted) return;
    still?.remove();
    if (wanted) node.append(this._make(wanted, output, kind));
  }

  _make(wanted, output, kind) {
    const made = document.createElement("figure");
    made.className = "posenc-still";
    made.dataset.shows = wanted;
    made.words = kind.words;
    const words = document.createElement("figcaption");
    const press = document.createElement("button");
    press.type = "button";
    press.addEventListener("click", () => void this.revive());
    made.append(words, press); // above: a picture may fill the screen
    if (wanted === "still" && kind.html) made.append(this._html(output));
    if (wanted === "still" && output.data["image/png"]) {
      const picture = document.createElement("img");
      picture.src = `data:image/png;base64,${output.data["image/png"]}`;
      picture.alt = String(output.data["text/plain"] ?? "");
      const width = output.metadata["image/png"]?.width;
      if (width) picture.width = width;
      made.append(picture);
    }
    this._label(made);
    return made;
  }

  /** What the notebook holds as HTML, cleaned by JupyterLab where the notebook is not trusted. */
  _html(output) {
    const renderer = this._panel.content.rendermime.createRenderer("text/html");
    void renderer.renderModel(output);
    return renderer.node;
  }

  _label(made) {
    const { language } = this._choice;
    made.querySelector("figcaption").textContent = say(made.words, language);
    const press = made.querySelector("button");
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

  *_living() {
    for (const cell of this._panel.content.widgets) {
      const source = cell.model.type === "code" ? cell.model.sharedModel.getSource() : "";
      const kind = LIVING.find(({ code }) => code.test(source));
      if (kind) yield [cell, kind];
    }
  }
}
