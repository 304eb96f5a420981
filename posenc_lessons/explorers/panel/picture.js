// A picture on a canvas: it fits the room, is painted at most once a frame, and knows where the pointer is.

import { DURATION, SLIDING, changesOrder, eased, wayBetween } from "./change.js";
import { make, setProperties } from "./dom.js";
import { layoutFor, pointed } from "./layout.js";
import { bringFaces, hasFaces } from "./own_faces.js";
import { paint } from "./paint.js";

/** @import { Layout, Place, Scene, Stage } from "./types.js" */

const SAVED_SHARPNESS = 2; // pixels of a saved PNG for one CSS pixel
const WIDEST = 4096; // pixels: the widest canvas on an older phone; pages stand side by side on it

const reduced = matchMedia("(prefers-reduced-motion: reduce)");
export const wantsLessMotion = () => reduced.matches;

export class Picture {
  constructor() {
    this.canvas = make("canvas", { role: "img" });
    /** @type {Scene | null} */
    this.scene = null;
    /** @type {Layout} */
    this.layout = { width: 0, height: 0, scale: 1, type: 1, thin: false, panels: {} };
    /** @type {[number, number]} */
    this.room = [0, Infinity];
    /** @type {{stage: Stage, width: number, height: number} | null} */
    this.fitted = null; // the stage and room of the layout
    /** @type {Scene | null} */
    this.painted = null;
    /** @type {{way: (share: number) => Scene, time: number, began?: number} | null} */
    this.change = null; // the change that is under way
    this.frame = 0;
  }

  /** Show a scene at once. @param {Scene} scene */
  show(scene) {
    this.setChange(null);
    this.scene = scene;
    this.canvas.setAttribute("aria-label", scene.alt);
    this.fit(...this.room);
  }

  /** Show a scene by a change from the one that is painted; at once for readers who asked for less motion. @param {Scene} scene */
  changeTo(scene) {
    const way = this.painted && !wantsLessMotion() ? wayBetween(this.painted, scene) : null;
    const time = this.painted && changesOrder(this.painted.data, scene.data) ? SLIDING : DURATION;
    this.show(scene);
    this.setChange(way && { way, time });
  }

  /** @param {Picture["change"]} change */
  setChange(change) {
    this.change = change;
    this.canvas.toggleAttribute("data-changing", Boolean(change));
  }

  // Return whether rows and columns change places between the painted scene and `scene`.
  /** @param {Scene} scene */
  changesOrder(scene) {
    return this.painted !== null && changesOrder(this.painted.data, scene.data);
  }

  // Fit the picture into a room, and paint it in the next frame.
  /** @param {number} width @param {number} height */
  fit(width, height) {
    this.room = [width, height];
    if (!this.scene || width <= 0) return;
    const { stage } = this.scene;
    const { fitted } = this;
    if (!fitted || stage !== fitted.stage || width !== fitted.width || height !== fitted.height) {
      this.fitted = { stage, width, height };
      this.layout = layoutFor(stage, width, height);
      setProperties(this.canvas.style, { width: `${this.layout.width}px`, height: `${this.layout.height}px` });
    }
    this.repaint();
  }

  // Make the next fit lay the picture out again, for example after a font has loaded.
  forgetLayout() {
    this.fitted = null;
  }

  // Paint in the next frame; while a change is under way, in every frame.
  repaint() {
    if (!hasFaces()) {
      bringFaces().then(() => {
        this.forgetLayout();
        this.fit(...this.room);
      });
      return;
    }
    this.frame ||= requestAnimationFrame((now) => {
      this.frame = 0;
      if (this.scene) this.paint(this.sceneAt(now, this.scene));
      if (this.change) this.repaint();
    });
  }

  // Return the scene to paint at this time (milliseconds).
  /** @param {number} now @param {Scene} scene */
  sceneAt(now, scene) {
    const { change } = this;
    if (!change) return scene;
    change.began ??= now;
    const time = (now - change.began) / change.time;
    if (time < 1) return change.way(eased(time));
    this.setChange(null);
    return scene;
  }

  /** @param {Scene} scene */
  paint(scene) {
    const { canvas, layout } = this;
    const sharp = devicePixelRatio * Math.max(1, canvas.currentCSSZoom ?? 1); // a slide zooms in; an overview does not
    const ratio = layout.pages ? Math.min(sharp, Math.max(1, WIDEST / layout.width)) : sharp;
    const [width, height] = [Math.round(layout.width * ratio), Math.round(layout.height * ratio)];
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    paint(contextOf(canvas), scene.stage, scene.axes, scene.data, ratio, layout);
    this.painted = scene;
    canvas.dataset.painted = String(Number(canvas.dataset.painted ?? 0) + 1);
  }

  /** @param {{clientX: number, clientY: number}} event */
  placeOf(event) {
    if (!this.scene) return null;
    const { left, top } = this.canvas.getBoundingClientRect();
    const { stage, axes } = this.scene;
    return pointed(stage, axes, event.clientX - left, event.clientY - top, this.layout);
  }

  // Call `point` at every press, drag, hover and leave. `effectOn` gives the effect of a press on a panel: "grab",
  // "point" or "". A touch counts as a press when the finger is lifted, because it may scroll the page. On a panel with
  // something to grab it counts at once, and the page does not scroll.
  /** @param {(where: Place) => void} point @param {(panel: string) => string} effectOn */
  listen(point, effectOn) {
    const { canvas } = this;
    /** @type {{panel: string, x: number, y: number} | null} */
    let over = null;
    let held = false;
    const effect = (/** @type {PointerEvent | Touch} */ event) => effectOn(this.placeOf(event)?.panel ?? "");
    const tell = (/** @type {PointerEvent} */ event, /** @type {string} */ kind) => {
      const where = this.placeOf(event);
      /** @type {Record<string, string>} */
      const cursors = { grab: event.buttons ? "grabbing" : "grab", point: "pointer" };
      canvas.style.cursor = cursors[effect(event)] ?? "";
      if (kind === "hover" && !where) return leave();
      if (!where) return;
      over = where;
      point({ ...where, kind });
    };
    const leave = () => {
      if (over) point({ ...over, kind: "leave" });
      over = null;
    };
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      held = event.pointerType !== "touch" || effect(event) === "grab";
      if (held) tell(event, "press");
    });
    canvas.addEventListener("touchstart", (event) => effect(event.touches[0]) === "grab" && event.preventDefault(), { passive: false });
    canvas.addEventListener("pointerup", (event) => !held && tell(event, "press"));
    canvas.addEventListener("pointermove", (event) => tell(event, event.buttons ? "drag" : "hover"));
    canvas.addEventListener("pointerleave", leave);
  }

  /** Return the picture as a PNG file, at its natural size. @returns {Promise<Blob>} */
  png() {
    const { stage, axes, data } = /** @type {Scene} */ (this.scene);
    const sheet = make("canvas", { width: stage.width * SAVED_SHARPNESS, height: stage.height * SAVED_SHARPNESS });
    paint(contextOf(sheet), stage, axes, data, SAVED_SHARPNESS);
    return new Promise((resolve) => sheet.toBlob((content) => resolve(/** @type {Blob} */ (content)), "image/png"));
  }
}

/** @param {HTMLCanvasElement} canvas */
const contextOf = (canvas) => /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
