// A lesson's page and its slides: stills with a slider, the choice of a language, sections that unfold, guesses.

import { all, kept, one } from "./elements.js";
import { showOnlyAskedCells } from "./only_cell.js";

export function startLessonPage() {
  for (const figure of all(document, ".stills", HTMLElement)) if (figure.querySelector("input")) startStills(figure);
  startLanguages();
  addEventListener("hashchange", unfold);
  unfold();
  addEventListener("beforeprint", unfoldAll);
  for (const card of all(document, ".code .posenc-guess", HTMLElement)) startGuess(card);
  showOnlyAskedCells();
  // Chromium draws boxes until the page's font has loaded, and does not always redraw them if a line began in another
  // font. Setting a property that all text inherits makes it redraw them and changes nothing else.
  document.fonts.ready.then(() => { document.documentElement.style.textRendering = "optimizeLegibility"; });
}

/** @param {HTMLElement} figure */
function startStills(figure) {
  const frames = all(figure, ".frame", HTMLElement);
  const slider = one(figure, "input", HTMLInputElement);
  const place = one(figure, "output", HTMLOutputElement);
  const show = () => {
    const chosen = frames[slider.valueAsNumber];
    for (const frame of frames) frame.hidden = frame !== chosen;
    const where = String(chosen.dataset.place);
    place.value = where;
    slider.setAttribute("aria-valuetext", where);
  };
  slider.addEventListener("input", show);
  one(figure, ".slide", HTMLElement).hidden = false;
  show(); // a reloaded page may keep the slider's old value
}

/** Open a page in both languages in that of its address or, without one there, in the browser's. */
function startLanguages() {
  const inputs = all(document, ".languages input", HTMLInputElement);
  if (document.querySelector(".reveal")) return follow(inputs); // deck.js chooses the language of slides
  const wanted = new URLSearchParams(location.search).get("lang") ?? (navigator.language.startsWith("zh") ? "zh" : "en");
  for (const input of inputs) if (input.value === wanted) input.checked = true;
  follow(inputs);
}

/** @param {HTMLInputElement[]} inputs */
function follow(inputs) {
  for (const input of inputs) {
    const show = () => {
      if (!input.checked) return;
      document.body.classList.remove("only-zh", "only-en");
      if (input.value !== "both") document.body.classList.add(`only-${input.value}`);
    };
    input.addEventListener("change", show);
    show();
  }
}

/** Unfold everything around the place that the address names. */
function unfold() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  for (const fold of all(document, "details", HTMLDetailsElement)) if (fold.contains(target)) fold.open = true;
  if (target.closest(".deeper")) target.scrollIntoView();
}

/** Open all sections, hints and answers for printing. */
function unfoldAll() {
  for (const fold of all(document, "main details:not(.code > details)", HTMLDetailsElement)) fold.open = true;
}

/**
 * Give a guess its buttons. The reader's choice is kept, if this browser keeps anything, and shown below the evidence.
 * Guesses on slides have no buttons, because many people read them together.
 *
 * @param {HTMLElement} card
 */
function startGuess(card) {
  const guess = String(card.dataset.guess);
  const key = `posenc-lessons:guess:${guess}`;
  const settled = all(document, `.posenc-settled[data-guess="${guess}"]`, HTMLElement);
  const tell = (/** @type {number} */ picked) => {
    for (const answer of settled) {
      const right = answer.querySelectorAll("li")[picked].dataset.right === "1";
      for (const said of all(answer, ".guessed", HTMLElement)) {
        said.hidden = (said.dataset.when === "right") !== right;
        for (const letter of said.querySelectorAll(".letter")) letter.textContent = "ABCDEFGH"[picked];
      }
    }
  };
  card.setAttribute("role", "radiogroup");
  one(card, ".posenc-guess-asks", HTMLElement).id = `asks-${guess}`;
  card.setAttribute("aria-labelledby", `asks-${guess}`);
  const before = kept(() => localStorage.getItem(key));
  for (const [number, choice] of [...card.querySelectorAll("li")].entries()) {
    const label = document.createElement("label");
    const button = document.createElement("input");
    const words = document.createElement("div");
    Object.assign(button, { type: "radio", name: guess, checked: before === String(number) });
    words.append(...choice.childNodes);
    label.append(button, words);
    choice.append(label);
    button.addEventListener("change", () => {
      kept(() => localStorage.setItem(key, String(number)));
      tell(number);
    });
    if (button.checked) tell(number);
  }
}
