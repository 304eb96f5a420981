// A choice card in a notebook, as question_html in guess.py lays it out, its buttons alive.
function made(name, attributes = {}, children = []) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** A text by language, each in a block that the page's switch hides or shows; `code` stands in backticks. */
function spoken(text) {
  return Object.entries(text).map(([lang, words]) =>
    made("div", { lang }, words.split("`").map((part, place) => (place % 2 ? made("code", {}, [part]) : part))));
}

function render({ model, el }) {
  // Radio buttons of one name are one group in the whole page. Each card has this module to itself, and may be
  // shown twice, so counting would not tell them apart.
  const group = `posenc-guess-${Math.random().toString(36).slice(2)}`;
  const asks = made("div", { id: group, class: "posenc-guess-asks" }, spoken(model.get("asks")));
  const own = { "data-lm-suppress-shortcuts": "" }; // arrow keys choose, and do not walk between cells
  const buttons = model.get("choices").map(() => made("input", { type: "radio", name: group, ...own }));
  const choices = model.get("choices").map((says, number) =>
    made("li", {}, [made("label", {}, [buttons[number], made("div", {}, spoken(says))])]));
  const said = made("div", { role: "status", class: "posenc-guess-said" });
  const list = made("ol", { type: "A" }, choices);
  const card = made("div", { role: "radiogroup", "aria-labelledby": group, class: "posenc-guess" }, [asks, list]);
  el.replaceChildren(card, said);
  for (const [number, button] of buttons.entries())
    button.addEventListener("change", () => {
      if (model.get("locked")) return follow();
      model.set("picked", number);
      model.save_changes();
    });
  const follow = () => {
    for (const [number, button] of buttons.entries()) {
      button.checked = number === model.get("picked");
      button.setAttribute("aria-disabled", model.get("locked")); // not disabled: it may have the focus
    }
    said.replaceChildren(...spoken(model.get("said")));
  };
  for (const name of ["picked", "locked", "said"]) model.on(`change:${name}`, follow);
  follow();
  return () => {
    for (const name of ["picked", "locked", "said"]) model.off(`change:${name}`, follow);
  };
}

export default { render };
