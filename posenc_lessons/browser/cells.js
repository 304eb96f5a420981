// The cells of a lesson's page, which a reader can run and change. Scripts use window.posenc.run(cellId, code).

import { CellView, whyFailed } from "./cell.js";
import { textOf } from "./cell_outputs.js";
import { STYLE } from "./cells_style.js";
import { make, write } from "./dom.js";
import { Drafts } from "./drafts.js";
import { LessonHead } from "./lesson_head.js";
import { canRun, pageText } from "./page_language.js";
import { Runner } from "./runner.js";
import { Stopped } from "./runtime.js";

/**
 * @import { Explorers } from "./cell.js"
 * @typedef {{text: string, error: string | null, recorded?: boolean}} Answer `recorded`: nothing ran, `text` is the published one
 */

/** Give the cells of this page, if it has any, their buttons and editors. @param {Explorers} explorers */
export function startCells(explorers) {
  const data = document.getElementById("lesson-cells");
  if (!data) return;
  /** @type {[string, string][]} */
  const cells = JSON.parse(data.textContent ?? "[]");
  const sources = new Map(cells);
  const elements = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-cell]"))];
  const marked = (/** @type {string} */ mark) => new Set(elements.filter(({ dataset }) => mark in dataset).map(({ dataset }) => dataset.cell ?? ""));
  const runner = new Runner({ cells, training: [...marked("trains")], raises: marked("raises") });
  /** @type {Map<string, CellView>} */
  const views = new Map();
  if (canRun) {
    const others = () => Object.fromEntries([...views.values()].filter(({ edited }) => edited).map(({ name, code }) => [name, code]));
    const lesson = data.dataset.lesson ?? "";
    const head = new LessonHead(lesson, views, (cell) => views.get(cell)?.code ?? sources.get(cell) ?? "");
    const page = { runner, drafts: new Drafts(lesson), explorers, others, ran: head.hear.bind(head) };
    const style = new CSSStyleSheet();
    style.replaceSync(STYLE);
    document.adoptedStyleSheets.push(style);
    for (const element of elements) {
      const name = element.dataset.cell ?? "";
      views.set(name, new CellView(element, sources.get(name) ?? "", page));
    }
    const about = make("p", { className: "about-torch", role: "note" });
    if (!document.body.classList.contains("embedded")) document.querySelector("main .notes")?.append(about, head.element);
    document.querySelector("main h1")?.after(head.message); // seen while the notes are folded
    write(about, pageText("aboutTorch"));
    head.refresh();
  }

  /** @param {string} cell @param {string} [code] @returns {Promise<Answer>} */
  async function run(cell, code) {
    if (!canRun) return { text: "", error: pageText("noWebAssembly") };
    const view = views.get(cell);
    if (!view) return { text: "", error: pageText("noSuchCell", { cell }) };
    const recorded = { text: view.recordedText, error: null, recorded: true };
    if (view.trains || (view.onlyRecorded && code === undefined)) return recorded;
    try {
      const { outputs, error, above, untrained } = await runner.run("script", cell, code ?? null, {});
      if (untrained) return code === undefined ? recorded : { text: "", error: `${pageText("needsTraining")}${untrained}` };
      const why = above ? `${pageText("aboveFailed")}${above}: ${error}` : error;
      return { text: textOf(outputs), error: why ?? null };
    } catch (error) {
      if (error instanceof Stopped) return { text: "", error: pageText("stopped") };
      const [name, values] = /** @type {[string, Record<string, any>]} */ (whyFailed(error, runner));
      return { text: "", error: pageText(name, values) };
    }
  }
  Object.assign(window, { posenc: { run } });
}
