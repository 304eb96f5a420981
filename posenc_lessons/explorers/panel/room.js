// Shares out the room of a panel: the picture gets what the words leave. The height reserved for words never shrinks,
// so that the picture does not jump.

import { setProperties } from "./dom.js";
import { PHONE } from "./layout.js";

/**
 * @import { Elements } from "./elements.js"
 * @import { Pages } from "./pages.js"
 * @import { Surroundings } from "./types.js"
 */

const NARROW = { window: 900, panel: 800 }; // CSS pixels: in a narrower one, everything is one column
const GAP = 16; // CSS pixels between parts, as in panel.css

export class Room {
  /** @param {Elements} elements @param {Pages} pages @param {Surroundings} surroundings */
  constructor(elements, pages, surroundings) {
    this.elements = elements;
    this.pages = pages;
    this.surroundings = surroundings;
    this.reserved = { words: 0, tip: 0 }; // the greatest heights of the words so far
    this.fitting = false;
    this.checking = 0;
    this.watcher = new ResizeObserver(() => this.fit());
    this.watcher.observe(elements.element);
    this.watcher.observe(elements.shown);
    this.resized = () => this.refit();
    addEventListener("resize", this.resized);
    elements.present.frame.addEventListener("scroll", () => this.markMore());
  }

  close() {
    this.watcher.disconnect();
    removeEventListener("resize", this.resized);
  }

  /** Check in the next frame whether the sentence needs more lines; the browser lays out the page then anyway. */
  checkHeight() {
    this.checking ||= requestAnimationFrame(() => {
      this.checking = 0;
      if (this.elements.present.words.scrollHeight > this.reserved.words) this.fit();
    });
  }

  /** Share out the room again, with nothing reserved. */
  refit() {
    this.reserved = { words: 0, tip: 0 };
    for (const { picture } of this.elements.figures) picture.forgetLayout();
    this.fitLater();
  }

  /** Fit once, after the present changes are complete. */
  fitLater() {
    if (this.fitting) return;
    this.fitting = true;
    queueMicrotask(() => {
      this.fitting = false;
      this.fit();
    });
  }

  // Mark a frame in which the picture continues below (the reader scrolls it). Let a keyboard reach the frame if it
  // scrolls or has numbers to ask about.
  markMore() {
    const { element, present: { frame, screen } } = this.elements;
    const { scrollTop, clientHeight, scrollHeight, clientWidth, scrollWidth } = frame;
    screen.classList.toggle("more", scrollTop + clientHeight < scrollHeight - 4);
    const scrolls = (scrollHeight > clientHeight || scrollWidth > clientWidth) && getComputedStyle(frame).overflowY === "auto";
    setProperties(frame, { tabIndex: scrolls || "answers" in element.dataset ? 0 : -1 });
  }

  // Fit the picture into the room that the words leave on the screen. In one column the height is not limited.
  fit() {
    const { element, figures, picture, pictures, present } = this.elements;
    const stage = picture.scene?.stage;
    if (!stage || !element.clientWidth) return; // not shown yet
    const narrow = this.chooseColumns();
    this.reserveTip();
    const width = narrow ? present.frame.clientWidth : pictures.clientWidth;
    this.reserved.words = Math.max(this.reserved.words, ...figures.map(({ words }) => words.scrollHeight));
    const height = this.stillHeight(width) ?? (narrow ? this.heightInColumn(width) : this.highest() - this.wordsHigh());
    for (const figure of figures) figure.picture.fit(width, height);
    this.pages.fit();
    element.classList.toggle("paged", narrow && Boolean(picture.layout.pages) && isFinite(height));
    this.markMore();
  }

  // Choose whether everything stands in one column.
  chooseColumns() {
    const { element, side } = this.elements;
    // Not innerWidth: on a phone that was turned, overflowing content makes it too large.
    const root = document.documentElement;
    const narrow = root.clientWidth < NARROW.window || Boolean(this.surroundings.height && element.clientWidth < NARROW.panel);
    element.classList.toggle("narrow", narrow);
    if (!narrow) element.classList.remove("paged");
    element.classList.remove("tight");
    element.classList.toggle("tight", !narrow && side.scrollHeight > side.clientHeight);
    return narrow;
  }

  reserveTip() {
    const { advice } = this.elements;
    advice.style.minHeight = "";
    this.reserved.tip = Math.max(this.reserved.tip, advice.offsetHeight);
    setProperties(advice.style, { minHeight: `${this.reserved.tip}px` });
  }

  // Return how many CSS pixels high pictures and words together may be, beside the controls.
  highest() {
    const { element, pictures, shown, advice } = this.elements;
    if (!this.surroundings.height) return pictures.clientHeight;
    const above = pictures.getBoundingClientRect().top - shown.getBoundingClientRect().top;
    return this.surroundings.height(element) - above - advice.offsetHeight - GAP;
  }

  // Return the height of the still that a live picture replaces, undefined if there is none or on a phone.
  /** @param {number} width */
  stillHeight(width) {
    return width < PHONE ? undefined : this.surroundings.pictureHeight?.();
  }

  // Return the height of the words above and below the picture, with the name of a kept one, which stays in sight.
  wordsHigh() {
    const { kept, present } = this.elements;
    const below = kept.element.isConnected ? kept.which.offsetHeight + GAP : 0;
    return this.reserved.words + present.which.offsetHeight + below;
  }

  // Return the greatest height of a picture in one column: on a phone that of the frame, from the style sheet.
  /** @param {number} width */
  heightInColumn(width) {
    if (width >= PHONE) return Infinity;
    return Math.floor(parseFloat(getComputedStyle(this.elements.present.frame).maxHeight)) || Infinity;
  }
}
