// A heading is written `## 中文 · English`; the style sheet hides one side of it.

/** @import { TableOfContents, TableOfContentsModel } from "@jupyterlab/toc" */
/** @import { Choice, Language } from "./choice.js" */

export const HAN = /[\u3400-\u9fff\uf900-\ufaff\u{20000}-\u{3ffff}]/u;
export const DOT = " · ";
const NUMBER = new RegExp(`^(?:\\d+${DOT}|\\d+ )(?=.*${HAN.source})`, "u"); // 3 · 中文 · English, 05 中文 · English

/**
 * Split the words of a heading at the last dot; return null if they are not in both languages. A number in front
 * belongs to both sides.
 *
 * @param {string} words
 */
function headingSides(words) {
  const number = NUMBER.exec(words)?.[0] ?? "";
  const dot = words.lastIndexOf(DOT);
  const [zh, en] = [words.slice(number.length, Math.max(dot, number.length)), words.slice(dot + DOT.length)];
  return HAN.test(zh) && !HAN.test(en) ? { number, zh, en } : null;
}

/**
 * Return the text of a heading in `language`.
 *
 * @param {string} words
 * @param {Language} language
 */
export function heading(words, language) {
  const sides = headingSides(words);
  return sides === null || language === "both" ? words : sides.number + sides[language];
}

/**
 * Mark both sides of each new heading in `root`, for the style sheet.
 *
 * @param {HTMLElement} root
 */
export function markHeadings(root) {
  const rendered = ".jp-MarkdownOutput :is(h1, h2, h3, h4, h5, h6):not([data-posenc-sides])";
  for (const found of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(rendered))) {
    found.dataset["posencSides"] = "";
    markSides(found);
  }
}

/**
 * Keep the punctuation after each formula in `root` on the formula's line, from which browsers may tear it off.
 *
 * @param {HTMLElement} root
 */
export function keepTogether(root) {
  for (const formula of root.querySelectorAll('mjx-container:not([display="true"], .posenc-together *)')) {
    const after = formula.nextSibling;
    const marks = after instanceof Text ? /^[)）”’，。、；：？！,.;:?!]+/.exec(after.data) : null;
    if (!(after instanceof Text) || !marks) continue;
    after.splitText(marks[0].length);
    const together = Object.assign(document.createElement("span"), { className: "posenc-together" });
    formula.before(together);
    together.append(formula, after);
  }
}

/** @param {HTMLElement} heading */
function markSides(heading) {
  const isAnchor = (/** @type {Node} */ node) =>
    node instanceof Element && node.classList.contains("jp-InternalAnchorLink");
  const nodes = [...heading.childNodes].filter((node) => !isAnchor(node));
  const sides = headingSides(nodes.map((node) => node.textContent).join(""));
  const between = nodes.findLast((node) => node instanceof Text && node.data.includes(DOT));
  if (sides === null || !(between instanceof Text)) return;
  const dot = between.splitText(between.data.lastIndexOf(DOT));
  const english = dot.splitText(DOT.length);
  const last = nodes[nodes.length - 1] === between ? english : nodes[nodes.length - 1];
  const number = nodes[0]; // both languages have the same number, so it stays outside
  const chinese = sides.number && number instanceof Text ? number.splitText(sides.number.length) : number;
  const range = document.createRange();
  range.setStartBefore(chinese);
  range.setEndBefore(dot);
  range.surroundContents(Object.assign(document.createElement("span"), { lang: "zh" }));
  range.selectNode(dot);
  range.surroundContents(Object.assign(document.createElement("span"), { className: "posenc-dot" }));
  range.setStartBefore(english);
  range.setEndAfter(last);
  range.surroundContents(Object.assign(document.createElement("span"), { lang: "en" }));
}

/**
 * Show a notebook's headings in the reader's language in JupyterLab's table of contents. Its model has a text for
 * each heading and reports when it has read them again. Return a function that stops this.
 *
 * @param {TableOfContentsModel<TableOfContents.IHeading>} model
 * @param {Choice} choice
 */
export function speakInContents(model, choice) {
  const speak = () => {
    for (const each of model.headings) each.text = heading(each.text, choice.language);
  };
  const readAgain = () =>
    model.refresh().then(() => {
      speak();
      model.stateChanged.emit();
    });
  model.headingsChanged.connect(speak);
  const stop = choice.subscribe(() => void readAgain());
  void readAgain();
  return stop;
}
