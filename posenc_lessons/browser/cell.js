// One cell of a lesson's page: its buttons, its editor and its outputs.

import { elementsFor, readText } from "./cell_outputs.js";
import { CodeEditor } from "./code_editor.js";
import { make, write } from "./dom.js";
import { solved } from "./learned.js";
import { pageText } from "./page_language.js";
import { Stopped } from "./runtime.js";

/**
 * @import { Drafts } from "./drafts.js"
 * @import { Output, Result, Runner, Step } from "./runner.js"
 * @typedef {{start: (figure: HTMLElement) => void, show: (output: Output) => HTMLElement}} Explorers `start` makes
 *   the explorer of a figure live; `show` returns an element for an explorer that a cell has made
 * @typedef {{runner: Runner, drafts: Drafts, explorers: Explorers, others: () => Record<string, string>, ran: (cells: string[]) => void}} Page
 *   `others` returns what the reader has typed, by cell; `ran` is called with the cells that ran without an error
 */

export class CellView {
  /** @param {HTMLElement} element @param {string} source as published @param {Page} page */
  constructor(element, source, page) {
    this.element = element;
    const { cell = "", exercise = "" } = element.dataset;
    this.name = cell;
    this.exercise = exercise; // its name in the reader's progress
    this.trains = "trains" in element.dataset; // it runs only when the reader presses Run
    this.onlyRecorded = "recorded" in element.dataset; // the published cell needs something that no page has
    this.source = source;
    this.page = page;
    this.recorded = [.../** @type {NodeListOf<HTMLElement>} */ (element.querySelectorAll(":scope > .shown"))];
    this.coloured = /** @type {HTMLElement} */ (element.querySelector(".source"));
    this.ran = make("div", { className: "ran" });
    this.ran.setAttribute("aria-live", "polite");
    this.status = make("span", { role: "status" });
    this.solved = make("span", { className: "solved", hidden: true });
    this.recordedNote = make("p", { className: "recorded-note", hidden: true });
    this.marks = make("span", { className: "marks" }); // at the corner of the code, seen with pointer or focus
    this.deeds = make("p", { className: "deeds" }, this.marks);
    this.buttons = {
      run: this.button(() => this.run()),
      edit: this.button(() => this.edit().focus()),
      stop: this.button(() => page.runner.stop()),
      resetCell: this.button(() => this.reset()),
    };
    this.deeds.append(this.solved, this.status);
    this.coloured.addEventListener("click", () => {
      if (getSelection()?.isCollapsed) this.edit().focus(); // a selection is for copying
    });
    /** @type {CodeEditor | null} */
    this.editor = null;
    this.read = source; // the draft as this tab last read or kept it
    this.of = source; // the published source that the draft began from
    (this.fold ?? this.coloured).after(this.deeds);
    ((this.fold && this.recorded.at(-1)) ?? this.deeds).after(this.ran); // a fold stands below its picture
    this.recorded.findLast((output) => output.querySelector("img"))?.append(this.recordedNote);
    /** @type {[string, Record<string, any>?] | null} */
    this.state = this.first;
    this.setBusy(false);
    const draft = page.drafts.read(this.name);
    if (draft) this.takeDraft(draft);
    else if (this.exercise) this.edit();
    page.drafts.whenChangedElsewhere(this.name, () => this.followOtherTab());
    this.markSolved();
    this.relabel();
  }

  /** @param {() => void} act */
  button(act) {
    const button = make("button", { type: "button" });
    button.addEventListener("click", act);
    this.marks.append(button);
    return button;
  }

  /** Return the `details` around the cell's code, or null. Folds around the whole cell do not count. */
  get fold() {
    const fold = this.coloured.closest("details");
    return fold && this.element.contains(fold) ? fold : null;
  }

  /** Return the still of an explorer, or null. Its own button makes it live. @returns {HTMLElement | null} */
  get still() {
    return this.element.querySelector(":scope > .shown figure[data-explorer]");
  }

  /** Return the present code of the cell. */
  get code() {
    return this.editor?.text ?? this.source;
  }

  get edited() {
    return this.code !== this.source;
  }

  /** Return the cell's message before anything has run, or null. @returns {[string, Record<string, any>?] | null} */
  get first() {
    const { lab, page } = this.element.dataset;
    if (this.trains) return ["trains", { lab: minutes(lab), page: minutes(page) }];
    return this.onlyRecorded ? ["onlyRecorded"] : null;
  }

  relabel() {
    for (const [name, button] of Object.entries(this.buttons)) write(button, pageText(name));
    if (this.exercise) write(this.buttons.run, pageText("check"));
    const earlier = Boolean(this.ran.querySelector(".posenc-check:not(.passed)"));
    this.solved.classList.toggle("earlier", earlier);
    write(this.solved, pageText(earlier ? "solvedEarlier" : "solved"));
    write(this.recordedNote, pageText("recordedPicture"));
    this.editor?.setLabel(pageText("editor", { cell: this.name }));
    write(this.status, this.state ? pageText(...this.state) : "");
  }

  /** @param {string} [name] @param {Record<string, any>} [values] */
  tell(name, values) {
    this.state = name ? [name, values] : null;
    this.relabel();
  }

  /** @param {boolean} busy */
  setBusy(busy) {
    this.busy = busy;
    this.element.toggleAttribute("data-busy", busy);
    this.buttons.run.hidden = busy || ((this.onlyRecorded || Boolean(this.still)) && !this.edited);
    this.buttons.stop.hidden = !busy;
    this.buttons.edit.hidden = Boolean(this.editor);
    this.buttons.resetCell.hidden = busy || !(this.edited || this.ran.childElementCount);
  }

  markSolved() {
    this.solved.hidden = !(this.exercise && solved.has(this.exercise));
    if (this.exercise) headingAbove(this.element)?.classList.toggle("solved", !this.solved.hidden);
  }

  /** Return a link to the next exercise that is not solved or, after the last one, to the next section. */
  whereNext() {
    const exercises = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-exercise]"))];
    const at = exercises.indexOf(this.element);
    const open = [...exercises.slice(at + 1), ...exercises.slice(0, at)].find(({ dataset }) => !solved.has(dataset.exercise ?? ""));
    const sections = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("main h2"))];
    const heading = open ? headingAbove(open) : sections.find((section) => isBefore(this.element, section));
    if (!heading) return [];
    const link = make("a", { href: `#${heading.closest("[id]")?.id}` }, ...heading.cloneNode(true).childNodes);
    return [make("p", { className: "next" }, make("strong", {}, pageText(open ? "nextExercise" : "allSolved")), link)];
  }

  // ---- Typing ----

  /** Replace the coloured code by the editor. @param {string} [code] */
  edit(code = this.source) {
    if (this.editor) return this.editor;
    this.editor = new CodeEditor(code, () => (this.editor?.mark(NaN), this.keep()), () => this.run(), code === this.source ? this.coloured : null);
    this.coloured.hidden = true;
    this.coloured.after(this.editor.element);
    if (this.fold) this.fold.open = true;
    this.setBusy(Boolean(this.busy));
    this.relabel();
    return this.editor;
  }

  keep() {
    const { drafts } = this.page;
    const draft = drafts.read(this.name);
    const foreign = draft && draft.code !== this.read && draft.code !== this.code;
    const other = foreign ? draft.code : draft?.other; // keep what another tab wrote
    if (!this.edited && other === undefined) drafts.forget(this.name);
    else if (!drafts.keep(this.name, { code: this.code, of: this.of, other })) this.tell("notKept");
    this.read = this.code;
    if (foreign) this.showOther(draft.code);
    this.setBusy(Boolean(this.busy));
  }

  /** @param {import("./drafts.js").Draft} draft */
  takeDraft({ code, of, other }) {
    this.read = code;
    if (this.editor) this.editor.text = code;
    else this.edit(code);
    for (const fold of this.element.querySelectorAll(".changes")) fold.remove();
    if (of !== this.source) {
      this.of = of;
      this.showBelow("changedSince", "", this.source);
    }
    if (other !== undefined) this.showOther(other);
  }

  /** Show other code for this cell, folded, below the editor. @param {string} name of its words @param {string} kind @param {string} code @param {HTMLElement[]} buttons */
  showBelow(name, kind, code, ...buttons) {
    const fold = make("details", { className: `changes ${kind}` }, make("summary", {}, pageText(name)), make("pre", { tabIndex: 0 }, code), ...buttons);
    this.editor?.element.after(fold);
  }

  // Show the text that another tab, or a file, has for this cell.
  /** @param {string} other */
  showOther(other) {
    this.element.querySelector(".changes.other")?.remove();
    const use = make("button", { type: "button" }, pageText("useOther"));
    use.addEventListener("click", () => {
      const draft = { code: other, of: this.of, other: this.code };
      this.page.drafts.keep(this.name, draft);
      this.takeDraft(draft);
      this.setBusy(Boolean(this.busy));
    });
    this.showBelow("otherText", "other", other, use);
  }

  /** Take over what another tab has typed, unless the reader has typed something here too. */
  followOtherTab() {
    const draft = this.page.drafts.read(this.name);
    if ((draft?.code ?? this.source) === this.code) return;
    if (this.code !== this.read) {
      if (!draft) return;
      this.tell("otherTab");
      this.showOther(draft.code);
    } else if (draft) this.takeDraft(draft);
    else this.restore();
    this.setBusy(Boolean(this.busy));
  }

  reset() {
    this.page.drafts.forget(this.name);
    this.restore();
    if (this.exercise) this.edit().focus();
    else this.buttons.run.focus();
  }

  /** Show the published cell again. */
  restore() {
    this.editor?.element.remove();
    this.editor = null;
    this.read = this.source;
    this.of = this.source;
    for (const fold of this.element.querySelectorAll(".changes")) fold.remove();
    this.coloured.hidden = false;
    this.ran.replaceChildren();
    for (const output of this.recorded) output.hidden = false;
    this.recordedNote.hidden = true;
    if (this.exercise) this.edit();
    const [name, values] = this.first ?? [];
    this.tell(name, values);
    this.setBusy(Boolean(this.busy));
  }

  // ---- Running ----

  async run() {
    if (this.busy || (this.onlyRecorded && !this.edited)) return;
    this.setBusy(true);
    this.editor?.mark(NaN);
    this.tell("runs");
    const code = this.edited ? this.code : null;
    try {
      const result = await this.page.runner.run("cell", this.name, code, this.page.others(), (step) => this.hear(step));
      this.tell();
      this.show(result, code !== null);
      const passed = result.solved?.includes(this.exercise);
      if (passed && !solved.add(this.exercise)) this.tell("solvedNotKept");
      this.relabel();
      this.page.ran(result.ran ?? []);
      if (passed) this.ran.querySelector(".posenc-check")?.append(...this.whereNext());
    } catch (error) {
      this.ran.replaceChildren(); // an earlier run's outputs do not belong to this one
      if (error instanceof Stopped) this.tell("stopped");
      else this.tell(.../** @type {[string, object]} */ (whyFailed(error, this.page.runner)));
    }
    this.setBusy(false);
  }

  /** @param {Step} step */
  hear({ percent, at, of, steps }) {
    if (!this.busy) return;
    if (percent !== undefined) this.tell("pythonStarts", { percent });
    else if (steps !== undefined) this.tell("runsSteps", { steps, of });
    else if (at !== undefined) this.tell("runsAbove", { at, of });
    else this.tell("runs");
  }

  /** @param {Result} result @param {boolean} edited */
  show(result, edited) {
    const { outputs, above, untrained } = result;
    if (untrained) return this.ran.replaceChildren(blame("needsTraining", untrained));
    if (!outputs.length && !above) this.tell("ranQuietly");
    const pictured = outputs.some(({ kind }) => kind === "recorded");
    const inPlace = !edited && outputs.some(({ kind }) => kind === "explorer") ? this.still : null;
    for (const output of this.recorded) output.hidden = !((pictured || inPlace) && output.querySelector("img, figure"));
    if (inPlace) this.page.explorers.start(inPlace);
    const below = inPlace ? outputs.filter(({ kind }) => kind !== "explorer") : outputs;
    this.ran.replaceChildren(...(above ? [blame("aboveFailed", above)] : []), ...elementsFor(below, this.page.explorers.show));
    const faulty = /** @type {HTMLElement | null} */ (this.ran.querySelector("[data-line]"));
    this.editor?.mark(above ? NaN : Number(faulty?.dataset.line));
    this.recordedNote.hidden = !(pictured && (edited || Object.keys(this.page.others()).length));
  }

  /** Return the text of the recorded outputs, as a reader sees it. */
  get recordedText() {
    return this.recorded.map(readText).filter(Boolean).join("\n");
  }
}

/** @param {HTMLElement} one @param {HTMLElement} other */
export const isBefore = (one, other) => Boolean(one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING);

/** Return the heading over an exercise. @param {HTMLElement} exercise */
function headingAbove(exercise) {
  const headings = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("main :is(h2, h3, h4)"))];
  return headings.findLast((heading) => isBefore(heading, exercise));
}

/** Return a sentence that ends with a link to a cell above. @param {string} name @param {string} above */
function blame(name, above) {
  return make("p", { className: "above" }, pageText(name), make("a", { href: `#${above}` }, above));
}

/** Return how many minutes something takes, for readers of any language. @param {string | undefined} seconds */
function minutes(seconds) {
  const rounded = Math.round(Number(seconds) / 60);
  return rounded < 1 ? "< 1" : `≈ ${rounded}`;
}

/** Return the message for an error outside the cell: Python crashed, or did not start. @param {any} error @param {Runner} runner */
export function whyFailed(error, runner) {
  const why = { error: String(error?.message ?? error).split("\n")[0] };
  const wasUp = runner.python !== null;
  if (wasUp) runner.stop();
  return [wasUp ? "crashed" : "failed", why];
}
