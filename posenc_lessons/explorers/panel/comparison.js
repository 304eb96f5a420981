// Compares the present picture with a kept one: the kept one is drawn faint in it, or as a second picture below it.

import { make, write, writeMarkup } from "./dom.js";
import { chosenOf, stageWith, withKept } from "./faint.js";
import { Picture } from "./picture.js";

/**
 * @import { Panel } from "./panel.js"
 * @import { Chosen } from "./faint.js"
 * @import { Control, Scene, Stage } from "./types.js"
 */

const MOST_QUOTED = 40; // characters, of a text that the reader typed

export class Comparison {
  /** @param {Panel} panel */
  constructor(panel) {
    this.panel = panel;
    /** @type {{scene: Scene, controls: Control[]} | null} */
    this.kept = null;
    /** @type {Chosen[]} */
    this.chosen = []; // the layers of the kept scene that are drawn faint now
    /** @type {{figure: HTMLElement, frame: HTMLElement, picture: Picture, which: HTMLElement, words: HTMLElement} | null} */
    this.whole = null; // the elements of the second picture, if there is one
    /** @type {{from: Stage, key: string, stage: Stage} | null} */
    this.staged = null; // the last result of stageOf
    this.said = ""; // the sentence of the kept picture
  }

  get on() {
    return Boolean(this.kept);
  }

  /** Keep the picture that is shown, or drop the kept one. */
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

  /** Update the comparison after the present picture or its words have changed. */
  follow() {
    if (!this.kept) return;
    this.chosen = chosenOf(this.panel.plainScene(), this.kept.scene, this.panel.view.compares ?? {});
    if (this.chosen.length) this.hideWhole();
    else if (!this.whole) this.showWhole(this.kept.scene);
    this.nameBoth();
  }

  /** Return `scene` with the faint layers of the kept one. @param {Scene} scene @returns {Scene} */
  with(scene) {
    if (!this.kept || !this.chosen.length) return scene;
    const name = this.panel.text("kept");
    return withKept(scene, this.kept.scene, this.chosen, name, this.stageOf(scene.stage, this.kept.scene.stage, name));
  }

  // Return the same object while the looks are the same, because a new stage would be laid out again.
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
    this.panel.pictures.tabIndex = 0; // so that keys can scroll it
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

  /** Write above both pictures the settings in which they differ. */
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

// Return the value of a control as text for the reader.
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
