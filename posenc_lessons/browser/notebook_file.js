// Writes the lesson as a notebook for JupyterLab, with the reader's drafts.

/**
 * @typedef {{cell_type: "markdown", id: string, metadata: object, source: string}} Prose
 * @typedef {{cell_type: "code", id: string, metadata: object, source?: string}} Code `source` only if the page does not have it
 * @typedef {{cells: (Prose | Code)[], metadata: object, nbformat: number, nbformat_minor: number}} Rest of the notebook
 */

/** Return the text of the .ipynb file. @param {Rest} rest @param {(cell: string) => string} codeOf returns a cell's code */
export function notebookText(rest, codeOf) {
  const cells = rest.cells.map((cell) => (cell.cell_type === "code" ? { ...cell, execution_count: null, outputs: [], source: cell.source ?? codeOf(cell.id) } : cell));
  return `${JSON.stringify({ ...rest, cells }, null, 1)}\n`;
}
