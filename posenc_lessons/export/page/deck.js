// Slides by reveal.js. Arrow keys, space, Page Up and Down, Home and End; N shows the notes, S opens a window with
// them, L opens the same slide in the other language, O shows all slides, F fills the screen.

import { startLessonPage } from "./lesson_page.js";
import { layOut } from "./slide_layout.js";
import { SlidePicture } from "./slide_picture.js";

const CONTROLS = "input, select, textarea, canvas, [tabindex]";
// A lecture goes on with the arrow keys after the pointer has moved one of these.
const MOVED = "canvas, input[type=range], input[type=checkbox], [tabindex]:not([contenteditable])";
if (location.search.includes("print-pdf")) location.replace(location.href.replace(location.search, "")); // deck.css prints
startLessonPage();
/** @type {any} */
const Reveal = /** @type {any} */ (globalThis).Reveal; // reveal.js
const reveal = /** @type {HTMLElement} */ (document.querySelector(".reveal"));
const deck = new Reveal(reveal, {
  disableLayout: true, // deck.css scales the slides, so that explorers get correct places of the pointer
  display: "flex",
  navigationMode: "linear",
  hash: true,
  fragmentInURL: true,
  controlsTutorial: false,
  slideNumber: "c/t",
  transition: "none",
  // A button uses only the space bar and Enter; other controls, as sliders, use all keys.
  keyboardCondition: (event) => {
    const control = event.composedPath()[0];
    return control.matches?.("button, summary") ? ![" ", "Enter"].includes(event.key) : !control.matches?.(CONTROLS);
  },
});
/** @type {Window | null} */
let speaker = null;
let opened = 0; // when the speaker's window was, in milliseconds

/** Return copies of the notes to the present slide. @returns {Node[]} */
function notes() {
  const asides = [...(deck.getCurrentSlide()?.querySelectorAll("aside.notes") ?? [])];
  return asides.flatMap((aside) => [...aside.cloneNode(true).childNodes]);
}

function showNotes() {
  below.replaceChildren(...notes());
  if (!speaker || speaker.closed) return;
  const next = deck.getSlides()[deck.getSlidePastCount() + 1];
  const parts = ["clock", "now-and-next", "spoken"].map((className) => Object.assign(document.createElement("div"), { className }));
  parts[1].append(small(deck.getCurrentSlide()), ...(next ? [small(next)] : []));
  parts[2].append(...notes());
  speaker.document.body.replaceChildren(...parts);
  speaker.scrollTo(0, 0);
  showClock();
}

/** Return a small copy of a slide as it is now. @param {HTMLElement} slide */
function small(slide) {
  const around = document.createElement("div"), slides = document.createElement("div"), copy = /** @type {HTMLElement} */ (slide.cloneNode(true));
  around.className = "small reveal";
  slides.className = "slides";
  const canvases = slide.querySelectorAll("canvas");
  copy.querySelectorAll("canvas").forEach((canvas, i) => canvas.replaceWith(Object.assign(document.createElement("img"), { src: canvases[i].toDataURL() })));
  copy.querySelectorAll("aside").forEach((aside) => aside.remove());
  copy.hidden = false;
  if (slide.parentElement?.previousElementSibling) slides.append(document.createElement("i")); // deck.css knows the cover by its being first
  slides.append(copy);
  around.append(slides);
  return around;
}

/** Show the number of the slide, the time of day and the minutes since the window was opened. */
function showClock() {
  const line = speaker && !speaker.closed && speaker.document.querySelector(".clock");
  if (!line) return;
  const minutes = Math.floor((Date.now() - opened) / 60_000), time = new Date().toTimeString().slice(0, 5);
  line.textContent = `${deck.getSlidePastCount() + 1} / ${deck.getTotalSlides()} · ${time} · ${minutes} min`;
}

/** Return a span of nodes that appears at step ``order`` of its slide. @param {number} order @param {(Node | string)[]} nodes */
function step(order, ...nodes) {
  const span = document.createElement("span");
  span.className = "fragment";
  span.dataset.fragmentIndex = String(order);
  span.append(...nodes);
  return span;
}

// What a slide says appears step by step: lines and items after the first, results after their code, and of the
// answer to a guess one reason at a time: why each wrong choice is tempting, and at the end why the right one is right.
function setSteps() {
  for (const slide of document.querySelectorAll(".reveal section:not(:has(section, .imprint))")) {
    [...lines(slide)].slice(1).forEach((line) => line.classList.add("fragment"));
    if (slide.querySelector(".picture, img")) slide.querySelectorAll(".md > ul").forEach((list) => list.classList.add("told"));
  }
  for (const result of document.querySelectorAll(".reveal .source + .shown")) result.classList.add("fragment");
  for (const { figure, last } of pictures) {
    const slide = /** @type {Element} */ (figure.closest("section")), steps = slide.querySelectorAll(".fragment").length;
    for (let more = steps + 1; more < last; more++) { // states that no words have
      figure.append(Object.assign(document.createElement("span"), { className: "fragment" }));
    }
  }
  for (const question of document.querySelectorAll(".reveal .asks")) askFirst(/** @type {Element} */ (question.closest("section")), question);
  // The number of a question is that of the lesson, whose slides may leave one out.
  for (const question of document.querySelectorAll(".reveal :is(.posenc-guess-asks, .posenc-settled > div:first-child)")) {
    const words = /** @type {Text} */ (document.createTreeWalker(question, NodeFilter.SHOW_TEXT).nextNode());
    words.data = words.data.trimStart().replace(/^\d+ · /, "").replace(/^(a(?= )|[a-z](?=[a-z]))/, (first) => first.toUpperCase());
  }
  for (const fold of document.querySelectorAll(".reveal .posenc-settled details")) {
    const choices = /** @type {NodeListOf<HTMLElement>} */ (fold.querySelectorAll("li")), reasons = document.createElement("div");
    reasons.className = "reasons";
    [...choices].sort((a, b) => Number(a.dataset.right) - Number(b.dataset.right)).forEach((choice, order) => {
      const words = /** @type {Element} */ (choice.firstElementChild), [mark, name, , ...why] = words.childNodes;
      words.replaceChildren(name, step(order, " ", mark));
      reasons.append(step(order, `${"ABCDEF"[[...choices].indexOf(choice)]} ${mark.textContent} `, ...why));
    });
    fold.replaceWith(...fold.querySelectorAll("ol"), reasons);
  }
}

/** Let a question stand as the title until the last step of its slide. @param {Element} slide @param {Element} question */
function askFirst(slide, question) {
  const steps = /** @type {NodeListOf<HTMLElement>} */ (slide.querySelectorAll(".fragment"));
  steps.forEach((part, order) => (part.dataset.fragmentIndex = String(order)));
  for (const title of [question, /** @type {Element} */ (question.previousElementSibling)]) {
    title.classList.add("fragment", ...(title === question ? ["fade-out"] : []));
    /** @type {HTMLElement} */ (title).dataset.fragmentIndex = String(steps.length);
  }
}

/** Give each number of a table its share of the largest: the length of its bar, or the strength of its cell's colour. A bar of the whole length is 1 or more; negative numbers have no bar. */
function drawNumbers(/** @type {Element} */ table) {
  const asBars = table.closest(".bars") !== null;
  const cells = /** @type {NodeListOf<HTMLElement>} */ (table.querySelectorAll("td:not(:first-child)"));
  const numbers = [...cells].map((cell) => (cell.textContent?.trim() ? Number(cell.textContent.replace("−", "-")) : NaN));
  const isDrawn = (/** @type {number} */ number) => (asBars ? number >= 0 : Number.isFinite(number));
  table.classList.toggle("signed", numbers.some((number) => number < 0));
  const digits = Math.max(...[...cells].map(({ textContent }) => textContent?.length ?? 0));
  const largest = Math.max(asBars ? 1 : 0, ...numbers.filter(isDrawn).map(Math.abs)) || 1;
  for (const [i, number] of numbers.entries()) {
    if (!isDrawn(number)) continue;
    cells[i].style.cssText = `--share: ${Math.abs(number) / largest}; --digits: ${digits}`;
    cells[i].classList.toggle("negative", number < 0);
  }
}

// What a slide says; a title is no line of it. One flow appears box by box, and a table row by row; several appear one by one.
const lines = (slide) => slide.querySelectorAll(".md:not(:first-child) :is(li:not(.flow:not(:only-of-type) li), .flow:not(:only-of-type) ul, blockquote, .formula, :not(li, blockquote) > p:not(:has(> small:only-child)), tbody tr:not(.cells .wide:not(:only-of-type) tr), .cells .wide:not(:only-of-type))");

/** Let the picture of the present slide follow its steps. @param {(picture: SlidePicture, state: number) => void} follow */
function followSteps(follow) {
  const { f = -1 } = deck.getIndices(); // the last step that is shown
  for (const picture of pictures) if (deck.getCurrentSlide()?.contains(picture.figure)) follow(picture, f + 2);
}

function enterSlide() {
  showNotes();
  for (const picture of pictures) picture.stop();
  followSteps((picture, state) => {
    if (state === 1) picture.play(0, 1);
    else picture.show(state);
  });
}

function toggleNotes() {
  document.body.classList.toggle("with-notes");
  layOutSlides();
}

function openWindow() {
  speaker = window.open("", "", "width=900,height=700");
  if (!speaker) return;
  opened = Date.now();
  speaker.document.title = document.title;
  speaker.document.head.append(...[...document.querySelectorAll("head style")].map((style) => style.cloneNode(true)));
  speaker.document.documentElement.className = "speaker";
  speaker.document.documentElement.style.cssText = document.documentElement.style.cssText;
  speaker.addEventListener("keydown", (event) => {
    if (["ArrowRight", "PageDown", " "].includes(event.key)) deck.next();
    if (["ArrowLeft", "PageUp"].includes(event.key)) deck.prev();
  });
  showNotes();
}

function openOtherLanguage() {
  const { other } = /** @type {HTMLElement} */ (document.querySelector("main")).dataset;
  const { h, v = 0, f = -1 } = deck.getIndices(); // reveal.js writes the address with a delay
  if (other) location.assign(`${other}#/${h}/${v}${f < 0 ? "" : `/${f}`}`);
}

// Pictures and explorers are laid out for slides of 1280 × 720 and scale with the window, as the slides do.
const { dataset, style } = document.documentElement;
dataset.mode = "projector";
document.documentElement.classList.add("print-pdf"); // deck.css prints slides, not reveal.js
function scale() {
  style.setProperty("--scale", String(parseFloat(getComputedStyle(document.documentElement).fontSize) / 16));
}
const below = document.createElement("div");
below.className = "said";
document.body.append(below);
for (const figure of document.querySelectorAll("figure")) figure.dataset.preventSwipe = "";
deck.addKeyBinding({ keyCode: 78, key: "N", description: "Notes" }, toggleNotes);
deck.addKeyBinding({ keyCode: 83, key: "S", description: "Notes in a window" }, openWindow);
deck.addKeyBinding({ keyCode: 76, key: "L", description: "Language" }, openOtherLanguage);
Object.assign(globalThis, { deck }); // so that a console and other scripts can use it
document.querySelectorAll(":is(.bars, .cells) table").forEach(drawNumbers);
const pictures = [...document.querySelectorAll("figure.picture")].map((figure) => new SlidePicture(/** @type {HTMLElement} */ (figure)));
setSteps();
/** @type {Map<Element, number>} */
const shapes = new Map(pictures.map(({ figure, shape }) => [figure, shape]));
function layOutSlides() {
  scale();
  reveal.classList.add("measuring"); // all slides are displayed, and none is seen
  layOut(reveal, (picture) => (picture instanceof HTMLImageElement ? picture.naturalWidth / picture.naturalHeight : (shapes.get(picture) ?? 1)));
  for (const picture of pictures) picture.fit();
  reveal.classList.remove("measuring");
}
layOutSlides();
addEventListener("resize", layOutSlides);
addEventListener("beforeprint", () => pictures.forEach((picture) => picture.finish()));
addEventListener("pointerup", () => {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  if (focused instanceof HTMLElement && focused.matches(MOVED)) focused.blur();
});
// Letters have their widths when fonts have loaded, also those of slides that are not shown yet.
Promise.all([...[...document.fonts].map((face) => face.load()), ...[...document.images].map((image) => image.decode())]).then(() => {
  layOutSlides();
  reveal.dataset.laidOut = "";
});
setInterval(showClock, 10_000);
deck.initialize().then(enterSlide);
deck.on("slidechanged", enterSlide);
deck.on("overviewshown", () => pictures.forEach((picture) => picture.finish()));
deck.on("overviewhidden", () => { for (const picture of pictures) picture.show(0); enterSlide(); });
deck.on("fragmentshown", () => {
  followSteps((picture, state) => picture.play(state - 1, state));
  showNotes();
});
deck.on("fragmenthidden", () => {
  followSteps((picture, state) => picture.show(state));
  showNotes();
});
