// The language in which a lesson's page is shown: its only language or, in a page with both, the reader's choice.

import { inWords } from "./dom.js";
import { TABLE } from "./made.js";

/** @import { Language } from "../explorers/panel/types.js" */

/** The only language of the page, or null. */
export const onlyLanguage = document.body.dataset.languages ? null : /** @type {Language} */ (document.documentElement.lang.slice(0, 2));

/** @returns {Language} */
export function language() {
  const { classList } = document.body;
  return onlyLanguage ?? /** @type {Language[]} */ (["zh", "en"]).find((one) => classList.contains(`only-${one}`)) ?? "both";
}

/** Return the page's words `name`. @param {string} name @param {Record<string, any>} [values] */
export function pageText(name, values) {
  return inWords(TABLE.words[name], language(), values);
}

/** Call `then` whenever the reader has chosen another language. @param {() => void} then */
export function whenLanguageChanges(then) {
  for (const choice of document.querySelectorAll(".languages input")) choice.addEventListener("change", then);
}

/** Whether this browser can run the page's Python. */
export const canRun = typeof WebAssembly === "object" && typeof DecompressionStream === "function";
