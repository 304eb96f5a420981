// A picture on a canvas: fitted to its room, painted once a frame, asked where the pointer is.

import { make, setProperties } from "./dom.js";
import { between, layoutFor, paint, pointed, slides } from "./paint.js";
import { SvgContext } from "./svg.js";

const SAVED_SHARPNESS = 2; // pixels of a saved PNG to a CSS pixel

const reduced = matchMedia("(prefers-reduced-motion: reduce)");
export const wantsLessMotion = () => reduced.matches;

export class Picture {
  // `point(where)` hears of {panel, x, y, kind: press, drag, hover or leave}.
  constructor(point = null) {
    this.canvas = make("canvas", { role: "img" });
    this.scene = null; // {stage, axes, data, alt}
    this.layout = null;
    this.room = [0, Infinity, false];
    this.takes = () => ""; // what a press does on a panel of that name: "grab", "point" or nothing
    if (point) this.listen(point);
  }

  show(scene) {
    this.scene = scene;
    this.canvas.setAttribute("aria-label", scene.alt);
    this.fit(...this.room);
  }

  // Whether rows and columns would change places if that were shown.
  changesOrder(scene) {
    return Boolean(this.painted) && slides(this.painted, scene.data);
  }

  scaleIn(width, height) {
    return layoutFor(this.scene.stage, width, height).scale;
  }

  // How large the picture becomes in that room, `beside` another or not; it is painted there in the next frame.
  fit(width, height, beside = false) {
    this.room = [width, height, beside];
    if (!this.scene || width <= 0) return;
    const { stage } = this.scene;
    const { fitted } = this;
    if (stage !== fitted?.stage || width !== fitted.width || height !== fitted.height || beside !== fitted.beside) {
      this.fitted = { stage, width, height, beside };
      this.layout = layoutFor(stage, width, height, undefined, beside);
      setProperties(this.canvas.style, { width: `${this.layout.width}px`, height: `${this.layout.height}px` });
    }
    this.repaint();
  }

  // The next fit lays it out anew: a font may have come.
  forgetLayout() {
    this.fitted = null;
  }

  repaint() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = null;
      this.paintNow(this.scene.data);
    });
  }

  paintNow(data) {
    const { canvas, layout, scene } = this;
    const ratio = devicePixelRatio;
    const [width, height] = [Math.round(layout.width * ratio), Math.round(layout.height * ratio)];
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    paint(canvas.getContext("2d"), scene.stage, scene.axes, data, ratio, layout);
    this.painted = data;
    canvas.dataset.painted = Number(canvas.dataset.painted ?? 0) + 1;
  }

  // From the scene now shown to another, moving at the screen's rate for so many milliseconds.
  glide(scene, milliseconds) {
    const before = this.painted ?? {};
    this.show(scene);
    cancelAnimationFrame(this.frame);
    return new Promise((done) => {
      let began;
      const step = (now) => {
        began ??= now;
        const share = Math.min((now - began) / milliseconds, 1);
        this.frame = null;
        if (this.scene !== scene) this.repaint(); // something else is shown meanwhile
        if (this.scene !== scene) return done();
        this.paintNow(share < 1 ? between(before, scene.data, share) : scene.data);
        if (share < 1) this.frame = requestAnimationFrame(step);
        else done();
      };
      this.frame = requestAnimationFrame(step);
    });
  }

  placeOf(event) {
    const { left, top } = this.canvas.getBoundingClientRect();
    const { stage, axes } = this.scene;
    return pointed(stage, axes, event.clientX - left, event.clientY - top, this.layout);
  }

  // A finger counts when it is lifted or moves across: one that moves up or down may be scrolling the page.
  // Where it takes something along it counts at once, and the page stays where it is.
  listen(point) {
    const { canvas } = this;
    let over = null;
    let held = false;
    const takes = (event) => this.scene && this.takes(this.placeOf(event)?.panel);
    const tell = (event, kind) => {
      if (!this.scene) return;
      const where = this.placeOf(event);
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

  // The picture as a file, at its natural size.
  png() {
    const { stage, axes, data } = this.scene;
    const sheet = make("canvas", { width: stage.width * SAVED_SHARPNESS, height: stage.height * SAVED_SHARPNESS });
    paint(sheet.getContext("2d"), stage, axes, data, SAVED_SHARPNESS);
    return new Promise((done) => sheet.toBlob(done, "image/png"));
  }

  svg() {
    const { stage, axes, data, alt } = this.scene;
    const sheet = new SvgContext(stage.width, stage.height, make("canvas").getContext("2d"));
    paint(sheet, stage, axes, data, 1);
    return new Blob([sheet.svg(alt)], { type: "image/svg+xml" });
  }
}
