// What a cell puts out, as elements.

import { make } from "./dom.js";
import { onlyLanguage } from "./page_language.js";

/** @import { Output } from "./runner.js" */

/**
 * The elements for `outputs`; `showExplorer` makes the one for an explorer.
 *
 * @param {Output[]} outputs @param {(output: Output) => HTMLElement} showExplorer @returns {HTMLElement[]}
 */
export function elementsFor(outputs, showExplorer) {
  return outputs.filter(({ kind }) => kind !== "recorded").map((output) => {
    if (output.kind === "explorer") return showExplorer(output);
    if (output.html) return inHtml(output.html);
    if (output.kind === "note") return make("p", { className: "meaning" }, output.plain ?? "");
    const printed = make("pre", { tabIndex: 0 }, (output.text ?? output.plain ?? "").replace(/\n$/, ""));
    if (output.kind === "error") printed.className = "error";
    return make("div", { className: "shown" }, printed);
  });
}

// A cell's own HTML: the page's policy lets no script in it run. A page in one language shows that one.
/** @param {string} html */
function inHtml(html) {
  const element = make("div", { className: "shown" });
  element.innerHTML = html;
  for (const printed of element.querySelectorAll("pre")) printed.tabIndex = 0; // its lines may be wider than the page
  for (const each of element.querySelectorAll("[lang]")) {
    if (onlyLanguage && !(/** @type {HTMLElement} */ (each).lang.startsWith(onlyLanguage))) each.remove();
  }
  return element;
}

/** Return what a reader reads of `outputs`. @param {Output[]} outputs */
export function textOf(outputs) {
  const texts = outputs.map((output) => (output.html ? readText(inHtml(output.html)) : (output.text ?? output.plain ?? "").trimEnd()));
  return texts.filter(Boolean).join("\n");
}

const LINES = "div, p, pre, li, tr, caption, figure"; // elements that begin a line, and end one

/** The text of an element, with a line for each block in it and tabs in the rows of a table. @param {HTMLElement} element */
export function readText(element) {
  const copy = /** @type {HTMLElement} */ (element.cloneNode(true));
  for (const button of copy.querySelectorAll("button, .start, .slide, .note, .recorded-note, [hidden]")) button.remove();
  for (const cell of copy.querySelectorAll("td, th")) cell.append("\t");
  for (const line of copy.querySelectorAll(LINES)) line.after("\n");
  return (copy.textContent ?? "").replace(/[ \t]+$/gm, "").replace(/\n{2,}/g, "\n").trim();
}
