// Slide through the stills of a picture; choose the language where a page has both.
for (const figure of document.querySelectorAll(".stills")) {
  const frames = [...figure.querySelectorAll(".frame")];
  const slider = figure.querySelector("input");
  const place = figure.querySelector("output");
  const show = () => {
    const chosen = frames[slider.value];
    for (const frame of frames) frame.hidden = frame !== chosen;
    place.value = chosen.dataset.place;
    slider.setAttribute("aria-valuetext", chosen.dataset.place);
  };
  slider.addEventListener("input", show);
  figure.querySelector(".slide").hidden = false;
  show(); // a page that is loaded again may keep the slider where it was
}
for (const choice of document.querySelectorAll(".languages input")) {
  const follow = () => {
    if (!choice.checked) return;
    document.body.classList.remove("only-zh", "only-en");
    if (choice.value !== "both") document.body.classList.add(`only-${choice.value}`);
  };
  choice.addEventListener("change", follow);
  follow();
}
// Chromium keeps boxes it drew before the font that comes along was there, where a line began in a font of the
// machine's. A property that all text inherits has it draw the words anew; it changes nothing else.
document.fonts.ready.then(() => { document.documentElement.style.textRendering = "optimizeLegibility"; });
