// Links a guess with its answer, which stands further down in the lesson.
import { say } from "./choice.js";
import { showCell } from "./links.js";

/** @import { NotebookPanel } from "@jupyterlab/notebook" */
/** @import { Language } from "./choice.js" */

// Cards, the metadata of the cell to which their link leads, and its words.
const LINKED = /** @type {const} */ ([
  [".posenc-guess", "settles", { zh: "↓ 看答案", en: "↓ To the answer" }],
  [".posenc-settled", "guess", { zh: "↑ 回到题目", en: "↑ Back to the question" }],
]);

/**
 * Give each question and each answer of a lesson its link, in the reader's language.
 *
 * @param {NotebookPanel} panel
 * @param {Language} language
 */
export function linkGuesses(panel, language) {
  for (const [cards, key, words] of LINKED)
    for (const card of /** @type {NodeListOf<HTMLElement>} */ (panel.content.node.querySelectorAll(cards))) {
      const link = card.querySelector(":scope > .posenc-way") ?? card.appendChild(document.createElement("button"));
      if (link.textContent === say(words, language)) continue;
      Object.assign(link, { className: "posenc-way", type: "button", textContent: say(words, language) });
      /** @type {HTMLElement} */ (link).onclick = () => {
        const cell = panel.content.widgets.find(({ model }) => (model.getMetadata(key)?.guess ?? model.getMetadata(key)) === card.dataset["guess"]);
        if (cell) void showCell(panel, cell);
      };
    }
}
