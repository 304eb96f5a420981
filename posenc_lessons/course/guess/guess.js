// A guess, in JupyterLab and in exported pages: buttons for the lists that guess/__init__.py writes.

/**
 * The state that Python and the card in JupyterLab share.
 *
 * @typedef {object} Model
 * @property {(name: string) => any} get
 * @property {(name: string, value: unknown) => void} set
 * @property {() => void} save_changes
 * @property {(event: string, listener: () => void) => void} on
 * @property {(event: string, listener: () => void) => void} off
 */

/** @typedef {{ picked: number | null, locked?: boolean }} State which choice is made, and whether it is final */

/**
 * Give each choice of a card a radio button; `pick` is called when the reader chooses one. Return a function that
 * shows another state.
 *
 * @param {Element} card
 * @param {State & { pick: (choice: number) => void }} options
 * @returns {(state: State) => void}
 */
export function startGuess(card, { picked, locked = false, pick }) {
  // Radio buttons with the same name are one group in the whole page, which may show a card twice. A counter would
  // give two cards the same name, because each card in JupyterLab loads this module again.
  const group = `posenc-guess-${Math.random().toString(36).slice(2)}`;
  /** @type {State} */
  let state = { picked, locked };
  const buttons = [...card.querySelectorAll("li")].map((choice, number) => {
    const button = document.createElement("input");
    Object.assign(button, { type: "radio", name: group });
    button.setAttribute("data-lm-suppress-shortcuts", ""); // in JupyterLab, arrow keys do not move between cells
    const words = document.createElement("div");
    words.append(...choice.childNodes);
    const label = document.createElement("label");
    label.append(button, words);
    choice.append(label);
    button.addEventListener("change", () => {
      if (state.locked) return follow(state);
      state.picked = number;
      pick(number);
    });
    return button;
  });
  const follow = (/** @type {State} */ next) => {
    state = { ...next };
    for (const [number, button] of buttons.entries()) {
      button.checked = number === state.picked;
      button.setAttribute("aria-disabled", String(state.locked ?? false)); // not `disabled`, which loses the focus
    }
  };
  const question = card.querySelector(".posenc-guess-asks");
  if (question) question.id = group;
  card.setAttribute("role", "radiogroup");
  card.setAttribute("aria-labelledby", group);
  follow(state);
  return follow;
}

/**
 * Unfold an answer and say whether the choice was right; for null, fold it and say nothing.
 *
 * @param {Element} answer
 * @param {number | null} picked
 */
export function showVerdict(answer, picked) {
  for (const [number, item] of answer.querySelectorAll("li").entries()) item.classList.toggle("posenc-picked", number === picked);
  answer.querySelector("details")?.toggleAttribute("open", picked !== null);
  const choice = picked === null ? undefined : answer.querySelectorAll("li")[picked];
  /** @type {NodeListOf<HTMLElement>} */
  const verdict = answer.querySelectorAll(".posenc-verdict [data-right]");
  for (const words of verdict) {
    const text = choice?.dataset.right === "1" ? words.dataset.right : words.dataset.wrong;
    words.textContent = choice ? String(text).replace("{letter}", "ABCDEFGH"[Number(picked)]) : "";
  }
}

/**
 * Show the card in JupyterLab.
 *
 * @param {{ model: Model, el: HTMLElement }} view
 */
export function render({ model, el }) {
  el.innerHTML = `${model.get("card")}<div role="status" class="posenc-guess-status"></div>`;
  const [card, status] = el.children;
  const state = () => ({ picked: model.get("picked"), locked: model.get("locked") });
  const show = startGuess(card, {
    ...state(),
    pick: (choice) => {
      model.set("picked", choice);
      model.save_changes();
    },
  });
  const follow = () => {
    show(state());
    status.innerHTML = model.get("status");
  };
  const followed = ["change:picked", "change:locked", "change:status"];
  for (const event of followed) model.on(event, follow);
  follow();
  return () => {
    for (const event of followed) model.off(event, follow);
  };
}
