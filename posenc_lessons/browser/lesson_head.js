// The head of a lesson: how many cells ran, how many exercises are solved, and buttons for the reader's kept work.

import { isBefore } from "./cell.js";
import { choosePlain, plainChosen } from "./code_editor.js";
import { download, make, write } from "./dom.js";
import { clearPicks, showPick, watchGuesses } from "./guesses.js";
import { allGuesses, solved } from "./learned.js";
import { notebookText } from "./notebook_file.js";
import { pageText } from "./page_language.js";
import { refused } from "./store.js";
import { allWork, forgetAll, parsed, take } from "./work.js";

/** @import { CellView } from "./cell.js" */

const FILE = "posenc-lessons-work.json";

export class LessonHead {
  /** @param {string} lesson @param {Map<string, CellView>} views @param {(cell: string) => string} codeOf returns the code of any cell */
  constructor(lesson, views, codeOf) {
    this.lesson = lesson;
    this.byName = views; // filled later
    this.codeOf = codeOf;
    /** @type {Set<string>} */
    this.ran = new Set(); // the cells that ran since the page was loaded
    this.tally = make("p", { className: "tally" });
    this.message = make("p", { className: "work-said", role: "status" });
    this.file = make("input", { type: "file", accept: ".json,application/json", hidden: true });
    this.file.addEventListener("change", () => this.load());
    this.plain = make("input", { type: "checkbox", checked: plainChosen() });
    this.plain.addEventListener("change", () => this.followPlain());
    this.sure = make("p", { hidden: true }, this.labelled("span", "sureToStartOver"), " ", this.button("forgetAll", () => this.beginAgain()), " ", this.button("keepAll", () => this.ask(false)));
    this.startOver = this.button("startOver", () => this.ask(true));
    const deeds = [
      this.button("saveWork", () => download(FILE, json(allWork()))),
      this.button("loadWork", () => this.file.click()),
      this.button("saveNotebook", () => this.saveNotebook()),
      this.startOver,
      this.sure,
      make("label", {}, this.plain, this.labelled("span", "plainEditor")),
      this.labelled("p", "leaveEditor"),
    ];
    const choices = make("div", { className: "choices" }, ...deeds);
    this.element = make("section", { className: "work" }, this.tally, choices, this.file);
    this.element.setAttribute("aria-label", pageText("myWork"));
    refused.add(() => this.tell("notKeptHere"));
    solved.whenChangedElsewhere(() => this.refresh());
    watchGuesses();
  }

  get views() {
    return [...this.byName.values()];
  }

  /** @param {string} name @param {() => void} act */
  button(name, act) {
    const button = this.labelled("button", name);
    button.setAttribute("type", "button");
    button.addEventListener("click", act);
    return button;
  }

  /** Make an element with the words `name`. @param {"button" | "span" | "p"} tag @param {string} name @returns {HTMLElement} */
  labelled(tag, name) {
    const element = make(tag);
    write(element, pageText(name));
    return element;
  }

  /** @param {string} name @param {Record<string, any>} [values] */
  tell(name, values) {
    write(this.message, pageText(name, values));
  }

  /** Count cells and exercises again. */
  refresh() {
    for (const view of this.views) view.markSolved();
    const cells = this.views.filter(({ trains, onlyRecorded }) => !trains && !onlyRecorded);
    const exercises = this.views.filter(({ exercise }) => exercise);
    const parts = [pageText("cellsRun", { ran: cells.filter(({ name }) => this.ran.has(name)).length, cells: cells.length })];
    if (exercises.length) parts.push(pageText("exercisesSolved", { solved: exercises.filter(({ solved }) => !solved.hidden).length, exercises: exercises.length }));
    write(this.tally, parts.join(" · "));
    this.countInSections(exercises);
  }

  // Write behind each section of the page's list how many of its exercises are solved.
  /** @param {CellView[]} exercises */
  countInSections(exercises) {
    const links = [.../** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll(".sections a"))];
    const places = links.map(({ hash }) => document.getElementById(decodeURIComponent(hash.slice(1))));
    const sectionOf = (/** @type {CellView} */ { element }) => places.findLastIndex((place) => place && isBefore(place, element));
    for (const [at, link] of links.entries()) {
      const own = exercises.filter((view) => sectionOf(view) === at);
      const done = own.filter(({ solved }) => !solved.hidden).length;
      if (own.length) link.dataset.solved = `${done}/${own.length}`;
      link.classList.toggle("solved", own.length > 0 && done === own.length);
    }
  }

  /** @param {string[]} cells that ran without an error */
  hear(cells) {
    for (const cell of cells) this.ran.add(cell);
    this.refresh();
  }

  // ---- What is kept ----

  /** Load a file that this page or JupyterLab has written. */
  async load() {
    const [file] = this.file.files ?? [];
    this.file.value = ""; // so that the same file can be chosen again
    const work = file ? parsed(await file.text()) : null;
    if (!work) return this.tell("notWork");
    const whole = take(work);
    for (const view of this.views) view.followOtherTab();
    for (const [name, choice] of Object.entries(allGuesses())) showPick(name, choice);
    this.refresh();
    if (whole) this.tell("loaded", { guesses: Object.keys(work.guessed).length, solved: work.solved.length, drafts: work.drafts.length });
  }

  saveNotebook() {
    const rest = JSON.parse(document.getElementById("lesson-notebook")?.textContent ?? "");
    const name = `${this.lesson.replace(/^.*\//, "")}.ipynb`;
    download(name, new Blob([notebookText(rest, this.codeOf)], { type: "application/x-ipynb+json" }));
  }

  /** Show or hide the question whether to start over. @param {boolean} asking */
  ask(asking) {
    this.sure.hidden = !asking;
    this.startOver.hidden = asking;
    if (asking) this.sure.querySelector("button")?.focus();
    else this.startOver.focus();
  }

  beginAgain() {
    forgetAll();
    for (const view of this.views) view.restore();
    clearPicks();
    this.ran.clear();
    this.refresh();
    this.ask(false);
    this.tell("begunAnew");
  }

  followPlain() {
    choosePlain(this.plain.checked);
    for (const { editor } of this.views) editor?.followChoice();
  }
}

/** @param {object} data */
function json(data) {
  return new Blob([`${JSON.stringify(data, null, 1)}\n`], { type: "application/json" });
}
