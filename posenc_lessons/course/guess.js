// A guess in a notebook: the card of `question_html` in guess.py, with working buttons.

/** @typedef {{ zh: string, en: string }} Words */

/**
 * The state that Python and the card share.
 *
 * @typedef {object} Model
 * @property {(name: string) => any} get
 * @property {(name: string, value: unknown) => void} set
 * @property {() => void} save_changes
 * @property {(event: string, listener: () => void) => void} on
 * @property {(event: string, listener: () => void) => void} off
 */

/**
 * Make an element.
 *
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, string>} attributes
 * @param {(Node | string)[]} children
 */
function made(name, attributes = {}, children = []) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/**
 * Make a block for each language of `text`, so that the page's switch can hide one. Code is in backticks.
 *
 * @param {Words} text
 */
function spoken(text) {
  return Object.entries(text).map(([lang, words]) =>
    made("div", { lang }, words.split("`").map((part, place) => (place % 2 ? made("code", {}, [part]) : part))));
}

/** @param {{ model: Model, el: HTMLElement }} view */
function render({ model, el }) {
  // Radio buttons with the same name are one group in the whole page. A counter would give two cards the same name,
  // because each card loads this module again.
  const group = `posenc-guess-${Math.random().toString(36).slice(2)}`;
  const asks = made("div", { id: group, class: "posenc-guess-asks" }, spoken(model.get("asks")));
  const own = { "data-lm-suppress-shortcuts": "" }; // arrow keys choose an answer and do not move between cells
  /** @type {Words[]} */
  const offered = model.get("choices");
  const buttons = offered.map(() => made("input", { type: "radio", name: group, ...own }));
  const choices = offered.map((says, number) =>
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
      button.setAttribute("aria-disabled", model.get("locked")); // not `disabled`, which would lose the focus
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
