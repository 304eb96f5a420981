// Keeps texts by name in this browser. If the browser keeps nothing (storage is forbidden or full), they are kept in
// the page until it is closed.

const BEGINNING = "posenc-lessons:";

/** @type {Map<string, string>} */
const unkept = new Map(); // texts that only the page keeps

/** Functions called when the browser could not keep a text. @type {Set<() => void>} */
export const refused = new Set();

/** @param {string} name @returns {string | null} */
export function read(name) {
  return unkept.get(name) ?? attempt(() => localStorage.getItem(BEGINNING + name));
}

/** Keep `text`; return whether the browser could. @param {string} name @param {string} text */
export function keep(name, text) {
  const couldKeep = attempt(() => (localStorage.setItem(BEGINNING + name, text), true)) ?? false;
  if (couldKeep) unkept.delete(name);
  else {
    unkept.set(name, text);
    for (const hear of refused) hear();
  }
  return couldKeep;
}

/** @param {string} name */
export function forget(name) {
  unkept.delete(name);
  attempt(() => localStorage.removeItem(BEGINNING + name));
}

/** Return the texts whose names begin with `beginning`: the rest of each name, and the text. @param {string} beginning @returns {[string, string][]} */
export function textsUnder(beginning) {
  const all = attempt(() => Object.entries(localStorage)) ?? [];
  const own = all.filter(([name]) => name.startsWith(BEGINNING)).map(([name, text]) => /** @type {[string, string]} */ ([name.slice(BEGINNING.length), text]));
  const texts = new Map([...own, ...unkept]);
  return [...texts].filter(([name]) => name.startsWith(beginning)).map(([name, text]) => [name.slice(beginning.length), text]);
}

/** Call `then` when another tab has changed a text whose name begins with `name`. @param {string} name @param {(name: string) => void} then */
export function whenChangedElsewhere(name, then) {
  addEventListener("storage", ({ key }) => {
    if (key?.startsWith(BEGINNING + name)) then(key.slice(BEGINNING.length));
  });
}

/**
 * Return the result of `use`, or null if it throws.
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
