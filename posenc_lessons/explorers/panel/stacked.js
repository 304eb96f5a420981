// A picture in a narrow room: its panels one below the other, or on pages of the height that a phone has for them.

import { ABOVE, BAR, BELOW, LABEL, ROOM, TITLE, legendWidth, sum, titleAndLegend } from "./sizes.js";
import { linesOf } from "./type.js";

/** @import { Layout, Stage } from "./types.js" */

const AROUND = 4; // CSS pixels above the first row and between words of rows
const TOGETHER_FIRST = 0.85; // of their height that rows keep at least to stand together on the first page
const TOGETHER = 0.75; // … and on others
const MOST_SHARE = 1.3; // of it where there is room to spare
const LEAST_SHARE = 0.5; // of it in a room lower than that, where the picture is higher than the room
const KEY_GAP = 46; // CSS pixels at most from a panel to the key of its colours, whose numbers stand between
const READABLE = 100; // CSS pixels: a panel is no narrower for standing beside another
const LOWEST = 110; // CSS pixels: nor lower than that for being narrow, if it was higher

// Panels one below the other; those of one height that stood in a row stay side by side if they can be read there. Where
// the room is no higher than `most`, they stand on pages of that height, one beside the other: {pages: [[names], …]}.
/** @param {Stage} stage @param {number} width of a page @param {number} [most] @returns {Layout} */
export function stacked(stage, width, most = Infinity) {
  const type = Math.min(stage.theme.type, 1.1); // nobody projects a phone
  const pages = pagesOf(rowsOf(stage, width, type).map((row) => ({ ...row, ...heightsOf(row, width, type) })), most);
  const panels = {};
  const shares = pages.map((rows) => Math.max(LEAST_SHARE, shareOf(rows, most)));
  const height = Math.ceil(Math.max(...pages.map((rows, at) => AROUND + sum(rows.map((row) => wordsHigh(row) + shares[at] * row.high)))));
  pages.forEach((rows, at) => {
    const share = Math.max(shares[at], at === 0 ? grown(rows, height) : 0);
    let top = AROUND;
    for (const row of rows) {
      placeRow(panels, row, at * width, top, share, type);
      top += wordsHigh(row) + share * row.high;
    }
  });
  const names = pages.map((rows) => rows.flatMap(({ units }) => units.map(({ name }) => name)));
  return { width: width * pages.length, height, scale: 1, type, thin: true, panels, pages: names };
}

// The share of their height with which the panels of the first page fill it, where none has to keep its proportions.
function grown(rows, height) {
  const fixed = rows.some(({ units }) => units.some(({ panel }) => panel.equal || isSquare(panel)));
  return fixed ? 0 : shareOf(rows, height, MOST_SHARE);
}

const isSquare = ({ box }) => box[2] === box[3];

// The rows of each page. One that others are for stands first, and gives nothing of its height to them.
function pagesOf(rows, most) {
  const pages = /** @type {any[][]} */ ([]);
  const isHero = ({ units }) => units.some(({ panel }) => panel.hero);
  for (const row of rows) {
    const last = pages.at(-1);
    const least = last?.some(isHero) && !isHero(row) ? 1 : pages.length > 1 ? TOGETHER : TOGETHER_FIRST;
    if (last && shareOf([...last, row], most) >= least) last.push(row);
    else pages.push([row]);
  }
  return pages;
}

// Return what share of their height the panels of these rows have on one page: 1 where there is room for all of it.
const shareOf = (rows, most, largest = 1) => Math.min(largest, (most - AROUND - sum(rows.map(wordsHigh))) / sum(rows.map(({ high }) => high)));

const wordsHigh = ({ above, below }) => above + below + 2 * AROUND;

// The words of a row's panels, how high these are, and how much room is above and below them.
function heightsOf({ units, margins, across }, width, type) {
  const spare = (width - sum(margins.map(({ left, right }) => left + right))) / units.length;
  const words = units.map((unit, i) => wordsStacked(unit, across, spare + margins[i].right - 8, type));
  const high = Math.max(...units.map(({ panel: { box } }) => Math.max((box[3] * across) / box[2], Math.min(box[3], LOWEST))));
  return { spare, words, high, above: Math.max(...words.map((each) => each.above)), below: Math.max(...words.map((each) => each.below)) };
}

// Boxes and words of the panels of a row that begins at (left, top); a square stays one.
function placeRow(panels, { units, margins, across, spare, words, above, high }, left, top, share, type) {
  units.forEach(({ name, panel, keys }, i) => {
    const wide = isSquare(panel) ? share * across : across;
    const box = [left + margins[i].left + (across - wide) / 2, top + above, wide, share * high];
    panels[name] = { ...words[i], box };
    for (const key of keys) {
      const gap = gapBefore(key, { panel, keys }) * type;
      panels[key.name] = { title: [], x: [], y: [], box: [box[0] + wide + gap, box[1], key.panel.box[2], box[3]] };
    }
    left += margins[i].left + spare + margins[i].right;
  });
}

// A panel and the keys to its colours that stand right of it, by name; heroes first, then in reading order.
function unitsOf(stage) {
  const all = Object.entries(stage.panels).map(([name, panel]) => ({ name, panel, keys: /** @type {any[]} */ ([]) }));
  const units = all.filter(({ panel }) => panel.box[2] >= ROOM.narrow);
  for (const key of all.filter((each) => !units.includes(each))) {
    const [left, top, , height] = key.panel.box;
    const row = units.filter(({ panel: { box } }) => box[1] === top && box[3] === height && box[0] < left);
    row.sort((a, b) => b.panel.box[0] - a.panel.box[0]);
    (row[0]?.keys ?? units).push(key);
  }
  const inOrder = ({ panel: one }, { panel: other }) =>
    Number(other.hero) - Number(one.hero) || one.box[1] - other.box[1] || one.box[0] - other.box[0];
  return units.sort(inOrder);
}

// Rows of panels, how wide each panel in them is, and what it has on both sides: panels of one kind in several rows
// begin one below the other.
function rowsOf(stage, width, type) {
  const groups = [];
  for (const unit of unitsOf(stage)) {
    const [, top, across, high] = unit.panel.box;
    const alike = ({ panel: { box } }) => box[1] === top && box[3] === high && Math.abs(box[2] / across - 1) < 0.2;
    const last = groups.at(-1);
    if (last?.every(alike)) last.push(unit);
    else groups.push([unit]);
  }
  return groups.flatMap((units) => {
    const own = units.map((unit) => marginsOf(unit, stage, type));
    const natural = Math.max(...units.map(({ panel }) => panel.box[2]));
    for (let rows = 1; ; rows++) {
      const each = Math.ceil(units.length / rows);
      const left = (at) => Math.max(...own.filter((_, other) => other % each === at % each).map((margin) => margin.left));
      const margins = own.map(({ right }, at) => ({ left: left(at), right }));
      const parted = (all) => Array.from({ length: Math.ceil(all.length / each) }, (_, i) => all.slice(i * each, (i + 1) * each));
      const room = (part) => (width - sum(part.map((margin) => margin.left + margin.right))) / part.length;
      const across = Math.min(...parted(margins).map(room), 1.4 * natural);
      if (each > 1 && across < Math.max(READABLE, 0.45 * natural)) continue;
      return parted(units).map((part, i) => ({ units: part, margins: parted(margins)[i], across }));
    }
  });
}

// Return what words, colour bars and keys take up on both sides of a panel; panels that stood in one column stay aligned.
function marginsOf({ panel, keys }, stage, type) {
  const [left, , width] = panel.box;
  const column = Object.values(stage.panels).filter(({ box }) => box[0] === left && box[2] === width);
  const beside = Math.max(...column.map((other) => other.beside));
  const last = keys.at(-1);
  const key = last ? (gapBefore(last, { panel, keys }) + last.panel.box[2]) * type : 0;
  const bar = panel.bar ? BAR.gap + BAR.width + (ROOM.bar - 4) * type : panel.right * type;
  const labels = Math.max(...column.map((other) => besideStacked(other, type).length));
  return { left: (beside + Math.max(labels - 1, 0) * LABEL * 1.2) * type + (labels ? 10 : 8), right: Math.max(key, bar) + 8 };
}

// The room between a panel and a key to its colours: what stood between them stands elsewhere.
function gapBefore(key, { panel, keys }) {
  const gap = keys[0].panel.box[0] - panel.box[0] - panel.box[2];
  return key.panel.box[0] - keys[0].panel.box[0] + Math.min(gap, KEY_GAP);
}

const besideStacked = ({ y, box }, type) => linesOf(y, Math.min(box[3], 260) + BELOW, LABEL * type);

// The lines of a panel's words when it is `across` wide and its title may take `room`, and how high they are.
function wordsStacked({ panel }, across, room, type) {
  const { title, legendApart } = titleAndLegend(panel, across - legendWidth(panel.legend, type), room, type);
  const x = linesOf(panel.x, across, LABEL * type);
  const lines = title.length + (legendApart ? 1 : 0);
  return {
    title,
    x,
    y: besideStacked(panel, type),
    legendApart,
    above: (lines ? ABOVE : 4) + lines * TITLE * 1.25 * type,
    below: (panel.below + Math.max(x.length - 1, 0) * LABEL * 1.2) * type,
  };
}
