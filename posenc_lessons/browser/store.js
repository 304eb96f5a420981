// What this browser keeps for the reader, as text by name. A browser may keep nothing: it is forbidden, or full. Then
// the page has it until it is closed.

const BEGINNING = "posenc-lessons:";

/** @type {Map<string, string>} */
const unkept = new Map(); // what only the page has

/** Called when something could not be kept. @type {Set<() => void>} */
export const refused = new Set();

/** @param {string} name @returns {string | null} */
export function read(name) {
  return unkept.get(name) ?? attempt(() => localStorage.getItem(BEGINNING + name));
}

/** Keep `text`; false where this browser does not. @param {string} name @param {string} text */
export function keep(name, text) {
  const kept = attempt(() => (localStorage.setItem(BEGINNING + name, text), true)) ?? false;
  if (kept) unkept.delete(name);
  else {
    unkept.set(name, text);
    for (const hear of refused) hear();
  }
  return kept;
}

/** @param {string} name */
export function forget(name) {
  unkept.delete(name);
  attempt(() => localStorage.removeItem(BEGINNING + name));
}

/** Return what is kept under names that begin with `beginning`: the rest of each name, and its text. @param {string} beginning @returns {[string, string][]} */
export function kept(beginning) {
  const all = attempt(() => Object.entries(localStorage)) ?? [];
  const own = all.filter(([name]) => name.startsWith(BEGINNING)).map(([name, text]) => /** @type {[string, string]} */ ([name.slice(BEGINNING.length), text]));
  const found = new Map([...own, ...unkept]);
  return [...found].filter(([name]) => name.startsWith(beginning)).map(([name, text]) => [name.slice(beginning.length), text]);
}

/** Call `then` when another tab has changed `name`, or what `name` begins. @param {string} name @param {(name: string) => void} then */
export function whenChangedElsewhere(name, then) {
  addEventListener("storage", ({ key }) => {
    if (key?.startsWith(BEGINNING + name)) then(key.slice(BEGINNING.length));
  });
}

/**
 * What `use` gives; null where it fails.
 *
 * @template Value
 * @param {() => Value} use
 */
export function attempt(use) {
  try {
    return use();
  } catch {
    return null;
  }
}
