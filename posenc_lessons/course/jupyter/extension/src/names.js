// Shows the titles of lessons and questions in JupyterLab's list of files, in the reader's language.
import { heading } from "./headings.js";

/** @import { IDefaultFileBrowser } from "@jupyterlab/filebrowser" */
/** @import { Choice } from "./choice.js" */

const FOLDERS = { questions: "常见问题 · Questions", solutions: "练习答案 · Solutions" };

/**
 * Show titles instead of the names of the course's files; their tooltips have the names.
 *
 * @param {IDefaultFileBrowser} browser
 * @param {Choice} choice
 * @param {string} base the server's address
 */
export async function showTitles(browser, choice, base) {
  const answer = await fetch(`${base}posenc-lessons/titles`);
  if (!answer.ok) return; // this server knows no titles
  /** @type {Record<string, string | undefined>} */
  const titles = { ...FOLDERS, ...(await answer.json()) };
  const show = () => {
    const folder = browser.model.path.split("/").pop();
    for (const item of browser.node.querySelectorAll(".jp-DirListing-itemText")) {
      const title = titles[`${folder}/${item.textContent}`] ?? titles[item.textContent ?? ""];
      item.toggleAttribute("data-posenc-title", title !== undefined);
      if (title !== undefined) item.setAttribute("data-posenc-title", heading(title, choice.language));
    }
  };
  new MutationObserver(show).observe(browser.node, { childList: true, subtree: true, characterData: true });
  choice.subscribe(show);
  show();
}
