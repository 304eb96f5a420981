// The language of a lesson's page.

import { inWords } from "./dom.js";
import { TABLE } from "./made.js";

/** @import { Language } from "../explorers/panel/types.js" */

/** The language of the page. */
export const LANGUAGE = /** @type {Language} */ (document.documentElement.lang.slice(0, 2));

/** Return the page's words `name`. @param {string} name @param {Record<string, any>} [values] */
export function pageText(name, values) {
  return inWords(TABLE.words[name], LANGUAGE, values);
}

/** Whether this browser can run the page's Python. */
export const canRun = typeof WebAssembly === "object" && typeof DecompressionStream === "function";
