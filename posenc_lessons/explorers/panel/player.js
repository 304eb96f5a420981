// Plays one slider: moves it step by step to its end. While the picture moves to one position, Python computes the
// next.

import { icon, make, setAttribute } from "./dom.js";
import { wantsLessMotion } from "./picture.js";

/**
 * @import { Panel } from "./panel.js"
 * @import { Control, Scene } from "./types.js"
 */

const STEP = 320; // milliseconds from one whole position to the next
const STEP_WITHOUT_MOTION = 900; // … for readers who asked for less motion, who see one picture after another

export class Player {
  /** @param {Panel} panel */
  constructor(panel) {
    this.panel = panel;
    /** @type {object | null} */
    this.playing = null; // the present run
    /** @type {HTMLButtonElement | null} */
    this.button = null;
  }

  /** @param {HTMLElement} control the slider that moves @returns {HTMLButtonElement} */
  makeButton(control) {
    this.button = make("button", { type: "button", className: "play" }, icon("play"), icon("pause"));
    this.button.addEventListener("click", () => (this.playing ? this.pause() : this.play()));
    control.classList.add("plays");
    return this.button;
  }

  label() {
    if (!this.button) return;
    const { label, disabled } = this.control();
    const words = this.panel.text(this.playing ? "pause" : "play", { name: label });
    setAttribute(this.button, "aria-label", words);
    setAttribute(this.button, "title", words);
    this.button.disabled = disabled;
    this.button.classList.toggle("playing", Boolean(this.playing));
  }

  /** @returns {Control & {min: number, max: number, step: number}} */
  control() {
    const { controls, plays } = this.panel.view;
    return /** @type {any} */ (controls?.find((spec) => spec.name === plays));
  }

  pause() {
    if (!this.playing) return;
    this.playing = null;
    this.label();
  }

  // Move the slider to its end; if it is there, start from its beginning.
  async play() {
    const { panel } = this;
    if (!panel.live || this.playing) return;
    panel.glide.end();
    const run = (this.playing = {});
    this.label();
    panel.element.dataset.moving = ""; // removed when the last answer is shown, which is after a pause
    await this.step(run);
    if (!this.playing) delete panel.element.dataset.moving;
  }

  /** @param {object} run */
  async step(run) {
    const { panel } = this;
    const { name, step, value, max, min } = this.control();
    const asked = (/** @type {number} */ value) => panel.questions.askApart("set", name, value);
    let coming = asked(value >= max ? min : value + step);
    while (this.playing === run) {
      const answer = await coming;
      panel.receive(answer);
      if (this.playing !== run) return;
      const here = this.control();
      const ends = here.value >= here.max;
      const scene = panel.scene();
      if (!ends) coming = asked(here.value + step);
      await (wantsLessMotion() ? this.showAndWait(scene) : panel.picture.glide(scene, STEP));
      if (ends) break;
    }
    if (this.playing !== run) return panel.receive(await coming);
    this.pause();
  }

  /** @param {Scene} scene */
  showAndWait(scene) {
    this.panel.picture.show(scene);
    return new Promise((done) => setTimeout(done, STEP_WITHOUT_MOTION));
  }
}
