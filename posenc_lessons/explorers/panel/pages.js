// The pages of a picture on a phone. They stand side by side in its frame; the reader swipes, or chooses a name below.

import { make, setAttribute, setProperties, write } from "./dom.js";
import { wantsLessMotion } from "./picture.js";

/** @import { Elements } from "./elements.js" */

export class Pages {
  /** @param {Elements} elements @param {(name: string) => string} text gives words for the reader */
  constructor({ figures, picture, pageNames }, text) {
    this.frames = figures.map(({ frame }) => frame);
    this.picture = picture;
    this.names = pageNames;
    this.text = text;
    this.at = 0; // the page that is shown
    this.going = false; // the frame is scrolling to a chosen page
    for (const frame of this.frames) frame.addEventListener("scroll", () => this.scrolled(frame));
    for (const begin of ["pointerdown", "wheel"]) this.frames[0].addEventListener(begin, () => (this.going = false), { passive: true });
  }

  /** Return the names of the panels on each page. */
  get all() {
    return this.picture.layout.pages ?? [];
  }

  /** Return how far left of the frame the picture begins, in CSS pixels. */
  get left() {
    return this.at * (this.picture.layout.width / Math.max(this.all.length, 1));
  }

  /** Make a scroll stop and a button for each page, after the picture was laid out. */
  fit() {
    const { length } = this.all;
    this.at = Math.max(0, Math.min(this.at, length - 1));
    for (const frame of this.frames) stopsIn(frame, length);
    setProperties(this.names, { hidden: length < 2 });
    if (this.names.children.length !== length) this.names.replaceChildren(...this.all.map((_, at) => this.button(at)));
    this.name();
    this.mark();
    for (const frame of this.frames) if (!this.going && pageOf(frame) !== this.at) frame.scrollTo({ left: this.left, behavior: "instant" });
  }

  /** @param {number} at */
  button(at) {
    const button = make("button", { type: "button" });
    button.addEventListener("click", () => this.go(at));
    return button;
  }

  // Write under the picture the titles of the panels on each page, without what follows a colon.
  name() {
    const panels = this.picture.scene?.stage.panels ?? {};
    setAttribute(this.names, "aria-label", this.text("pages"));
    [...this.names.children].forEach((button, i) => {
      const titles = this.all[i].map((name) => panels[name]?.title.replaceAll("$", "").split(/[:：]/)[0]);
      write(button, titles.filter(Boolean).join(" · "));
    });
  }

  // Mark the name of the present page.
  mark() {
    [...this.names.children].forEach((button, i) => setAttribute(button, "aria-current", String(i === this.at)));
  }

  /** Scroll at once to `element`, which belongs to the panel named `panel`. @param {string} panel @param {HTMLElement} element */
  reveal(panel, element) {
    if (!this.all.length) return element.scrollIntoView({ block: "nearest", inline: "nearest" });
    // With pages, scrollIntoView would scroll only a part of the way, and the frame would snap back.
    const at = this.all.findIndex((names) => names.includes(panel));
    if (at >= 0 && at !== this.at) this.go(at, "instant");
    const [frame] = this.frames;
    const [top, bottom] = [element.offsetTop, element.offsetTop + element.offsetHeight];
    frame.scrollTop = Math.min(Math.max(frame.scrollTop, bottom - frame.clientHeight), top);
    return undefined;
  }

  /** Show page number `at`. @param {number} at @param {ScrollBehavior} [behavior] */
  go(at, behavior = wantsLessMotion() ? "instant" : "smooth") {
    this.going = at !== this.at;
    this.at = at;
    this.mark();
    for (const frame of this.frames) frame.scrollTo({ left: this.left, behavior });
  }

  // Follow a swipe: both pictures show the same page.
  /** @param {HTMLElement} frame */
  scrolled(frame) {
    const { length } = this.all;
    if (length < 2 || !frame.clientWidth) return;
    const at = Math.min(pageOf(frame), length - 1);
    if (at === this.at) this.going = false;
    if (this.going || at === this.at) return;
    this.at = at;
    this.mark();
    for (const other of this.frames) if (other !== frame) other.scrollTo({ left: this.left, behavior: "instant" });
  }
}

/** @param {HTMLElement} frame */
const pageOf = (frame) => Math.round(frame.scrollLeft / Math.max(frame.clientWidth, 1));

// Give a frame as many scroll stops as there are pages.
/** @param {HTMLElement} frame @param {number} count */
function stopsIn(frame, count) {
  const stops = frame.querySelectorAll(".stop");
  if (stops.length === count) return;
  for (const stop of stops) stop.remove();
  for (let i = 0; i < count; i++) {
    const stop = make("div", { className: "stop" });
    stop.style.left = `${100 * i}%`;
    frame.append(stop);
  }
}
