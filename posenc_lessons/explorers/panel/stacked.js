// Lays out a picture in a narrow room: its panels one below the other, or on pages as high as a phone's screen allows.

import { ABOVE, BAR, BELOW, LABEL, ROOM, TITLE, legendWidth, sum, titleAndLegend } from "./sizes.js";
import { linesOf } from "./type.js";

/** @import { Layout, Stage } from "./types.js" */

const AROUND = 4; // CSS pixels above the first row, and above and below the words of each row
const TOGETHER_FIRST = 0.85; // rows share the first page if they keep at least this share of their height
const TOGETHER = 0.75; // … and other pages with this share
const MOST_SHARE = 1.3; // the first page's rows grow to this share of their height at most
const LEAST_SHARE = 0.5; // rows never shrink below this share; the picture is then higher than the room
const KEY_GAP = 46; // CSS pixels: greatest distance from a panel to its colour key; the key's numbers are between them
const READABLE = 100; // CSS pixels: least width of panels side by side
const LOWEST = { hero: 300, other: 110 }; // CSS pixels: a panel that becomes narrower does not become lower than this

// Return the layout with panels one below the other. Panels of equal height in a row stay side by side if they remain
// legible. With `most`, the panels are on pages of that height, side by side: {pages: [[names], …]}.
/** @param {Stage} stage @param {number} width of a page @param {number} [most] @returns {Layout} */
export function stacked(stage, width, most = Infinity) {
  const type = Math.min(stage.theme.type, 1.1); // a phone's screen is not projected
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

// Return the share of their height at which the rows fill the first page; 0 if a panel must keep its proportions.
function grown(rows, height) {
  const fixed = rows.some(({ units }) => units.some(({ panel }) => panel.equal || isSquare(panel)));
  return fixed ? 0 : shareOf(rows, height, MOST_SHARE);
}

const isSquare = ({ box }) => box[2] === box[3];

// Return the rows of each page. A hero's row comes first, and keeps its full height if it shares its page.
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

// Return the share of their height that these rows have on one page, 1 if there is room for all of it.
const shareOf = (rows, most, largest = 1) => Math.min(largest, (most - AROUND - sum(rows.map(wordsHigh))) / sum(rows.map(({ high }) => high)));

const wordsHigh = ({ above, below }) => above + below + 2 * AROUND;

// Return the words of a row's panels, the panels' height, and the height of the words above and below them.
function heightsOf({ units, margins, across }, width, type) {
  const spare = (width - sum(margins.map(({ left, right }) => left + right))) / units.length;
  const words = units.map((unit, i) => wordsStacked(unit, across, spare + margins[i].right - 8, type));
  const high = Math.max(...units.map(({ panel: { box, hero, equal } }) => Math.max((box[3] * across) / box[2], Math.min(box[3], LOWEST[hero && !equal ? "hero" : "other"]))));
  return { spare, words, high, above: Math.max(...words.map(({ above }) => above)), below: Math.max(...words.map(({ below }) => below)) };
}

// Set the boxes and words of a row's panels; the row begins at (left, top). A square panel stays square.
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

// Return each panel with the colour keys to its right; heroes first, then in reading order.
function unitsOf(stage) {
  const all = Object.entries(stage.panels).map(([name, panel]) => ({ name, panel, keys: /** @type {any[]} */ ([]) }));
  const units = all.filter(({ panel }) => panel.box[2] >= ROOM.narrow);
  for (const key of all.filter((entry) => !units.includes(entry))) {
    const [left, top, , height] = key.panel.box;
    const row = units.filter(({ panel: { box } }) => box[1] === top && box[3] === height && box[0] < left);
    row.sort((a, b) => b.panel.box[0] - a.panel.box[0]);
    (row[0]?.keys ?? units).push(key);
  }
  const inOrder = ({ panel: one }, { panel: other }) =>
    Number(other.hero) - Number(one.hero) || one.box[1] - other.box[1] || one.box[0] - other.box[0];
  return units.sort(inOrder);
}

// Return the rows: their panels, the width of a panel, and the margins on both sides. Panels of one group that is
// broken into several rows begin one below the other.
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
      const inRow = Math.ceil(units.length / rows);
      const left = (at) => Math.max(...own.filter((_, other) => other % inRow === at % inRow).map((margin) => margin.left));
      const margins = own.map(({ right }, at) => ({ left: left(at), right }));
      const parted = (all) => Array.from({ length: Math.ceil(all.length / inRow) }, (_, i) => all.slice(i * inRow, (i + 1) * inRow));
      const room = (part) => (width - sum(part.map((margin) => margin.left + margin.right))) / part.length;
      const across = Math.min(...parted(margins).map(room), 1.4 * natural);
      if (inRow > 1 && across < Math.max(READABLE, 0.45 * natural)) continue;
      return parted(units).map((part, i) => ({ units: part, margins: parted(margins)[i], across }));
    }
  });
}

// Return the room of words, colour bars and keys on both sides of a panel. Panels of one column stay aligned.
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

// Return the distance from a panel to its colour key. Words that stood between them have moved elsewhere.
function gapBefore(key, { panel, keys }) {
  const gap = keys[0].panel.box[0] - panel.box[0] - panel.box[2];
  return key.panel.box[0] - keys[0].panel.box[0] + Math.min(gap, KEY_GAP);
}

const besideStacked = ({ y, box }, type) => linesOf(y, Math.min(box[3], 260) + BELOW, LABEL * type);

// Return the lines of a panel's words, and how high they are, if it is `across` wide and its title may take `room`.
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
