// Shows where a number comes from. When the reader points at a mark, taps it or reaches it by keys, Python is asked
// about it, and a card beside it, or below the sentence in a narrow room, shows the answer, term by term. The mark's row
// and column are highlighted.

import { make, write } from "./dom.js";
import { askedPanels, firstIn, markAt, markNamed, nameOf, nextMark } from "./marks.js";

/**
 * @import { Answer, Box, Card } from "./types.js"
 * @import { Mark } from "./marks.js"
 * @import { Elements } from "./elements.js"
 * @import { Pages } from "./pages.js"
 */

const DELAY = 180, NEXT_DELAY = 50; // milliseconds that the pointer rests on a mark: the first one, and later ones
const STILL = 8; // CSS pixels that a finger may move during a tap
const APART = 10, EDGE = 4; // CSS pixels from a mark to its card, and from the card to the window's edge
const TITLE = 24; // CSS pixels: a panel's title above its box
const LEAST = 120; // CSS pixels: least height of a card
/** @type {Record<string, [number, number]>} */
const WAYS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
const FUNCTIONS = /(softmax|round|clamp|floor|cos|sin|exp|log|min|max|[a-z]{4,})/; // upright in a formula

export class NumberCard {
  /** @param {Elements} elements @param {Pages} pages @param {(...mark: unknown[]) => Promise<Answer>} question asks Python about a mark */
  constructor(elements, pages, question) {
    this.panel = elements.element;
    this.frame = elements.present.frame;
    this.words = elements.present.words;
    this.side = elements.side;
    this.picture = elements.picture;
    this.pages = pages;
    this.question = question;
    /** @type {Mark | null} */
    this.mark = null;
    this.stays = false; // the card stays until it is closed, because a click, a tap or a key asked for it
    this.shown = false;
    this.timer = 0;
    this.listening = new AbortController();
    /** @type {{x: number, y: number, mark: Mark | null} | null} */
    this.pressed = null;
    this.card = make("div", { className: "card", popover: "manual", "aria-hidden": "true" });
    this.spoken = make("div", { className: "unseen", role: "status" });
    this.lights = ["lit row", "lit column", "lit mark"].map((className) => make("div", { className, hidden: true }));
    this.frame.append(...this.lights);
    this.panel.append(this.card, this.spoken);
    this.listen();
  }

  listen() {
    const { frame, picture: { canvas } } = this;
    canvas.addEventListener("pointermove", (event) => event.pointerType !== "touch" && this.hover(event));
    canvas.addEventListener("pointerleave", (event) => event.pointerType !== "touch" && this.leave());
    canvas.addEventListener("pointerdown", (event) => {
      this.pressed = { x: event.clientX, y: event.clientY, mark: this.stays ? this.mark : null };
      if (event.pointerType !== "touch") this.close();
    });
    canvas.addEventListener("pointerup", (event) => this.release(event));
    frame.addEventListener("keydown", (event) => this.key(event));
    frame.addEventListener("focusout", () => this.below || this.close());
    this.card.addEventListener("click", () => this.close());
    this.words.addEventListener("click", (event) => this.askFrom(/** @type {HTMLElement} */ (event.target)));
    const everywhere = { capture: true, signal: this.listening.signal };
    const outside = (/** @type {Event} */ event) => !event.composedPath().some((element) => element === canvas || element === this.card);
    addEventListener("pointerdown", (event) => outside(event) && !this.below && this.close(), everywhere);
    addEventListener("keydown", (event) => event.key === "Escape" && this.close(), everywhere);
    addEventListener("scroll", (event) => this.shown && event.target !== this.card && !this.below && (this.stays && this.inSight ? this.place() : this.close()), everywhere);
  }

  forget() {
    this.close();
    this.listening.abort();
  }

  /** Return whether Python can be asked about the picture now. */
  get can() {
    const { panel, picture } = this;
    return "live" in panel.dataset && Boolean(picture.scene) && !panel.classList.contains("wrong");
  }

  // Return whether the card stands in the column, below the sentence. Then it covers nothing, and moves nothing that the
  // reader is about to press: it stays until it is tapped or another mark is asked about.
  get below() {
    return this.panel.classList.contains("narrow");
  }

  // Return whether the mark is on the page of the picture that is shown.
  get inSight() {
    const [light, frame] = [this.lights[2], this.frame].map((element) => element.getBoundingClientRect());
    return light.right > frame.left && light.left < frame.right;
  }

  // ---- By pointer ----

  /** @param {{clientX: number, clientY: number}} event */
  under({ clientX, clientY }) {
    const { canvas, scene, layout } = this.picture;
    const { left, top } = canvas.getBoundingClientRect();
    return scene && markAt(scene, layout, clientX - left, clientY - top);
  }

  /** @param {PointerEvent} event */
  hover(event) {
    if (!this.can || this.stays) return;
    if (event.buttons) return this.close();
    const mark = this.under(event);
    if (isSame(mark, this.waited ?? this.mark)) return;
    clearTimeout(this.timer);
    this.waited = mark;
    if (!mark) return this.leave();
    this.timer = setTimeout(() => this.ask(mark, false), this.shown ? NEXT_DELAY : DELAY);
  }

  leave() {
    if (!this.stays) this.close();
  }

  // Ask about the mark that was clicked or tapped; a second time closes the card.
  /** @param {PointerEvent} event */
  release(event) {
    const { pressed } = this;
    this.pressed = null;
    if (!pressed || !this.can || Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > STILL) return;
    const mark = this.under(event);
    if (!mark || isSame(mark, pressed.mark)) return this.close();
    this.ask(mark, true);
  }

  // ---- By keys ----

  /** @param {KeyboardEvent} event */
  key(event) {
    const { scene, layout } = this.picture;
    const handled = [...Object.keys(WAYS), "[", "]", "Enter"].includes(event.key);
    if (!handled || !this.can || !scene || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const mark = this.mark && markNamed(scene, layout, this.mark);
    const panels = askedPanels(scene);
    if (!mark || event.key === "[" || event.key === "]") {
      const step = { "[": -1, "]": 1 }[event.key] ?? 0;
      const at = mark ? panels.indexOf(mark.panel) + step : 0;
      for (let i = 0; i < panels.length; i++) {
        const first = firstIn(scene, layout, panels[modulo(at + (step || 1) * i, panels.length)]);
        if (first) return void this.ask(first, true);
      }
      return;
    }
    const next = WAYS[event.key] && nextMark(scene, layout, mark, WAYS[event.key]);
    if (next) void this.ask(next, true);
  }

  // Ask about the mark that a number of the sentence names, if the picture has it.
  /** @param {HTMLElement} number */
  askFrom(number) {
    const [panel, layer, row, column, part] = number.dataset.mark?.split(" ") ?? [];
    const { scene, layout } = this.picture;
    const mark = panel && this.can && scene && markNamed(scene, layout, { panel, layer, row: Number(row), column: Number(column) });
    if (mark) void this.ask(part ? { ...mark, part: Number(part) } : mark, true);
  }

  // ---- The answer ----

  /** @param {Mark} mark @param {boolean} stays */
  async ask(mark, stays) {
    this.mark = mark;
    this.stays = stays;
    this.waited = undefined;
    this.light(mark);
    const { panel, layer, row, column, part } = mark;
    const { card } = await this.question(panel, layer, row, column, ...(part === undefined ? [] : [part]));
    if (this.mark !== mark || card === undefined) return; // another mark was asked about meanwhile
    if (card) this.show(card);
    else this.close();
  }

  /** Ask again about the same mark after the picture has changed. */
  refresh() {
    if (!this.mark || this.refreshing) return;
    this.refreshing = requestAnimationFrame(() => {
      this.refreshing = 0;
      const { scene, layout } = this.picture;
      const mark = this.mark && this.can && scene && markNamed(scene, layout, nameOf(this.mark));
      if (mark) this.ask({ ...mark, part: this.mark?.part }, this.stays);
      else this.close();
    });
  }

  close() {
    clearTimeout(this.timer);
    this.waited = undefined;
    if (!this.mark) return;
    this.mark = null;
    this.stays = this.shown = false;
    for (const light of this.lights) light.hidden = true;
    if (this.card.matches(":popover-open")) this.card.hidePopover();
    this.card.classList.remove("below");
    write(this.spoken, "");
  }

  /** @param {Card} card */
  show({ title, places, formula, lines }) {
    const rows = lines.flatMap(([name, written, value, kind]) => {
      const cells = [inFormulas("span", "name", name), inFormulas("span", "formula", written), inFormulas("span", "formula value", value)];
      if (kind !== "total") return cells;
      for (const element of cells) element.classList.add(kind);
      return [make("span", { className: "line" }), ...cells];
    });
    this.card.replaceChildren(
      ...title.split(" · ").map((words) => inFormulas("p", "head", words)),
      ...places.map((words) => inFormulas("p", "place", words)),
      ...(formula ? [inFormulas("p", "formula law", formula)] : []),
      make("div", { className: "sum" }, ...rows),
    );
    const isNew = !this.shown;
    this.shown = true;
    this.card.classList.toggle("below", this.below);
    if (this.below === this.card.matches(":popover-open")) this.card.togglePopover();
    if (!this.below) this.place();
    else if (this.stays && isNew) this.card.scrollIntoView({ block: "nearest" });
    const words = [title, ...places, ...lines.map((line) => line.slice(0, 3).filter(Boolean).join(" "))];
    write(this.spoken, words.join(". ").replace(/[$_^{}]/g, ""));
  }

  // ---- The place of the card ----

  /** @param {Mark} mark */
  light({ panel, box, room, kind }) {
    const [x, y, width, height] = box;
    const [left, top, across, down] = room;
    const middle = x + width / 2;
    /** @type {Record<string, (Box | null)[]>} */
    const boxes = {
      cell: [[left, y, across, height], [x, top, width, down], box],
      curve: [null, [middle - 3, top, 6, down], box],
      apart: [null, null, box],
    };
    const { offsetLeft, offsetTop } = this.picture.canvas;
    this.lights.forEach((light, i) => {
      const lit = boxes[kind][i];
      light.hidden = !lit;
      if (lit) Object.assign(light.style, { left: `${offsetLeft + lit[0]}px`, top: `${offsetTop + lit[1]}px`, width: `${lit[2]}px`, height: `${lit[3]}px` });
    });
    this.lights[2].classList.toggle("round", kind !== "cell");
    if (this.stays) this.pages.reveal(panel, this.lights[2]);
  }

  // Place the card beside what it explains, where it covers least: never the mark, and neither the hero nor the
  // sentence if there is any other place; then as little as may be of settings, other panels and the page's text.
  place() {
    if (!this.mark) return;
    const { card, mark, picture: { canvas, layout, scene } } = this;
    card.style.maxHeight = "";
    const { left, top } = canvas.getBoundingClientRect();
    const onPage = (/** @type {Box} */ [x, y, across, down]) => new DOMRect(left + x, top + y, across, down);
    const titled = (/** @type {Box} */ [x, y, across, down]) => onPage([x, y - TITLE, across, down + TITLE]);
    const [whole, room] = [mark.whole, mark.room].map(onPage);
    const [frame, words, ...settings] = [this.frame, this.words, ...this.side.children].map((element) => element.getBoundingClientRect());
    const actions = settings[settings.length - 1]; // often the only thing in the lower part of the column
    const { width, height } = card.getBoundingClientRect();
    const [middle, level] = [whole.x + whole.width / 2, whole.y + whole.height / 2];
    const within = (/** @type {number} */ at, /** @type {number} */ size, /** @type {number} */ end) => Math.max(EDGE, Math.min(at, end - size - EDGE));
    const placeAt = (/** @type {number} */ x, /** @type {number} */ y, high = height) => new DOMRect(within(x, width, innerWidth), within(y, high, innerHeight), width, high);
    const places = [whole, room, frame, words].flatMap((around) => {
      const below = Math.min(height, innerHeight - around.bottom - APART - EDGE);
      const above = Math.min(height, around.top - APART - EDGE); // the rest is scrolled
      return [
        placeAt(around.right + APART, level - height / 2),
        placeAt(around.left - APART - width, level - height / 2),
        ...(below >= Math.min(height, LEAST) ? [placeAt(middle - width / 2, around.bottom + APART, below)] : []),
        ...(above >= Math.min(height, LEAST) ? [placeAt(middle - width / 2, around.top - APART - above, above)] : []),
      ];
    });
    places.push(placeAt(actions.right - width, Math.min(actions.y, words.y) - APART - height));
    /** @type {[DOMRect, number][]} what a card had better not cover, and how much that matters */
    const covered = Object.entries(layout.panels).map(([name, { box }]) => [titled(box), scene?.stage.panels[name].hero ? 30 : 6]);
    covered.push([whole, 1000], [room, 4], [words, 30], ...settings.map((box) => /** @type {[DOMRect, number]} */ ([box, 12])), [new DOMRect(frame.x, 0, frame.width, Math.max(0, frame.y)), 4]);
    const cost = (/** @type {DOMRect} */ at) =>
      covered.reduce((sum, [box, weight]) => sum + weight * shared(at, box), 12 * width * (height - at.height))
      + 20 * Math.hypot(at.x + width / 2 - middle, at.y + at.height / 2 - level);
    const best = places.reduce((one, other) => (cost(other) < cost(one) ? other : one));
    Object.assign(card.style, { left: `${best.x}px`, top: `${best.y}px`, maxHeight: `${best.height}px` });
  }
}

// Return the area that two boxes share.
/** @param {DOMRect} one @param {DOMRect} other */
function shared(one, other) {
  const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return Math.max(across, 0) * Math.max(down, 0);
}

/** @param {Mark | null | undefined} one @param {Mark | null | undefined} other */
const isSame = (one, other) => Boolean(one && other) && ["panel", "layer", "row", "column"].every((key) => one?.[key] === other?.[key]);

// Return an element with `text`, in which `$…$` is a formula. If the class name contains "formula", all of it is one.
/** @param {"span" | "p"} tag @param {string} className @param {string} text */
function inFormulas(tag, className, text) {
  const element = make(tag, { className });
  if (className.includes("formula")) element.append(...formula(text));
  else text.split("$").forEach((part, i) => element.append(...(i % 2 ? [make("span", { className: "formula" }, ...formula(part))] : [part])));
  return element;
}

// Return the parts of a formula: names of functions are upright (the font slants all other letters), `_{…}` is a
// subscript and `^{…}` a superscript.
/** @param {string} text @returns {(string | HTMLElement)[]} */
function formula(text) {
  return text.split(/([_^]\{[^}]*\})/).flatMap((part) => {
    if (/^[_^]\{/.test(part)) return [make(part[0] === "_" ? "sub" : "sup", {}, ...formula(part.slice(2, -1)))];
    return part.split(FUNCTIONS).flatMap((words, i) => (i % 2 ? [make("span", { className: "upright" }, words)] : rooted(words))).filter((words) => words !== "");
  });
}

// Return the parts of a text, its roots in MathML: the sign in a font would end before the number under it.
/** @param {string} text @returns {(string | HTMLElement)[]} */
const rooted = (text) => text.split(/√(\w+)/).map((words, i) => (i % 2 ? make("span", { innerHTML: `<math><msqrt><mtext>${words}</mtext></msqrt></math>` }) : words));

/** @param {number} at @param {number} length */
const modulo = (at, length) => ((at % length) + length) % length;
