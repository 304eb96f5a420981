// A lesson's page: its explorers come to life where their stills are, when the reader comes near or asks for it.
// One Python serves them all. Each has a shadow root: neither the page's style nor its ids meet the explorer's.

import { inWords, make, write } from "./dom.js";
import { TABLE } from "./made.js";
import { Panel } from "./panel.js";
import { FONT } from "./paint.js";
import { connect } from "./runtime.js";
import { STYLE } from "./style.js";

const MARGIN = "50%"; // of the window's height: how near an explorer may come before it is prepared
const LIGHT = "light";

const style = new CSSStyleSheet();
style.replaceSync(STYLE);

// The language of a page in one; a page in both follows its switch.
const onlyLanguage = document.body.dataset.languages ? null : document.documentElement.lang.slice(0, 2);
const { classList } = document.body;
const language = () => onlyLanguage ?? ["zh", "en"].find((one) => classList.contains(`only-${one}`)) ?? "both";

const figures = [];

class ExplorerFigure {
  constructor(figure, at) {
    Object.assign(this, { figure, at, name: `${figure.dataset.explorer}-${at}`, column: true });
    this.button = make("button", { type: "button" });
    this.state = make("span", { role: "status" });
    this.line = make("p", { className: "start" }, this.button, " ", this.state);
    this.button.addEventListener("click", () => this.start());
    figure.append(this.line);
    this.relabel();
  }

  text(name, values) {
    return inWords(TABLE.words[name], language(), values);
  }

  relabel() {
    if (this.panel) return this.panel.relabel();
    write(this.button, this.text("makeLive"));
    write(this.state, this.shownState ? this.text(...this.shownState) : "");
  }

  showState(...state) {
    this.shownState = state;
    this.relabel();
  }

  async start() {
    if (this.started) return;
    this.started = true;
    this.button.disabled = true;
    try {
      this.showState("gettingReady", { percent: 0 });
      this.python = await connect({ onlyLanguage, progress: showProgress });
      await this.replaceStill();
    } catch (error) {
      this.showState("failed", { error: String(error?.message ?? error) });
    }
  }

  async replaceStill() {
    const { explorer, query, initial } = this.figure.dataset;
    const view = await this.ask(this.name, "start", explorer, query, language(), LIGHT, JSON.parse(initial));
    if (onlyLanguage !== "en") await document.fonts.load(`12px "${FONT}"`, "位");
    const panel = new Panel(this.name, this);
    const host = make("div", { className: "explorer", role: "group", "aria-label": view.title });
    const root = host.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [style];
    panel.element.hidden = false;
    panel.element.removeAttribute("role");
    panel.element.removeAttribute("aria-labelledby");
    panel.element.style.maxWidth = `${view.stage.width}px`; // as wide as the still was
    panel.buttons.link.hidden = true; // a lesson's address says nothing of its explorers
    root.append(panel.element);
    panel.live = true;
    panel.receive(view);
    for (const child of this.figure.children) child.hidden = true;
    this.figure.append(host);
    this.panel = panel;
    panel.relabel();
    panel.refit();
    addEventListener("resize", () => panel.refit());
    this.figure.dataset.live = "";
  }

  async updateLanguage() {
    this.relabel();
    if (!this.panel) return;
    this.panel.receive(await this.ask(this.name, "set_language", language()));
    this.panel.element.getRootNode().host.setAttribute("aria-label", this.panel.view.title);
    this.panel.relabel();
    this.panel.refit();
  }

  // ---- What an explorer's panel asks of its page ----

  ask(name, call, ...args) {
    return this.python.ask(name, call, args);
  }

  linkChanged() {}

  async showCode(panel) {
    const { code } = await this.ask(this.name, "code");
    const title = make("h2", { id: "title" }, this.text("codeTitle"));
    const close = make("button", { type: "button" }, this.text("close"));
    const listing = make("pre", { id: "listing", tabIndex: 0 }, code);
    const dialog = make("dialog", { "aria-labelledby": "title" }, title, listing, make("div", { className: "actions" }, close));
    close.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => dialog.remove());
    panel.element.getRootNode().append(dialog);
    dialog.showModal();
  }
}

const DOWNLOAD = 0.6; // of the time until Python is up

let percent = 0; // what is still being downloaded when Python starts does not take it back

function showProgress({ stage, share }) {
  const done = stage === "download" ? DOWNLOAD * share : DOWNLOAD + (1 - DOWNLOAD) * share;
  percent = Math.max(percent, Math.round(100 * done));
  for (const each of figures) if (each.started && !each.panel) each.showState("gettingReady", { percent });
}

// Where Python cannot run, the stills remain, and nothing is said.
if (typeof WebAssembly === "object" && typeof DecompressionStream === "function") {
  figures.push(...[...document.querySelectorAll("figure[data-explorer]")].map((figure, at) => new ExplorerFigure(figure, at)));
  const watcher = new IntersectionObserver(
    (seen) => {
      for (const { target, isIntersecting } of seen) {
        if (!isIntersecting) continue;
        watcher.unobserve(target);
        figures.find(({ figure }) => figure === target).start();
      }
    },
    { rootMargin: `${MARGIN} 0px` },
  );
  const sparing = navigator.connection?.saveData; // seven megabytes: only for whoever presses the button
  if (!sparing) for (const { figure } of figures) watcher.observe(figure);
  for (const { figure } of figures) figure.addEventListener("pointerdown", () => figures.find((each) => each.figure === figure).start(), { once: true });
  for (const choice of document.querySelectorAll(".languages input")) {
    choice.addEventListener("change", () => figures.forEach((each) => each.updateLanguage()));
  }
}
