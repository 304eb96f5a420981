// The guesses of this page: the reader's choices, and whether the answers were seen.

import { guessKept, keepGuess, keepSettled } from "./learned.js";

/** Keep the reader's choices, and note the answers that were seen. */
export function watchGuesses() {
  for (const guess of guesses()) {
    radios(guess).forEach((button, choice) => {
      button.addEventListener("change", () => guessKept(guess) === String(choice) || keepGuess(guess, choice));
    });
  }
  // The sentence that says whether the guess was right is hidden until there is a choice.
  const watcher = new IntersectionObserver((seen) => {
    for (const { target, isIntersecting } of seen) if (isIntersecting) keepSettled(guessOf(target.closest("[data-guess]")));
  });
  for (const verdict of verdicts()) watcher.observe(verdict);
}

/** Show a choice that was kept. @param {string} guess @param {number} choice */
export function showPick(guess, choice) {
  const button = radios(guess)[choice];
  if (button) button.checked = true;
  button?.dispatchEvent(new Event("change"));
}

/** Show that nothing is chosen. */
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
