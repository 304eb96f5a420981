// A lesson's page and its slides: sections that unfold, guesses.

import { all } from "./elements.js";
import { startGuess, showVerdict } from "./guess.js";
import { guessKept, keepGuess, settled } from "./learned.js";
import { showOnlyAskedCells } from "./only_cell.js";

export function startLessonPage() {
  addEventListener("hashchange", unfold);
  unfold();
  addEventListener("beforeprint", unfoldAll);
  if (!document.querySelector(".reveal")) startGuesses(); // many people read slides together
  showOnlyAskedCells();
  // Chromium draws boxes until the page's font has loaded, and does not always redraw them if a line began in another
  // font. Another value of a property that all text inherits makes it redraw them and changes hardly anything else; a
  // value that it had before would bring the boxes back. Slides load the font only when they are shown, after the page
  // was ready.
  const { style } = document.documentElement;
  const values = ["optimizeSpeed", "geometricPrecision", "optimizeLegibility"];
  const redraw = () => { style.textRendering = values.shift() ?? style.textRendering; };
  document.fonts.ready.then(redraw);
  document.fonts.addEventListener("loadingdone", redraw);
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

/** Give the guesses their buttons; the choice is kept, if this browser keeps anything, and judged when its answer was seen. */
function startGuesses() {
  for (const card of all(document, ".posenc-guess", HTMLElement)) {
    const name = String(card.dataset.guess);
    const answers = all(document, `.posenc-settled[data-guess="${CSS.escape(name)}"]`, HTMLElement);
    const kept = guessKept(name);
    const picked = kept === null ? null : Number(kept);
    const status = document.createElement("p");
    Object.assign(status, { className: "guess-kept", role: "status" });
    const items = all(card, "li", HTMLElement);
    answers[0]?.querySelectorAll("li").forEach(({ dataset }, at) => (items[at].dataset.right = dataset.right));
    const verdict = answers[0]?.querySelector(".posenc-verdict")?.cloneNode(true);
    const { toAnswer = "", toQuestion = "" } = document.body.dataset;
    const down = link(toAnswer, answers[0] ?? card, `answer-${name}`);
    card.append(status, ...(verdict ? [verdict, down] : []));
    answers[0]?.append(link(toQuestion, card, `guess-${name}`));
    const judge = (/** @type {number | null} */ choice) => {
      const seen = choice !== null && settled.has(name);
      card.classList.toggle("posenc-seen", seen);
      status.textContent = choice === null || seen ? "" : String(document.body.dataset.kept);
      down.hidden = choice === null;
      for (const judged of [card, ...answers]) showVerdict(judged, choice);
    };
    startGuess(card, {
      picked,
      pick: (choice) => {
        keepGuess(name, choice);
        judge(choice);
      },
    });
    judge(picked);
  }
}

/** Return a link to `target`, which gets the id `id`. @param {string} words @param {HTMLElement} target @param {string} id */
function link(words, target, id) {
  target.id = id;
  const element = document.createElement("a");
  return Object.assign(element, { textContent: words, href: `#${id}`, className: "guess-link" });
}
