// One explorer: its tries, its controls, its picture and its buttons.
// Everything it shows comes from Python: the still at the beginning, answers to what the reader does, and changes that
// nobody asked for, such as those of a running race. The surroundings (types.d.ts) carry the questions to Python.

import { Comparison } from "./comparison.js";
import { makeControl } from "./controls.js";
import { download, inWords, make, setAttribute, setProperties, write, writeLines, writeMarkup } from "./dom.js";
import { Elements } from "./elements.js";
import { Glide } from "./glide.js";
import { copyText, showListing } from "./listing.js";
import { NumberCard } from "./number_card.js";
import { Pages } from "./pages.js";
import { wantsLessMotion } from "./picture.js";
import { Player } from "./player.js";
import { Questions } from "./questions.js";
import { Room } from "./room.js";

/** @import { Action, Answer, Control, Place, Scene, Surroundings, View } from "./types.js" */

const SLIDE = 300; // milliseconds in which rows and columns change places
const SHORT = { reset: "onReset", compare: "onCompare", code: "onCode", link: "onLink" }; // words on buttons

export class Panel extends Elements {
  /** @param {string} name the place that its questions name @param {Surroundings} surroundings */
  constructor(name, surroundings) {
    super(name);
    this.name = name;
    this.surroundings = surroundings;
    /** @type {Partial<View>} */
    this.view = {};
    /** @type {Map<string, ReturnType<typeof makeControl>>} */
    this.controls = new Map();
    this.live = false;
    this.shape = "";
    /** @type {number | undefined} */
    this.following = undefined; // the try that was pressed last
    /** @type {string | undefined} */
    this.first = undefined; // the control next to the picture on a phone
    this.questions = new Questions(
      (call, args) => surroundings.ask(name, call, args),
      (answer, settled) => this.receive(answer, settled),
      (error) => this.complain(error),
    );
    this.player = new Player(this);
    this.glide = new Glide(this);
    this.comparison = new Comparison(this);
    this.pages = new Pages(this);
    this.room = new Room(this);
    this.numberCard = new NumberCard(this);
    this.listen();
  }

  listen() {
    /** @type {Record<string, () => unknown>} */
    const acts = {
      reset: () => this.reset(),
      compare: () => this.comparison.toggle(),
      code: () => this.showCode(),
      link: () => this.copyLink(),
      png: async () => download(`${this.view.explorer}.png`, await this.picture.png()),
      svg: () => download(`${this.view.explorer}.svg`, this.picture.svg()),
      open: () => this.opener.click(),
      save: () => this.saveFile(),
      recorded: () => this.ask("show_recorded"),
    };
    for (const button of [...Object.values(this.buttons), ...this.fileButtons]) button.addEventListener("click", acts[button.value]);
    this.opener.addEventListener("change", () => this.openFile());
    this.next.addEventListener("click", () => this.followTry((this.following ?? -1) + 1));
    this.buttons.link.hidden = !this.surroundings.linkTo;
  }

  // ---- What Python says ----

  /** Ask the first question; Python answers from now on. @param {string} call @param {unknown[]} args */
  async begin(call, ...args) {
    this.live = true;
    const answer = await this.questions.begin(call, ...args);
    this.element.classList.remove("outdated");
    this.element.dataset.live = "";
    return answer;
  }

  /** @param {Answer} answer @param {boolean} [settled] whether values were sent, of which Python may have refused some */
  receive(answer, settled = false) {
    const painted = ["stage", "axes", "data", "alt"].some((key) => key in answer);
    if (painted || answer.controls) this.glide.overtake();
    this.view = withAnswer(this.view, answer);
    const laidOut = ["stage", "tries", "alert", "actions", "language"].some((key) => key in answer) || this.controlsChanged();
    if (answer.controls || (settled && !this.questions.waiting.length)) this.showControls();
    if (answer.tries || answer.plays) this.showTries();
    if ("actions" in answer || "progress" in answer) this.showDeeds();
    if (answer.reading !== undefined) writeMarkup(this.reading, answer.reading);
    if (answer.alert !== undefined) writeMarkup(this.alert, answer.alert);
    this.element.classList.toggle("wrong", Boolean(this.view.alert && !this.view.reading));
    if (answer.link !== undefined) this.surroundings.linkChanged?.();
    if (answer.door !== undefined) this.element.dataset.door = String(answer.door);
    this.comparison.follow();
    this.picture.takes = (/** @type {string} */ panel) => this.view.takes?.[panel] ?? "";
    if (answer.stage) this.showAsk(Object.values(answer.stage.panels).some(({ asked }) => asked.length > 0));
    if ("language" in answer) this.relabel();
    if ("language" in answer || "mode" in answer) this.surroundings.shown?.(/** @type {View} */ (this.view));
    if (!laidOut) this.room.checkHeight();
    if (painted && !this.player.playing) this.paint(this.scene());
    if (painted) this.numberCard.refresh();
    if (laidOut) this.room.fitLater();
  }

  // Show the error that Python met.
  /** @param {any} error */
  complain(error) {
    write(this.alert, String(error?.message ?? error));
    this.room.fitLater();
  }

  // Return whether a control has appeared, disappeared or changed its words since the last call.
  controlsChanged() {
    const shape = JSON.stringify(this.view.controls?.map(({ label, hidden, options }) => [label, hidden, options]));
    const changed = shape !== this.shape;
    this.shape = shape;
    return changed;
  }

  /** @param {Scene} scene */
  paint(scene) {
    if (this.picture.changesOrder(scene) && !wantsLessMotion() && !this.glide.coming) this.picture.glide(scene, SLIDE);
    else this.picture.show(scene);
  }

  /** Return the scene, with the faint layers of a kept one if there is one. @returns {Scene} */
  scene() {
    return this.comparison.with(this.plainScene());
  }

  /** @returns {Scene} */
  plainScene() {
    const { stage, axes, data, alt } = /** @type {View} */ (this.view);
    return { stage, axes, data, alt };
  }

  showControls() {
    const specs = this.view.controls ?? [];
    for (const spec of specs) {
      let control = this.controls.get(spec.name);
      if (!control) {
        control = makeControl(`${this.name}-${spec.name}`, spec.kind, (value) => this.set(spec.name, value));
        this.controls.set(spec.name, control);
        (spec.rare ? this.rareSettings : this.settings).append(control.element);
        if (spec.name === this.view.plays) control.element.append(this.player.makeButton(control.element));
      }
      control.show(spec, this.questions.holds(spec.name));
    }
    setProperties(this.rare, { hidden: !this.rareDeeds.children.length && !specs.some((spec) => spec.rare && !spec.hidden) });
    this.markFirst(specs);
    this.player.label();
  }

  // Choose the control that stands next to the picture on a phone, and keep it: the one that plays, or the first
  // slider.
  /** @param {Control[]} specs */
  markFirst(specs) {
    const there = specs.filter(({ hidden, rare }) => !hidden && !rare);
    if (there.some(({ name }) => name === this.first)) return;
    const sliders = there.filter(({ kind, disabled }) => ["slider", "log"].includes(kind) && !disabled);
    this.first = (sliders.find(({ name }) => name === this.view.plays) ?? sliders[0] ?? there[0])?.name;
    for (const [name, { element }] of this.controls) element.classList.toggle("first", name === this.first);
  }

  showTries() {
    const tries = this.view.tries ?? [];
    if (this.tries.children.length !== tries.length) {
      this.tries.replaceChildren(
        ...tries.map((_, at) => {
          const button = make("button", { type: "button" }, make("span", { className: "number" }, String(at + 1)), make("span", { className: "lines" }));
          button.addEventListener("click", () => this.followTry(at));
          return button;
        }),
      );
    }
    tries.forEach(({ name }, at) => writeLines(this.tries.children[at].lastChild, name));
    setProperties(this.strip, { hidden: !tries.length });
    this.showTip();
  }

  showTip() {
    const tries = this.view.tries ?? [];
    const { following, surroundings } = this;
    [...this.tries.children].forEach((button, at) => setAttribute(button, "aria-pressed", String(at === following)));
    const look = surroundings.starting ? undefined : tries[following ?? -1]?.look_for;
    write(this.tip, look ?? (surroundings.starting || this.text("hint")));
    this.tip.classList.toggle("hint", look === undefined);
    this.next.disabled = following === tries.length - 1;
  }

  // Show the hint if the reader can ask about numbers of the picture.
  /** @param {boolean} asks */
  showAsk(asks) {
    setProperties(this.askHint, { hidden: !asks });
    this.room.markMore();
  }

  // Show the buttons of the actions that need a kernel, and their progress.
  showDeeds() {
    const { actions = [], progress } = this.view;
    this.showButtons(this.deeds, actions.filter(({ rare }) => !rare));
    this.showButtons(this.rareDeeds, actions.filter(({ rare }) => rare));
    if (this.rareDeeds.children.length) setProperties(this.rare, { hidden: false });
    setProperties(this.progress, { hidden: !progress });
    if (progress) setProperties(this.bar, { max: progress.max, value: progress.value });
    write(this.barText, progress?.text ?? "");
  }

  /** @param {HTMLElement} row @param {Action[]} actions */
  showButtons(row, actions) {
    setProperties(row, { hidden: !actions.length });
    if (row.children.length !== actions.length) {
      row.replaceChildren(
        ...actions.map(({ name }) => {
          const button = make("button", { type: "button" }, make("span", { className: "lines" }));
          button.addEventListener("click", () => this.ask("press", name));
          return button;
        }),
      );
    }
    actions.forEach(({ label, disabled, primary }, at) => {
      const button = /** @type {HTMLButtonElement} */ (row.children[at]);
      writeLines(button.firstChild, label);
      setProperties(button, { disabled });
      button.classList.toggle("primary", primary);
    });
  }

  // ---- What the reader does ----

  /** @param {string} control @param {any} value */
  set(control, value) {
    this.player.pause();
    this.questions.set(control, value);
    this.glide.end();
  }

  /** @param {string} call @param {unknown[]} args @returns {Promise<Answer>} */
  async ask(call, ...args) {
    if (!this.live) return {};
    this.player.pause();
    this.glide.end();
    return this.questions.ask(call, ...args);
  }

  // Ask for a change of several controls at once; controls and picture glide to the new state.
  /** @param {string} call @param {unknown[]} args */
  async move(call, ...args) {
    this.player.pause();
    this.glide.end();
    const answer = await this.questions.askApart(call, ...args);
    this.glide.receive(answer);
    return answer;
  }

  // Set all controls back. Waiting questions are dropped, because their answers would be overwritten.
  reset() {
    this.questions.clear();
    this.following = undefined;
    this.showTip();
    return this.live ? this.move("reset") : this.showControls();
  }

  /** @param {number} at */
  followTry(at) {
    this.questions.clear(); // a try sets all controls
    this.following = at;
    this.showTip();
    return this.move("follow_try", at);
  }

  async openFile() {
    const file = this.opener.files?.[0];
    if (!file || !this.view.file) return;
    const content = file.size > this.view.file.most ? "" : await file.text().catch(() => ""); // the file may be gone
    this.opener.value = ""; // so that the same file can be opened again
    await this.ask("open_file", file.name, file.size, content);
  }

  async saveFile() {
    const { saved } = await this.ask("save_file");
    if (saved && this.view.file) download(this.view.file.name, new Blob([saved], { type: "application/json" }));
  }

  /** Tell Python where the pointer is; hovering only if the view says that it has an effect. @param {Place} where */
  point(where) {
    if (!this.live) return;
    const passing = ["hover", "leave"].includes(where.kind);
    if (passing && (!this.view.hover || this.player.playing)) return;
    if (!passing) this.player.pause();
    if (!passing) this.glide.end();
    this.questions.point(where);
  }

  async showCode() {
    const { code } = await this.ask("code");
    if (code) showListing(this.element, (name) => this.text(name), "codeTitle", code, () => this.toast.show(this.text("copied")));
  }

  async copyLink() {
    if (!this.surroundings.linkTo || !this.view.link) return;
    const { address, said } = this.surroundings.linkTo(/** @type {View} */ (this.view));
    if (await copyText(address)) this.toast.show(said);
    else showListing(this.element, (name) => this.text(name), "notCopied", address, () => {});
  }

  // ---- Words ----

  /** @param {string} name @param {Record<string, string>} [values] */
  text(name, values) {
    const { words, language } = this.surroundings;
    return inWords(words[name], this.view.language ?? language, values);
  }

  relabel() {
    for (const [what, button] of Object.entries(this.buttons)) {
      const words = this.text(what === "compare" && this.comparison.on ? "apart" : what);
      const short = SHORT[/** @type {keyof typeof SHORT} */ (what)];
      if (short) writeLines(button.lastChild, this.text(short));
      setAttribute(button, "title", words);
      setAttribute(button, "aria-label", words);
    }
    setAttribute(this.buttons.compare, "aria-pressed", String(this.comparison.on));
    this.settings.setAttribute("aria-label", this.text("controls"));
    write(this.rareName, this.text("rare"));
    write(this.triesName, this.text("tries"));
    write(/** @type {HTMLElement} */ (this.next.firstChild), this.text("next"));
    this.comparison.nameBoth();
    this.showTitle();
    this.picture.canvas.setAttribute("aria-description", this.text("instead"));
    this.frame.setAttribute("aria-label", this.text("askByKeys"));
    for (const hint of this.askHint.children) write(hint, this.text(hint.className));
    setProperties(this.note, { hidden: !this.view.note });
    write(this.note, this.view.note ?? "");
    setProperties(this.files, { hidden: !this.view.file });
    for (const button of this.fileButtons) {
      writeLines(button.firstChild, this.text(button.value));
      setProperties(button, { disabled: !this.live });
    }
    this.showTip();
    if (this.view.controls) this.player.label();
  }

  showTitle() {
    const { title, heading } = this.view;
    const shown = Boolean(this.surroundings.titled && title);
    setProperties(this.title, { hidden: !shown });
    if (!shown) return;
    setAttribute(this.title, "role", "heading");
    setAttribute(this.title, "aria-level", String(heading ?? 3));
    write(this.title, title ?? "");
  }

  /** Remove the panel and all its listeners. */
  close() {
    this.player.pause();
    this.glide.end();
    this.questions.clear();
    this.room.close();
    this.numberCard.forget();
    this.element.remove();
  }
}

// Return the view with the changes of an answer.
/** @param {Partial<View>} view @param {Answer} answer @returns {Partial<View>} */
export const withAnswer = (view, answer) => ({ ...view, ...answer, data: { ...view.data, ...answer.data } });
