// Search through the lessons. English words match by their stems: rotation finds rotate, rotary and rotating. Chinese
// has no spaces: a run of Chinese characters matches as a whole or, with a lower score, by its pairs of neighbours.

/** @typedef {{ page: string, title: string, heading: string, text: string }} Entry */
/** @typedef {{ text: string, counts: Map<string, number>, weight: number, length: number }} Field of an entry */
/** @typedef {{ score: (field: Field) => number, marks: (piece: string) => boolean }} Word of a query */
/** @typedef {{ score: (field: Field) => number, run: string, two: string[] }} Run of a query's Chinese characters */
/** @typedef {[piece: string, found: boolean]} Piece of a sentence */

const TITLE = 9, HEADING = 5, TEXT = 1; // the weight of a word, by the field it is in
const EXACT = 1, STEM = 0.9, BEGINNING = 0.6, TYPO = 0.4; // … and by how it matches
const PAIRS = 0.6; // least share of a Chinese run's pairs that an entry must have
const LESSON = 1.3, SOLUTION = 0.5; // a lesson comes before a question on the same subject, a solution comes last
const MISTAKE = 0.7; // cases of the bug clinic do not introduce a subject
const WHOLE = 1.5; // for a run of Chinese that is not part of a longer one
const LONGEST = 180; // characters, of the sentence shown below an entry
const PIECES = /[\p{Script=Latin}\p{Script=Greek}\p{N}]+|\p{Script=Han}+/gu;
const COMPOUND = /[a-z0-9]+(?:[-_'.][a-z0-9]+)+/g;
const HAN = /\p{Script=Han}/u;
const RUNS = /\p{Script=Han}+/gu;
const EMPTY = new Set(
  ("a an and are as at be by can did do does for from how i if in into is it its my of on or s should so t that the " +
    "their them then there this to was we what when where which who why will with you your").split(" "),
);
const EMPTY_HAN = /为什么|是什么|怎么样?|怎样|如何|什么|哪[个种里些]?|[的了吗呢吧啊么]/gu;

/**
 * Return `text` without differences that do not matter: full-width forms, capitals, accents, a possessive 's.
 *
 * @param {string} text
 */
function plain(text) {
  return text.normalize("NFKC").toLowerCase().normalize("NFD").replace(/\p{M}|['’]s\b/gu, "").normalize("NFC");
}

/** @type {[least: number, ending: RegExp][]} endings, the longest first, and the least number of letters before each */
const ENDINGS = [
  [3, /(?:is|iz)(?:ations?|ing|e[ds]?|er)$/],
  [3, /(?:ations?|ators?|ating|ative|ate[ds]?|ary)$/],
  [3, /(?:ings?|ed|es|s)$/],
  [4, /(?:ability|able|ically|ical|ally|al|ly|ity|ions?|ive|ic|ers?|est|ness|ment)$/],
  [3, /e$/],
];

/**
 * Return an English word without its endings.
 *
 * @param {string} word
 */
export function stem(word) {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  let left = word.replace(/ies$/, "y");
  for (let before = ""; before !== left; ) {
    before = left;
    for (const [least, ending] of ENDINGS) {
      const shorter = left.replace(ending, "");
      if (shorter.length >= least && /[aeiouy]/.test(shorter)) left = shorter;
    }
    if (left.length > 3) left = left.replace(/([b-df-hj-np-tv-z])\1$/, "$1");
  }
  return left.length > 3 ? left.replace(/([b-df-hj-np-tv-z])y$/, "$1") : left;
}

/**
 * Return whether two words differ by one typing error: a letter too many, too few or wrong, or two letters swapped.
 *
 * @param {string} one
 * @param {string} other
 */
function slip(one, other) {
  if (Math.abs(one.length - other.length) > 1) return false;
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const [a, b] = [one.slice(at), other.slice(at)];
  return a.slice(1) === b.slice(1) || a.slice(1) === b || a === b.slice(1) || (a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2));
}

/**
 * Return the words of a text, and its runs of Chinese; a compound such as pre-norm is also one word.
 *
 * @param {string} text
 */
function words(text) {
  const whole = [...text.matchAll(COMPOUND)].map(([found]) => found.replace(/[^a-z0-9]/g, ""));
  return [...(text.match(PIECES) ?? []), ...whole];
}

/** @param {string} run */
function pairs(run) {
  return run.length < 2 ? [run] : Array.from({ length: run.length - 1 }, (_, at) => run.slice(at, at + 2));
}

/**
 * Index the entries. Return `find(query)`, which returns matching entries, best first, with a sentence of each.
 *
 * @param {Entry[]} entries
 */
export function searcher(entries) {
  const fields = /** @type {const} */ (["title", "heading", "text"]);
  /** @type {Map<string, number>} */
  const spread = new Map(); // word → number of entries that contain it
  const known = entries.map((entry) => {
    const own = entry.heading ? [HEADING / 4, HEADING, TEXT] : [TITLE, 0, TEXT]; // the title counts most for a page's beginning
    return fields.map((field, at) => {
      const text = plain(entry[field]);
      const found = words(text);
      /** @type {Map<string, number>} */
      const counts = new Map();
      for (const word of found) counts.set(word, (counts.get(word) ?? 0) + 1);
      return { text, counts, weight: own[at], length: found.length };
    });
  });
  for (const parts of known) {
    for (const word of new Set(parts.flatMap(({ counts }) => [...counts.keys()]))) spread.set(word, (spread.get(word) ?? 0) + 1);
  }
  const stems = new Map([...spread.keys()].map((word) => [word, stem(word)]));

  /**
   * Return the words of the index that match a word of the query, with the quality of each match.
   *
   * @param {string} word
   */
  function meant(word) {
    /** @type {Map<string, number>} */
    const found = new Map();
    const own = stem(word);
    for (const [each, root] of stems) {
      if (each === word) found.set(each, EXACT);
      else if (root === own) found.set(each, STEM);
      else if (word.length > 1 && each.startsWith(word)) found.set(each, BEGINNING);
    }
    if (found.size > 0 || word.length < 5) return found;
    for (const [each, root] of stems) if (slip(each, word) || (own.length > 4 && slip(root, own))) found.set(each, TYPO);
    return found;
  }

  /**
   * @param {string} word
   * @returns {Word}
   */
  function ofWord(word) {
    const found = meant(word);
    const rare = Math.log(1 + entries.length / [...found.keys()].reduce((sum, each) => sum + (spread.get(each) ?? 0), 1));
    const score = (/** @type {Field} */ { counts, weight, length }) => {
      let best = 0, times = 0;
      for (const [each, share] of found) {
        const count = counts.get(each);
        if (!count) continue;
        best = Math.max(best, share);
        times += count;
      }
      return best === 0 ? 0 : (rare * weight * best * (1 + Math.log(times) / 4)) / (weight > TEXT ? 1 + length / 12 : 1);
    };
    return { score, marks: (piece) => found.has(plain(piece)) };
  }

  /**
   * @param {string} run
   * @returns {Run}
   */
  function ofRun(run) {
    const two = pairs(run);
    const score = (/** @type {Field} */ { text, weight }) => {
      /** @type {string[]} */
      const own = weight > TEXT ? text.match(RUNS) ?? [] : []; // 外推 is found by 长度外推
      const within = own.length === 1 && own[0].length > 1 && run.includes(own[0]) ? own[0].length / run.length : 0;
      const share = text.includes(run) ? 1 : Math.max(within, two.filter((pair) => text.includes(pair)).length / two.length);
      if (share < (within > 0 ? within : PAIRS)) return 0;
      const times = Math.min(text.split(run).length - 1, 9);
      const whole = own.includes(run) ? WHOLE : 1;
      return (3 * weight * whole * (share === 1 && times ? 1 + Math.log(times) / 4 : share ** 2 / 2)) / (weight > TEXT ? 1 + text.length / 40 : 1);
    };
    return { score, run, two };
  }

  /**
   * Return the words and runs of a query. A compound such as pre-norm can match as pre and norm, or as prenorm.
   *
   * @param {string} query
   */
  function asked(query) {
    const text = plain(query);
    const all = (text.match(PIECES) ?? []).flatMap((piece) => (HAN.test(piece) ? piece.replace(EMPTY_HAN, " ").trim().split(/\s+/) : [piece]));
    const telling = all.filter((piece) => piece && !EMPTY.has(piece));
    const joined = [...text.matchAll(COMPOUND)].map(([found]) => found.replace(/[^a-z0-9]/g, ""));
    const parts = (telling.length > 0 ? telling : text.match(PIECES) ?? []).map((piece) => (HAN.test(piece) ? ofRun(piece) : ofWord(piece)));
    return { parts, joined: joined.map(ofWord) };
  }

  return function find(/** @type {string} */ query) {
    const { parts, joined } = asked(query);
    if (parts.length === 0) return [];
    const scored = known.map((fields, at) => {
      const scores = parts.map(({ score }) => fields.reduce((sum, field) => sum + score(field), 0));
      const whole = joined.reduce((sum, { score }) => sum + fields.reduce((all, field) => all + score(field), 0), 0);
      const met = whole > 0 ? parts.length : scores.filter((each) => each > 0).length;
      const { page } = entries[at];
      const factor = page.startsWith("solutions/") ? SOLUTION : /#(?:bug|clinic)-/.test(page) ? MISTAKE : /^\d\d_/.test(page) ? LESSON : 1;
      return { entry: entries[at], met, score: factor * (whole + scores.reduce((sum, each) => sum + each, 0)) };
    });
    const most = scored.reduce((most, { met }) => Math.max(most, met), 1); // the greatest number of the query's words in one entry
    const found = scored.filter(({ met }) => met >= most).sort((one, other) => other.score - one.score);
    return found.map(({ entry }) => ({ entry, sentence: sentence(entry.text, [...parts, ...joined]) }));
  };
}

/**
 * Cut `text` into pieces, each marked whether the query finds it.
 *
 * @param {string} text
 * @param {(Word | Run)[]} parts
 */
function marked(text, parts) {
  /** @type {Piece[]} */
  const pieces = [];
  let done = 0;
  const mark = (/** @type {number} */ from, /** @type {number} */ to) => {
    if (from < done) return;
    pieces.push([text.slice(done, from), false], [text.slice(from, to), true]);
    done = to;
  };
  for (const { 0: piece, index } of text.matchAll(PIECES)) {
    if (!HAN.test(piece)) {
      if (parts.some((part) => "marks" in part && part.marks(piece))) mark(index, index + piece.length);
      continue;
    }
    const runs = parts.flatMap((part) => ("run" in part ? (text.includes(part.run) ? [part.run] : part.two) : []));
    for (let at = 0; at < piece.length; at += 1) {
      const found = runs.find((run) => piece.startsWith(run, at));
      if (found) mark(index + at, index + at + found.length);
    }
  }
  pieces.push([text.slice(done), false]);
  return pieces.filter(([piece]) => piece);
}

/**
 * Return the sentence of `text` with most of the query's words, shortened to a few lines; empty if it has none.
 *
 * @param {string} text
 * @param {(Word | Run)[]} parts
 */
function sentence(text, parts) {
  const different = (/** @type {Piece[]} */ pieces) => new Set(pieces.filter(([, found]) => found).map(([piece]) => plain(piece))).size;
  /** @type {Piece[]} */
  let best = [];
  let most = 0;
  for (const [said] of text.matchAll(/(?:[^。！？.!?]|[.!?](?![\s”"]|$))+[。！？.!?]*/g)) {
    const pieces = marked(said.trim(), parts);
    if (different(pieces) > most) [best, most] = [pieces, different(pieces)];
  }
  const before = best[0]?.[1] === false ? best[0][0].length : 0;
  const from = Math.max(0, before - LONGEST / 3);
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
