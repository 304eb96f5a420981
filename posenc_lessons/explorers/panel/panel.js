// One explorer: its tries, its controls, its picture and its buttons.
// Everything it shows comes from Python: the still at the beginning, answers to what the reader does, and changes that
// nobody asked for, such as those by a cell. The surroundings (types.d.ts) carry the questions to Python. The panel
// passes what it knows to its parts; none of them knows the panel.

import { Comparison } from "./comparison.js";
import { makeControl } from "./controls.js";
import { Cue } from "./cue.js";
import { download, inWords, make, setAttribute, setProperties, write, writeLines, writeMarkup } from "./dom.js";
import { Elements } from "./elements.js";
import { copyText, showListing } from "./listing.js";
import { NumberCard } from "./number_card.js";
import { Pages } from "./pages.js";
import { wantsLessMotion } from "./picture.js";
import { Questions } from "./questions.js";
import { Room } from "./room.js";

/** @import { Answer, Control, Place, Surroundings, View } from "./types.js" */

const BECKONS = 3000; // milliseconds that the first slider moves by itself
const SHORT = { reset: "onReset", compare: "onCompare", code: "onCode", link: "onLink" }; // words on buttons
const SETS_MANY = ["reset", "follow_try"]; // questions after which the picture changes before the reader's eyes

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
    /** @type {(() => void) | undefined} */
    this.cued = undefined; // places the cue again
    const text = this.text.bind(this);
    this.questions = new Questions(
      (call, args) => surroundings.ask(name, call, args),
      (answer, { call, values }) => this.receive(answer, SETS_MANY.includes(call ?? ""), Boolean(values)),
      (error) => this.complain(error),
    );
    this.comparison = new Comparison(this.present, this.kept, text);
    this.pages = new Pages(this, text);
    this.room = new Room(this, this.pages, surroundings);
    this.numberCard = new NumberCard(this, this.pages, (...mark) => this.questions.askAside("number", ...mark));
    this.listen();
  }

  listen() {
    /** @type {Record<string, () => unknown>} */
    const acts = {
      reset: () => this.reset(),
      compare: () => this.compare(),
      code: () => this.showCode(),
      link: () => this.copyLink(),
      png: async () => download(`${this.view.explorer}.png`, await this.picture.png()),
    };
    for (const [name, button] of Object.entries(this.buttons)) button.addEventListener("click", acts[name]);
    this.next.addEventListener("click", () => this.followTry((this.following ?? -1) + 1));
    this.buttons.link.hidden = !this.surroundings.linkTo;
    this.picture.listen((where) => this.point(where), (panel) => this.view.takes?.[panel] ?? "");
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

  /**
   * Show what has changed.
   * @param {Answer} answer @param {boolean} [changes] whether the picture changes before the reader's eyes
   * @param {boolean} [settled] whether values were sent, of which Python may have refused some
   */
  receive(answer, changes = false, settled = false) {
    const before = this.view.controls;
    this.view = withAnswer(this.view, answer);
    if (changes && this.view.controls?.some(({ rare, value }, at) => rare && before && value !== before[at].value)) this.rare.open = true;
    const has = (/** @type {(keyof View)[]} */ ...keys) => keys.some((key) => key in answer);
    if (has("controls") || settled) this.showControls();
    if (has("tries")) this.showTries();
    if (has("reading", "alert")) this.showWords();
    if (has("language")) this.relabel();
    if (has("language", "mode")) this.surroundings.shown?.(/** @type {View} */ (this.view));
    if (has("link")) this.surroundings.linkChanged?.();
    if (has("stage", "axes", "data", "alt")) this.showPicture(changes);
    if (has("stage", "tries", "alert", "language") || this.controlsChanged()) this.room.fitLater();
    else this.room.checkHeight();
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

  /** @param {boolean} changes */
  showPicture(changes) {
    const { stage, axes, data, alt, door } = /** @type {View} */ (this.view);
    const scene = { stage, axes, data, alt };
    if (changes || this.picture.changesOrder(scene)) this.picture.changeTo(scene);
    else this.picture.show(scene);
    this.element.dataset.door = String(door);
    // Whether the picture has numbers that Python can be asked about.
    this.element.toggleAttribute("data-answers", Object.values(stage.panels).some(({ asked }) => asked.length > 0));
    this.showTip();
    this.numberCard.refresh();
    if (this.cued) requestAnimationFrame(this.cued); // after it is painted
  }

  showWords() {
    const { alert = "", reading = "" } = this.view;
    writeMarkup(this.present.words, reading);
    writeMarkup(this.alert, alert);
    this.element.classList.toggle("wrong", Boolean(alert && !reading));
  }

  showControls() {
    const { controls = [], first } = this.view;
    for (const spec of controls) {
      let control = this.controls.get(spec.name);
      if (!control) {
        control = makeControl(`${this.name}-${spec.name}`, spec.kind, (value) => this.questions.set(spec.name, value));
        this.controls.set(spec.name, control);
        (spec.rare ? this.rareSettings : this.settings).append(control.element);
      }
      control.show(spec, this.questions.holds(spec.name));
    }
    setProperties(this.rare, { hidden: !controls.some(({ rare, hidden }) => rare && !hidden) });
    this.markFirst(controls.filter(({ hidden, rare }) => !hidden && !rare), first ?? "");
    this.comparison.name(controls);
  }

  // Choose the control that stands next to the picture on a phone, and keep it: `wanted`, or the first slider.
  /** @param {Control[]} controls @param {string} wanted */
  markFirst(controls, wanted) {
    if (controls.some(({ name }) => name === this.first)) return;
    const sliders = controls.filter(({ kind, disabled }) => ["slider", "log"].includes(kind) && !disabled);
    this.first = (sliders.find(({ name }) => name === wanted) ?? sliders[0] ?? controls[0])?.name;
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
    for (const part of [this.strip, this.next]) setProperties(part, { hidden: !tries.length });
    this.showTip();
  }

  showTip() {
    const tries = this.view.tries ?? [];
    const { following, surroundings } = this;
    [...this.tries.children].forEach((button, at) => setAttribute(button, "aria-pressed", String(at === following)));
    const look = surroundings.starting ? undefined : tries[following ?? -1]?.look_for;
    write(this.tip, look ?? (surroundings.starting || (this.live && "answers" in this.element.dataset ? this.text("ask") : this.text("hint"))));
    this.tip.classList.toggle("hint", look === undefined);
    this.next.disabled = !this.live || following === tries.length - 1;
  }

  /**
   * Move the first slider and bring it back, then say what can be dragged.
   * @param {boolean} [moves] whether it moves; never for readers who asked for less motion
   */
  beckon(moves = true) {
    const slider = this.view.controls?.find(({ name, kind }) => name === this.first && kind === "slider");
    const { name = "", value = 0, min = 0, max = 1 } = slider ?? {};
    const far = Math.max(2, (max - min) / 8) * (value > (min + max) / 2 ? -1 : 1);
    const reader = new AbortController();
    for (const event of ["pointerdown", "keydown"]) this.element.addEventListener(event, () => reader.abort(), { capture: true, signal: reader.signal });
    addEventListener("resize", () => this.cued && requestAnimationFrame(this.cued), { signal: reader.signal });
    const cue = new Cue(this, this.controls.get(name)?.element);
    reader.signal.addEventListener("abort", () => (this.cued = void cue.hide()));
    const began = slider && moves && !wantsLessMotion() ? performance.now() : -Infinity;
    const move = () => {
      if (reader.signal.aborted) return;
      const share = Math.min((performance.now() - began) / BECKONS, 1);
      if (began > 0) this.questions.set(name, Math.round(value + far * Math.sin(Math.PI * share)));
      const unpainted = !this.picture.painted && this.present.frame.clientWidth > 0; // the cue looks for an empty place
      if (share < 1 || unpainted) requestAnimationFrame(move);
      else (this.cued = () => cue.show(this.view, (value - min) / (max - min), this.text("drag")))();
    };
    move();
  }

  // ---- What the reader does ----

  // Set all controls back. Waiting questions are dropped, because their answers would be overwritten.
  reset() {
    this.questions.clear();
    this.following = undefined;
    this.showTip();
    return this.live ? this.questions.ask("reset") : this.showControls();
  }

  /** @param {number} at */
  followTry(at) {
    this.questions.clear(); // a try sets all controls
    this.following = at;
    this.showTip();
    return this.questions.ask("follow_try", at);
  }

  compare() {
    if (!this.view.stage) return; // there is no picture yet
    this.comparison.toggle(/** @type {View} */ (this.view));
    this.element.classList.toggle("compared", this.comparison.on);
    if (this.comparison.on) this.pictures.tabIndex = 0; // so that keys can scroll it
    else this.pictures.removeAttribute("tabindex");
    this.relabel();
    this.room.refit();
  }

  /** Tell Python where the pointer is; hovering only if the view says that it has an effect. @param {Place} where */
  point(where) {
    const passing = ["hover", "leave"].includes(where.kind);
    if (this.live && (!passing || this.view.hover)) this.questions.point(where);
  }

  async showCode() {
    if (!this.live) return;
    const { code } = await this.questions.ask("code");
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
    for (const [name, button] of Object.entries(this.buttons)) {
      const words = this.text(name === "compare" && this.comparison.on ? "apart" : name);
      const short = SHORT[/** @type {keyof typeof SHORT} */ (name)];
      if (short) writeLines(button.lastChild, this.text(short));
      setAttribute(button, "title", words);
      setAttribute(button, "aria-label", words);
    }
    setAttribute(this.buttons.compare, "aria-pressed", String(this.comparison.on));
    this.settings.setAttribute("aria-label", this.text("controls"));
    write(this.rareName, this.text("rare"));
    write(this.triesName, this.text("tries"));
    write(this.nextName, this.text("next"));
    this.showTitle();
    this.picture.canvas.setAttribute("aria-description", this.text("instead"));
    this.present.frame.setAttribute("aria-label", this.text("askByKeys"));
    this.comparison.name(this.view.controls ?? []);
    this.showTip();
  }

  showTitle() {
    const { title } = this.view;
    const visible = Boolean(this.surroundings.titled && title);
    setProperties(this.title, { hidden: !visible });
    if (!visible) return;
    write(this.title, title ?? "");
  }

  /** Remove the panel and all its listeners. */
  close() {
    this.questions.clear();
    this.room.close();
    this.numberCard.forget();
    this.element.remove();
  }
}

// Return the view with the changes of an answer.
/** @param {Partial<View>} view @param {Answer} answer @returns {Partial<View>} */
export const withAnswer = (view, answer) => ({ ...view, ...answer, data: { ...view.data, ...answer.data } });
