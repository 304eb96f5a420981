// A picture on a canvas: it fits the room, is painted at most once a frame, and knows where the pointer is.

import { make, setProperties } from "./dom.js";
import { bringFaces, hasFaces } from "./own_faces.js";
import { between, slides } from "./between.js";
import { layoutFor, pointed } from "./layout.js";
import { paint } from "./paint.js";
import { SvgContext } from "./svg.js";

/** @import { Layout, Place, Scene, Stage } from "./types.js" */

const SAVED_SHARPNESS = 2; // pixels of a saved PNG for one CSS pixel
const WIDEST = 4096; // pixels: the widest canvas on an older phone; pages stand side by side on it

const reduced = matchMedia("(prefers-reduced-motion: reduce)");
export const wantsLessMotion = () => reduced.matches;

export class Picture {
  /** @param {((where: Place) => void) | null} [point] called at every press, drag, hover and leave */
  constructor(point = null) {
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
    /** @type {((scene: Scene) => Scene) | null} */
    this.onTheWay = null; // while the picture changes: gives the scene that is painted instead
    this.frame = 0;
    /** @type {(panel: string) => string} */
    this.takes = () => ""; // the effect of a press on that panel: "grab", "point" or none
    if (point) this.listen(point);
  }

  /** @param {Scene} scene */
  show(scene) {
    this.scene = scene;
    this.canvas.setAttribute("aria-label", scene.alt);
    this.fit(...this.room);
  }

  // Return whether rows and columns change places between the painted scene and `scene`.
  /** @param {Scene} scene */
  changesOrder(scene) {
    return this.painted !== null && slides(this.painted.data, scene.data);
  }

  /** @param {number} width @param {number} height */
  scaleIn(width, height) {
    return this.scene ? layoutFor(this.scene.stage, width, height).scale : 1;
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

  // Lay the picture out again, and paint it.
  afresh() {
    this.forgetLayout();
    this.fit(...this.room);
  }

  // Make the next fit lay the picture out again, for example after a font has loaded.
  forgetLayout() {
    this.fitted = null;
  }

  repaint() {
    if (!hasFaces()) return void bringFaces().then(() => this.afresh());
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.paintNow();
    });
  }

  // Paint now, without waiting for the next frame; `scene` replaces the one that is shown.
  /** @param {Scene | null} [scene] */
  paintNow(scene = this.scene && (this.onTheWay?.(this.scene) ?? this.scene)) {
    if (!scene || !hasFaces()) return;
    const { canvas, layout } = this;
    const ratio = layout.pages ? Math.min(devicePixelRatio, Math.max(1, WIDEST / layout.width)) : devicePixelRatio;
    const [width, height] = [Math.round(layout.width * ratio), Math.round(layout.height * ratio)];
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    paint(contextOf(canvas), scene.stage, scene.axes, scene.data, ratio, layout);
    this.painted = scene;
    canvas.dataset.painted = String(Number(canvas.dataset.painted ?? 0) + 1);
  }

  // Move from the present scene to another in this many milliseconds, at the screen's frame rate.
  /** @param {Scene} scene @param {number} milliseconds @returns {Promise<void>} */
  glide(scene, milliseconds) {
    const before = this.painted?.data ?? {};
    this.show(scene);
    cancelAnimationFrame(this.frame);
    return new Promise((done) => {
      /** @type {number | undefined} */
      let began;
      const step = (/** @type {number} */ now) => {
        began ??= now;
        const share = Math.min((now - began) / milliseconds, 1);
        this.frame = 0;
        if (this.scene !== scene) this.repaint(); // another scene is shown now
        if (this.scene !== scene) return done();
        this.paintNow(share < 1 ? { ...scene, data: between(before, scene.data, share) } : scene);
        if (share < 1) this.frame = requestAnimationFrame(step);
        else done();
      };
      this.frame = requestAnimationFrame(step);
    });
  }

  /** @param {{clientX: number, clientY: number}} event */
  placeOf(event) {
    if (!this.scene) return null;
    const { left, top } = this.canvas.getBoundingClientRect();
    const { stage, axes } = this.scene;
    return pointed(stage, axes, event.clientX - left, event.clientY - top, this.layout);
  }

  // A touch counts as a press when the finger is lifted, because it may scroll the page. On a panel with something to
  // grab it counts at once, and the page does not scroll.
  /** @param {(where: Place) => void} point */
  listen(point) {
    const { canvas } = this;
    /** @type {{panel: string, x: number, y: number} | null} */
    let over = null;
    let held = false;
    const takes = (/** @type {PointerEvent | Touch} */ event) => this.takes(this.placeOf(event)?.panel ?? "");
    const tell = (/** @type {PointerEvent} */ event, /** @type {string} */ kind) => {
      const where = this.placeOf(event);
      /** @type {Record<string, string>} */
      const cursors = { grab: event.buttons ? "grabbing" : "grab", point: "pointer" };
      canvas.style.cursor = cursors[takes(event)] ?? "";
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
      held = event.pointerType !== "touch" || takes(event) === "grab";
      if (held) tell(event, "press");
    });
    canvas.addEventListener("touchstart", (event) => takes(event.touches[0]) === "grab" && event.preventDefault(), { passive: false });
    canvas.addEventListener("pointerup", (event) => !held && tell(event, "press"));
    canvas.addEventListener("pointermove", (event) => tell(event, event.buttons ? "drag" : "hover"));
    canvas.addEventListener("pointerleave", leave);
  }

  // Return the picture as a PNG file, at its natural size.
  /** @returns {Promise<Blob>} */
  png() {
    const { stage, axes, data } = /** @type {Scene} */ (this.scene);
    const sheet = make("canvas", { width: stage.width * SAVED_SHARPNESS, height: stage.height * SAVED_SHARPNESS });
    paint(contextOf(sheet), stage, axes, data, SAVED_SHARPNESS);
    return new Promise((done) => sheet.toBlob((content) => done(/** @type {Blob} */ (content)), "image/png"));
  }

  svg() {
    const { stage, axes, data, alt } = /** @type {Scene} */ (this.scene);
    const sheet = new SvgContext(stage.width, stage.height, contextOf(make("canvas")));
    paint(sheet, stage, axes, data, 1);
    return new Blob([sheet.svg(alt)], { type: "image/svg+xml" });
  }
}

/** @param {HTMLCanvasElement} canvas */
const contextOf = (canvas) => /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
