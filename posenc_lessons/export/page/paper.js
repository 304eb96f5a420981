// Shrink the letters of formulas and tables that are wider than the page: they cannot break into a second line.
document.fonts.ready.then(() => {
  for (const box of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".formula, .wide"))) {
    const ratio = box.clientWidth / box.scrollWidth;
    if (ratio < 1) box.style.fontSize = `${Math.floor(ratio * 97)}%`;
  }
});
