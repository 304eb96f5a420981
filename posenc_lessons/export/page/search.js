// Search through the lessons; what it looks through stands in the page, so that it works from a file as well.
// It goes by stems: rotation finds rotate, rotary and rotating; embeddings finds embedding. Chinese has no spaces:
// a run of characters is found whole or, less gladly, by its pairs of neighbours.

const TITLE = 9, HEADING = 5, TEXT = 1; // what a word counts for, by where it stands
const EXACT = 1, STEM = 0.9, BEGINNING = 0.6, TYPO = 0.4; // … and by how it was found
const PAIRS = 0.6; // of a Chinese run's pairs that an entry has at least
const LESSON = 1.3, SOLUTION = 0.5; // a lesson comes before a question about the same, a solution after both
const MOST = 30; // entries shown
const LONGEST = 180; // characters of the sentence that is shown
const PIECES = /[\p{Script=Latin}\p{Script=Greek}\p{N}]+|\p{Script=Han}+/gu;
const COMPOUND = /[a-z0-9]+(?:[-_'.][a-z0-9]+)+/g;
const HAN = /\p{Script=Han}/u;
const EMPTY = new Set(
  ("a an and are as at be by can did do does for from how i if in into is it its my of on or s should so t that the " +
    "their them then there this to was we what when where which who why will with you your").split(" "),
);
const EMPTY_HAN = /为什么|是什么|怎么样?|怎样|如何|什么|哪[个种里些]?|[的了吗呢吧啊么]/gu;

/** Full-width forms, capitals, accents and a possessive make no difference. */
function plain(text) {
  return text.normalize("NFKC").toLowerCase().normalize("NFD").replace(/\p{M}|['’]s\b/gu, "").normalize("NFC");
}

// Endings, longest first within a rule, and how many letters must be left before them.
const ENDINGS = [
  [3, /(?:is|iz)(?:ations?|ing|e[ds]?|er)$/],
  [3, /(?:ations?|ators?|ating|ative|ate[ds]?|ary)$/],
  [3, /(?:ings?|ed|es|s)$/],
  [4, /(?:ability|able|ically|ical|ally|al|ly|ity|ions?|ive|ic|ers?|est|ness|ment)$/],
  [3, /e$/],
];

/** What is left of an English word without its endings. */
function stem(word) {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  let left = word.replace(/ies$/, "y");
  for (let before; before !== left; ) {
    before = left;
    for (const [least, ending] of ENDINGS) {
      const shorter = left.replace(ending, "");
      if (shorter.length >= least && /[aeiouy]/.test(shorter)) left = shorter;
    }
    if (left.length > 3) left = left.replace(/([b-df-hj-np-tv-z])\1$/, "$1");
  }
  return left.length > 3 ? left.replace(/([b-df-hj-np-tv-z])y$/, "$1") : left;
}

/** Whether two words differ by one slip: a letter too many, too few, another, or two that changed places. */
function slip(one, other) {
  if (Math.abs(one.length - other.length) > 1) return false;
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const [a, b] = [one.slice(at), other.slice(at)];
  return a.slice(1) === b.slice(1) || a.slice(1) === b || a === b.slice(1) || (a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2));
}

/** The words of a text, its Chinese in runs; compounds such as pre-norm as one word as well. */
function words(text) {
  const whole = [...text.matchAll(COMPOUND)].map(([found]) => found.replace(/[^a-z0-9]/g, ""));
  return [...(text.match(PIECES) ?? []), ...whole];
}

function pairs(run) {
  return run.length < 2 ? [run] : Array.from({ length: run.length - 1 }, (_, at) => run.slice(at, at + 2));
}

/** Made of the entries, once: `find(query)` gives [{entry, sentence}], best first; sentence is [[piece, found]]. */
function searcher(entries) {
  const fields = ["title", "heading", "text"];
  const spread = new Map(); // word → how many entries have it
  const known = entries.map((entry) => {
    const own = entry.heading ? [HEADING / 4, HEADING, TEXT] : [TITLE, 0, TEXT]; // a title counts where it stands
    return fields.map((field, at) => {
      const text = plain(entry[field]);
      const found = words(text);
      const counts = new Map();
      for (const word of found) counts.set(word, (counts.get(word) ?? 0) + 1);
      return { text, counts, weight: own[at], length: found.length };
    });
  });
  for (const parts of known) {
    for (const word of new Set(parts.flatMap(({ counts }) => [...counts.keys()]))) spread.set(word, (spread.get(word) ?? 0) + 1);
  }
  const stems = new Map([...spread.keys()].map((word) => [word, stem(word)]));

  /** The words of the entries that a word of the query means, each with how well: Map(word → share). */
  function meant(word) {
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

  function ofWord(word) {
    const found = meant(word);
    const rare = Math.log(1 + entries.length / [...found.keys()].reduce((sum, each) => sum + spread.get(each), 1));
    const score = ({ counts, weight, length }) => {
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

  function ofRun(run) {
    const two = pairs(run);
    const score = ({ text, weight, length }) => {
      const share = text.includes(run) ? 1 : two.filter((pair) => text.includes(pair)).length / two.length;
      if (share < PAIRS) return 0;
      const times = Math.min(text.split(run).length - 1, 9);
      return (3 * weight * (share === 1 && times ? 1 + Math.log(times) / 4 : share ** 2 / 2)) / (weight > TEXT ? 1 + text.length / 40 : 1);
    };
    return { score, run, two };
  }

  /** The parts of a query, each with its alternatives: pre-norm is prenorm, or pre and norm. */
  function asked(query) {
    const text = plain(query);
    const all = (text.match(PIECES) ?? []).flatMap((piece) => (HAN.test(piece) ? piece.replace(EMPTY_HAN, " ").trim().split(/\s+/) : [piece]));
    const telling = all.filter((piece) => piece && !EMPTY.has(piece));
    const joined = [...text.matchAll(COMPOUND)].map(([found]) => found.replace(/[^a-z0-9]/g, ""));
    const parts = (telling.length > 0 ? telling : text.match(PIECES) ?? []).map((piece) => (HAN.test(piece) ? ofRun(piece) : ofWord(piece)));
    return { parts, joined: joined.map(ofWord) };
  }

  return function find(query) {
    const { parts, joined } = asked(query);
    if (parts.length === 0) return [];
    const scored = known.map((fields, at) => {
      const scores = parts.map(({ score }) => fields.reduce((sum, field) => sum + score(field), 0));
      const whole = joined.reduce((sum, { score }) => sum + fields.reduce((all, field) => all + score(field), 0), 0);
      const met = whole > 0 ? parts.length : scores.filter((each) => each > 0).length;
      const { page } = entries[at];
      const factor = page.startsWith("solutions/") ? SOLUTION : /^\d\d_/.test(page) ? LESSON : 1;
      return { entry: entries[at], met, score: factor * (whole + scores.reduce((sum, each) => sum + each, 0)) };
    });
    const most = scored.reduce((most, { met }) => Math.max(most, met), 1); // as many of the words as any entry has
    const found = scored.filter(({ met }) => met >= most).sort((one, other) => other.score - one.score);
    return found.map(({ entry }) => ({ entry, sentence: sentence(entry.text, [...parts, ...joined]) }));
  };
}

/** The pieces of `text` between what a query's parts mean and what they do not: [[piece, found]]. */
function marked(text, parts) {
  const pieces = [];
  let done = 0;
  const mark = (from, to) => {
    if (from < done) return;
    pieces.push([text.slice(done, from), false], [text.slice(from, to), true]);
    done = to;
  };
  for (const { 0: piece, index } of text.matchAll(PIECES)) {
    if (!HAN.test(piece)) {
      if (parts.some(({ marks }) => marks?.(piece))) mark(index, index + piece.length);
      continue;
    }
    const runs = parts.flatMap(({ run, two }) => (run ? (text.includes(run) ? [run] : two) : []));
    for (let at = 0; at < piece.length; at += 1) {
      const found = runs.find((run) => piece.startsWith(run, at));
      if (found) mark(index + at, index + at + found.length);
    }
  }
  return [...pieces, [text.slice(done), false]].filter(([piece]) => piece);
}

/** The sentence of `text` that has most of what was asked, not longer than a few lines; empty where none has any. */
function sentence(text, parts) {
  const different = (pieces) => new Set(pieces.filter(([, found]) => found).map(([piece]) => plain(piece))).size;
  let best = [], most = 0;
  for (const [said] of text.matchAll(/(?:[^。！？.!?]|[.!?](?![\s”"]|$))+[。！？.!?]*/g)) {
    const pieces = marked(said.trim(), parts);
    if (different(pieces) > most) [best, most] = [pieces, different(pieces)];
  }
  const before = best[0]?.[1] === false ? best[0][0].length : 0;
  const from = Math.max(0, before - LONGEST / 3);
  if (from > 0) best[0] = [`…${best[0][0].slice(from).replace(/^[a-z]+/i, "")}`, false];
  let room = LONGEST;
  return best.flatMap(([piece, found]) => {
    const kept = piece.length > room ? [[`${piece.slice(0, Math.max(room, 0))}…`, found]] : [[piece, found]];
    const shown = room > 0 ? kept : [];
    room -= piece.length;
    return shown;
  });
}

if (typeof document === "object") {
  const box = document.querySelector(".search input");
  const list = document.querySelector(".search ol");
  const count = document.querySelector(".search [role=status]");
  let find = null; // made when it is first asked

  const shown = ({ entry: { page, title, heading }, sentence }) => {
    const [item, link, line] = ["li", "a", "p"].map((name) => document.createElement(name));
    link.href = page;
    link.textContent = [title, heading].filter(Boolean).join(" — ");
    for (const [piece, found] of sentence) {
      const mark = found ? document.createElement("mark") : null;
      mark?.append(piece);
      line.append(mark ?? piece);
    }
    item.append(link, ...(sentence.length > 0 ? [line] : []));
    return item;
  };
  const search = () => {
    const query = box.value.trim();
    find ??= query ? searcher(JSON.parse(document.getElementById("entries").textContent)) : null;
    const found = query ? find(query) : [];
    list.replaceChildren(...found.slice(0, MOST).map(shown));
    count.textContent = query ? count.dataset.said.replaceAll("{n}", found.length) : "";
  };
  box.addEventListener("input", search);
  search(); // a page that is loaded again may keep what was typed
}
