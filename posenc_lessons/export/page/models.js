// The table of models: the reader sorts by columns, and chooses rows by menus and by name. Without this script, all
// rows are shown.

import { all, one } from "./elements.js";

export function startModels() {
  const page = document.querySelector(".models");
  if (!(page instanceof HTMLElement)) return;
  const form = one(page, "form", HTMLFormElement);
  const body = one(page, "tbody", HTMLTableSectionElement);
  const rows = all(body, "tr", HTMLTableRowElement);
  const heads = all(page, "thead th", HTMLTableCellElement);

  const choose = () => {
    const wanted = [...new FormData(form)].map(([column, value]) => /** @type {[number, string]} */ ([Number(column), String(value).trim()]));
    const fits = (/** @type {HTMLTableRowElement} */ { cells }) => wanted.every(([column, value]) => !value || (column === 0 ? words(cells[0]).includes(value.toLowerCase()) : words(cells[column]) === value));
    for (const row of rows) row.hidden = !fits(row);
    const output = one(form, "output", HTMLOutputElement);
    const shown = rows.filter(({ hidden }) => !hidden).length;
    output.textContent = String(output.dataset.said).replace("{n}", String(shown)).replace("{all}", String(rows.length));
    one(form, "button", HTMLButtonElement).hidden = wanted.every(([, value]) => !value);
  };

  /** Sort by a column; the second time in reverse order. Rows without a value come last. @param {number} column */
  const sort = (column) => {
    const down = heads[column].ariaSort === "ascending";
    for (const [at, head] of heads.entries()) head.ariaSort = at === column ? (down ? "descending" : "ascending") : null;
    const order = (/** @type {HTMLTableRowElement} */ { cells }) => Number(cells[column].dataset.order ?? 0);
    const compared = (/** @type {HTMLTableRowElement} */ a, /** @type {HTMLTableRowElement} */ b) =>
      order(a) - order(b) || words(a.cells[column]).localeCompare(words(b.cells[column]), document.documentElement.lang, { numeric: true });
    const empty = (/** @type {HTMLTableRowElement} */ { cells }) => Number(words(cells[column]) === "–");
    body.append(...rows.sort((a, b) => empty(a) - empty(b) || (down ? -compared(a, b) : compared(a, b))));
  };

  for (const [column, head] of heads.entries()) {
    const button = document.createElement("button");
    const name = one(head, "span", HTMLElement);
    button.type = "button";
    button.className = "sort";
    button.addEventListener("click", () => sort(column));
    name.replaceWith(button);
    button.append(...name.childNodes);
  }
  form.addEventListener("input", choose);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(choose));
  form.hidden = false;
  choose();
}

/** @param {HTMLTableCellElement} cell */
const words = (cell) => (cell.textContent ?? "").trim();
