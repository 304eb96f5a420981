// Compares two texts line by line: removed lines (-), added lines (+), lines in both ( ).

/** @param {string} before @param {string} after @returns {[("-" | "+" | " "), string][]} */
export function difference(before, after) {
  const [a, b] = [before.split("\n"), after.split("\n")];
  // longest[i][j]: how many lines a[i…] and b[j…] have in common, in order
  const longest = Array.from({ length: a.length + 1 }, () => new Array(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      longest[i][j] = a[i] === b[j] ? longest[i + 1][j + 1] + 1 : Math.max(longest[i + 1][j], longest[i][j + 1]);
    }
  }
  /** @type {[("-" | "+" | " "), string][]} */
  const found = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      found.push([" ", a[i++]]);
      j++;
    } else if (j >= b.length || (i < a.length && longest[i + 1][j] >= longest[i][j + 1])) found.push(["-", a[i++]]);
    else found.push(["+", b[j++]]);
  }
  return found;
}
