// Search through the lessons. An English word matches itself, words that it begins, and words with the same long
// beginning: rotating finds rotate and rotary. Chinese has no spaces: a run of Chinese characters matches as a whole or,
// with a lower score, by its pairs of neighbours.

/** @typedef {{ page: string, title: string, heading: string, text: string }} Entry */
/** @typedef {{ text: string, words: Set<string>, weight: number }} Field of an entry */
/** @typedef {[piece: string, found: boolean]} Piece of a sentence */

const TITLE = 9, HEADING = 5; // the weight of a word there; in the text it is 1
const BEGINS = 0.8, ALIKE = 0.7; // the quality of a match that is not exact
const PAIRS = 0.6; // least share of a Chinese run's pairs that a text must have
const LESSON = 1.3, SOLUTION = 0.5, MISTAKE = 0.7; // a lesson comes first, a solution last; bug clinics do not introduce
const CONTEXT = 60; // characters shown before the first word found in a sentence
const PIECES = /[\p{Script=Latin}\p{Script=Greek}\p{N}]+|\p{Script=Han}+/gu;
const COMPOUND = /[a-z0-9]+(?:[-_'.][a-z0-9]+)+/g;
const HAN = /\p{Script=Han}/u;
const EMPTY = new Set(
  ("a an and are as at be by can did do does for from how i if in into is it its my of on or s should so t that the " +
    "their them then there this to was we what when where which who why will with you your").split(" "),
);
const EMPTY_HAN = /为什么|是什么|怎么样?|怎样|如何|什么|哪[个种里些]?|[的了吗呢吧啊么]/gu;

/** Return `text` without full-width forms, capitals, accents, a possessive 's. @param {string} text */
function plain(text) {
  return text.normalize("NFKC").toLowerCase().normalize("NFD").replace(/\p{M}|['’]s\b/gu, "").normalize("NFC");
}

/** Return how well a word of the index matches a word of a query, from 0 to 1. @param {string} word @param {string} query */
function likeness(word, query) {
  if (word === query) return 1;
  if (query.length > 1 && word.startsWith(query)) return BEGINS;
  let common = 0;
  while (common < word.length && word[common] === query[common]) common += 1;
  return common >= 4 && 2 * common >= Math.max(word.length, query.length) ? ALIKE : 0;
}

/** @param {string} run */
function pairs(run) {
  return run.length < 2 ? [run] : Array.from({ length: run.length - 1 }, (_, at) => run.slice(at, at + 2));
}

/** @param {Entry} entry @returns {Field[]} */
function fields({ title, heading, text }) {
  const weights = heading ? [HEADING / 4, HEADING, 1] : [TITLE, 0, 1]; // a title counts most for a page's beginning
  return [title, heading, text].map((source, at) => {
    const field = plain(source);
    const compounds = (field.match(COMPOUND) ?? []).map((compound) => compound.replace(/[^a-z0-9]/g, "")); // prenorm finds pre-norm
    const words = new Set([...(field.match(PIECES) ?? []), ...compounds]);
    return { text: field, words, weight: weights[at] / (at < 2 ? 1 + field.length / 60 : 1) };
  });
}

/** Return how well a field matches a part of the query, from 0 to 1. @param {Field} field @param {string} part */
function quality({ text, words }, part) {
  if (!HAN.test(part)) return Math.max(0, ...[...words].map((word) => likeness(word, part)));
  if (text.includes(part)) return words.has(part) ? 1 : BEGINS;
  const two = pairs(part);
  const share = two.filter((pair) => text.includes(pair)).length / two.length;
  const within = Math.max(0, ...[...words].filter((word) => word.length > 1 && part.includes(word)).map((word) => word.length)) / part.length;
  return Math.max(share < PAIRS ? 0 : share ** 2, within) / 2; // within: the title 外推 for 长度外推
}

/** Return the words of a query that tell something; all of them if none does. @param {string} query */
function telling(query) {
  const pieces = plain(query).match(PIECES) ?? [];
  const parts = pieces.flatMap((piece) => (HAN.test(piece) ? piece.replace(EMPTY_HAN, " ").trim().split(/\s+/) : [piece]));
  const some = parts.filter((part) => part && !EMPTY.has(part));
  return some.length > 0 ? some : pieces;
}

/** Return by how much the kind of page counts. @param {string} page */
function kind(page) {
  if (page.startsWith("solutions/")) return SOLUTION;
  if (/#(?:bug|clinic)-/.test(page)) return MISTAKE;
  return /^\d\d_/.test(page) ? LESSON : 1;
}

/** Index the entries. Return `find(query)`: the matching entries, best first, with a sentence of each. @param {Entry[]} entries */
export function searcher(entries) {
  const index = entries.map(fields);
  return function find(/** @type {string} */ query) {
    const parts = telling(query);
    const scores = index.map((own) => parts.map((part) => own.reduce((sum, field) => sum + field.weight * quality(field, part), 0)));
    const rare = parts.map((_, at) => Math.log(1 + entries.length / (1 + scores.filter((row) => row[at] > 0).length)));
    const hits = entries.map((entry, at) => ({
      entry,
      met: scores[at].filter((score) => score > 0).length,
      score: kind(entry.page) * scores[at].reduce((sum, score, part) => sum + score * rare[part], 0),
    }));
    const most = Math.max(1, ...hits.map(({ met }) => met)); // the greatest number of the query's words in one entry
    const best = hits.filter(({ met }) => met === most).sort((one, other) => other.score - one.score);
    return best.map(({ entry }) => ({ entry, sentence: sentence(entry.text, parts) }));
  };
}

/** Return the sentence of `text` with most of the query's words, in pieces; empty if it has none. @param {string} text @param {string[]} parts */
function sentence(text, parts) {
  const runs = parts.filter((part) => HAN.test(part)).flatMap((run) => (text.includes(run) ? [run] : pairs(run)));
  const wanted = new RegExp([...runs, "[\\p{Script=Latin}\\p{Script=Greek}\\p{N}]+"].join("|"), "gu");
  const found = (/** @type {string} */ piece) => runs.includes(piece) || parts.some((part) => !HAN.test(piece) && likeness(plain(piece), part) > 0);
  let best = "", most = 0;
  for (const [line] of text.matchAll(/(?:[^。！？.!?]|[.!?](?![\s”"]|$))+[。！？.!?]*/g)) {
    const different = new Set((line.match(wanted) ?? []).filter(found).map(plain)).size;
    if (different > most) [best, most] = [line.trim(), different];
  }
  /** @type {Piece[]} */
  const pieces = [];
  let end = 0;
  for (const { 0: piece, index } of best.matchAll(wanted)) {
    if (!found(piece)) continue;
    const before = best.slice(end, index);
    pieces.push([end === 0 && index > CONTEXT ? `…${before.slice(-CONTEXT)}` : before, false], [piece, true]);
    end = index + piece.length;
  }
  return [...pieces, /** @type {Piece} */ ([best.slice(end), false])].filter(([piece]) => piece);
}
