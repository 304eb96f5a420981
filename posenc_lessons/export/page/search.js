// Search through the lessons. An English word matches itself, words that it begins, and words with the same long
// beginning: rotating finds rotate and rotary. Chinese has no spaces: a run of Chinese characters matches as a whole or,
// with a lower score, by its pairs of neighbours.

/** @typedef {{ page: string, title: string, heading: string, text: string }} Entry */
/** @typedef {{ text: string, counts: Map<string, number>, weight: number }} Field of an entry */
/** @typedef {{ score: (field: Field) => number, finds: (piece: string) => boolean, run?: string }} Part of a query */
/** @typedef {[piece: string, found: boolean]} Piece of a sentence */

const TITLE = 9, HEADING = 5, TEXT = 1; // the weight of a word, by the field it is in
const BEGINS = 0.8, ALIKE = 0.7; // the quality of a match that is not exact
const COMMON = 0.5; // least share of the longer word that the common beginning of two words has
const PAIRS = 0.6; // least share of a Chinese run's pairs that an entry must have
const WHOLE = 1.5; // for a run of Chinese that is not part of a longer one
const LESSON = 1.3, SOLUTION = 0.5, MISTAKE = 0.7; // a lesson comes first, a solution last; bug clinics do not introduce
const LONGEST = 180; // characters, of the sentence shown below an entry
const LATIN = /[\p{Script=Latin}\p{Script=Greek}\p{N}]+/gu;
const PIECES = new RegExp(`${LATIN.source}|\\p{Script=Han}+`, "gu");
const COMPOUND = /[a-z0-9]+(?:[-_'.][a-z0-9]+)+/g;
const RUNS = /\p{Script=Han}+/gu;
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

/** Return the words of a text, its runs of Chinese, and each compound such as pre-norm as one word. @param {string} text */
function words(text) {
  return [...(text.match(PIECES) ?? []), ...[...text.matchAll(COMPOUND)].map(([compound]) => compound.replace(/[^a-z0-9]/g, ""))];
}

/** Return how well a word of the index matches a word of a query, from 0 to 1. @param {string} word @param {string} asked */
export function likeness(word, asked) {
  if (word === asked) return 1;
  if (asked.length > 1 && word.startsWith(asked)) return BEGINS;
  let common = 0;
  while (common < word.length && word[common] === asked[common]) common += 1;
  return common >= 4 && common >= COMMON * Math.max(word.length, asked.length) ? ALIKE : 0;
}

/** @param {string} run */
function pairs(run) {
  return run.length < 2 ? [run] : Array.from({ length: run.length - 1 }, (_, at) => run.slice(at, at + 2));
}

/** Index the entries. Return `find(query)`: the matching entries, best first, with a sentence of each. @param {Entry[]} entries */
export function searcher(entries) {
  const fields = entries.map((entry) => {
    const weights = entry.heading ? [HEADING / 4, HEADING, TEXT] : [TITLE, 0, TEXT]; // a title counts most for a page's beginning
    return [entry.title, entry.heading, entry.text].map((source, at) => {
      const text = plain(source);
      /** @type {Map<string, number>} */
      const counts = new Map();
      for (const word of words(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
      return { text, counts, weight: weights[at] };
    });
  });
  const every = new Set(fields.flat().flatMap(({ counts }) => [...counts.keys()]));

  /** Return the part for an English word; a rare one counts more. @param {string} asked @returns {Part} */
  function ofWord(asked) {
    const known = new Map([...every].map((word) => /** @type {[string, number]} */ ([word, HAN.test(word) ? 0 : likeness(word, asked)])).filter(([, quality]) => quality > 0));
    const holds = ({ counts }) => [...known.keys()].some((word) => counts.has(word));
    const rare = Math.log(1 + entries.length / (1 + fields.filter((parts) => parts.some(holds)).length));
    const score = ({ counts, weight }) => {
      const found = [...known].filter(([word]) => counts.has(word));
      if (found.length === 0) return 0;
      const times = found.reduce((sum, [word]) => sum + (counts.get(word) ?? 0), 0);
      return (rare * weight * Math.max(...found.map(([, quality]) => quality)) * (1 + Math.log(times) / 4)) / (weight > TEXT ? 1 + counts.size / 12 : 1);
    };
    return { score, finds: (piece) => known.has(plain(piece)) };
  }

  /** Return the part for a run of Chinese. @param {string} run @returns {Part} */
  function ofRun(run) {
    const two = pairs(run);
    const score = ({ text, weight }) => {
      const own = weight > TEXT ? (text.match(RUNS) ?? []) : []; // 外推 is found by 长度外推
      const within = own.length === 1 && own[0].length > 1 && run.includes(own[0]) ? own[0].length / run.length : 0;
      const whole = text.includes(run);
      const share = whole ? 1 : Math.max(within, two.filter((pair) => text.includes(pair)).length / two.length);
      if (share < (within || PAIRS)) return 0;
      const often = whole ? (own.includes(run) ? WHOLE : 1) * (1 + Math.log(Math.min(text.split(run).length - 1, 9)) / 4) : share ** 2 / 2;
      return (3 * weight * often) / (weight > TEXT ? 1 + text.length / 40 : 1);
    };
    return { score, finds: (piece) => two.includes(piece), run };
  }

  return function find(/** @type {string} */ query) {
    const text = plain(query);
    const pieces = (text.match(PIECES) ?? []).flatMap((piece) => (HAN.test(piece) ? piece.replace(EMPTY_HAN, " ").trim().split(/\s+/) : [piece]));
    const telling = pieces.filter((piece) => piece && !EMPTY.has(piece));
    const parts = (telling.length > 0 ? telling : text.match(PIECES) ?? []).map((piece) => (HAN.test(piece) ? ofRun(piece) : ofWord(piece)));
    const joined = words(text).slice((text.match(PIECES) ?? []).length).map(ofWord); // pre-norm may match as prenorm
    if (parts.length === 0) return [];
    const scored = fields.map((own, at) => {
      const sum = (/** @type {Part} */ { score }) => own.reduce((total, field) => total + score(field), 0);
      const [scores, whole] = [parts.map(sum), joined.map(sum).reduce((a, b) => a + b, 0)];
      const met = whole > 0 ? parts.length : scores.filter((score) => score > 0).length;
      const { page } = entries[at];
      const factor = page.startsWith("solutions/") ? SOLUTION : /#(?:bug|clinic)-/.test(page) ? MISTAKE : /^\d\d_/.test(page) ? LESSON : 1;
      return { entry: entries[at], met, score: factor * (whole + scores.reduce((a, b) => a + b, 0)) };
    });
    const most = Math.max(1, ...scored.map(({ met }) => met)); // the greatest number of the query's words in one entry
    const hits = scored.filter(({ met }) => met >= most).sort((one, other) => other.score - one.score);
    return hits.map(({ entry }) => ({ entry, sentence: sentence(entry.text, [...parts, ...joined]) }));
  };
}

/** Cut `text` into pieces, each marked whether the query finds it. @param {string} text @param {Part[]} parts @returns {Piece[]} */
function marked(text, parts) {
  const runs = parts.flatMap(({ run }) => (run ? (text.includes(run) ? [run] : pairs(run)) : []));
  const wanted = new RegExp([...runs, LATIN.source].join("|"), "gu");
  /** @type {Piece[]} */
  const pieces = [];
  let end = 0;
  for (const { 0: piece, index } of text.matchAll(wanted)) {
    if (!(runs.includes(piece) || parts.some(({ finds, run }) => !run && finds(piece)))) continue;
    pieces.push([text.slice(end, index), false], [piece, true]);
    end = index + piece.length;
  }
  return [...pieces, /** @type {Piece} */ ([text.slice(end), false])].filter(([piece]) => piece);
}

/** Return the sentence of `text` with most of the query's words, shortened; empty if it has none. @param {string} text @param {Part[]} parts */
function sentence(text, parts) {
  const different = (/** @type {Piece[]} */ pieces) => new Set(pieces.filter(([, found]) => found).map(([piece]) => plain(piece))).size;
  /** @type {Piece[]} */
  let best = [];
  for (const [line] of text.matchAll(/(?:[^。！？.!?]|[.!?](?![\s”"]|$))+[。！？.!?]*/g)) {
    const pieces = marked(line.trim(), parts);
    if (different(pieces) > different(best)) best = pieces;
  }
  const from = Math.max(0, (best[0]?.[1] === false ? best[0][0].length : 0) - LONGEST / 3);
  if (from > 0) best[0] = [`…${best[0][0].slice(from).replace(/^[a-z]+/i, "")}`, false];
  let room = LONGEST;
  /** @type {Piece[]} */
  const shown = [];
  for (const [piece, found] of best) {
    if (room > 0) shown.push([piece.length > room ? `${piece.slice(0, room)}…` : piece, found]);
    room -= piece.length;
  }
  return shown;
}
