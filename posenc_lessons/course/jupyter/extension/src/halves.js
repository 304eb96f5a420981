// Shows the words of a lesson's code in the reader's language: one side of `# 中文 · English`, and "English" for
// `Text("中文", "English")`. Only the view is shorter. The line in which the reader types is shown whole.
import { StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView } from "@codemirror/view";
import { otherHalves } from "./headings.js";

/** @import { EditorState, Extension } from "@codemirror/state" */
/** @import { Language } from "./choice.js" */

/** @type {import("@codemirror/state").StateEffectType<Language>} */
const speak = StateEffect.define();
/** @type {import("@codemirror/state").StateEffectType<boolean>} */
const focus = StateEffect.define();

/**
 * @param {EditorState} state
 * @param {Language} language
 * @param {boolean} focused
 */
function hide({ doc, selection }, language, focused) {
  if (language === "both") return Decoration.none;
  const typedIn = (/** @type {number} */ from, /** @type {number} */ to) =>
    focused && selection.ranges.some((range) => range.from <= doc.lineAt(to).to && range.to >= doc.lineAt(from).from);
  const halves = [...otherHalves(doc.toString(), language)].filter((half) => !typedIn(...half));
  return Decoration.set(halves.map(([from, to]) => Decoration.replace({}).range(from, to)), true);
}

const field = StateField.define({
  create: () => ({ language: /** @type {Language} */ ("both"), focused: false, hidden: Decoration.none }),
  update(value, { effects, docChanged, selection, state }) {
    let { language, focused } = value;
    for (const effect of effects) {
      if (effect.is(speak)) language = effect.value;
      if (effect.is(focus)) focused = effect.value;
    }
    if (!docChanged && !selection && language === value.language && focused === value.focused) return value;
    return { language, focused, hidden: hide(state, language, focused) };
  },
  provide: (self) => [
    EditorView.decorations.from(self, ({ hidden }) => hidden),
    EditorView.atomicRanges.of((view) => view.state.field(self).hidden),
  ],
});

/** @type {Extension} */
const oneLanguage = [field, EditorView.lineWrapping, EditorView.focusChangeEffect.of((_, focusing) => focus.of(focusing))];

/**
 * Show the code in `editor`, a node of a cell, in `language`.
 *
 * @param {HTMLElement} editor
 * @param {Language} language
 */
export function speakInCode(editor, language) {
  const view = EditorView.findFromDOM(editor);
  if (!view) return; // JupyterLab makes editors when they come into view
  if (!view.state.field(field, false)) view.dispatch({ effects: StateEffect.appendConfig.of(oneLanguage) });
  if (view.state.field(field).language !== language) view.dispatch({ effects: speak.of(language) });
}
