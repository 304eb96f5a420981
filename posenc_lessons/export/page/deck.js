// Slides by reveal.js. Arrow keys, space, Page Up and Down, Home and End; N shows the notes, S opens a window with
// them, L opens the same slide in the other language, O shows all slides, F fills the screen.

import { startLessonPage } from "./lesson_page.js";

const CONTROLS = "input, select, textarea, canvas, [tabindex]";
startLessonPage();
/** @type {any} */
const Reveal = /** @type {any} */ (globalThis).Reveal; // reveal.js
const deck = new Reveal(document.querySelector(".reveal"), {
  disableLayout: true, // deck.css scales the slides, so that explorers get correct places of the pointer
  display: "flex",
  navigationMode: "linear",
  hash: true,
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

/** Return copies of the notes to the present slide. @returns {Node[]} */
function notes() {
  const asides = [...(deck.getCurrentSlide()?.querySelectorAll("aside.notes") ?? [])];
  return asides.flatMap((aside) => [...aside.cloneNode(true).childNodes]);
}

function showNotes() {
  below.replaceChildren(...notes());
  if (!speaker || speaker.closed) return;
  speaker.document.body.replaceChildren(...notes());
  speaker.scrollTo(0, 0);
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
// answer to a guess first why the right choice is right, then why the others are tempting.
function setSteps() {
  for (const slide of document.querySelectorAll(".reveal section:not(:has(section, .imprint))")) {
    [...lines(slide)].slice(1).forEach((line) => line.classList.add("fragment"));
  }
  for (const result of document.querySelectorAll(".reveal .source + .shown")) result.classList.add("fragment");
  for (const fold of document.querySelectorAll(".reveal .posenc-settled details")) fold.replaceWith(...fold.querySelectorAll("ol"));
  for (const choice of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".reveal .posenc-settled li"))) {
    const words = /** @type {Element} */ (choice.firstElementChild), [mark, name, , ...why] = words.childNodes;
    const reason = document.createElement("div"), order = choice.dataset.right === "1" ? 0 : 1;
    reason.append(...why);
    words.replaceChildren(name, step(order, " ", mark), step(order, reason));
  }
}

// What a slide says; a title is no line of it.
const lines = (slide) => slide.querySelectorAll(".md:not(:first-child) :is(li, blockquote, .formula, :not(li, blockquote) > p, tbody tr)");

/** Put a picture beside the words of its slide: the more lines they have, the broader it may be. @param {HTMLImageElement} picture */
function place(picture) {
  const slide = /** @type {Element} */ (picture.closest("section")), count = lines(slide).length;
  slide.classList.toggle("beside", count > 0 && picture.naturalWidth < (1.2 + 0.15 * count) * picture.naturalHeight);
}

function openWindow() {
  speaker = window.open("", "", "width=900,height=700");
  if (!speaker) return;
  speaker.document.title = document.title;
  speaker.document.head.append(...[...document.querySelectorAll("head style")].map((style) => style.cloneNode(true)));
  speaker.document.documentElement.className = "speaker";
  speaker.addEventListener("keydown", (event) => {
    if (["ArrowRight", "PageDown", " "].includes(event.key)) deck.next();
    if (["ArrowLeft", "PageUp"].includes(event.key)) deck.prev();
  });
  showNotes();
}

function openOtherLanguage() {
  const { other } = /** @type {HTMLElement} */ (document.querySelector("main")).dataset;
  const { h, v } = deck.getIndices(); // reveal.js writes the address with a delay
  if (other) location.assign(`${other}#/${h}${v ? `/${v}` : ""}`);
}

// Explorers are laid out for 800 × 450 and scale with the window, as the slides do, so that their letters are large.
const { dataset, style } = document.documentElement;
dataset.mode = "projector";
const scale = () => style.setProperty("--zoom", String(Math.min(innerWidth / 800, innerHeight / 450)));
scale();
addEventListener("resize", scale);
const below = document.createElement("div");
below.className = "said";
document.body.append(below);
for (const figure of document.querySelectorAll("figure")) figure.dataset.preventSwipe = "";
deck.addKeyBinding({ keyCode: 78, key: "N", description: "Notes" }, () => document.body.classList.toggle("with-notes"));
deck.addKeyBinding({ keyCode: 83, key: "S", description: "Notes in a window" }, openWindow);
deck.addKeyBinding({ keyCode: 76, key: "L", description: "Language" }, openOtherLanguage);
Object.assign(globalThis, { deck }); // so that a console and other scripts can use it
setSteps();
for (const picture of document.images) picture.decode().then(() => place(picture));
deck.initialize().then(showNotes);
deck.on("slidechanged", showNotes);
