// CodeMirror for a cell of a lesson: indents, undoes, matches brackets, colours and wraps Python like the page's other code.
//
//   const editor = window.posencEditor({ text, from, to, label, changed: () => …, run: () => … });
//   cell.append(editor.element);

import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentOnInput, indentUnit, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { python } from "@codemirror/legacy-modes/mode/python";
import { Compartment, EditorState, RangeSetBuilder } from "@codemirror/state";
import { Decoration, EditorView, keymap } from "@codemirror/view";
import { tagHighlighter, tags } from "@lezer/highlight";

// The classes that Pygments uses for read-only code, so that both have the same colours, in light and dark.
const COLOURS = tagHighlighter([
  { tag: tags.keyword, class: "k" },
  { tag: tags.string, class: "s1" },
  { tag: tags.comment, class: "c1" },
  { tag: tags.number, class: "mi" },
  { tag: tags.definition(tags.variableName), class: "nf" },
  { tag: tags.standard(tags.variableName), class: "nb" },
  { tag: tags.meta, class: "nb" },
]);

/** Tell each line how far it is indented, for those that wrap, and mark the faulty one. @param {EditorView} view @param {number} faulty */
function styled({ state, visibleRanges }, faulty) {
  /** @type {RangeSetBuilder<Decoration>} */
  const builder = new RangeSetBuilder();
  for (const { from, to } of visibleRanges) {
    for (let at = from; at <= to; ) {
      const { from: start, to: end, text, number } = state.doc.lineAt(at);
      const style = `--in: ${text.search(/\S|$/) + 4}ch`;
      builder.add(start, start, Decoration.line({ attributes: { style, class: number === faulty ? "faulty" : "" } }));
      at = end + 1;
    }
  }
  return builder.finish();
}

/**
 * Make an editor. `from` and `to`: the selection in `text`; `label`: the editor's name for screen readers; `changed` is
 * called when the reader has typed, `run` at Shift+Enter.
 *
 * @param {{text: string, from: number, to: number, label: string, changed: () => void, run: () => void}} options
 */
function makeEditor({ text, from, to, label, changed, run }) {
  const labelled = new Compartment();
  const named = (/** @type {string} */ words) => EditorView.contentAttributes.of({ "aria-label": words, spellcheck: "false", autocapitalize: "off" });
  let faulty = NaN; // the line that is marked, counted from 1
  let writing = false; // the page writes, not the reader
  const runs = { key: "Shift-Enter", run: () => (run(), true) };
  const view = new EditorView({
    doc: text,
    selection: { anchor: from, head: to },
    extensions: [
      keymap.of([runs, ...defaultKeymap, ...historyKeymap, indentWithTab]),
      history(),
      indentUnit.of("    "),
      EditorState.tabSize.of(4),
      StreamLanguage.define(python),
      indentOnInput(),
      bracketMatching(),
      EditorView.lineWrapping,
      EditorView.decorations.of((view) => styled(view, faulty)),
      syntaxHighlighting(COLOURS),
      labelled.of(named(label)),
      EditorView.updateListener.of(({ docChanged }) => {
        if (docChanged && !writing) changed();
      }),
    ],
  });
  return {
    element: view.dom,
    get text() {
      return view.state.doc.toString();
    },
    set text(/** @type {string} */ written) {
      writing = true;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: written } });
      writing = false;
    },
    focus: () => view.focus(),
    /** Mark a line, counted from 1; none for NaN. @param {number} line */
    mark(line) {
      faulty = line;
      view.dispatch({});
    },
    /** @param {string} words */
    setLabel: (words) => view.dispatch({ effects: labelled.reconfigure(named(words)) }),
  };
}

Object.assign(window, { posencEditor: makeEditor });
