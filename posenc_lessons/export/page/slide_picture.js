// The picture of a slide, painted from data as large as its place allows. It may have several states: it begins in the
// first, moves to the second when its slide is shown, and on with each step of the slide. A click repeats the last move.

import { changesOrder, eased, wayBetween } from "./change.js";
import { Picture, wantsLessMotion } from "./picture.js";

/** @import { Scene } from "../../explorers/panel/types.js" */

const MOVE = 2600, SWITCH = 1000, SLIDE = 4000; // milliseconds of a move of many frames, of one, and of one in which rows slide

/** @param {string} key @param {any} value @returns {any} what JSON says, with bytes */
const withBytes = (key, value) => (["bytes", "table"].includes(key) && typeof value === "string" ? Uint8Array.from(atob(value), (c) => c.charCodeAt(0)) : value);

/** Return the scenes of a picture, of which each frame has only what differs from the frame before it. @param {any} content @returns {Scene[]} */
function scenesOf({ frames, alt }) {
  /** @type {any} */
  let scene = { alt, data: {} };
  return frames.map((/** @type {any} */ frame) => (scene = { ...scene, ...frame, data: { ...scene.data, ...frame.data } }));
}

export class SlidePicture {
  /** @param {HTMLElement} figure */
  constructor(figure) {
    this.figure = figure;
    const content = JSON.parse(figure.querySelector("script")?.textContent ?? "", withBytes);
    this.states = /** @type {number[]} */ (content.states);
    this.last = this.states.length - 1;
    this.scenes = scenesOf(content);
    this.picture = new Picture();
    this.state = 0;
    this.from = 0;
    this.frame = 0;
    figure.append(this.picture.canvas);
    figure.toggleAttribute("data-moves", this.last > 0);
    figure.addEventListener("click", () => this.play(this.from, this.state));
    this.show(0);
  }

  /** The width of the whole picture as a share of its height. */
  get shape() {
    const { width, height } = this.scenes[0].stage;
    return width / height;
  }

  /** Show a state at once. @param {number} state */
  show(state) {
    this.stop();
    this.state = Math.min(state, this.last);
    this.from = Math.max(0, this.state - 1);
    this.picture.show(this.scenes[this.states[this.state]]);
  }

  /** Show the last state, painted at once. */
  finish() {
    this.show(this.last);
    this.picture.paint(this.scenes[this.states[this.last]]);
  }

  /** Move from one state to a later one. @param {number} from @param {number} to */
  play(from, to) {
    const end = Math.min(to, this.last);
    if (wantsLessMotion() || from >= end || this.states[from] === this.states[end]) return this.show(end);
    this.show(end);
    this.from = from;
    const [first, count] = [this.states[from], this.states[end] - this.states[from]];
    const ways = this.scenes.slice(first, first + count).map((scene, i) => wayBetween(scene, this.scenes[first + i + 1]) ?? (() => this.scenes[first + i + 1]));
    const slides = changesOrder(this.scenes[first].data, this.scenes[first + 1].data);
    const time = count > 1 ? MOVE : slides ? SLIDE : SWITCH;
    /** @type {number | undefined} */
    let began;
    const paint = (/** @type {number} */ now) => {
      began ??= now;
      const share = Math.min(1, (now - began) / time);
      const at = count * eased(share), frame = Math.min(count - 1, Math.floor(at));
      this.picture.show(share < 1 ? ways[frame](at - frame) : this.scenes[first + count]);
      if (share < 1) this.frame = requestAnimationFrame(paint);
      else this.stop();
    };
    this.figure.dataset.playing = "";
    this.picture.show(this.scenes[first]);
    this.frame = requestAnimationFrame(paint);
  }

  stop() {
    cancelAnimationFrame(this.frame);
    delete this.figure.dataset.playing;
  }

  /** Fill the figure, whose slide has to be displayed. deck.css has the room for the levers of an explorer. */
  fit() {
    const { clientWidth, clientHeight } = this.picture.canvas;
    this.picture.fit(clientWidth, clientHeight);
  }
}
