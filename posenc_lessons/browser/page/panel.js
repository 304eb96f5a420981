// One explorer: its tries, its controls, its picture and what can be done with it.
// What is shown comes from Python, as the still that the page begins with or as answers to what the reader does.

import { makeControl } from "./controls.js";
import { download, icon, make, setAttribute, setProperties, write, writeMarkup } from "./dom.js";
import { Picture, wantsLessMotion } from "./picture.js";

const STEP = 320; // milliseconds from one whole position to the next while playing
const SLIDE = 300; // … of rows and columns that change places
const STEP_WITHOUT_MOTION = 900; // … for readers who asked for less motion: one picture after the other
const NARROW = 900; // CSS pixels: below, all stands in one column
const CAPTION = 290; // CSS pixels of a sentence that stands beside its picture, not below
const LEAST_PICTURE = 580; // CSS pixels: a picture beside its sentence is no narrower
const LEAST_GAIN = 1.07; // how much larger the picture has to become by that
const SHORT = { reset: "onReset", compare: "onCompare", code: "onCode", link: "onLink" }; // words on buttons

// Words in both languages stand one above the other.
function writeLines(element, text) {
  const parts = text.split(" · ");
  if (element.textContent !== parts.join("")) element.replaceChildren(...parts.map((part) => make("span", {}, part)));
}

export class Panel {
  // `page`: text(name, values), ask(explorer, call, ...arguments), linkChanged(panel), copyLink(view),
  // showCode(panel); `column`: whether all stands in one column, however wide the page is.
  constructor(name, page) {
    Object.assign(this, { name, page, view: {}, controls: new Map(), pending: new Map(), live: false });
    this.picture = new Picture((where) => this.point(where));
    this.kept = null; // the picture that was left for comparison
    this.reserved = { words: 0, tip: 0 }; // heights that words once took: given back, the picture would jump
    this.build();
  }

  build() {
    const { name } = this;
    this.settings = make("div", { className: "settings", role: "group" });
    this.rareSettings = make("div", { className: "settings" });
    this.rareName = make("summary");
    this.rare = make("details", { hidden: true }, this.rareName, this.rareSettings);
    this.note = make("p", { className: "note", hidden: true });
    this.actions = make("div", { className: "actions" });
    this.buttons = Object.fromEntries(
      [
        ["reset", "reset", () => this.reset()],
        ["compare", "compare", () => this.compare()],
        ["code", "code", () => this.page.showCode(this)],
        ["link", "link", () => this.page.copyLink(this.view)],
        ["png", "PNG", async () => download(`${name}.png`, await this.picture.png())],
        ["svg", "SVG", () => download(`${name}.svg`, this.picture.svg())],
      ].map(([what, symbol, act]) => {
        const face = symbol === symbol.toUpperCase() ? make("b", { className: "face" }, symbol) : icon(symbol);
        const button = make("button", { type: "button" }, face, make("span", { className: "lines" }));
        button.addEventListener("click", act);
        this.actions.append(button);
        return [what, button];
      }),
    );
    const side = make("div", { className: "side" }, this.settings, this.rare, this.note, this.makeFiles(), this.actions);

    this.triesName = make("span", { className: "heading", id: `tries-${name}` });
    this.tries = make("div", { className: "tries", role: "group", "aria-labelledby": `tries-${name}` });
    this.tip = make("p", { className: "tip", role: "status" });
    this.next = make("button", { type: "button", className: "next" }, make("span"), " →");
    this.next.addEventListener("click", () => this.followTry((this.following ?? -1) + 1));
    this.strip = make("div", { className: "strip" }, make("div", { className: "row" }, this.triesName, this.tries), make("div", { className: "row said" }, this.tip, this.next));

    this.alert = make("div", { className: "alert", role: "alert" });
    this.reading = make("figcaption", { className: "reading", "aria-live": "polite" });
    this.presentName = make("p", { className: "which", hidden: true });
    this.frame = make("div", { className: "frame" }, this.picture.canvas);
    this.frame.addEventListener("scroll", () => this.markMore());
    this.present = make("figure", { className: "present" }, this.presentName, this.frame, this.reading);
    this.pictures = make("div", { className: "pictures" }, this.present);
    const shown = make("div", { className: "shown" }, this.strip, this.alert, this.pictures);
    this.element = make("section", { className: "panel", id: `panel-${name}`, role: "tabpanel", hidden: true }, side, shown);
    this.element.setAttribute("aria-labelledby", `tab-${name}`);
    new ResizeObserver(() => this.fit()).observe(shown);
  }

  // Where the reader may open and save what is shown.
  makeFiles() {
    this.opener = make("input", { type: "file", accept: ".json", hidden: true });
    this.opener.addEventListener("change", () => this.openFile());
    const acts = { open: () => this.opener.click(), save: () => this.saveFile(), recorded: () => this.ask("show_recorded") };
    this.fileButtons = Object.entries(acts).map(([what, act]) => {
      const button = make("button", { type: "button", value: what }, make("span", { className: "lines" }));
      button.addEventListener("click", act);
      return button;
    });
    this.files = make("div", { className: "files", hidden: true }, ...this.fileButtons, this.opener);
    return this.files;
  }

  // ---- What Python says ----

  receive(answer) {
    if (!answer) return; // a newer question came before this one was answered
    const { view } = this;
    this.view = { ...view, ...answer, data: { ...view.data, ...answer.data } };
    const anew = ["stage", "tries", "alert", "language"].some((key) => key in answer) || this.controlsChanged();
    if (answer.controls) this.showControls();
    if (answer.tries || answer.plays) this.showTries();
    if ("reading" in answer) writeMarkup(this.reading, answer.reading);
    if ("alert" in answer) writeMarkup(this.alert, answer.alert);
    this.element.classList.toggle("wrong", Boolean(this.view.alert && !this.view.reading));
    if (answer.link !== undefined) this.page.linkChanged(this);
    this.picture.takes = (panel) => this.view.takes?.[panel] ?? "";
    const painted = ["stage", "axes", "data", "alt"].some((key) => key in answer);
    if (!anew) this.checkHeight();
    if (painted && !this.playing) this.paint(this.scene());
    if (anew) this.fitLater();
  }

  // Whether controls have come, gone or changed their words.
  controlsChanged() {
    const shape = JSON.stringify(this.view.controls.map(({ label, hidden, options }) => [label, hidden, options]));
    const changed = shape !== this.shape;
    this.shape = shape;
    return changed;
  }

  // Before the next frame is painted, in which all is laid out anyway.
  checkHeight() {
    this.checking ??= requestAnimationFrame(() => {
      this.checking = null;
      if (!this.captionBeside && this.reading.scrollHeight > this.reserved.words) this.fit();
    });
  }

  paint(scene) {
    if (this.picture.changesOrder(scene) && !wantsLessMotion()) this.picture.glide(scene, SLIDE);
    else this.picture.show(scene);
  }

  scene() {
    const { stage, axes, data, alt } = this.view;
    return { stage, axes, data, alt };
  }

  showControls() {
    for (const spec of this.view.controls) {
      let control = this.controls.get(spec.name);
      if (!control) {
        control = makeControl(`${this.name}-${spec.name}`, spec.kind, (value) => this.set(spec.name, value));
        this.controls.set(spec.name, control);
        (spec.rare ? this.rareSettings : this.settings).append(control.element);
        if (spec.name === this.view.plays) this.addPlayButton(control);
      }
      control.show(spec, this.pending.has(spec.name) || this.sent?.has(spec.name));
    }
    setProperties(this.rare, { hidden: !this.view.controls.some((spec) => spec.rare && !spec.hidden) });
    this.labelPlayButton();
  }

  showTries() {
    const { tries } = this.view;
    if (this.tries.children.length !== tries.length) {
      this.tries.replaceChildren(
        ...tries.map((_, at) => {
          const button = make("button", { type: "button" }, make("span", { className: "number" }, String(at + 1)), make("span", { className: "lines" }));
          button.addEventListener("click", () => this.followTry(at));
          return button;
        }),
      );
    }
    tries.forEach(({ name }, at) => {
      writeLines(this.tries.children[at].lastChild, name);
    });
    this.showTip();
  }

  showTip() {
    const { tries } = this.view;
    const chosen = this.following;
    [...this.tries.children].forEach((button, at) => setAttribute(button, "aria-pressed", String(at === chosen)));
    const look = this.page.starting ? undefined : tries[chosen]?.look_for;
    write(this.tip, look ?? this.page.text(this.page.starting ? "starting" : "hint"));
    this.tip.classList.toggle("hint", look === undefined);
    this.next.disabled = chosen === tries?.length - 1;
  }

  // ---- What the reader does ----

  set(control, value) {
    this.pause();
    this.pending.set(control, value);
    this.send();
  }

  // One message at a time is under way; of what is set meanwhile, the newest counts.
  async send() {
    if (!this.live || this.sent || !this.pending.size) return;
    this.sent = this.pending;
    this.pending = new Map();
    const answer = await this.setValues(this.sent);
    this.sent = null;
    this.receive(answer);
    if (!this.pending.size && !answer?.controls) this.showControls(); // a value that was refused goes back
    this.send();
  }

  setValues(values) {
    const [[control, value]] = values;
    return this.page.ask(this.name, ...(values.size > 1 ? ["restore", Object.fromEntries(values)] : ["set", control, value]));
  }

  // Everything that is no value of a control: what was set before comes first, and what is set from now on later.
  async ask(...asked) {
    if (!this.live) return {};
    this.pause();
    const before = this.pending;
    this.pending = new Map();
    if (before.size) this.setValues(before).then((answer) => this.receive(answer));
    const answer = await this.page.ask(this.name, ...asked);
    this.receive(answer);
    return answer;
  }

  reset() {
    this.pending.clear();
    this.following = undefined;
    this.showTip();
    return this.live ? this.ask("reset") : this.showControls();
  }

  followTry(at) {
    this.following = at;
    if (!this.live) this.pending.clear(); // it sets them all
    this.showTip();
    return this.ask("follow_try", at);
  }

  async openFile() {
    const [file] = this.opener.files;
    if (!file) return;
    const content = file.size > this.view.file.most ? "" : await file.text().catch(() => ""); // it may be gone
    this.opener.value = ""; // it may be opened again
    await this.ask("open_file", file.name, file.size, content);
  }

  async saveFile() {
    const { saved } = await this.ask("save_file");
    if (saved) download(this.view.file.name, new Blob([saved], { type: "application/json" }));
  }

  // The newest place counts, as of sliders; hovering only where Python says that it shows something.
  async point(where) {
    if (!this.live) return;
    const { panel, x, y, kind } = where;
    if (["hover", "leave"].includes(kind) && (!this.view.hover || this.playing)) return;
    this.place = [panel, x, y, kind];
    if (this.pointing) return;
    this.pointing = true;
    while (this.place) {
      const place = this.place;
      this.place = null;
      if (place[3] === "press") this.pause();
      this.receive(await this.page.ask(this.name, "point", ...place));
    }
    this.pointing = false;
  }

  // ---- Playing ----

  addPlayButton(control) {
    this.play = make("button", { type: "button", className: "play" }, icon("play"), icon("pause"));
    this.play.addEventListener("click", () => (this.playing ? this.pause() : this.startPlaying()));
    control.element.classList.add("plays");
    control.element.append(this.play);
  }

  labelPlayButton() {
    if (!this.play) return;
    const { label, disabled } = this.playedControl();
    const words = this.page.text(this.playing ? "pause" : "play", { name: label });
    setAttribute(this.play, "aria-label", words);
    setAttribute(this.play, "title", words);
    this.play.disabled = disabled;
    this.play.classList.toggle("playing", Boolean(this.playing));
  }

  playedControl() {
    return this.view.controls.find((spec) => spec.name === this.view.plays);
  }

  pause() {
    this.playing = null;
    this.labelPlayButton();
  }

  // From where the slider is to its end, and from its beginning when it is at the end. While the picture moves to
  // one position, Python already computes the next.
  async startPlaying() {
    if (!this.live || this.playing) return;
    const run = (this.playing = {});
    this.labelPlayButton();
    this.element.dataset.moving = ""; // until the last answer asked for is shown, which is later than the pause
    await this.playSteps(run);
    if (!this.playing) delete this.element.dataset.moving;
  }

  async playSteps(run) {
    const { name, step } = this.playedControl();
    const asked = (value) => this.page.ask(this.name, "set", name, value);
    let { value, max, min } = this.playedControl();
    let coming = asked(value >= max ? min : value + step);
    while (this.playing === run) {
      const answer = await coming;
      if (this.playing !== run) return this.receive(answer);
      this.receive(answer);
      const here = this.playedControl();
      const ends = here.value >= here.max;
      const scene = this.scene();
      if (!ends) coming = asked(here.value + step);
      await (wantsLessMotion() ? this.showAndWait(scene) : this.picture.glide(scene, STEP));
      if (ends) break;
    }
    if (this.playing !== run) return this.receive(await coming);
    this.pause();
  }

  showAndWait(scene) {
    this.picture.show(scene);
    return new Promise((done) => setTimeout(done, STEP_WITHOUT_MOTION));
  }

  // ---- Comparing ----

  compare() {
    if (this.kept) {
      this.kept.figure.remove();
      this.kept = null;
    } else {
      const picture = new Picture();
      const words = make("figcaption", { className: "reading" });
      const which = make("p", { className: "which" });
      writeMarkup(words, this.view.reading);
      const figure = make("figure", { className: "kept" }, which, make("div", { className: "frame" }, picture.canvas), words);
      picture.show(this.scene());
      this.pictures.prepend(figure);
      this.kept = { figure, picture, which, words };
    }
    this.presentName.hidden = !this.kept;
    this.element.classList.toggle("compared", Boolean(this.kept));
    this.relabel();
    this.refit();
  }

  // ---- Words and room ----

  relabel() {
    const { page } = this;
    for (const [what, button] of Object.entries(this.buttons)) {
      const words = page.text(what === "compare" && this.kept ? "apart" : what);
      if (button.firstChild.nodeName === "svg") writeLines(button.lastChild, page.text(SHORT[what]));
      setAttribute(button, "title", words);
      setAttribute(button, "aria-label", words);
    }
    setAttribute(this.buttons.compare, "aria-pressed", String(Boolean(this.kept)));
    this.settings.setAttribute("aria-label", page.text("controls"));
    write(this.rareName, page.text("rare"));
    write(this.triesName, page.text("tries"));
    write(this.next.firstChild, page.text("next"));
    write(this.presentName, page.text("present"));
    if (this.kept) write(this.kept.which, page.text("pinned"));
    this.picture.canvas.setAttribute("aria-description", page.text("instead"));
    setProperties(this.note, { hidden: !this.view.note });
    write(this.note, this.view.note ?? "");
    setProperties(this.files, { hidden: !this.view.file });
    for (const button of this.fileButtons) {
      writeLines(button.firstChild, page.text(button.value));
      setProperties(button, { disabled: !this.live });
    }
    if (this.view.tries) this.showTip();
    if (this.view.controls) this.labelPlayButton();
  }

  refit() {
    this.reserved = { words: 0, tip: 0 };
    this.captionBeside = undefined;
    for (const picture of [this.picture, this.kept?.picture]) picture?.forgetLayout();
    this.fitLater();
  }

  // Once, after all that is being changed now.
  fitLater() {
    if (this.fitting) return;
    this.fitting = true;
    queueMicrotask(() => {
      this.fitting = false;
      this.fit();
    });
  }

  // On a phone a high picture is scrolled in its frame, which shows that it goes on below.
  markMore() {
    const { scrollTop, clientHeight, scrollHeight } = this.frame;
    this.frame.classList.toggle("more", scrollTop + clientHeight < scrollHeight - 4);
  }

  // The picture takes what room the words leave, all of it on one screen; on a phone it is as high as it has to be.
  fit() {
    const { pictures, reserved, kept } = this;
    if (this.element.hidden || !this.view.stage) return;
    this.strip.style.minHeight = "";
    reserved.tip = Math.max(reserved.tip, this.strip.offsetHeight);
    this.strip.style.minHeight = `${reserved.tip}px`;
    const narrow = this.page.column || innerWidth < NARROW;
    const side = this.element.firstChild;
    this.element.classList.remove("tight");
    this.element.classList.toggle("tight", !narrow && side.scrollHeight > side.clientHeight);
    const shown = [this.picture, ...(kept ? [kept.picture] : [])];
    const beside = Boolean(kept) && !narrow;
    const across = narrow ? this.element.clientWidth : pictures.clientWidth;
    const width = (across - (beside ? 16 : 0)) / (beside ? 2 : 1);
    const captions = [this.reading, ...(kept ? [kept.words] : [])];
    for (const words of captions) words.style.width = narrow ? "" : `${width}px`;
    if (!this.captionBeside) reserved.words = Math.max(reserved.words, ...captions.map((words) => words.scrollHeight));
    const names = kept ? this.presentName.offsetHeight : 0;
    const height = narrow ? Infinity : pictures.clientHeight - reserved.words - names;
    const widthBeside = width - CAPTION - 16;
    this.captionBeside ??= !kept && !narrow && widthBeside >= LEAST_PICTURE && this.picture.scaleIn(widthBeside, pictures.clientHeight) > LEAST_GAIN * this.picture.scaleIn(width, height);
    this.present.classList.toggle("beside", this.captionBeside);
    if (this.captionBeside) {
      this.picture.fit(widthBeside, pictures.clientHeight);
      this.reading.style.width = `${Math.min(width - this.picture.layout.width - 16, 2 * CAPTION)}px`;
    } else for (const picture of shown) picture.fit(width, height, beside);
    if (narrow) this.markMore();
  }
}
