// Links a guess with its answer, which stands further down in the lesson.
import { NotebookActions } from "@jupyterlab/notebook";
import { say } from "./choice.js";
import { showCell } from "./links.js";

/** @import { Cell } from "@jupyterlab/cells" */
/** @import { NotebookPanel } from "@jupyterlab/notebook" */
/** @import { Language } from "./choice.js" */

/** Return the name of the guess that `cell` asks or answers. @param {Cell} cell */
const guessOf = ({ model }) => model.getMetadata("settles")?.guess ?? model.getMetadata("guess");

// Cards, the metadata of the cell to which their link leads, and its words.
const LINKED = /** @type {const} */ ([
  [".posenc-guess", "settles", { zh: "↓ 看答案", en: "↓ To the answer" }],
  [".posenc-settled", "guess", { zh: "↑ 回到题目", en: "↑ Back to the question" }],
]);

/**
 * Give each question and each answer of a lesson its link, in the reader's language. An answer runs when the reader
 * goes to it, so that it says whether the guess was right.
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
        const { content, sessionContext } = panel;
        const from = content.widgets.find(({ node }) => node.contains(card)); // a card that has not run has no name
        const to = content.widgets.find((cell) => from && cell.model.getMetadata(key) && guessOf(cell) === guessOf(from));
        if (!to) return;
        if (key === "settles") void NotebookActions.runCells(content, [to], sessionContext);
        void showCell(panel, to);
      };
    }
}
