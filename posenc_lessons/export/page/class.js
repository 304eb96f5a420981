// The teacher's page: it reads the files that learners have exported, in this browser, and shows them side by side.

import { one } from "./elements.js";
import { parsed } from "./work.js";

/**
 * @typedef {{ guessed: Map<string, number>, solved: Set<string> }} Progress
 * @typedef {{ key: string, name: string, page: string }} Exercise
 * @typedef {{ key: string, asks: string, choices: string[], right: number, page: string }} Asked
 * @typedef {{ number: string, title: string, exercises: Exercise[], guesses: Asked[] }} Lesson
 * @typedef {Record<string, string>} Words
 */

export function startClass() {
  const page = document.querySelector(".class");
  if (page instanceof HTMLElement) new ClassPage(page);
}

class ClassPage {
  /** @param {HTMLElement} page */
  constructor(page) {
    this.page = page;
    /** @type {{ lessons: Lesson[], words: Words }} */
    const { lessons, words } = JSON.parse(document.getElementById("class-tasks")?.textContent ?? "{}");
    this.lessons = lessons;
    this.words = words;
    /** @type {Map<string, Progress>} */
    this.learners = new Map();
    const input = one(page, "input[type=file]", HTMLInputElement);
    const drop = one(page, ".drop", HTMLElement);
    input.addEventListener("change", () => {
      this.read([...(input.files ?? [])]);
      input.value = ""; // so that the same files can be chosen again
    });
    for (const kind of ["dragenter", "dragover"]) {
      drop.addEventListener(kind, (event) => {
        event.preventDefault();
        drop.classList.add("over");
      });
    }
    for (const kind of ["dragleave", "drop"]) drop.addEventListener(kind, () => drop.classList.remove("over"));
    drop.addEventListener("drop", (event) => {
      event.preventDefault();
      this.read([...(event.dataTransfer?.files ?? [])]);
    });
    one(page, ".forget", HTMLButtonElement).addEventListener("click", () => {
      this.learners.clear();
      this.show([]);
    });
    one(page, ".as-table", HTMLButtonElement).addEventListener("click", () => this.save());
  }

  /** @param {string} name @param {Record<string, any>} [values] */
  say(name, values = {}) {
    return this.words[name].replace(/\{(\w+)\}/g, (_, each) => String(values[each]));
  }

  /** @param {File[]} files */
  async read(files) {
    const problems = [];
    for (const file of files) {
      const work = parsed(await file.text());
      if (work === null) problems.push(this.say("unread", { file: file.name }));
      else {
        const progress = { guessed: new Map(Object.entries(work.guessed)), solved: new Set(work.solved) };
        this.learners.set(file.name.replace(/\.json$/i, ""), progress);
      }
    }
    this.show(problems);
  }

  /** @param {string[]} problems */
  show(problems) {
    const { size } = this.learners;
    one(this.page, "[role=status]", HTMLElement).textContent = size ? this.say("count", { n: size }) : "";
    one(this.page, "[role=alert]", HTMLElement).replaceChildren(...problems.map((said) => element("p", said)));
    one(this.page, ".results", HTMLElement).hidden = size === 0;
    one(this.page, ".learners", HTMLElement).replaceChildren(this.learnersTable());
    one(this.page, ".tasks", HTMLElement).replaceChildren(...this.lessons.flatMap((lesson) => this.ofLesson(lesson)));
  }

  /** Return the rows of the table: each learner's numbers, lesson by lesson. @returns {string[][]} */
  rows() {
    const head = [this.say("learner"), ...this.lessons.map(({ number }) => number), this.say("solved"), this.say("guessed"), this.say("right")];
    const names = [...this.learners.keys()].sort((a, b) => a.localeCompare(b, document.documentElement.lang, { numeric: true }));
    const rows = names.map((name) => {
      const { solved, guessed } = /** @type {Progress} */ (this.learners.get(name));
      const each = this.lessons.map(({ exercises }) => `${exercises.filter(({ key }) => solved.has(key)).length}/${exercises.length}`);
      const exercises = this.lessons.flatMap((lesson) => lesson.exercises);
      const asked = this.lessons.flatMap(({ guesses }) => guesses).filter(({ key }) => guessed.has(key));
      const right = asked.filter((guess) => guessed.get(guess.key) === guess.right);
      return [name, ...each, `${exercises.filter(({ key }) => solved.has(key)).length}/${exercises.length}`, String(asked.length), String(right.length)];
    });
    return [head, ...rows];
  }

  learnersTable() {
    const [head, ...rows] = this.rows();
    const table = element("table");
    const top = element("tr");
    top.append(...head.map((said) => Object.assign(element("th", said), { scope: "col" })));
    const lines = rows.map(([name, ...numbers]) => {
      const line = element("tr");
      line.append(Object.assign(element("th", name), { scope: "row" }), ...numbers.map((said) => shaded(said)));
      return line;
    });
    const body = element("tbody");
    const above = element("thead");
    above.append(top);
    body.append(...lines);
    table.append(above, body);
    return table;
  }

  /** Return elements for what the class solved and guessed in one lesson; none if nobody did. @param {Lesson} lesson @returns {HTMLElement[]} */
  ofLesson({ number, title, exercises, guesses }) {
    const everyone = [...this.learners];
    const done = exercises.some(({ key }) => everyone.some(([, { solved }]) => solved.has(key)));
    const asked = guesses.some(({ key }) => everyone.some(([, { guessed }]) => guessed.has(key)));
    if (!done && !asked) return [];
    const list = element("ul");
    for (const { key, name, page } of exercises) {
      const lacking = everyone.filter(([, { solved }]) => !solved.has(key)).map(([who]) => who);
      const item = element("li");
      const said = this.say("solvedBy", { n: everyone.length - lacking.length, of: everyone.length });
      item.append(link(page, name), ` ${said} `, bar((everyone.length - lacking.length) / everyone.length));
      if (lacking.length > 0 && lacking.length < everyone.length) item.append(fold(this.say("notYet", { n: lacking.length }), lacking.join(this.words.comma)));
      list.append(item);
    }
    const cards = guesses.filter(({ key }) => everyone.some(([, { guessed }]) => guessed.has(key))).map((guess) => this.ofGuess(guess));
    return [element("h3", `${number} · ${title}`), list, ...cards];
  }

  /** Return elements that say how many learners chose each answer. @param {Asked} guess */
  ofGuess({ key, asks, choices, right, page }) {
    const card = element("div");
    card.className = "asked";
    const question = element("p");
    question.append(link(page, asks));
    const list = element("ol");
    const answered = [...this.learners].filter(([, { guessed }]) => guessed.has(key));
    for (const [at, choice] of choices.entries()) {
      const who = answered.filter(([, { guessed }]) => guessed.get(key) === at).map(([name]) => name);
      const item = element("li", `${choice}${at === right ? ` ✔ ${this.words.isRight}` : ""} `);
      item.append(bar(who.length / answered.length, at !== right));
      if (who.length > 0) item.append(fold(String(who.length), who.join(this.words.comma)));
      list.append(item);
    }
    card.append(question, list);
    return card;
  }

  /** Save the table as a file that spreadsheets open. */
  save() {
    const quoted = (/** @type {string} */ said) => `"${(/^[=+\-@\t\r]/.test(said) ? `'${said}` : said).replaceAll('"', '""')}"`;
    const counts = (/** @type {string} */ said) => said.replace(/^(\d+)\/\d+$/, "$1"); // a spreadsheet would read 4/6 as a date
    const text = this.rows().map((row) => row.map((said) => quoted(counts(said))).join(",")).join("\r\n");
    const made = Object.assign(document.createElement("a"), {
      href: URL.createObjectURL(new Blob(["\ufeff", text], { type: "text/csv" })),
      download: "class.csv",
    });
    made.click();
    setTimeout(() => URL.revokeObjectURL(made.href), 10_000); // after it was saved
  }
}

/** @param {string} tag @param {string} [said] @returns {HTMLElement} */
function element(tag, said = "") {
  const made = document.createElement(tag);
  made.textContent = said;
  return made;
}

/** @param {string} page @param {string} said */
function link(page, said) {
  return Object.assign(document.createElement("a"), { href: page, textContent: said });
}

/** @param {string} said @param {string} within */
function fold(said, within) {
  const made = element("details");
  made.append(element("summary", said), element("span", within));
  return made;
}

/** Return a bar, hidden from screen readers, because the number beside it says the same. @param {number} share */
function bar(share, wrong = false) {
  const made = document.createElement("span");
  made.className = wrong ? "bar wrong" : "bar";
  made.ariaHidden = "true";
  made.style.setProperty("--share", String(share));
  return made;
}

/** Return a number of the table; the closer to all, the darker it is. @param {string} said */
function shaded(said) {
  const made = element("td", said);
  const [of, all] = said.split("/").map(Number);
  if (all) made.style.setProperty("--share", String(of / all));
  return made;
}
