// The search box in a page's head: "/" moves the focus to it, arrow keys go through the results, Enter opens one.

import { one } from "./elements.js";
import { searcher } from "./search.js";

/** @import { Entry, Piece } from "./search.js" */

const MOST = 20; // entries shown

export function startSearch() {
  const around = document.querySelector(".search");
  if (around instanceof HTMLElement) new SearchBox(around);
}

class SearchBox {
  /** @param {HTMLElement} around */
  constructor(around) {
    this.around = around;
    this.input = one(around, "input", HTMLInputElement);
    this.found = one(around, ".found", HTMLElement);
    this.list = one(around, "[role=listbox]", HTMLElement);
    this.status = one(around, "[role=status]", HTMLElement);
    this.at = -1; // number of the result that Enter opens
    /** @type {Promise<ReturnType<typeof searcher>> | null} */
    this.index = null; // loaded at the first query
    const { input } = this;
    input.addEventListener("input", () => this.search());
    input.addEventListener("focus", () => this.search());
    input.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("keydown", (event) => this.slash(event));
    document.addEventListener("pointerdown", (event) => { if (!event.composedPath().includes(around)) this.close(); });
    around.addEventListener("focusout", ({ relatedTarget }) => { if (relatedTarget instanceof Node && !around.contains(relatedTarget)) this.close(); });
    if (document.activeElement === input) this.search(); // the reader has typed before this script came
  }

  async search() {
    const query = this.input.value.trim();
    if (!query) return this.close();
    this.index ??= entries(this.around).then(searcher);
    const find = await this.index;
    if (query !== this.input.value.trim()) return; // the reader has typed more meanwhile
    const hits = find(query);
    this.at = -1;
    this.list.replaceChildren(...hits.slice(0, MOST).map((hit, at) => option(hit.entry, hit.sentence, at, this.around.dataset.root ?? "")));
    this.status.textContent = String(this.status.dataset.said).replaceAll("{n}", String(hits.length));
    this.found.hidden = false;
    this.list.hidden = hits.length === 0;
    this.input.setAttribute("aria-expanded", String(hits.length > 0));
    this.mark();
  }

  close() {
    this.found.hidden = true;
    this.at = -1;
    this.input.setAttribute("aria-expanded", "false");
    this.mark();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const options = this.options();
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.isComposing) return; // an input method uses these keys
    if (event.key === "Escape" && !this.found.hidden) {
      event.preventDefault();
      this.close();
    } else if (move && options.length > 0 && !this.found.hidden) {
      event.preventDefault();
      this.at = (this.at + move + options.length + (this.at < 0 && move < 0 ? 1 : 0)) % options.length;
      this.mark();
    } else if (event.key === "Enter" && options.length > 0 && !this.found.hidden) {
      event.preventDefault();
      options[Math.max(this.at, 0)].click();
      this.close();
    }
  }

  /** @param {KeyboardEvent} event */
  slash(event) {
    const target = event.composedPath()[0];
    const writes = target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"));
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || writes) return;
    event.preventDefault();
    this.input.focus();
    this.input.select();
  }

  options() {
    return [.../** @type {NodeListOf<HTMLAnchorElement>} */ (this.list.querySelectorAll("[role=option]"))];
  }

  mark() {
    for (const [at, option] of this.options().entries()) {
      option.setAttribute("aria-selected", String(at === this.at));
      if (at === this.at) option.scrollIntoView({ block: "nearest" });
    }
    if (this.at < 0) this.input.removeAttribute("aria-activedescendant");
    else this.input.setAttribute("aria-activedescendant", `found-${this.at}`);
  }
}

/**
 * Return the entries. They are in the page, or in a script beside it, because a page from a disk can load only scripts.
 *
 * @param {HTMLElement} around
 * @returns {Promise<Entry[]>}
 */
function entries(around) {
  const inside = document.getElementById("entries");
  if (inside) return Promise.resolve(JSON.parse(inside.textContent ?? "[]"));
  return new Promise((done, failed) => {
    const script = document.createElement("script");
    Object.assign(window, { posencEntries: done });
    script.addEventListener("error", () => failed(new Error(`${script.src} cannot be loaded`)));
    script.src = around.dataset.entries ?? "";
    document.head.append(script);
  });
}

/** @param {Entry} entry @param {Piece[]} sentence @param {number} at @param {string} root */
function option({ page, title, heading }, sentence, at, root) {
  const link = document.createElement("a");
  const name = document.createElement("strong");
  const line = document.createElement("span");
  Object.assign(link, { href: root + page, id: `found-${at}`, role: "option", tabIndex: -1 });
  name.textContent = [title, heading].filter(Boolean).join(" — ");
  for (const [piece, found] of sentence) {
    const mark = found ? document.createElement("mark") : null;
    mark?.append(piece);
    line.append(mark ?? piece);
  }
  link.append(name, ...(sentence.length > 0 ? [line] : []));
  return link;
}
