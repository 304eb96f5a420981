// The theme in which a lesson's page is shown: the reader's choice or, without one, that of the system.

const dark = matchMedia("(prefers-color-scheme: dark)");

/** @returns {string} light, dark or projector */
export function mode() {
  return document.documentElement.dataset.mode ?? (dark.matches ? "dark" : "light");
}

/** Call `then` whenever the theme has changed. @param {() => void} then */
export function whenModeChanges(then) {
  new MutationObserver(then).observe(document.documentElement, { attributeFilter: ["data-mode"] });
  dark.addEventListener("change", then);
}
