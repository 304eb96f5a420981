// Slides by reveal.js. Arrow keys, space, Page Up and Down, Home and End; N shows the notes, S opens a window with
// them, L changes the language, O shows all slides, F fills the screen.

import { startLessonPage } from "./lesson_page.js";

const CONTROLS = "input, select, textarea, button, canvas, summary, [tabindex]";
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
function words() {
  const notes = [...(deck.getCurrentSlide()?.querySelectorAll("aside.notes") ?? [])];
  return notes.flatMap((each) => [...each.cloneNode(true).childNodes]);
}

function tell() {
  said.replaceChildren(...words());
  if (!speaker || speaker.closed) return;
  speaker.document.body.className = document.body.className;
  speaker.document.body.replaceChildren(...words());
  speaker.scrollTo(0, 0);
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
  tell();
}

/** Show one language of a page in both: that of the link or, without one there, the browser's. */
function chooseLanguage(other) {
  const inputs = /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll(".languages input"));
  const choices = [...inputs].filter(({ value }) => value !== "both");
  if (!choices.length) return;
  const chosen = choices.find(({ checked }) => checked);
  const preferred = navigator.language.startsWith("zh") ? "zh" : "en";
  const next = choices.find((each) => (chosen && other ? each !== chosen : each.value === (chosen?.value ?? preferred)));
  if (!next) return;
  next.checked = true;
  next.dispatchEvent(new Event("change"));
  tell();
}

const said = document.createElement("div");
said.className = "said";
document.body.append(said);
for (const figure of document.querySelectorAll("figure")) figure.dataset.preventSwipe = "";
deck.addKeyBinding({ keyCode: 78, key: "N", description: "Notes" }, () => document.body.classList.toggle("with-notes"));
deck.addKeyBinding({ keyCode: 83, key: "S", description: "Notes in a window" }, openWindow);
deck.addKeyBinding({ keyCode: 76, key: "L", description: "Language" }, () => chooseLanguage(true));
Object.assign(globalThis, { deck }); // so that a console and other scripts can use it
deck.initialize().then(() => chooseLanguage(false)).then(tell);
deck.on("slidechanged", tell);
