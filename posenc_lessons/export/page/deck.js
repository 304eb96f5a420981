// Slides by reveal.js. Arrow keys, space, Page Up and Down, Home and End; N shows the notes, S opens a window with
// them, L opens the same slide in the other language, O shows all slides, F fills the screen.

import { startLessonPage } from "./lesson_page.js";

const CONTROLS = "input, select, textarea, button, canvas, summary, [tabindex]";
const [SMALLEST, USUAL, LARGEST] = [85, 100, 160]; // percent of the size of a slide's content
startLessonPage();
/** @type {any} */
const Reveal = /** @type {any} */ (globalThis).Reveal; // reveal.js
const deck = new Reveal(document.querySelector(".reveal"), {
  disableLayout: true, // deck.css scales the slides, so that explorers get correct places of the pointer
  display: "flex",
  hash: true,
  controlsTutorial: false,
  slideNumber: "c/t",
  transition: "none",
  // An explorer's own keys move its sliders.
  keyboardCondition: (event) => !event.composedPath()[0].matches?.(CONTROLS),
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

// Make everything but the headings of the present slide as large as the slide allows. Code wraps if it must.
function fill() {
  const slide = deck.getCurrentSlide();
  if (!slide) return;
  const wide = [slide, ...slide.querySelectorAll("pre, .wide, .formula")];
  for (const least of [USUAL, SMALLEST]) {
    slide.classList.toggle("wraps", least < USUAL);
    for (let percent = LARGEST; percent >= least; percent -= 5) {
      slide.style.setProperty("--fill", String(percent / 100));
      if (slide.scrollHeight <= slide.clientHeight && wide.every((part) => part.scrollWidth <= part.clientWidth + 1)) return;
    }
  }
}

function show() {
  fill();
  showNotes();
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
addEventListener("resize", () => (scale(), fill()));
const below = document.createElement("div");
below.className = "said";
document.body.append(below);
for (const figure of document.querySelectorAll("figure")) figure.dataset.preventSwipe = "";
deck.addKeyBinding({ keyCode: 78, key: "N", description: "Notes" }, () => document.body.classList.toggle("with-notes"));
deck.addKeyBinding({ keyCode: 83, key: "S", description: "Notes in a window" }, openWindow);
deck.addKeyBinding({ keyCode: 76, key: "L", description: "Language" }, openOtherLanguage);
Object.assign(globalThis, { deck }); // so that a console and other scripts can use it
deck.initialize().then(show);
deck.on("slidechanged", show);
document.fonts.ready.then(fill);
