// Two things that appear over a panel: a dialog with text to copy, and a message that disappears after some seconds.

import { make, write } from "./dom.js";

const SHOWN = 4000; // milliseconds

/** @param {string} text */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Show `content` until it is closed.
 * @param {HTMLElement} parent
 * @param {(name: string) => string} text
 * @param {string} name of the title, as `text` knows it
 * @param {string} content
 * @param {() => void} copied
 */
export function showListing(parent, text, name, content, copied) {
  const title = make("h2", { id: `${parent.id}-title` }, text(name));
  const copy = make("button", { type: "button" }, text("copy"));
  const close = make("button", { type: "button" }, text("close"));
  const listing = make("pre", { className: "listing", tabIndex: 0 }, content);
  const dialog = make("dialog", { "aria-labelledby": title.id }, title, listing, make("div", { className: "actions" }, copy, close));
  copy.addEventListener("click", async () => {
    if (await copyText(content)) copied();
    else getSelection()?.selectAllChildren(listing);
  });
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  parent.append(dialog);
  dialog.showModal();
}

export class Toast {
  constructor() {
    this.element = make("p", { className: "toast", role: "status" });
    this.timer = 0;
  }

  /** @param {string} words */
  show(words) {
    write(this.element, words);
    this.element.classList.add("shown");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.element.classList.remove("shown"), SHOWN);
  }
}
