// Slides by reveal.js. Arrow keys, space, Page Up and Down, Home and End; N shows the notes, S opens a window with
// them, L opens the same slide in the other language, O shows all slides, F fills the screen.

import { startLessonPage } from "./lesson_page.js";

const CONTROLS = "input, select, textarea, button, canvas, summary, [tabindex]";
// Percent of the usual size of a slide's content, and of its pictures in it: those give way before words get small.
const down = (from, to) => Array.from({ length: (from - to) / 5 + 1 }, (_, i) => from - 5 * i);
const SIZES = [...down(190, 100).map((fill) => [fill, 100]), ...down(95, 30).map((picture) => [100, picture]), ...down(95, 60).map((fill) => [fill, 100])];
const LEAST_CODE = 0.82; // of its usual size, 22 px on a slide of 1280 × 720
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

// Make everything below the title as large as the slide allows, code and formulas at most as wide as it is. Code with
// lines that would be too small wraps.
function fill() {
  const slide = deck.getCurrentSlide();
  if (!slide) return;
  const parts = (names) => [...slide.querySelectorAll(names)];
  const groups = [parts(".source pre"), parts(".shown > pre"), ...parts(".formula").map((formula) => [formula])];
  slide.style.setProperty("--fill", "1");
  slide.classList.remove("wraps");
  slide.classList.add("natural");
  const room = (part) => (part.closest(".code") ?? part.parentElement).clientWidth;
  const owns = groups.map((group) => Math.min(...group.map((part) => room(part) / part.offsetWidth)));
  slide.classList.remove("natural");
  groups.forEach((group, i) => group.forEach((part) => part.style.setProperty("--own", String(Math.max(owns[i], LEAST_CODE)))));
  slide.classList.toggle("wraps", Math.min(owns[0], owns[1]) < LEAST_CODE);
  const wide = [slide, ...parts(".wide")];
  const fits = () => slide.scrollHeight <= slide.clientHeight && wide.every((part) => part.scrollWidth <= part.clientWidth + 1);
  for (const [fill, picture] of SIZES) {
    slide.style.setProperty("--fill", String(fill / 100));
    slide.style.setProperty("--picture", String(picture / 100));
    if (fits()) return;
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
document.fonts.addEventListener("loadingdone", fill);
