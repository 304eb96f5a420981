// Prepares a document for printing: opens its folds, and shrinks formulas and tables that are wider than the page.

for (const fold of document.querySelectorAll("details")) fold.open = true;
document.fonts.ready.then(() => {
  document.documentElement.style.textRendering = "optimizeLegibility"; // as in lesson_page.js
  for (const box of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".formula, .wide"))) {
    const ratio = box.clientWidth / box.scrollWidth;
    if (ratio < 1) box.style.fontSize = `${Math.floor(ratio * 97)}%`;
  }
});
