// The guesses of this page: the reader's choices, and whether the answers were seen.

import { showVerdict } from "./guess.js";
import { guessKept, keepGuess, settled } from "./learned.js";

/** Keep the reader's choices, and note the answers that were seen. */
export function watchGuesses() {
  // The verdict, which says whether the guess was right, is empty until there is a choice.
  const watcher = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      const guess = guessOf(target.closest("[data-guess]"));
      if (!isIntersecting || !target.textContent || settled.has(guess)) continue;
      settled.add(guess);
      radios(guess).find(({ checked }) => checked)?.dispatchEvent(new Event("change")); // the question shows the verdict too
    }
  });
  for (const guess of guesses()) {
    const verdicts = document.querySelectorAll(`.posenc-settled[data-guess="${CSS.escape(guess)}"] .posenc-verdict`);
    const watch = () => verdicts.forEach((verdict) => (watcher.unobserve(verdict), watcher.observe(verdict)));
    radios(guess).forEach((button, choice) => {
      button.addEventListener("change", () => {
        if (guessKept(guess) !== String(choice)) keepGuess(guess, choice);
        watch(); // again, because one that was already in view has words only now
      });
    });
    watch();
  }
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
  for (const answer of answers()) showVerdict(answer, null);
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
  return [.../** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll(`.posenc-guess[data-guess="${CSS.escape(guess)}"] input`))];
}

function answers() {
  return document.querySelectorAll(".posenc-settled[data-guess]");
}
