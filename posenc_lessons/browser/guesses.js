// The guesses of this page: what the reader picked, and whether its answer was seen.

import { guessKept, keepGuess, keepSettled } from "./learned.js";

/** Keep what the reader picks; the page's own script does so too, and says nothing where it cannot. */
export function watchGuesses() {
  for (const guess of guesses()) {
    radios(guess).forEach((button, choice) => {
      button.addEventListener("change", () => guessKept(guess) === String(choice) || keepGuess(guess, choice));
    });
  }
  // The sentence that tells a reader right from wrong is hidden until there is a pick.
  const watcher = new IntersectionObserver((seen) => {
    for (const { target, isIntersecting } of seen) if (isIntersecting) keepSettled(guessOf(target.closest("[data-guess]")));
  });
  for (const verdict of verdicts()) watcher.observe(verdict);
}

/** Show a pick that was kept. @param {string} guess @param {number} choice */
export function showPick(guess, choice) {
  const button = radios(guess)[choice];
  if (button) button.checked = true;
  button?.dispatchEvent(new Event("change"));
}

/** Show no pick. */
export function clearPicks() {
  for (const guess of guesses()) for (const button of radios(guess)) button.checked = false;
  for (const verdict of verdicts()) verdict.hidden = true;
}

function guesses() {
  return [...document.querySelectorAll(".posenc-guess[data-guess]")].map(guessOf);
}

/** @param {Element | null} element */
function guessOf(element) {
  return /** @type {HTMLElement} */ (element).dataset.guess ?? "";
}

/** @returns {HTMLInputElement[]} */
function radios(/** @type {string} */ guess) {
  return [.../** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll(`.posenc-guess input[name="${CSS.escape(guess)}"]`))];
}

function verdicts() {
  return [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".posenc-settled[data-guess] .guessed"))];
}
