// A map of the four doors through which positions enter attention, with the explorers of each door.

import { icon, inWords, make, setAttribute, write } from "./dom.js";

/** @import { Language, Words } from "./types.js" */
/** @typedef {{number?: number, name: Words, color?: string, explorers: string[]}} Door */

export class Doors {
  /**
   * @param {{table: {doors: Door[], explorers: Record<string, Words>}, language: Language,
   *   text(name: string): string, show(explorer: string): unknown}} page
   */
  constructor(page) {
    this.page = page;
    this.dialog = /** @type {HTMLDialogElement} */ (document.getElementById("doors"));
    this.button = /** @type {HTMLElement} */ (document.getElementById("map"));
    this.button.append(icon("door"));
    this.button.addEventListener("click", () => this.dialog.showModal());
    this.close = make("button", { type: "button" });
    this.close.addEventListener("click", () => this.dialog.close());
    const { doors } = page.table;
    this.places = doors.map(({ number, name, color, explorers }) => {
      const heading = make("h3");
      const links = explorers.map((explorer) => {
        const link = make("button", { type: "button", value: explorer });
        link.addEventListener("click", () => this.show(explorer));
        return link;
      });
      const place = make("li", {}, make("span", { className: "number" }, String(number ?? "1–4")), heading, ...links);
      if (color) place.style.setProperty("--door", color);
      return { name, heading, links, place };
    });
    this.title = make("h2", { id: "doors-title" });
    this.dialog.append(
      this.title,
      make("ul", {}, ...this.places.map(({ place }) => place)),
      make("div", { className: "actions" }, this.close),
    );
  }

  /** @param {string} explorer */
  show(explorer) {
    this.dialog.close();
    this.page.show(explorer);
  }

  relabel() {
    const { page } = this;
    const shown = (/** @type {Words} */ words) => inWords(words, page.language);
    write(this.title, page.text("doors"));
    write(this.close, page.text("close"));
    for (const name of ["aria-label", "title"]) setAttribute(this.button, name, page.text("map"));
    for (const { name, heading, links } of this.places) {
      write(heading, shown(name));
      for (const link of links) write(link, shown(page.table.explorers[link.value]));
    }
  }
}
