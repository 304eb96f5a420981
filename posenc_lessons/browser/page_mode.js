// The light in which a lesson's page is read now: the reader's choice, else what the system says.

const dark = matchMedia("(prefers-color-scheme: dark)");

/** @returns {string} light, dark or projector */
export function mode() {
  return document.documentElement.dataset.mode ?? (dark.matches ? "dark" : "light");
}

/** Call `then` whenever it has changed. @param {() => void} then */
export function whenModeChanges(then) {
  new MutationObserver(then).observe(document.documentElement, { attributeFilter: ["data-mode"] });
  dark.addEventListener("change", then);
}
