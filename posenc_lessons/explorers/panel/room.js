// How much room the parts of a panel get: the picture takes what the words leave, and the words never give back a line
// that they once took, or the picture would jump.

import { setProperties } from "./dom.js";
import { PHONE } from "./layout.js";

/**
 * @import { Panel } from "./panel.js"
 * @import { Stage } from "./types.js"
 */

const NARROW = 900; // CSS pixels: below, all stands in one column
const CAPTION = 290; // CSS pixels of a sentence that stands beside its picture, not below
const LEAST_PICTURE = 580; // CSS pixels: a picture beside its sentence is no narrower
const LEAST_GAIN = 1.07; // how much larger the picture has to become by that
const GAP = 16; // CSS pixels between what stands side by side, as in panel.css

export class Room {
  /** @param {Panel} panel */
  constructor(panel) {
    this.panel = panel;
    this.reserved = { words: 0, tip: 0 }; // heights that words once took
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

  /** Before the next frame is painted, in which all is laid out anyway. */
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

  /** Fit once, after all changes that are under way. */
  fitLater() {
    if (this.fitting) return;
    this.fitting = true;
    queueMicrotask(() => {
      this.fitting = false;
      this.fit();
    });
  }

  // On a small screen a high picture is scrolled in its frame, which shows that it goes on below. A keyboard reaches what
  // it can scroll or ask about.
  markMore() {
    const { frame, screen, askHint } = this.panel;
    const { scrollTop, clientHeight, scrollHeight, clientWidth, scrollWidth } = frame;
    screen.classList.toggle("more", scrollTop + clientHeight < scrollHeight - 4);
    const scrolls = (scrollHeight > clientHeight || scrollWidth > clientWidth) && getComputedStyle(frame).overflowY === "auto";
    setProperties(frame, { tabIndex: scrolls || !askHint.hidden ? 0 : -1 });
  }

  // The picture takes what room the words leave, all of it on one screen; in one column it is as high as it has to be.
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
    const below = whole ? whole.which.offsetHeight + GAP : 0; // the name of the kept picture shows that it is there
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

  // On a phone the picture is as high as its style sheet lets its frame be. In a page's column it takes the place of its
  // still: no higher than that.
  /** @param {number} width @param {Stage} stage */
  heightInColumn(width, stage) {
    if (width < PHONE) return Math.floor(parseFloat(getComputedStyle(this.panel.frame).maxHeight)) || Infinity;
    return this.panel.surroundings.column ? (width * stage.height) / stage.width : Infinity;
  }

  // Choose whether everything stands in one column.
  chooseColumns() {
    const { element, side, surroundings } = this.panel;
    // Not innerWidth: what hangs out makes that larger on a phone that was turned.
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

  // Return how many CSS pixels pictures and words may be high together.
  height(/** @type {boolean} */ narrow) {
    const { element, pictures, shown, surroundings, askHint } = this.panel;
    if (narrow) return Infinity;
    if (!surroundings.height) return pictures.clientHeight;
    const above = pictures.getBoundingClientRect().top - shown.getBoundingClientRect().top;
    return surroundings.height(element) - above - askHint.offsetHeight - GAP;
  }
}
