// The empty elements of a panel; panel.js fills them and listens to them.

import { icon, make } from "./dom.js";
import { Toast } from "./listing.js";
import { Picture } from "./picture.js";

/** @import { Place } from "./types.js" */

const SYMBOLS = { reset: "reset", compare: "compare", code: "code", link: "link", png: "save", svg: "save" };
const FORMATS = { png: "PNG", svg: "SVG" }; // words on buttons that are the same in both languages

export class Elements {
  /** @param {string} name */
  constructor(name) {
    this.picture = new Picture((/** @type {Place} */ where) => this.point(where));
    this.toast = new Toast();

    // The column beside the picture.
    this.title = make("div", { className: "title", hidden: true });
    this.settings = make("div", { className: "settings", role: "group" });
    this.rareSettings = make("div", { className: "settings" });
    this.rareDeeds = make("div", { className: "deeds" });
    this.rareName = make("summary");
    this.rare = make("details", { hidden: true }, this.rareName, this.rareSettings, this.rareDeeds);
    this.deeds = make("div", { className: "deeds" });
    this.bar = make("progress");
    this.barText = make("span");
    this.progress = make("div", { className: "progress", role: "status", hidden: true }, this.bar, this.barText);
    this.note = make("p", { className: "note", hidden: true });
    this.opener = make("input", { type: "file", accept: ".json", hidden: true });
    this.fileButtons = ["open", "save", "recorded"].map((value) => make("button", { type: "button", value }, make("span", { className: "lines" })));
    this.files = make("div", { className: "files", hidden: true }, ...this.fileButtons, this.opener);
    /** @type {Record<string, HTMLButtonElement>} */
    this.buttons = {};
    for (const [what, symbol] of Object.entries(SYMBOLS)) {
      const words = make("span", { className: "lines" }, FORMATS[/** @type {keyof typeof FORMATS} */ (what)] ?? "");
      this.buttons[what] = make("button", { type: "button", value: what }, icon(symbol), words);
    }
    const actions = make("div", { className: "actions" }, ...Object.values(this.buttons));
    this.side = make("div", { className: "side" }, this.title, this.settings, this.deeds, this.progress, this.rare, this.note, this.files, actions);

    // Above the picture.
    this.triesName = make("span", { className: "heading", id: `tries-${name}` });
    this.tries = make("div", { className: "tries", role: "group", "aria-labelledby": `tries-${name}` });
    this.tip = make("p", { className: "tip", role: "status" });
    this.next = make("button", { type: "button", className: "next" }, make("span"), " →");
    const row = make("div", { className: "row" }, this.triesName, this.tries);
    this.strip = make("div", { className: "strip" }, row, make("div", { className: "row said" }, this.tip, this.next));
    this.alert = make("div", { className: "alert", role: "alert" });

    // The picture and its sentence.
    this.reading = make("figcaption", { className: "reading", "aria-live": "polite" });
    this.presentName = make("p", { className: "which", hidden: true });
    this.frame = make("div", { className: "frame", role: "application", tabIndex: 0 }, this.picture.canvas);
    this.dots = make("div", { className: "dots", role: "group", hidden: true });
    this.screen = make("div", { className: "screen" }, this.frame, this.dots);
    this.present = make("figure", { className: "present" }, this.presentName, this.screen, this.reading);
    this.pictures = make("div", { className: "pictures" }, this.present);

    // The hint that the picture's numbers can be asked about: with pointer and keys, or by touch.
    this.askHint = make("p", { className: "ask" }, ...["ask", "askByTouch"].map((className) => make("span", { className })));
    this.shown = make("div", { className: "shown" }, this.strip, this.alert, this.pictures, this.askHint);
    this.element = make("section", { className: "panel", id: `panel-${name}` }, this.side, this.shown, this.toast.element);
  }

  /** @param {Place} _where */
  point(_where) {} // eslint-disable-line no-unused-vars -- subclasses use it
}
