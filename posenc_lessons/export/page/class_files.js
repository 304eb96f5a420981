// A learner's exported file: guesses and solved exercises, wherever in it they stand.

/** @typedef {{ name: string, guessed: Map<string, number>, solved: Set<string> }} Progress */

const DEEPEST = 6; // levels at which progress is looked for

/**
 * Read the file of JupyterLab (`progress.json`), or one that a lesson's page or the site has exported. The object with
 * `guessed` and `solved` may be the whole file, stand in it as `progress`, or once for each lesson; other keys are
 * passed over. `name`: of the learner, "" where the file says none.
 *
 * @param {string} text
 * @returns {Progress}
 */
export function readProgress(text) {
  /** @type {Progress} */
  const found = { name: "", guessed: new Map(), solved: new Set() };
  const whole = JSON.parse(text);
  if (!collect(whole, found, 0)) throw new Error("neither guesses nor solved exercises in it");
  if (typeof whole.name === "string") found.name = whole.name.trim().slice(0, 80);
  return found;
}

/** @param {any} value @param {Progress} found @param {number} level @returns {boolean} whether there was any progress */
function collect(value, found, level) {
  if (!value || typeof value !== "object" || level > DEEPEST) return false;
  let any = false;
  const guessed = value.guessed ?? value.guesses;
  if (guessed && typeof guessed === "object" && !Array.isArray(guessed)) {
    any = true;
    for (const [key, choice] of Object.entries(guessed)) if (Number.isInteger(choice)) found.guessed.set(key, choice);
  }
  if (Array.isArray(value.solved)) {
    any = true;
    for (const key of value.solved) if (typeof key === "string") found.solved.add(key);
  }
  for (const each of Object.values(value)) any = collect(each, found, level + 1) || any;
  return any;
}
