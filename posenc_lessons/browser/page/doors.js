// The four doors by which positions come into attention, as a map: behind each the explorers that show it.

import { icon, inWords, make, setAttribute, write } from "./dom.js";

export class Doors {
  constructor(page) {
    this.page = page;
    this.dialog = document.getElementById("doors");
    this.button = document.getElementById("map");
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
      const place = make("li", {}, make("span", { className: "number" }, number ?? "1–4"), heading, ...links);
      if (color) place.style.setProperty("--door", color);
      return { name, heading, links, place };
    });
    this.dialog.append(
      make("h2", { id: "doors-title" }),
      make("ul", {}, ...this.places.map(({ place }) => place)),
      make("div", { className: "actions" }, this.close),
    );
  }

  show(explorer) {
    this.dialog.close();
    this.page.show(explorer);
  }

  relabel() {
    const { page } = this;
    const shown = (words) => inWords(words, page.language);
    write(document.getElementById("doors-title"), page.text("doors"));
    write(this.close, page.text("close"));
    for (const name of ["aria-label", "title"]) setAttribute(this.button, name, page.text("map"));
    for (const { name, heading, links } of this.places) {
      write(heading, shown(name));
      for (const link of links) write(link, shown(page.table.explorers[link.value]));
    }
  }
}
