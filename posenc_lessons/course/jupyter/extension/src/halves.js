// Shows the words of a lesson's code in the reader's language: one side of `# 中文 · English`, and "English" for
// `Text("中文", "English")`. Only the view is shorter. The line in which the reader types is shown whole.
import { StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView } from "@codemirror/view";
import { DOT, HAN } from "./headings.js";

/** @import { EditorState, Extension } from "@codemirror/state" */
/** @import { Language } from "./choice.js" */

const STRINGS = String.raw`(?:[fr]*(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')\s*)+`;
const TEXT = new RegExp(String.raw`\bText\(\s*(${STRINGS}),\s*(${STRINGS}),?\s*\)`, "dg");
const LINE = /(?:^|\s)# *(.+)$|"""(.+)"""/dgm; // a comment, or a docstring

/** @type {import("@codemirror/state").StateEffectType<Language>} */
const speak = StateEffect.define();
/** @type {import("@codemirror/state").StateEffectType<boolean>} */
const focus = StateEffect.define();

/**
 * Yield what to hide in `code`, from and to, so that only `language` is left.
 *
 * @param {string} code
 * @param {"zh" | "en"} language
 * @returns {Generator<[number, number]>}
 */
export function* otherHalves(code, language) {
  for (const { indices } of code.matchAll(TEXT)) {
    const [[start, end], zh, en] = /** @type {[number, number][]} */ (indices);
    const [from, to] = language === "zh" ? zh : en;
    yield [start, from];
    yield [from + code.slice(from, to).trimEnd().length, end];
  }
  for (const { indices } of code.matchAll(LINE)) {
    const [start, end] = /** @type {[number, number][]} */ (indices).slice(1).find(Boolean) ?? [0, 0];
    const dot = code.slice(start, end).lastIndexOf(DOT);
    if (dot < 0 || !HAN.test(code.slice(start, start + dot)) || HAN.test(code.slice(start + dot, end))) continue;
    yield language === "en" ? [start, start + dot + DOT.length] : [start + dot, end];
  }
}

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
