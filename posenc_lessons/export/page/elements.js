// Elements of a page, and the browser's memory, for the scripts of exported pages.

/**
 * Return the first element in `within` that `selector` finds, of that kind; the page was written with it.
 *
 * @template {HTMLElement} Kind
 * @param {ParentNode} within
 * @param {string} selector
 * @param {new () => Kind} kind
 */
export function one(within, selector, kind) {
  const found = within.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`this page lacks ${selector}`);
  return found;
}

/**
 * Return all elements in `within` that `selector` finds, of that kind.
 *
 * @template {HTMLElement} Kind
 * @param {ParentNode} within
 * @param {string} selector
 * @param {new () => Kind} kind
 * @returns {Kind[]}
 */
export function all(within, selector, kind) {
  return [...within.querySelectorAll(selector)].flatMap((found) => (found instanceof kind ? [found] : []));
}

/**
 * Return what `use` of the browser's memory gives; null where a page has none, as one opened from a file may.
 *
 * @template Value
 * @param {() => Value} use
 */
export function kept(use) {
  try {
    return use();
  } catch {
    return null;
  }
}

const STORED = "posenc-lessons"; // what the reader chose, which the explorers' page reads as well

/** Return the reader's choices, made here or on the explorers' page. @returns {Record<string, unknown>} */
export function choices() {
  const found = kept(() => JSON.parse(localStorage.getItem(STORED) ?? "{}"));
  return found && typeof found === "object" ? found : {};
}

/** Keep a choice of the reader's, if this browser keeps anything. @param {Record<string, string>} choice */
export function choose(choice) {
  kept(() => localStorage.setItem(STORED, JSON.stringify({ ...choices(), ...choice })));
}
