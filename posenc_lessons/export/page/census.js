// The table of models: the reader sorts by columns, and chooses rows by menus and by name. Without this script, all
// rows are shown.

import { all, one } from "./elements.js";

export function startCensus() {
  const page = document.querySelector(".census");
  if (page instanceof HTMLElement) new Census(page);
}

class Census {
  /** @param {HTMLElement} page */
  constructor(page) {
    this.form = one(page, "form", HTMLFormElement);
    const table = one(page, "table", HTMLTableElement); // of text models; the table of vision towers does not change
    this.body = one(table, "tbody", HTMLTableSectionElement);
    this.rows = all(this.body, "tr", HTMLTableRowElement);
    this.heads = all(table, "thead th", HTMLTableCellElement);
    this.heads.forEach((head, column) => this.makeSortable(head, column));
    this.form.hidden = false;
    this.form.addEventListener("input", () => this.choose());
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.form.addEventListener("reset", () => setTimeout(() => this.choose()));
    this.choose();
  }

  /** @param {HTMLTableCellElement} head @param {number} column */
  makeSortable(head, column) {
    const button = document.createElement("button");
    button.type = "button";
    button.title = head.dataset.sort ?? "";
    button.append(...head.childNodes);
    button.addEventListener("click", () => this.sort(head, column));
    head.append(button);
  }

  /** Sort by a column; the second time in reverse order. @param {HTMLTableCellElement} head @param {number} column */
  sort(head, column) {
    const down = head.ariaSort === "ascending";
    for (const each of this.heads) each.ariaSort = each === head ? (down ? "descending" : "ascending") : null;
    const language = document.documentElement.lang;
    this.rows.sort((one, other) => {
      const [a, b] = [one.cells[column], other.cells[column]];
      const way = Number(a.dataset.order ?? 0) - Number(b.dataset.order ?? 0) || said(a).localeCompare(said(b), language, { numeric: true });
      return down ? -way : way;
    });
    this.body.append(...this.rows);
  }

  choose() {
    const wanted = new FormData(this.form);
    const name = String(wanted.get("name") ?? "").trim().toLowerCase();
    let shown = 0;
    for (const row of this.rows) {
      const fits = this.heads.every((head, column) => {
        const value = column && wanted.get(head.dataset.key ?? "");
        return !value || (row.cells[column].dataset.values ?? "").split("|").includes(String(value));
      });
      row.hidden = !fits || !said(row.cells[0]).toLowerCase().includes(name);
      shown += row.hidden ? 0 : 1;
    }
    const output = one(this.form, "output", HTMLOutputElement);
    output.textContent = (output.dataset.said ?? "").replace("{n}", String(shown));
  }
}

/** @param {HTMLTableCellElement} cell */
const said = (cell) => (cell.textContent ?? "").trim();
