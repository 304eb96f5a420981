// Makes elements from the outputs of a cell.

import { make } from "./dom.js";
import { LANGUAGE, pageText } from "./page_language.js";

/** @import { Output } from "./runner.js" */

/**
 * Return elements for `outputs`; `showExplorer` makes the one for an explorer.
 *
 * @param {Output[]} outputs @param {(output: Output) => HTMLElement} showExplorer @returns {HTMLElement[]}
 */
export function elementsFor(outputs, showExplorer) {
  return outputs.filter(({ kind }) => kind !== "recorded").map((output) => {
    if (output.kind === "explorer") return showExplorer(output);
    if (output.html) return inHtml(output.html);
    if (output.kind === "error") return make("div", { className: "shown" }, trouble(output));
    if (output.kind === "note") return make("div", { className: "shown" }, make("div", { className: "posenc-check wrong" }, output.plain ?? ""));
    return make("div", { className: "shown" }, printed(output.text ?? output.plain ?? ""));
  });
}

/** @param {string} text */
const printed = (text) => make("pre", { tabIndex: 0 }, text.replace(/\n$/, ""));

// Return what an error means, the line that raised it, and Python's words, as a verdict has them.
/** @param {Output} output */
function trouble({ plain = "", meaning = "", line, where = "", code = "" }) {
  const rows = [...(code ? [[where, code]] : []), [pageText("error"), plain]];
  const cells = rows.flatMap(([name, words]) => [make("div", {}, name), make("code", {}, words)]);
  const element = make("div", { className: "posenc-check wrong" }, make("strong", {}, meaning), make("div", { className: "rows" }, ...cells));
  if (line) element.dataset.line = String(line);
  return element;
}

// Return a cell's HTML as an element, without the other language. The page's policy blocks its scripts.
/** @param {string} html */
function inHtml(html) {
  const element = make("div", { className: "shown" });
  element.innerHTML = html;
  for (const printed of element.querySelectorAll("pre")) printed.tabIndex = 0; // so that a keyboard can scroll long lines
  for (const part of element.querySelectorAll("[lang]")) {
    if (!(/** @type {HTMLElement} */ (part).lang.startsWith(LANGUAGE))) part.remove();
  }
  return element;
}

/** Return the text of `outputs` that a reader sees. @param {Output[]} outputs */
export function textOf(outputs) {
  const texts = outputs.flatMap((output) => [output.html ? readText(inHtml(output.html)) : (output.text ?? output.plain ?? "").trimEnd(), output.meaning]);
  return texts.filter(Boolean).join("\n");
}

const LINES = "div, p, pre, li, tr, caption, figure"; // elements that begin and end a line

/** Return the text of an element: a line for each block, and tabs between the cells of a table. @param {HTMLElement} element */
export function readText(element) {
  const copy = /** @type {HTMLElement} */ (element.cloneNode(true));
  for (const button of copy.querySelectorAll("button, .start, .recorded-note, [hidden]")) button.remove();
  for (const cell of copy.querySelectorAll("td, th")) cell.append("\t");
  for (const line of copy.querySelectorAll(LINES)) line.after("\n");
  return (copy.textContent ?? "").replace(/[ \t]+$/gm, "").replace(/\n{2,}/g, "\n").trim();
}
