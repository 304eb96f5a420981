// What was kept for comparison: faint in the present picture, or a second picture below it.

import { make, write, writeMarkup } from "./dom.js";
import { chosenOf, stageWith, withKept } from "./faint.js";
import { Picture } from "./picture.js";

/**
 * @import { Panel } from "./panel.js"
 * @import { Chosen } from "./faint.js"
 * @import { Control, Scene, Stage } from "./types.js"
 */

const MOST_QUOTED = 40; // characters of what a reader typed

export class Comparison {
  /** @param {Panel} panel */
  constructor(panel) {
    this.panel = panel;
    /** @type {{scene: Scene, controls: Control[]} | null} */
    this.kept = null;
    /** @type {Chosen[]} */
    this.chosen = []; // what of it is drawn faint at present
    /** @type {{figure: HTMLElement, frame: HTMLElement, picture: Picture, which: HTMLElement, words: HTMLElement} | null} */
    this.whole = null; // the kept picture, where it is shown below the present one
    /** @type {{from: Stage, key: string, stage: Stage} | null} */
    this.staged = null; // what was last made of a stage
    this.said = ""; // below what was kept
  }

  get on() {
    return Boolean(this.kept);
  }

  /** Keep what is shown, or let go what was kept. */
  toggle() {
    const { panel } = this;
    if (!panel.view.stage) return; // there is no picture yet
    this.hideWhole();
    this.kept = this.kept ? null : { scene: panel.plainScene(), controls: panel.view.controls ?? [] };
    this.said = panel.view.reading ?? "";
    this.follow();
    panel.presentName.hidden = !this.on;
    panel.element.classList.toggle("compared", this.on);
    panel.relabel();
    panel.paint(panel.scene());
    panel.room.refit();
  }

  /** Take notice that the present picture or its words have changed. */
  follow() {
    if (!this.kept) return;
    this.chosen = chosenOf(this.panel.plainScene(), this.kept.scene, this.panel.view.compares ?? {});
    if (this.chosen.length) this.hideWhole();
    else if (!this.whole) this.showWhole(this.kept.scene);
    this.nameBoth();
  }

  /** Return the present scene as it is painted. @param {Scene} scene @returns {Scene} */
  with(scene) {
    if (!this.kept || !this.chosen.length) return scene;
    const name = this.panel.text("kept");
    return withKept(scene, this.kept.scene, this.chosen, name, this.stageOf(scene.stage, this.kept.scene.stage, name));
  }

  // The same object for the same looks: another would be laid out again.
  /** @param {Stage} from @param {Stage} kept @param {string} name */
  stageOf(from, kept, name) {
    const key = JSON.stringify([this.chosen, name]);
    if (this.staged?.from !== from || this.staged.key !== key) this.staged = { from, key, stage: stageWith(from, kept, this.chosen, name) };
    return this.staged.stage;
  }

  /** @param {Scene} scene */
  showWhole(scene) {
    const picture = new Picture();
    const which = make("p", { className: "which" });
    const words = make("figcaption", { className: "reading" });
    writeMarkup(words, this.said);
    const frame = make("div", { className: "frame" }, picture.canvas);
    frame.addEventListener("scroll", () => this.panel.pages.scrolled(frame));
    const figure = make("figure", { className: "kept" }, which, frame, words);
    picture.show(scene);
    this.panel.pictures.append(figure);
    this.panel.pictures.tabIndex = 0; // it is scrolled by keys too
    this.panel.element.classList.add("whole");
    this.whole = { figure, frame, picture, which, words };
    this.panel.room.refit();
  }

  hideWhole() {
    if (!this.whole) return;
    this.whole.figure.remove();
    this.panel.pictures.removeAttribute("tabindex");
    this.panel.element.classList.remove("whole");
    this.whole = null;
    this.panel.room.refit();
  }

  // ---- Words ----

  /** Both pictures bear the settings in which they differ. */
  nameBoth() {
    const { panel, kept, whole } = this;
    if (!kept) return;
    const present = panel.view.controls ?? [];
    const before = new Map(kept.controls.map((spec) => [spec.name, spec]));
    const differ = present.filter(({ name, value }) => JSON.stringify(value) !== JSON.stringify(before.get(name)?.value));
    const said = (/** @type {string} */ name, /** @type {(spec: Control) => Control | undefined} */ found) =>
      [panel.text(name), differ.map((spec) => `${spec.label} ${valueOf(found(spec))}`).join(", ")].filter(Boolean).join(": ");
    const now = said("present", (spec) => spec);
    const then = said(whole ? "pinned" : "faint", (spec) => before.get(spec.name)) + (differ.length ? "" : `: ${panel.text("noDifference")}`);
    panel.presentName.replaceChildren(...(whole ? [now] : [then, now]).map((words) => make("span", {}, words)));
    if (whole) write(whole.which, then);
  }
}

// Return what a control is set to, as a reader reads it.
/** @param {Control | undefined} spec */
function valueOf(spec) {
  if (spec?.kind === "tick") return spec.value ? "✓" : "–";
  if (spec?.kind === "text") return quoted(spec.value);
  return spec?.text ?? "";
}

/** @param {string} words */
function quoted(words) {
  const letters = [...words];
  if (!letters.length) return "–";
  return `“${letters.length > MOST_QUOTED ? `${letters.slice(0, MOST_QUOTED - 1).join("")}…` : words}”`;
}
