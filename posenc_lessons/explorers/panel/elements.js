// The empty elements of a panel; panel.js fills them and listens to them.

import { icon, make } from "./dom.js";
import { Toast } from "./listing.js";
import { Picture } from "./picture.js";

const SYMBOLS = { reset: "reset", compare: "compare", code: "code", link: "link", png: "save" };

/** A picture in its scrolling frame, with words above (`which` picture it is) and below. */
export class Figure {
  /** @param {string} className @param {Record<string, any>} [ofFrame] properties of the frame @param {HTMLElement[]} below the frame */
  constructor(className, ofFrame = {}, ...below) {
    this.picture = new Picture();
    this.which = make("p", { className: "which" });
    this.frame = make("div", { className: "frame", ...ofFrame }, this.picture.canvas);
    this.screen = make("div", { className: "screen" }, this.frame, ...below);
    this.words = make("figcaption", { className: "reading" });
    this.element = make("figure", { className }, this.which, this.screen, this.words);
  }
}

export class Elements {
  /** @param {string} name */
  constructor(name) {
    this.toast = new Toast();

    // The column beside the picture: settings, tries, buttons.
    this.title = make("div", { className: "title", role: "heading", "aria-level": "3", hidden: true }); // sections have level 2
    this.settings = make("div", { className: "settings", role: "group" });
    this.rareSettings = make("div", { className: "settings" });
    this.rareName = make("summary");
    this.rare = make("details", { hidden: true }, this.rareName, this.rareSettings);
    /** @type {Record<string, HTMLButtonElement>} */
    this.buttons = {};
    for (const [value, symbol] of Object.entries(SYMBOLS)) {
      const words = make("span", { className: "lines" }, value === "png" ? "PNG" : "");
      this.buttons[value] = make("button", { type: "button", value }, icon(symbol), words);
    }
    const actions = make("div", { className: "actions" }, ...Object.values(this.buttons));
    this.triesName = make("span", { className: "heading", id: `tries-${name}` });
    this.tries = make("div", { className: "tries", role: "group", "aria-labelledby": `tries-${name}` });
    this.strip = make("div", { className: "strip" }, this.triesName, this.tries);
    this.side = make("div", { className: "side" }, this.title, this.settings, this.strip, this.rare, actions);
    this.alert = make("div", { className: "alert", role: "alert" });

    // The picture and its sentence, and those that are kept for comparison.
    this.pageNames = make("div", { className: "page-names", role: "group", hidden: true });
    this.present = new Figure("present", { role: "application", tabIndex: 0 }, this.pageNames);
    this.present.words.setAttribute("aria-live", "polite");
    this.present.which.hidden = true;
    this.kept = new Figure("kept");
    this.pictures = make("div", { className: "pictures" }, this.present.element);
    this.cue = make("div", { className: "cue", hidden: true, "aria-hidden": "true" }, make("span"));
    this.present.frame.append(this.cue);

    // What to look for in the try that was pressed; before, a hint.
    this.tip = make("p", { className: "tip", role: "status" });
    this.nextName = make("span");
    this.next = make("button", { type: "button", className: "next" }, this.nextName, " →");
    this.advice = make("div", { className: "advice" }, this.tip, this.next);
    this.shown = make("div", { className: "shown" }, this.alert, this.pictures, this.advice);
    this.element = make("section", { className: "panel", id: `panel-${name}` }, this.side, this.shown, this.toast.element);
  }

  /** The picture that answers to the controls. */
  get picture() {
    return this.present.picture;
  }

  /** Both pictures with their frames. */
  get figures() {
    return [this.present, this.kept];
  }
}
