// Moves sliders and pictures smoothly when many things change at once (a named setting, Reset, another tab), so that
// the reader sees the change. Words, links and alerts change at once.

import { wayBetween } from "./between.js";
import { make } from "./dom.js";
import { wantsLessMotion } from "./picture.js";

/**
 * @import { Panel } from "./panel.js"
 * @import { Answer, Control, Scene } from "./types.js"
 * @typedef {{show(share: number): void, finish(): void, isTab: boolean}} Run
 */

const GLIDE = 300; // milliseconds
const SHOWN_DIGITS = 3; // significant digits of a number while it changes

const eased = (/** @type {number} */ share) => share * share * (3 - 2 * share);

export class Glide {
  /** @param {Panel} panel */
  constructor(panel) {
    this.panel = panel;
    this.coming = false; // an answer is being received, and its picture will glide
    /** @type {Run | null} */
    this.run = null;
    this.share = 0; // how much of the way is done (0 … 1)
  }

  /** Receive an answer and glide to its state, unless the reader has already asked for more. @param {Answer} answer */
  receive(answer) {
    const { panel } = this;
    const { picture, view } = panel;
    const controls = view.controls ?? [];
    const before = picture.painted;
    this.coming = !wantsLessMotion() && panel.questions.idle && before !== null;
    panel.receive(answer);
    const after = picture.scene;
    if (!this.coming || !before || !after) return;
    this.coming = false;
    const sliders = this.slidersBetween(controls, panel.view.controls ?? []);
    const way = before === after ? null : wayBetween(before, after);
    const veil = way || before === after ? null : this.cover(panel);
    if (!way && !veil && !sliders.length) return;
    if (way) picture.onTheWay = (scene) => (scene === after ? way(this.share) : scene);
    this.begin({
      isTab: false,
      show: (share) => {
        for (const slider of sliders) slider(share);
        if (way) picture.paintNow();
        veil?.style.setProperty("opacity", String(1 - share));
      },
      finish: () => {
        if (sliders.length) panel.showControls();
        veil?.remove();
        picture.onTheWay = null;
        if (way) picture.paintNow();
      },
    });
  }

  /** Fade from the picture of the previous panel to that of this one. @param {Panel} previous */
  comeAfter(previous) {
    previous.glide.end();
    this.end();
    if (wantsLessMotion() || !previous.picture.painted) return;
    const { settings, strip, reading } = this.panel;
    const veil = this.cover(previous);
    this.begin({
      isTab: true,
      show: (share) => {
        veil.style.opacity = String(1 - share);
        for (const part of [settings, strip, reading]) part.style.opacity = String(share);
      },
      finish: () => {
        veil.remove();
        for (const part of [settings, strip, reading]) part.style.opacity = "";
      },
    });
  }

  /** End a glide, because the panel shows something new; a fade between tabs continues. */
  overtake() {
    if (!this.run?.isTab) this.end();
  }

  /** End a glide or fade: show the final state now. */
  end() {
    const { run } = this;
    if (!run) return;
    this.run = null;
    run.finish();
    delete this.panel.element.dataset.gliding;
  }

  /** @param {Run} run */
  begin(run) {
    this.run = run;
    this.panel.element.dataset.gliding = "";
    /** @type {number | undefined} */
    let began;
    const step = (/** @type {number} */ now) => {
      if (this.run !== run) return;
      began ??= now;
      const gone = (now - began) / GLIDE;
      if (gone >= 1) return this.end();
      this.share = eased(gone);
      run.show(this.share);
      requestAnimationFrame(step);
    };
    this.share = 0;
    run.show(0);
    requestAnimationFrame(step);
  }

  // Cover this panel's picture with a copy of `panel`'s, as it is painted now; with several pages, its present page.
  /** @param {Panel} panel */
  cover({ picture: { canvas }, pages }) {
    const copy = make("canvas", { width: canvas.width, height: canvas.height });
    if (canvas.width && canvas.height) /** @type {CanvasRenderingContext2D} */ (copy.getContext("2d")).drawImage(canvas, 0, 0);
    Object.assign(copy.style, { width: canvas.style.width, marginLeft: `${-pages.left}px` });
    const veil = make("div", { className: "before", "aria-hidden": "true" }, copy);
    veil.style.left = `${this.panel.pages.left}px`;
    this.panel.frame.append(veil);
    return veil;
  }

  // Return, for each slider whose value has changed, a function that moves it.
  /** @param {Control[]} before @param {Control[]} after @returns {((share: number) => void)[]} */
  slidersBetween(before, after) {
    const earlier = new Map(before.map((spec) => [spec.name, spec]));
    return after.flatMap((spec) => {
      const from = earlier.get(spec.name);
      const control = this.panel.controls.get(spec.name);
      if (!["slider", "log"].includes(spec.kind) || spec.hidden || !control || !from || from.value === spec.value) return [];
      return [(/** @type {number} */ share) => control.show(onTheWay(from, spec, share), false)];
    });
  }
}

// Return the slider at a `share` of the way: on one of its steps, and its upper limit moves too. A slider for powers of
// ten shows few digits until it arrives.
/** @param {Control} from @param {Control} to @param {number} share @returns {Control} */
function onTheWay(from, to, share) {
  if (to.kind === "log") return { ...to, value: Number((from.value * (to.value / from.value) ** share).toPrecision(SHOWN_DIGITS)) };
  const [min, step] = [to.min ?? 0, to.step ?? 1];
  const near = (/** @type {number} */ one, /** @type {number} */ other) => min + Math.round((one + share * (other - one) - min) / step) * step;
  const max = near(from.max ?? 0, to.max ?? 0);
  return { ...to, max, value: Math.min(Math.max(near(from.value, to.value), min), max) };
}
