// The lesson as a notebook with the reader's drafts in it, for JupyterLab.

/**
 * @typedef {{cell_type: "markdown", id: string, metadata: object, source: string}} Prose
 * @typedef {{cell_type: "code", id: string, metadata: object, source?: string}} Code its source where the page lacks it
 * @typedef {{cells: (Prose | Code)[], metadata: object, nbformat: number, nbformat_minor: number}} Rest of the notebook
 */

/** The text of the .ipynb. @param {Rest} rest @param {(cell: string) => string} codeOf a cell of the page */
export function notebookText(rest, codeOf) {
  const cells = rest.cells.map((cell) => (cell.cell_type === "code" ? { ...cell, execution_count: null, outputs: [], source: cell.source ?? codeOf(cell.id) } : cell));
  return `${JSON.stringify({ ...rest, cells }, null, 1)}\n`;
}
