// The search box in a page's head: "/" moves the focus to it, arrow keys go through the results, Enter opens one.

import { all, one } from "./elements.js";
import { searcher } from "./search.js";

/** @import { Entry, Piece } from "./search.js" */

const MOST = 20; // entries shown

export function startSearch() {
  const around = document.querySelector(".search");
  if (!(around instanceof HTMLElement)) return;
  const input = one(around, "input", HTMLInputElement);
  const box = one(around, ".found", HTMLElement);
  const list = one(around, "[role=listbox]", HTMLElement);
  const status = one(around, "[role=status]", HTMLElement);
  /** @type {Promise<ReturnType<typeof searcher>> | null} */
  let index = null; // loaded at the first query
  let chosen = -1; // number of the result that Enter opens

  const options = () => all(list, "[role=option]", HTMLAnchorElement);

  const choose = (/** @type {number} */ number) => {
    chosen = number;
    for (const [at, option] of options().entries()) {
      option.setAttribute("aria-selected", String(at === chosen));
      if (at === chosen) option.scrollIntoView({ block: "nearest" });
    }
    if (chosen < 0) input.removeAttribute("aria-activedescendant");
    else input.setAttribute("aria-activedescendant", `found-${chosen}`);
  };

  const close = () => {
    box.hidden = true;
    input.setAttribute("aria-expanded", "false");
    choose(-1);
  };

  const search = async () => {
    const query = input.value.trim();
    if (!query) return close();
    index ??= entries(around).then(searcher);
    const find = await index;
    if (query !== input.value.trim()) return; // the reader has typed more meanwhile
    const hits = find(query);
    list.replaceChildren(...hits.slice(0, MOST).map((hit, at) => option(hit.entry, hit.sentence, at, around.dataset.root ?? "")));
    status.textContent = String(status.dataset.said).replaceAll("{n}", String(hits.length));
    box.hidden = false;
    list.hidden = hits.length === 0;
    input.setAttribute("aria-expanded", String(hits.length > 0));
    choose(-1);
  };

  input.addEventListener("input", search);
  input.addEventListener("focus", search);
  input.addEventListener("keydown", (event) => {
    const { length } = options();
    if (event.isComposing || box.hidden) return; // an input method uses these keys
    if (event.key === "Escape") close();
    else if (event.key === "ArrowDown" && length) choose((chosen + 1) % length);
    else if (event.key === "ArrowUp" && length) choose((Math.max(chosen, 0) - 1 + length) % length);
    else if (event.key === "Enter" && length) {
      options()[Math.max(chosen, 0)].click();
      close();
    } else return;
    event.preventDefault();
  });
  document.addEventListener("keydown", (event) => {
    const target = event.composedPath()[0];
    const writes = target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"));
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || writes) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
  document.addEventListener("pointerdown", (event) => { if (!event.composedPath().includes(around)) close(); });
  around.addEventListener("focusout", ({ relatedTarget }) => { if (relatedTarget instanceof Node && !around.contains(relatedTarget)) close(); });
  if (document.activeElement === input) search(); // the reader has typed before this script came
}

/**
 * Return the entries. They are in a script, because a page from a disk can load only scripts.
 *
 * @param {HTMLElement} around
 * @returns {Promise<Entry[]>}
 */
function entries(around) {
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
    if (found) line.append(Object.assign(document.createElement("mark"), { textContent: piece }));
    else line.append(piece);
  }
  link.append(name, ...(sentence.length > 0 ? [line] : []));
  return link;
}
