// Makes elements. Text from the reader or from a link is inserted as text, never as HTML.

/** @import { Language, Words } from "./types.js" */

/**
 * Return `words` in the reader's language, or in Chinese and then English for "both". `values` replace names in braces.
 * @param {Words} words @param {Language} language @param {Record<string, any>} [values] @returns {string}
 */
export function inWords({ zh, en }, language, values = {}) {
  const filled = (text) => text.replace(/\{(\w+)\}/g, (_, key) => values[key] ?? "");
  if (language !== "both" || zh === en) return filled(language === "en" ? en : zh);
  return `${filled(zh)} · ${filled(en)}`;
}

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag @param {Record<string, any>} [properties] @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in element) /** @type {any} */ (element)[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/** @param {Element} element @param {string} name @param {string} value */
export function setAttribute(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** @param {Node} element @param {string} text */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// Write text in two languages ("中文 · English") as two lines.
/** @param {Node | null} element @param {string} text */
export function writeLines(element, text) {
  const parts = text.split(" · ");
  if (element?.textContent !== parts.join("")) /** @type {Element} */ (element).replaceChildren(...parts.map((part) => make("span", {}, part)));
}

// Set only the properties that differ: setting one to the value it has makes the browser lay out the page again.
/** @param {any} element @param {Record<string, any>} properties */
export function setProperties(element, properties) {
  for (const [name, value] of Object.entries(properties)) if (String(element[name]) !== String(value)) element[name] = value;
}

// Write Python's text, in one language or two. Of its HTML only blocks with a language, line breaks and coloured words
// are kept; colours come from the parsed style, so no other style can get in. A number with a mark becomes a button.
/** @param {Element} element @param {string} html */
export function writeMarkup(element, html) {
  const parsed = new DOMParser().parseFromString(html, "text/html").body;
  /** @param {Node} from @returns {Node[]} */
  const copied = (from) =>
    [...from.childNodes].map((node) => {
      if (node.nodeName === "BR") return document.createElement("br");
      if (node.nodeName === "SPAN") return colored(/** @type {HTMLElement} */ (node));
      if (node.nodeName !== "DIV") return document.createTextNode(node.textContent ?? "");
      return make("div", { lang: /** @type {HTMLElement} */ (node).lang }, ...copied(node));
    });
  /** @param {HTMLElement} node */
  const colored = (node) => {
    const { mark } = node.dataset;
    const span = make(mark ? "button" : "span", { className: "colored", ...(mark && { type: "button", "data-mark": mark }) }, node.textContent ?? "");
    span.style.color = node.style.color;
    return span;
  };
  const nodes = copied(parsed);
  const same = nodes.length === element.childNodes.length && nodes.every((node, i) => node.isEqualNode(element.childNodes[i]));
  if (!same) element.replaceChildren(...nodes);
}

/** @param {string} name @param {Blob} blob */
export function download(name, blob) {
  const link = make("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

// The symbols on buttons, as SVG paths in a box of 24 × 24, so that they look the same on every machine.
/** @type {Record<string, string>} */
const ICONS = {
  reset: "M5 12a7 7 0 1 0 2.2-5.1M5 4v4.5h4.5",
  compare: "M4 5h7v14H4zM13 5h7v14h-7z",
  code: "M9 7l-5 5 5 5M15 7l5 5-5 5",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  save: "M12 4v11M7.5 10.5L12 15l4.5-4.5M5 19.5h14",
  light: "M12 8a4 4 0 1 0 .01 0zM12 2v2.5M12 19.5V22M2 12h2.5M19.5 12H22M5 5l1.7 1.7M17.3 17.3L19 19M5 19l1.7-1.7M17.3 6.7L19 5",
  dark: "M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z",
  projector: "M3 5h18v11H3zM12 16v3M8 21l4-2 4 2",
};

/** @param {string} name */
export function icon(name) {
  const namespace = "http://www.w3.org/2000/svg";
  const drawing = document.createElementNS(namespace, "svg");
  const path = document.createElementNS(namespace, "path");
  drawing.setAttribute("viewBox", "0 0 24 24");
  drawing.setAttribute("aria-hidden", "true");
  drawing.setAttribute("class", "icon");
  path.setAttribute("d", ICONS[name]);
  drawing.append(path);
  return drawing;
}
