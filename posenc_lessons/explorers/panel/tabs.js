// Tabs with full names, in one language or both. Arrow keys go from tab to tab.

import { make, setAttribute } from "./dom.js";

/** @import { Language, Words } from "./types.js" */

export class Tabs {
  /**
   * @param {Record<string, Words>} names the tabs' words, by the name given to `choose`
   * @param {(name: string) => void} choose
   */
  constructor(names, choose) {
    this.element = make("div", { className: "tabs", role: "tablist" });
    /** @type {Map<string, HTMLButtonElement>} */
    this.buttons = new Map();
    for (const [name, { zh, en }] of Object.entries(names)) {
      const tab = make("button", { type: "button", role: "tab", id: `tab-${name}` }, make("span", { lang: "zh" }, zh), make("span", { lang: "en" }, en));
      tab.setAttribute("aria-controls", `panel-${name}`);
      tab.addEventListener("click", () => choose(name));
      this.buttons.set(name, tab);
    }
    this.element.append(...this.buttons.values());
    this.element.addEventListener("keydown", (event) => this.moveByKey(event));
  }

  /** @param {string} name */
  mark(name) {
    for (const [place, tab] of this.buttons) {
      setAttribute(tab, "aria-selected", String(place === name));
      tab.tabIndex = place === name ? 0 : -1;
    }
  }

  /** @param {KeyboardEvent} event */
  moveByKey(event) {
    const tabs = [...this.buttons.values()];
    const at = tabs.findIndex((tab) => tab === event.target); // the tab with the focus, selected or not
    const last = tabs.length - 1;
    const to = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at ? at - 1 : last, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    tabs[to].focus();
    tabs[to].click();
  }

  /** @param {string} label @param {Language} language */
  relabel(label, language) {
    setAttribute(this.element, "aria-label", label);
    setAttribute(this.element, "data-language", language);
  }
}
