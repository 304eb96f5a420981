// Shares out the room of a panel: the picture gets what the words leave. The height reserved for words never shrinks,
// so that the picture does not jump.

import { setProperties } from "./dom.js";
import { PHONE } from "./layout.js";

/**
 * @import { Panel } from "./panel.js"
 * @import { Stage } from "./types.js"
 */

const NARROW = 900; // CSS pixels: a narrower panel is one column
const CAPTION = 290; // CSS pixels: width of a sentence beside its picture
const LEAST_PICTURE = 580; // CSS pixels: least width of a picture beside its sentence
const LEAST_GAIN = 1.07; // the sentence goes beside the picture if the picture becomes this much larger
const GAP = 16; // CSS pixels between parts, as in panel.css

export class Room {
  /** @param {Panel} panel */
  constructor(panel) {
    this.panel = panel;
    this.reserved = { words: 0, tip: 0 }; // the greatest heights of the words so far
    /** @type {boolean | undefined} */
    this.captionBeside = undefined;
    this.fitting = false;
    this.checking = 0;
    this.watcher = new ResizeObserver(() => this.fit());
    this.watcher.observe(panel.element);
    this.watcher.observe(panel.shown);
    this.resized = () => this.refit();
    addEventListener("resize", this.resized);
    panel.frame.addEventListener("scroll", () => this.markMore());
  }

  close() {
    this.watcher.disconnect();
    removeEventListener("resize", this.resized);
  }

  /** Check in the next frame whether the sentence needs more lines; the browser lays out the page then anyway. */
  checkHeight() {
    this.checking ||= requestAnimationFrame(() => {
      this.checking = 0;
      if (!this.captionBeside && this.panel.reading.scrollHeight > this.reserved.words) this.fit();
    });
  }

  refit() {
    this.reserved = { words: 0, tip: 0 };
    this.captionBeside = undefined;
    for (const picture of [this.panel.picture, this.panel.comparison.whole?.picture]) picture?.forgetLayout();
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
    const { frame, screen, askHint } = this.panel;
    const { scrollTop, clientHeight, scrollHeight, clientWidth, scrollWidth } = frame;
    screen.classList.toggle("more", scrollTop + clientHeight < scrollHeight - 4);
    const scrolls = (scrollHeight > clientHeight || scrollWidth > clientWidth) && getComputedStyle(frame).overflowY === "auto";
    setProperties(frame, { tabIndex: scrolls || !askHint.hidden ? 0 : -1 });
  }

  // Fit the picture into the room that the words leave on the screen. In one column the height is not limited.
  fit() {
    const { panel, reserved } = this;
    const { comparison, element, frame, pictures, presentName, reading } = panel;
    const { whole } = comparison;
    if (!panel.view.stage || !element.clientWidth) return; // not shown yet
    const narrow = this.chooseColumns();
    this.reserveTip();
    const width = narrow ? frame.clientWidth : pictures.clientWidth;
    const captions = [reading, ...(whole ? [whole.words] : [])];
    for (const words of captions) words.style.width = narrow ? "" : `${width}px`;
    if (!this.captionBeside) reserved.words = Math.max(reserved.words, ...captions.map((words) => words.scrollHeight));
    const high = this.height(narrow);
    const { stage } = panel.view;
    const below = whole ? whole.which.offsetHeight + GAP : 0; // keep the name of the kept picture in sight
    const height = narrow ? this.heightInColumn(width, stage) : high - reserved.words - presentName.offsetHeight - below;
    const widthBeside = width - CAPTION - GAP;
    this.captionBeside ??= !comparison.on && !narrow && widthBeside >= LEAST_PICTURE && panel.picture.scaleIn(widthBeside, high) > LEAST_GAIN * panel.picture.scaleIn(width, height);
    panel.present.classList.toggle("beside", this.captionBeside);
    if (this.captionBeside) {
      panel.picture.fit(widthBeside, high);
      reading.style.width = `${Math.min(width - panel.picture.layout.width - GAP, 2 * CAPTION)}px`;
    } else for (const picture of [panel.picture, ...(whole ? [whole.picture] : [])]) picture.fit(width, height);
    panel.pages.fit();
    element.classList.toggle("paged", narrow && Boolean(panel.picture.layout.pages) && isFinite(height));
    this.markMore();
  }

  // Return the greatest height of a picture in one column: on a phone that of the frame, from the style sheet; in a
  // lesson's page that of the still, whose place it takes.
  /** @param {number} width @param {Stage} stage */
  heightInColumn(width, stage) {
    if (width < PHONE) return Math.floor(parseFloat(getComputedStyle(this.panel.frame).maxHeight)) || Infinity;
    return this.panel.surroundings.column ? (width * stage.height) / stage.width : Infinity;
  }

  // Choose whether everything stands in one column.
  chooseColumns() {
    const { element, side, surroundings } = this.panel;
    // Not innerWidth: on a phone that was turned, overflowing content makes it too large.
    const across = surroundings.height ? element.clientWidth : document.documentElement.clientWidth;
    const narrow = Boolean(surroundings.column) || across < NARROW;
    element.classList.toggle("narrow", narrow);
    if (!narrow) element.classList.remove("paged");
    element.classList.remove("tight");
    element.classList.toggle("tight", !narrow && side.scrollHeight > side.clientHeight);
    return narrow;
  }

  reserveTip() {
    const { strip } = this.panel;
    strip.style.minHeight = "";
    this.reserved.tip = Math.max(this.reserved.tip, strip.offsetHeight);
    setProperties(strip.style, { minHeight: `${this.reserved.tip}px` });
  }

  // Return how many CSS pixels high pictures and words together may be.
  height(/** @type {boolean} */ narrow) {
    const { element, pictures, shown, surroundings, askHint } = this.panel;
    if (narrow) return Infinity;
    if (!surroundings.height) return pictures.clientHeight;
    const above = pictures.getBoundingClientRect().top - shown.getBoundingClientRect().top;
    return surroundings.height(element) - above - askHint.offsetHeight - GAP;
  }
}
