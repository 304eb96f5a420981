// Shows what the reader can drag: a ring round it and words beside it, where the picture is empty; or, without such a
// thing in the picture, words beside the knob of a slider.

import { write } from "./dom.js";
import { boxOf } from "./marks.js";

/**
 * @import { Elements } from "./elements.js"
 * @import { Box, View } from "./types.js"
 */

const RING = 3, LEAST = 28; // CSS pixels from what can be dragged to the ring, and across the ring
const MOST = 0.01, CLEAR = 4; // the share of the room of the words that may be drawn on; CSS pixels round them
const APART = [8, 30, 54, 80, 110]; // CSS pixels from the ring to the words

export class Cue {
  /** @param {Elements} elements @param {HTMLElement} [slider] its control */
  constructor(elements, slider) {
    this.elements = elements;
    this.slider = slider;
  }

  /** @param {Partial<View>} view @param {number} share of the slider's range that is left of its knob @param {string} words */
  show({ drag = "" }, share, words) {
    this.hide();
    if ((drag && this.showInPicture(drag, words)) || !this.slider) return;
    Object.assign(this.slider.dataset, { beckons: words, side: share > 0.5 ? "left" : "right" });
    this.slider.style.setProperty("--share", String(share));
  }

  hide() {
    this.elements.cue.hidden = true;
    delete this.slider?.dataset.beckons;
  }

  /** Return whether the layer, `drag` = panel and layer, is in sight with room for words beside it. @param {string} drag @param {string} words */
  showInPicture(drag, words) {
    const { cue, present: { frame }, picture: { canvas, layout, scene } } = this.elements;
    const label = /** @type {HTMLElement} */ (cue.firstChild);
    const [panel, layer] = drag.split(" ");
    const box = scene && panel in layout.panels && boxOf(scene, layout, panel, layer); // a hidden picture has no layout
    if (!box || box[0] + box[2] > frame.clientWidth) return false; // on another page
    const [width, height] = [box[2], box[3]].map((size) => Math.max(size + 2 * RING, LEAST));
    const [x, y] = [box[0] + (box[2] - width) / 2, box[1] + (box[3] - height) / 2];
    write(label, `↔ ${words}`);
    cue.hidden = false;
    Object.assign(cue.style, { left: `${canvas.offsetLeft + x}px`, top: `${canvas.offsetTop + y}px`, width: `${width}px`, height: `${height}px` });
    const { offsetWidth: wide, offsetHeight: high } = label;
    /** @type {Box[]} */
    const places = APART.flatMap((apart) => [
      [x + width + apart, y + (height - high) / 2, wide, high],
      [x - apart - wide, y + (height - high) / 2, wide, high],
      [x + (width - wide) / 2, y - apart - high, wide, high],
      [x + (width - wide) / 2, y + height + apart, wide, high],
    ]);
    const drawn = places.map(([left, top]) => this.drawnIn([left - CLEAR, top - CLEAR, wide + 2 * CLEAR, high + 2 * CLEAR]));
    const [left, top] = places[drawn.indexOf(Math.min(...drawn))];
    Object.assign(label.style, { left: `${left - x}px`, top: `${top - y}px` });
    cue.hidden = Math.min(...drawn) > MOST;
    return !cue.hidden;
  }

  /** Return the share of a box of the picture that is drawn on. @param {Box} box */
  drawnIn([x, y, width, height]) {
    const { present: { frame }, picture: { canvas, layout } } = this.elements;
    if (x < 0 || y < 0 || x + width > frame.clientWidth || y + height > layout.height) return Infinity;
    const [context, sharp] = [/** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")), canvas.width / layout.width];
    const pixels = (/** @type {Box} */ ...[left, top, across, down]) => new Uint32Array(context.getImageData(left, top, across, down).data.buffer);
    const [paper] = pixels(0, 0, 1, 1);
    const all = pixels(x * sharp, y * sharp, width * sharp, height * sharp);
    return all.filter((pixel) => pixel !== paper).length / all.length;
  }
}
