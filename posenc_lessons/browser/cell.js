// One cell of a lesson's page: its buttons, its editor and its outputs.

import { elementsFor, readText } from "./cell_outputs.js";
import { CodeEditor } from "./code_editor.js";
import { difference } from "./difference.js";
import { inWords, make, write } from "./dom.js";
import { isSolved, keepSolved } from "./learned.js";
import { language, said } from "./page_language.js";
import { Stopped } from "./runtime.js";

/**
 * @import { Drafts } from "./drafts.js"
 * @import { Output, Result, Runner, Step } from "./runner.js"
 * @import { Training } from "./training.js"
 * @typedef {{start: (figure: HTMLElement) => void, show: (output: Output) => HTMLElement}} Explorers `start` makes
 *   the explorer of a figure live; `show` returns an element for an explorer that a cell has made
 * @typedef {{runner: Runner, drafts: Drafts, explorers: Explorers, others: () => Record<string, string>, ran: (cells: string[]) => void}} Page
 *   `others` returns what the reader has typed, by cell; `ran` is called with the cells that ran without an error
 */

export class CellView {
  /** @param {HTMLElement} element @param {string} source as published @param {Page} page @param {Training | null} training null if the cell trains nothing */
  constructor(element, source, page, training) {
    this.element = element;
    this.name = element.dataset.cell ?? "";
    this.training = training;
    this.trains = training !== null;
    this.onlyRecorded = "recorded" in element.dataset; // the published cell needs something that no page has
    this.exercise = element.dataset.exercise ?? ""; // its name in the reader's progress
    this.source = source;
    this.page = page;
    /** @type {[string, Record<string, any>?] | null} */
    this.state = null;
    this.recorded = [.../** @type {NodeListOf<HTMLElement>} */ (element.querySelectorAll(":scope > .shown"))];
    this.coloured = /** @type {HTMLElement} */ (element.querySelector(".source"));
    this.ran = make("div", { className: "ran" });
    this.ran.setAttribute("aria-live", "polite");
    this.status = make("span", { role: "status" });
    this.solved = make("span", { className: "solved", hidden: true });
    this.recordedNote = make("p", { className: "recorded-note", hidden: true });
    this.deeds = make("p", { className: "deeds" });
    this.trainingSince = 0; // when the first step was reported
    this.firstSteps = 0;
    this.ending = false;
    this.differs = make("span", { className: "differs", hidden: true });
    this.buttons = {
      run: this.button(() => this.run()),
      train: this.button(() => this.run(true)),
      trainShorter: this.button(() => this.trainShorter()),
      edit: this.button(() => this.edit().focus()),
      stop: this.button(() => this.stop()),
      resetCell: this.button(() => this.reset()),
    };
    this.bar = make("progress", { hidden: true });
    this.deeds.append(this.solved, this.bar, this.status, this.differs);
    /** @type {CodeEditor | null} */
    this.editor = null;
    this.known = source; // the draft as this tab last read or kept it
    this.of = source; // the published source that the draft began from
    (this.fold ?? this.coloured).after(this.deeds, this.ran);
    this.recorded.findLast((each) => each.querySelector("img"))?.append(this.recordedNote);
    this.state = this.first;
    this.setBusy(false);
    const draft = page.drafts.read(this.name);
    if (draft) this.takeDraft(draft);
    else if (this.exercise) this.edit();
    if (!this.trains) page.drafts.whenChangedElsewhere(this.name, () => this.followOtherTab());
    this.markSolved();
    this.relabel();
  }

  /** @param {() => void} act */
  button(act) {
    const button = make("button", { type: "button" });
    button.addEventListener("click", act);
    this.deeds.append(button);
    return button;
  }

  /** Return the `details` around the cell's code, or null. Folds around the whole cell do not count. */
  get fold() {
    const fold = this.coloured.closest("details");
    return fold && this.element.contains(fold) ? fold : null;
  }

  /** Return the present code of the cell. */
  get code() {
    return this.editor?.text ?? this.source;
  }

  /** Return the cell's message before anything has run, or null. @returns {[string] | null} */
  get first() {
    if (this.trains) return ["trains"];
    return this.onlyRecorded ? ["onlyRecorded"] : null;
  }

  get edited() {
    return this.code !== this.source;
  }

  relabel() {
    const short = this.training?.shortened(this.code);
    const minutes = { train: this.training?.minutes(this.code), trainShorter: short ? this.training?.minutes(short) : 0 };
    for (const [name, button] of Object.entries(this.buttons)) {
      write(button, said(name, { minutes: minutes[/** @type {keyof minutes} */ (name)] }));
    }
    if (this.training?.shorter) {
      const { shorter, published } = this.training;
      write(this.differs, said("shorterDiffers", { steps: shorter.steps, of: published.steps, differs: inWords(shorter.differs, language()) }));
    }
    if (this.exercise) write(this.buttons.run, said("check"));
    write(this.solved, said("solved"));
    write(this.recordedNote, said("recordedPicture"));
    this.editor?.setLabel(said("editor", { cell: this.name }));
    write(this.status, this.state ? said(...this.state) : "");
  }

  /** @param {string} [name] @param {Record<string, any>} [values] */
  tell(name, values) {
    this.state = name ? [name, values] : null;
    this.relabel();
  }

  /** @param {boolean} busy */
  setBusy(busy) {
    this.busy = busy;
    this.buttons.run.hidden = busy || this.trains || (this.onlyRecorded && !this.edited);
    this.buttons.stop.hidden = !busy;
    this.buttons.train.hidden = busy || !this.trains;
    this.buttons.trainShorter.hidden = busy || !this.training?.shortened(this.code);
    this.differs.hidden = this.buttons.trainShorter.hidden && !this.training?.isShort(this.code);
    this.buttons.edit.hidden = Boolean(this.editor);
    this.bar.hidden = true;
    this.buttons.resetCell.hidden = busy || !(this.edited || this.ran.childElementCount);
  }

  markSolved() {
    this.solved.hidden = !(this.exercise && isSolved(this.exercise));
  }

  // ---- Typing ----

  /** Replace the coloured code by the editor. @param {string} [code] */
  edit(code = this.source) {
    if (this.editor) return this.editor;
    this.editor = new CodeEditor(code, () => this.keep(), () => this.run());
    this.coloured.hidden = true;
    this.coloured.after(this.editor.element);
    if (this.fold) this.fold.open = true;
    this.setBusy(Boolean(this.busy));
    this.relabel();
    return this.editor;
  }

  keep() {
    const { drafts } = this.page;
    const there = drafts.read(this.name);
    const foreign = there && there.code !== this.known && there.code !== this.code;
    const other = foreign ? there.code : there?.other; // keep what another tab wrote
    if (!this.edited && other === undefined) drafts.forget(this.name);
    else if (!drafts.keep(this.name, { code: this.code, of: this.of, ...(other === undefined ? {} : { other }) })) this.tell("notKept");
    this.known = this.code;
    if (foreign) this.showOther(there.code);
    this.setBusy(Boolean(this.busy));
  }

  /** @param {import("./drafts.js").Draft} draft */
  takeDraft({ code, of, other, broken }) {
    this.known = code;
    if (this.editor) this.editor.text = code;
    else this.edit(code);
    for (const each of this.element.querySelectorAll(".changes")) each.remove();
    if (broken) this.state = ["brokenDraft"];
    else if (of !== this.source) {
      this.of = of;
      this.addBelow(make("details", { className: "changes" }, make("summary", {}, said("changedSince")), comparison(of, this.source)));
    }
    if (other !== undefined) this.showOther(other);
  }

  /** @param {HTMLElement} fold */
  addBelow(fold) {
    this.editor?.element.after(fold);
  }

  // Show the text that another tab, or a file, has for this cell.
  /** @param {string} other */
  showOther(other) {
    this.element.querySelector(".changes.other")?.remove();
    const use = make("button", { type: "button" }, said("useOther"));
    use.addEventListener("click", () => {
      const draft = { code: other, of: this.of, other: this.code };
      this.page.drafts.keep(this.name, draft);
      this.takeDraft(draft);
      this.setBusy(Boolean(this.busy));
    });
    this.addBelow(make("details", { className: "changes other" }, make("summary", {}, said("otherText")), comparison(this.code, other), use));
  }

  /** Take over what another tab has typed, unless the reader has typed something here too. */
  followOtherTab() {
    const there = this.page.drafts.read(this.name);
    if ((there?.code ?? this.source) === this.code) return;
    if (this.code !== this.known) {
      if (!there) return;
      this.tell("otherTab");
      this.showOther(there.code);
    } else if (there) this.takeDraft(there);
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
    this.known = this.source;
    this.of = this.source;
    for (const each of this.element.querySelectorAll(".changes")) each.remove();
    this.coloured.hidden = false;
    this.ran.replaceChildren();
    for (const each of this.recorded) each.hidden = false;
    this.recordedNote.hidden = true;
    if (this.exercise) this.edit();
    this.tell(...(this.first ?? []));
    this.setBusy(Boolean(this.busy));
  }

  // ---- Running ----

  // End what runs. During training, the first press stops after the next step and keeps the result; the second press
  // ends everything.
  stop() {
    if (!this.trainingSince || this.ending) return this.page.runner.stop();
    this.ending = true;
    this.tell("endsTraining");
    this.page.runner.endTraining();
  }

  /** Put the shorter run's lines into the editor, where the reader sees them, and train with them. */
  trainShorter() {
    const code = this.training?.shortened(this.code);
    if (!code) return;
    this.edit().text = code;
    this.keep();
    this.relabel();
    return this.run(true);
  }

  /** @param {boolean} [train] */
  async run(train = false) {
    if (this.busy || (this.trains && !train) || (this.onlyRecorded && !this.edited)) return;
    this.setBusy(true);
    this.ending = false;
    this.trainingSince = 0;
    this.tell("runs");
    const code = this.edited ? this.code : null;
    try {
      const result = await this.page.runner.run("cell", this.name, code, this.page.others(), (step) => this.hear(step), train);
      this.tell();
      this.show(result, code !== null);
      if (result.solved?.includes(this.exercise)) this.keepSolved();
      this.page.ran(result.ran ?? []);
      if (result.stopped) this.tell("stoppedTraining", { steps: result.steps });
    } catch (error) {
      this.ran.replaceChildren(); // an earlier run's outputs do not belong to this one
      if (error instanceof Stopped) this.tell("stopped");
      else this.tell(.../** @type {[string, object]} */ (whyFailed(error, this.page.runner)));
    }
    this.setBusy(false);
  }

  keepSolved() {
    if (!keepSolved(this.exercise)) this.tell("solvedNotKept");
  }

  /** @param {Step} step */
  hear({ percent, at, of, steps }) {
    if (!this.busy || this.ending) return;
    if (steps !== undefined) return this.hearOfTraining(steps, of ?? 0);
    if (percent !== undefined) this.tell("pythonStarts", { percent });
    else if (at !== undefined) this.tell("runsAbove", { at, of });
    else this.tell("runs");
  }

  // Show how far training is, and how long the rest takes, estimated from the steps so far.
  /** @param {number} steps @param {number} of */
  hearOfTraining(steps, of) {
    const now = performance.now();
    this.trainingSince ||= now;
    if (this.trainingSince === now) this.firstSteps = steps;
    this.bar.hidden = false;
    if (steps > of) {
      this.bar.removeAttribute("value"); // for an edited cell, the number of steps is not known
      return this.tell("trainsOn", { steps });
    }
    Object.assign(this.bar, { max: of, value: steps });
    const each = (now - this.trainingSince) / Math.max(1, steps - this.firstSteps);
    // Learn the pace only from this cell's own code: other cells, and changed code, train at another pace.
    const known = !this.edited || this.training?.isShort(this.code);
    if (known && of === this.training?.steps(this.code)) this.training.hear(steps - this.firstSteps, now - this.trainingSince);
    const minutes = Math.ceil((each * (of - steps)) / 60_000);
    this.tell("trainsHere", { steps, of, minutes });
  }

  /** @param {Result} result @param {boolean} edited */
  show(result, edited) {
    const { outputs, above, untrained } = result;
    if (untrained) return this.tell("needsTraining");
    if (!outputs.length && !above) this.tell("ranQuietly");
    const pictured = outputs.some(({ kind }) => kind === "recorded");
    const figure = /** @type {HTMLElement | null} */ (this.element.querySelector(":scope > .shown figure[data-explorer]"));
    const inPlace = !edited && figure && outputs.some(({ kind }) => kind === "explorer") ? figure : null;
    for (const each of this.recorded) each.hidden = !((pictured || inPlace) && each.querySelector("img, figure"));
    if (inPlace) this.page.explorers.start(inPlace);
    const told = inPlace ? outputs.filter(({ kind }) => kind !== "explorer") : outputs;
    this.ran.replaceChildren(...(above ? [this.blame(above)] : []), ...elementsFor(told, this.page.explorers.show));
    this.recordedNote.hidden = !(pictured && (edited || Object.keys(this.page.others()).length));
  }

  /** @param {string} above */
  blame(above) {
    return make("p", { className: "above" }, said("aboveFailed"), make("a", { href: `#${above}` }, above));
  }

  /** Return the text of the recorded outputs, as a reader sees it. */
  get recordedText() {
    return this.recorded.map(readText).filter(Boolean).join("\n");
  }
}

/** Return an element that shows how `after` differs from `before`, line by line. @param {string} before @param {string} after */
function comparison(before, after) {
  const lines = difference(before, after).map(([mark, line]) => `${mark} ${line}`);
  return make("pre", { tabIndex: 0 }, lines.join("\n"));
}

/** Return the message for an error outside the cell: Python crashed, or did not start. @param {any} error @param {Runner} runner */
export function whyFailed(error, runner) {
  const why = { error: String(error?.message ?? error).split("\n")[0] };
  const wasUp = runner.python !== null;
  if (wasUp) runner.stop();
  return [wasUp ? "crashed" : "failed", why];
}
