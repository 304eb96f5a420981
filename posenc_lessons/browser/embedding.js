// The HTML with which a teacher embeds one exercise or explorer of this page in another page.

import { make, write } from "./dom.js";
import { pageText } from "./page_language.js";

/** @returns {{element: HTMLElement, relabel: () => void}} */
export function embedding() {
  const choice = make("select");
  const lines = make("textarea", { readOnly: true, rows: 2, spellcheck: false });
  const words = make("span");
  const summary = make("summary");
  let above = "";
  for (const element of document.querySelectorAll("main :is(h1, h2, h3, h4), main [data-cell]")) {
    const { cell, exercise } = /** @type {HTMLElement} */ (element).dataset;
    if (!cell) above = element.textContent ?? "";
    else if (exercise !== undefined || element.querySelector("figure[data-explorer]")) choice.append(make("option", { value: cell }, `${above.trim()} (${cell})`));
  }
  const show = () => {
    const address = `${location.href.replace(/[?#].*$/, "")}?only=${choice.value}`;
    lines.value = `<iframe src="${address}" title="${choice.value}" width="100%" height="700" style="border: 0"></iframe>`;
  };
  choice.addEventListener("change", show);
  lines.addEventListener("focus", () => lines.select());
  show();
  const element = make("details", { hidden: !choice.options.length }, summary, make("label", {}, words, choice), lines);
  const relabel = () => {
    write(summary, pageText("embed"));
    write(words, pageText("embedded"));
    lines.setAttribute("aria-label", pageText("embed"));
  };
  return { element, relabel };
}
