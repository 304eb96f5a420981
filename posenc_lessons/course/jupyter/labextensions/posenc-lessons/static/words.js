// Headings, printed results and comments in one language. Nothing of the lesson changes: what is not for this
// reader is hidden, in the page alone.
import { DOT, headingSides, leftOut, lines } from "./phrases.js";

const HEADINGS = ":is(h1, h2, h3, h4, h5, h6)";
const PRINTED = '.jp-OutputArea-output[data-mime-type^="application/vnd.jupyter.std"] pre';

/** Mark both sides of every new heading in `root`, for the style sheet to hide one of them. */
export function markHeadings(root) {
  for (const heading of root.querySelectorAll(`.jp-MarkdownOutput ${HEADINGS}:not([data-posenc-sides])`)) {
    heading.dataset.posencSides = "";
    markSides(heading);
  }
}

function markSides(heading) {
  const pieces = []; // what stands between two dots, as nodes
  let piece = [];
  for (const node of [...heading.childNodes]) {
    if (node.nodeType !== Node.TEXT_NODE) {
      if (!node.classList?.contains("jp-InternalAnchorLink")) piece.push(node);
      continue;
    }
    const texts = node.textContent.split(DOT);
    const nodes = texts.map((text) => document.createTextNode(text));
    const between = nodes.flatMap((text, place) => (place ? [document.createTextNode(DOT), text] : [text]));
    node.replaceWith(...between);
    piece.push(nodes[0]);
    for (const text of nodes.slice(1)) {
      pieces.push(piece);
      piece = [text];
    }
  }
  pieces.push(piece);
  const [number, zh, en] = headingSides(pieces.map(textOf).join(DOT));
  if (!zh || !en) return;
  const english = pieces.length - en.split(DOT).length;
  const own = number && textOf(pieces[0]) === number ? 1 : 0;
  const shared = number && !own ? splitNumber(pieces[0], number) : null;
  wrap(pieces.slice(own, english), "zh", shared);
  wrap(pieces.slice(english), "en");
  const before = pieces[english][0]?.parentNode?.previousSibling;
  if (before?.nodeType === Node.TEXT_NODE) {
    const dot = document.createElement("span");
    dot.className = "posenc-dot";
    before.replaceWith(dot);
    dot.append(before);
  }
}

/** `05 中文`: the number belongs to both, so it stays outside. */
function splitNumber(piece, number) {
  const first = piece[0];
  const rest = document.createTextNode(first.textContent.slice(number.length + 1));
  first.textContent = `${number} `;
  first.after(rest);
  piece[0] = rest;
  return first;
}

function wrap(pieces, language) {
  const first = pieces[0]?.[0];
  const last = pieces.at(-1)?.at(-1);
  if (!first || !last) return;
  const span = document.createElement("span");
  span.lang = language;
  first.before(span);
  for (let node = first; node; ) {
    const next = node === last ? null : span.nextSibling;
    span.append(node);
    node = next;
  }
}

function textOf(nodes) {
  return nodes.map((node) => node.textContent).join("");
}

/** Show what code printed in `language`: a copy stands in for it, and what was printed stays as it is. */
export function sayPrinted(root, language) {
  for (const printed of root.querySelectorAll(`${PRINTED}:not(.posenc-said)`)) {
    const copy = printed.nextElementSibling?.matches(".posenc-said") ? printed.nextElementSibling : null;
    const text = printed.textContent;
    const said = printed.children.length ? text : lines(text, language); // colours stay as they are
    printed.classList.toggle("posenc-unsaid", said !== text);
    if (said === text) copy?.remove();
    else if (copy === null) printed.after(copyOf(printed, said));
    else if (copy.textContent !== said) copy.textContent = said;
  }
}

function copyOf(printed, said) {
  const copy = document.createElement("pre");
  copy.className = "posenc-said";
  copy.textContent = said;
  return copy;
}

/**
 * A CodeMirror extension that hides the other language's side of comments in lessons, except on the line
 * where the reader writes: whoever edits sees every letter.
 */
export function commentsInOneLanguage({ view: cm, state, language: parsing }, choice) {
  const changed = state.StateEffect.define();
  const hidden = cm.Decoration.replace({});

  class Comments {
    constructor(view) {
      this.view = view;
      this.stop = choice.subscribe(() => view.dispatch({ effects: changed.of(null) }));
      this.decorations = this.find();
    }

    update(update) {
      const told = update.transactions.some((each) => each.effects.some((effect) => effect.is(changed)));
      const parsed = parsing.syntaxTree(update.startState) !== parsing.syntaxTree(update.state);
      if (told || parsed || update.docChanged || update.viewportChanged || update.selectionSet || update.focusChanged)
        this.decorations = this.find();
    }

    destroy() {
      this.stop();
    }

    find() {
      const { view } = this;
      const found = [];
      if (choice.language === "both" || !choice.isLesson(view.dom)) return cm.Decoration.none;
      const written = view.hasFocus ? view.state.doc.lineAt(view.state.selection.main.head).number : 0;
      for (const { from, to } of view.visibleRanges)
        parsing.syntaxTree(view.state).iterate({
          from,
          to,
          enter: (node) => {
            if (!/Comment$/.test(node.name) || view.state.doc.lineAt(node.from).number === written) return;
            const range = leftOut(view.state.sliceDoc(node.from, node.to), choice.language);
            if (range) found.push(hidden.range(node.from + range[0], node.from + range[1]));
          },
        });
      return cm.Decoration.set(found, true);
    }
  }
  return cm.ViewPlugin.fromClass(Comments, { decorations: (plugin) => plugin.decorations });
}
