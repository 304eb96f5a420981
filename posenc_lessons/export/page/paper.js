// What is wider than the page gets smaller letters: formulas and tables cannot go on in the next line.
document.fonts.ready.then(() => {
  for (const box of document.querySelectorAll(".formula, .wide")) {
    const ratio = box.clientWidth / box.scrollWidth;
    if (ratio < 1) box.style.fontSize = `${Math.floor(ratio * 97)}%`;
  }
});
