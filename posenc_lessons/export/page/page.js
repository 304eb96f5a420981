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
// The other language's page opens at the same section.
for (const link of document.querySelectorAll("a.other")) {
  link.addEventListener("click", () => { link.hash = location.hash; });
}
const wanted = new URLSearchParams(location.search).get("lang"); // a link may ask for one of a page's languages
for (const choice of document.querySelectorAll(".languages input")) {
  if (choice.value === wanted) choice.checked = true;
  const follow = () => {
    if (!choice.checked) return;
    document.body.classList.remove("only-zh", "only-en");
    if (choice.value !== "both") document.body.classList.add(`only-${choice.value}`);
  };
  choice.addEventListener("change", follow);
  follow();
}
// A deeper section opens for a link that leads into it, and on paper all of them do, with hints and answers.
const unfold = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let fold = target?.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  if (target?.closest(".deeper")) target.scrollIntoView();
};
addEventListener("hashchange", unfold);
unfold();
addEventListener("beforeprint", () => {
  for (const fold of document.querySelectorAll("main details:not(.contents, .code > details)")) fold.open = true;
});
// Guesses get buttons: what is picked is kept in this browser, if it keeps anything, and told where it is settled.
// Slides, which are shown to many, ask without.
for (const card of document.querySelectorAll(".code .posenc-guess")) {
  const { guess } = card.dataset;
  const key = `posenc-lessons:guess:${guess}`;
  const settled = document.querySelectorAll(`.posenc-settled[data-guess="${guess}"]`);
  const tell = (picked) => {
    for (const answer of settled) {
      const right = answer.querySelectorAll("li")[picked].dataset.right === "1";
      for (const said of answer.querySelectorAll(".guessed")) {
        said.hidden = (said.dataset.when === "right") !== right;
        for (const letter of said.querySelectorAll(".letter")) letter.textContent = "ABCDEFGH"[picked];
      }
    }
  };
  card.setAttribute("role", "radiogroup");
  card.querySelector(".posenc-guess-asks").id = `asks-${guess}`;
  card.setAttribute("aria-labelledby", `asks-${guess}`);
  const before = kept(() => localStorage.getItem(key));
  for (const [number, choice] of [...card.querySelectorAll("li")].entries()) {
    const [label, button, words] = ["label", "input", "div"].map((name) => document.createElement(name));
    Object.assign(button, { type: "radio", name: guess, checked: before === String(number) });
    words.append(...choice.childNodes);
    label.append(button, words);
    choice.append(label);
    button.addEventListener("change", () => {
      kept(() => localStorage.setItem(key, number));
      tell(number);
    });
    if (button.checked) tell(number);
  }
}
/** What `use` of the browser's memory gives; null where a page has none, as one that is opened as a file may. */
function kept(use) {
  try {
    return use();
  } catch {
    return null;
  }
}
// Chromium keeps boxes it drew before the font that comes along was there, where a line began in a font of the
// machine's. A property that all text inherits has it draw the words anew; it changes nothing else.
document.fonts.ready.then(() => { document.documentElement.style.textRendering = "optimizeLegibility"; });
