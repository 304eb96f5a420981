// Paints a whole picture on a 2-D context: panels with their data, titles, labels, legends, colour bars, ticks.
// `figures/canvas_data.py` says what stage, axes and data are. This module places numbers and words; it holds no
// mathematics of the lessons, knows no page, and serves JupyterLab and the page without a kernel alike.
//
//   const layout = layoutFor(stage, roomWidth, roomHeight);   // {width, height, …} in CSS pixels
//   canvas.width = Math.round(layout.width * ratio);          // ratio: device pixels to a CSS pixel
//   paint(canvas.getContext("2d"), stage, axes, data, ratio, layout);
//   pointed(stage, axes, x, y, layout);                       // CSS pixels on the canvas → {panel, x, y} or null
//   paint(context, stage, axes, between(before, after, 0.5), ratio, layout);

/** @import { Axes, Box, Data, Layout, Stage } from "./types.js" */

// Sizes in CSS pixels of a picture at its natural size, as in figures/places.py and figures/draw.py.
const TITLE = 14, LABEL = 12, TICK = { length: 4, gap: 3, size: 11 };
const ABOVE = 10; // from the box to its title
const BELOW = 32, BESIDE = 46; // from the box to the middle of its labels, where ticks are numbers
const LEGEND_STEP = 50;
const LEADER = [2, 9, 12]; // from a panel to both ends of the line that leads to a line's name, and to the name
const END_STEP = 1.25; // from one such name to the next, in heights of the type
const BAR = { gap: 12, width: 12 };
const HEAD = 10; // of an arrow
const RIM = 1.3; // of a hollow dot

// What words take up beside a panel in type of the ordinary size, as in figures/with_theme.py.
const ROOM = { title: 22, bar: 34, narrow: 40 };
const LEAST_TYPE = 11; // CSS pixels of a tick label, however small the picture
const SMALLEST = 0.52, LARGEST = 1.6; // of the natural size, when the room is low or large
const PHONE = 560; // CSS pixels: where there are fewer, panels stand one below the other
const KEY_GAP = 46; // CSS pixels at most from a panel to the key of its colours, whose numbers stand between
const READABLE = 100; // CSS pixels: a panel is no narrower for standing beside another
const LOWEST = 110; // CSS pixels: nor lower than that for being narrow, if it was higher

export const FONT = "Posenc Sans SC"; // as in figures/fonts
const FORMULAS = `"Posenc Formulas", "STIX Two Math", "Cambria Math", serif`; // letters are italics in the first
const MONO = `ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace`;
export const FONTS = `"Posenc Words", "${FONT}", "Noto Sans", "Helvetica Neue", Arial, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif`;
// How far below its place the baseline is, in heights of the type: the same whatever the font says of itself.
const BASELINE = { top: 0.85, middle: 0.425, center: 0.39, bottom: -0.2 };

const floats = (view) => new Float32Array(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength));
const bytes = (view) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
const isMap = (panel) => Object.values(panel.layers).some((layer) => layer.kind === "heatmap");
const hasLines = (panel) => !panel.equal && !isMap(panel); // at its left and bottom, for it shows curves

// ---- Words -----------------------------------------------------------------------------------------------

// What is between dollars is a formula: in the face of mathematics, operators with space around them.
const runsOf = (() => {
  const kept = new Map();
  return (text) => {
    if (!kept.has(text)) kept.set(text, text.split("$").flatMap((part, i) => (i % 2 ? formula(part) : plain(part))));
    return kept.get(text);
  };
})();

const plain = (text) => (text ? [{ text, formula: false, space: 0 }] : []);

function formula(source) {
  const symbols = source.replaceAll("\\cdot", "·").replaceAll("-", "−").replace(/\s+/g, "");
  return (symbols.match(/\p{L}+|[^\p{L}]/gu) ?? []).map((text, i) => {
    const space = i && /[−+·=]/.test(text) ? 0.22 : 0; // on both sides, in heights of the type
    return { text: text === "·" ? "⋅" : text, formula: true, space };
  });
}

const font = (size, formula = false) => `${size}px ${formula ? FORMULAS : FONTS}`;

function widthOf(context, text, size) {
  let width = 0;
  for (const run of runsOf(text)) {
    context.font = font(size, run.formula);
    width += context.measureText(run.text).width + 2 * run.space * size;
  }
  return width;
}

// `align`: left, center or right of x; `baseline`: a name in BASELINE, says what of the type stands at y.
function write(context, text, x, y, size, color, align, baseline) {
  context.fillStyle = color;
  context.textBaseline = "alphabetic";
  const below = y + size * BASELINE[baseline];
  const runs = runsOf(text);
  if (runs.length < 2 && !runs[0]?.formula) {
    context.font = font(size);
    context.textAlign = align;
    context.fillText(runs[0]?.text ?? "", x, below);
    return;
  }
  context.textAlign = "left";
  let at = x - widthOf(context, text, size) * { left: 0, center: 0.5, right: 1 }[align];
  for (const run of runs) {
    context.font = font(size, run.formula);
    context.fillText(run.text, at + run.space * size, below);
    at += context.measureText(run.text).width + 2 * run.space * size;
  }
}

// How wide texts are, in CSS pixels: measured once each, for a layout may be made at every frame.
const widths = new Map();
const MOST_WIDTHS = 5000;
let measuring; // a context to measure with

function wide(text, size) {
  const key = `${size} ${text}`;
  if (!widths.has(key)) {
    if (widths.size > MOST_WIDTHS) widths.clear();
    measuring ??= globalThis.document?.createElement("canvas").getContext("2d");
    widths.set(key, measuring ? widthOf(measuring, text, size) : 0.6 * size * text.length); // Node has nothing to measure with
  }
  return widths.get(key);
}

// For when a font has come.
export function measureAnew() {
  widths.clear();
  measuring = undefined;
}

// `text` in as many lines as `room`, in CSS pixels, asks for. Formulas stay whole.
function linesOf(text, room, size) {
  if (wide(text, size) <= room) return text ? [text] : [];
  const languages = text.split(" · "); // Chinese and English
  if (languages.length === 2) return languages.flatMap((part) => linesOf(part, room, size));
  const lines = [""];
  for (const piece of text.match(/\$[^$]*\$|[\u2e80-\uffff][，。：；？！）]?|[^\s$\u2e80-\uffff]+ ?|\s/gu) ?? []) {
    if (lines.at(-1) && wide(lines.at(-1) + piece.trimEnd(), size) > room) lines.push("");
    lines[lines.length - 1] += piece;
  }
  return lines.map((line) => line.trim());
}

// ---- Layouts ---------------------------------------------------------------------------------------------

// Where everything stands when the picture may take `roomWidth` × `roomHeight` CSS pixels (Infinity where nothing
// limits it) and be at most `largest` times its natural size. Fitted to the height down to SMALLEST of it; in a
// narrow room the panels stand one below the other, and the picture is as high as it has to be.
// {width, height, scale, type, panels: {name: {box, title, x, y: lines; legendApart}}}: `scale` of lines and dots,
// `type` of the size of words.
/** @param {Stage} stage @param {number} roomWidth @param {number} [roomHeight] @param {number} [largest] @returns {Layout} */
export function layoutFor(stage, roomWidth, roomHeight = Infinity, largest = Math.max(stage.theme.enlarged, LARGEST)) {
  if (roomWidth < PHONE) return stacked(stage, Math.floor(roomWidth));
  const fitting = Math.max(SMALLEST, roomHeight / stage.height);
  const scale = Math.min(largest, fitting, roomWidth / stage.width);
  const higher = inProportion(stage, scale, true); // where there is room, no panel gives any to words
  return higher.height <= roomHeight ? higher : inProportion(stage, scale);
}

// The picture as Python arranged it, `scale` times its natural size; words stay legible and take what room they need
// from the panels, in a column from the highest. If it `grows` it becomes higher by that: what is below a panel moves
// down.
function inProportion(stage, scale, grows = false) {
  const width = Math.round(stage.width * scale);
  const exact = width / stage.width;
  const type = Math.max(stage.theme.type * exact, (Math.sqrt(stage.theme.type) * LEAST_TYPE) / TICK.size);
  const more = type / exact - stage.theme.type;
  const panels = {};
  const moves = []; // of each panel so far: where it ends, and how far all below it moves down
  for (const [name, panel] of Object.entries(stage.panels).sort(([, a], [, b]) => a.box[1] - b.box[1])) {
    const row = Object.values(stage.panels).filter(({ box }) => box[1] === panel.box[1] && box[3] === panel.box[3]);
    const words = row.map((other) => wordsOf(other, stage, type, exact));
    const [left, top, boxWidth, boxHeight] = panel.box;
    const line = (type / exact) * LABEL * 1.2;
    const above = more * ROOM.title + line * Math.max(...words.map(({ title }) => title.length - 1), 0);
    const below = more * Math.max(...row.map((other) => other.below)) + line * Math.max(...words.map(({ x }) => x.length - 1), 0);
    const own = wordsOf(panel, stage, type, exact);
    const beside = more * panel.beside + line * Math.max(own.y.length - 1, 0);
    const narrower = boxWidth < ROOM.narrow ? 0 : beside + more * (panel.right + (panel.bar ? ROOM.bar : 0));
    const down = Math.max(0, ...moves.filter(([end]) => end <= top).map(([, far]) => far));
    if (grows) moves.push([top + boxHeight, down + above + below]);
    const box = [left + beside, top + down + above, boxWidth - narrower, boxHeight - (grows ? 0 : above + below)];
    panels[name] = { ...own, box: box.map((side) => side * exact) };
  }
  if (!grows) for (const column of columnsOf(stage)) level(column, panels, exact);
  const high = stage.height + Math.max(0, ...moves.map(([, far]) => far));
  return { width, height: Math.round(high * exact), scale: exact, type, thin: more > 1e-6, panels };
}

// What words have taken from panels one below the other is taken from the highest, until none is higher than others.
function level(column, panels, scale) {
  const heights = column.map(([, { box }]) => box[3] * scale);
  let room = sum(column.map(([name]) => panels[name].box[3]));
  let most = 0;
  [...heights].sort((a, b) => a - b).forEach((height, i) => {
    most = Math.min(height, room / (heights.length - i));
    room -= most;
  });
  let down = 0;
  column.forEach(([name], i) => {
    const { box } = panels[name];
    const high = Math.min(heights[i], most);
    box[1] += down;
    down += high - box[3];
    box[3] = high;
  });
}

// [name, panel] of those that stand one below the other, from top to bottom; not where some stand in rows as well.
function columnsOf(stage) {
  const apart = (one, other, side) => one[side] + one[side + 2] <= other[side] || other[side] + other[side + 2] <= one[side];
  let columns = [];
  for (const entry of Object.entries(stage.panels).sort(([, a], [, b]) => a.box[1] - b.box[1])) {
    const joins = (column) => column.some(([, { box }]) => !apart(box, entry[1].box, 0));
    columns = [...columns.filter((column) => !joins(column)), [...columns.filter(joins).flat(), entry]];
  }
  const all = Object.values(stage.panels);
  const inRow = (one) => all.some((other) => other !== one && other.box[1] === one.box[1] && other.box[3] === one.box[3]);
  const alone = (one, column) => !inRow(one) && column.every(([, other]) => other === one || apart(one.box, other.box, 1));
  return columns.filter((column) => column.every(([, panel]) => alone(panel, column)));
}

// The lines of a panel's title and labels in type of that size, as far as its neighbours leave room in a picture `scale`
// times its natural size.
function wordsOf(panel, stage, type, scale) {
  const [left, top, width, height] = panel.box;
  const others = Object.values(stage.panels).map(({ box }) => box);
  const beside = others.filter((box) => box[0] > left + width && box[1] < top + height && box[1] + box[3] > top);
  const end = Math.min(stage.width, ...beside.filter((box) => box[2] >= ROOM.narrow).map((box) => box[0])) - 4;
  const legend = legendWidth(panel.legend, type);
  const shift = (type / scale - stage.theme.type) * panel.beside; // of the panel, by its own larger words
  const inRow = beside.some((box) => box[0] - 4 === end && box[1] + box[3] === top + height);
  const apart = inRow ? 4 + shift : 2 * BESIDE; // below two panels that end as low, there are only their names
  const across = Math.max(width, Math.min(end - left, left + width) - apart);
  return {
    title: linesOf(panel.title, scale * (legend ? width - shift : end - left - shift) - legend, TITLE * type),
    x: linesOf(panel.x, scale * across, LABEL * type),
    y: linesOf(panel.y, scale * (height + 2 * BELOW), LABEL * type),
    legendApart: false,
  };
}

// How much of a title's line the legend takes, in CSS pixels; its entries stand in even steps.
function legendWidth(legend, type) {
  const each = legend.map(([name]) => wide(name, LABEL * type) + 0.8 * LABEL * type);
  return each.length && sum(each.slice(1).map((width) => Math.max(width, LEGEND_STEP * type))) + each[0];
}

// Panels one below the other. Those of one height that stood in a row stay side by side if they can be read there.
function stacked(stage, width) {
  const type = Math.min(stage.theme.type, 1.1); // nobody projects a phone
  const panels = {};
  let top = 4;
  for (const { units, margins, across } of rowsOf(stage, width, type)) {
    const spare = (width - sum(margins.map(({ left, right }) => left + right))) / units.length;
    const words = units.map((unit, i) => wordsStacked(unit, across, spare + margins[i].right - 8, type));
    const above = Math.max(...words.map((each) => each.above));
    const high = Math.max(...units.map(({ panel: { box } }) => Math.max((box[3] * across) / box[2], Math.min(box[3], LOWEST))));
    let left = 0;
    units.forEach(({ name, panel, keys }, i) => {
      const box = [left + margins[i].left, top + above, across, high];
      panels[name] = { ...words[i], box };
      for (const key of keys) {
        const gap = gapBefore(key, { panel, keys }) * type;
        panels[key.name] = { title: [], x: [], y: [], box: [box[0] + across + gap, box[1], key.panel.box[2], high] };
      }
      left += margins[i].left + spare + margins[i].right;
    });
    top += above + high + Math.max(...words.map((each) => each.below)) + 8;
  }
  return { width, height: Math.ceil(top), scale: 1, type, thin: true, panels };
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

const sum = (numbers) => numbers.reduce((total, each) => total + each, 0);

// What words, colour bars and keys take up on both sides of a panel; panels that stood in one column stay aligned.
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
  const legend = legendWidth(panel.legend, type);
  const legendApart = legend > 0 && wide(panel.title, TITLE * type) + legend > across;
  const title = linesOf(panel.title, legend && !legendApart ? across - legend : room, TITLE * type);
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

// Which panel and which values on its axes are at (x, y), in CSS pixels of the layout; null outside all of them.
/** @param {Stage} stage @param {Axes} axes @param {number} x @param {number} y @param {Layout} [layout] */
export function pointed(stage, axes, x, y, layout = inProportion(stage, 1)) {
  for (const name of Object.keys(stage.panels)) {
    const [left, top, width, height] = layout.panels[name].box;
    const across = (x - left) / width;
    const up = (top + height - y) / height;
    if (across < 0 || across > 1 || up < 0 || up > 1) continue;
    const at = (axis, share) => axis.start + share * (axis.end - axis.start);
    const shown = axesIn(layout.panels[name].box, stage.panels[name], axes[name]);
    return { panel: name, x: at(shown.x, across), y: at(shown.y, up) };
  }
  return null;
}

// Both axes in that box: of equal ones that with more room reaches further to both sides, and circles stay round.
function axesIn([, , width, height], { equal }, { x, y }) {
  if (!equal) return { x, y };
  const span = (axis) => axis.end - axis.start;
  const unit = Math.min(width / Math.abs(span(x)), height / Math.abs(span(y)));
  const filling = (axis, room) => {
    const more = (Math.sign(span(axis)) * room / unit - span(axis)) / 2;
    return { ...axis, start: axis.start - more, end: axis.end + more };
  };
  return { x: filling(x, width), y: filling(y, height) };
}

// ---- Painting --------------------------------------------------------------------------------------------

// The whole picture. `ratio`: pixels of the context to a CSS pixel of the layout.
/**
 * @param {CanvasRenderingContext2D | import("./svg.js").SvgContext} context @param {Stage} stage @param {Axes} axes
 * @param {Data} data @param {number} ratio @param {Layout} [layout]
 */
export function paint(context, stage, axes, data, ratio, layout = inProportion(stage, 1)) {
  const { theme } = stage;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.fillStyle = theme.paper;
  context.fillRect(0, 0, layout.width, layout.height);
  for (const [name, still] of Object.entries(stage.panels)) {
    const panel = { ...still, natural: still.box, ...layout.panels[name] };
    panel.axes = axesIn(panel.box, still, axes[name]);
    panel.ending = axes[name].ends;
    panel.labels = { x: still.x, y: still.y };
    const lower = panel.box[3] < 0.99 * still.box[3] * layout.scale; // by what its words take
    const sheet = { context, theme, ratio, scale: layout.scale, type: layout.type, thin: layout.thin || lower };
    paintTicks(sheet, panel);
    context.save();
    if (hasLines(panel)) {
      context.beginPath();
      context.rect(.../** @type {Box} */ (panel.box));
      context.clip(); // the frame of a cell at an edge, and an arrow, may reach beyond
    }
    for (const [layer, looks] of Object.entries(panel.layers)) {
      if (looks.alpha !== undefined) context.globalAlpha = looks.alpha; // it comes or goes
      LAYERS[looks.kind](sheet, panel, looks, data[`${name}_${layer}`]);
      if (looks.alpha !== undefined) context.globalAlpha = 1;
    }
    context.restore();
    paintWords(sheet, panel);
    paintEnds(sheet, panel);
    if (panel.bar) paintBar(sheet, panel);
  }
}

// Where a panel's values are in a layout: its box, and from a value on an axis to a CSS pixel.
/** @param {Stage} stage @param {Axes} axes @param {Layout} layout @param {string} name @returns {{box: Box, x: (value: number) => number, y: (value: number) => number}} */
export function placesIn(stage, axes, layout, name) {
  const { box } = layout.panels[name];
  return { box, ...scales({ box, axes: axesIn(box, stage.panels[name], axes[name]) }) };
}

// From a value on an axis to a CSS pixel, for each of the two directions.
function scales({ box: [left, top, width, height], axes: { x, y } }) {
  return {
    x: (value) => left + ((value - x.start) / (x.end - x.start)) * width,
    y: (value) => top + height - ((value - y.start) / (y.end - y.start)) * height,
  };
}

// Where a straight line of CSS width 1 covers whole pixels.
function crisp({ ratio }, at) {
  const odd = Math.max(1, Math.round(ratio)) % 2;
  return odd ? (Math.floor(at * ratio) + 0.5) / ratio : Math.round(at * ratio) / ratio;
}

const hairline = ({ ratio }) => Math.max(1, Math.round(ratio)) / ratio;

function stroke({ context }, color, width, x0, y0, x1, y1) {
  context.strokeStyle = color;
  context.lineWidth = width;
  context.beginPath();
  context.moveTo(x0, y0);
  context.lineTo(x1, y1);
  context.stroke();
}

// Every tick, or where type is larger than the picture was made for every second, third … so that none touch.
function thinned(sheet, ticks, place, extent) {
  if (!sheet.thin) return ticks;
  for (let every = 1; every < ticks.length; every++) {
    const kept = ticks.filter((_, i) => i % every === 0);
    const apart = (tick, i) => i === 0 || Math.abs(place(tick[0]) - place(kept[i - 1][0])) >= (extent(tick) + extent(kept[i - 1])) / 2;
    if (kept.every(apart)) return kept;
  }
  return ticks.slice(0, 1);
}

function paintTicks(sheet, panel) {
  const { context, theme, scale, type } = sheet;
  const [left, top, width, height] = panel.box;
  const to = scales(panel);
  const lines = hasLines(panel);
  const size = TICK.size * type;
  const [length, gap] = [TICK.length * scale, TICK.gap * scale];
  const thin = hairline(sheet);
  const color = panel.words ? theme.ink : theme.quiet;
  const across = ([, label]) => (panel.slanted ? 1.15 * size : widthOf(context, label, size) + 0.5 * size);
  for (const [value, label] of thinned(sheet, panel.axes.x.ticks, to.x, across)) {
    const x = to.x(value);
    if (lines) stroke(sheet, theme.rule, thin, crisp(sheet, x), top + height, crisp(sheet, x), top + height + length);
    context.save();
    context.translate(x, top + height + length + gap);
    if (panel.slanted) context.rotate(-Math.PI / 4);
    if (panel.slanted) upright(sheet, label, -0.4 * size, size * BASELINE.middle, size, "right", color);
    else upright(sheet, label, 0, size * BASELINE.top, size, "center", color);
    context.restore();
  }
  for (const [value, label] of thinned(sheet, panel.axes.y.ticks, to.y, () => 1.05 * size)) {
    const y = to.y(value);
    if (lines) stroke(sheet, theme.rule, thin, left - length, crisp(sheet, y), left, crisp(sheet, y));
    upright(sheet, label, left - length - gap, y + size * BASELINE.middle, size, "right", color);
  }
  if (!lines) return;
  const { x, y } = panel.axes;
  const [side, floor] = [crisp(sheet, left), crisp(sheet, top + height)];
  if (y.ticks.length) stroke(sheet, theme.rule, thin, side, top, side, top + height);
  if (x.ticks.length) stroke(sheet, theme.rule, thin, left, floor, left + width, floor);
  if (y.ticks.length && y.start * y.end < 0) stroke(sheet, theme.rule, scale, left, to.y(0), left + width, to.y(0));
}

// A reader's own words, in which a dollar is a dollar.
function upright({ context, theme }, text, x, baseline, size, align, color = theme.ink) {
  context.fillStyle = color;
  context.font = font(size);
  context.textAlign = align;
  context.textBaseline = "alphabetic";
  context.fillText(text, x, baseline);
}

function paintWords(sheet, panel) {
  const { context, theme, scale, type } = sheet;
  const [left, top, width, height] = panel.box;
  const head = top - ABOVE * scale;
  const lines = [...panel.title].reverse();
  const first = panel.legendApart ? 1 : 0;
  lines.forEach((line, i) => {
    write(context, line, left, head - (i + first) * 1.2 * TITLE * type, TITLE * type, theme.ink, "left", "bottom");
  });
  const below = top + height + type * panel.places[1];
  panel.x.forEach((line, i) => {
    write(context, line, left + width / 2, below + i * 1.2 * LABEL * type, LABEL * type, theme.quiet, "center", "center");
  });
  context.save();
  context.translate(left - type * panel.places[0], top + height / 2);
  context.rotate(-Math.PI / 2);
  [...panel.y].reverse().forEach((line, i) => {
    write(context, line, 0, -i * 1.2 * LABEL * type, LABEL * type, theme.quiet, "center", "center");
  });
  context.restore();
  let end = left + width;
  for (const [name, color] of [...panel.legend].reverse()) {
    write(context, name, end, head, LABEL * type, color, "right", "bottom");
    end -= Math.max(LEGEND_STEP * type, widthOf(context, name, LABEL * type) + 0.8 * LABEL * type);
  }
}

// The names of lines, right of where they end.
function paintEnds(sheet, panel) {
  const { type } = sheet;
  const [left, top, width, height] = panel.box;
  const [begin, stop, word] = LEADER.map((far) => left + width + far * type);
  const ends = panel.ending.map(scales(panel).y);
  const places = apart(ends, END_STEP * LABEL * type, top, top + height);
  panel.ends.forEach(([name, color], i) => {
    stroke(sheet, color, type, begin, ends[i], stop, places[i]);
    write(sheet.context, name, word, places[i], LABEL * type, color, "left", "center");
  });
}

// Places near those wanted, at least a step apart, as in figures/places.py.
function apart(wanted, step, low, high) {
  const groups = /** @type {[number, number[]][]} */ ([]);
  const order = wanted.map((_, i) => i).sort((a, b) => wanted[a] - wanted[b]);
  for (const i of order) {
    for (let members = [i]; ; members = [.../** @type {any} */ (groups.pop())[1], ...members]) {
      const middle = sum(members.map((each) => wanted[each])) / members.length;
      const half = ((members.length - 1) / 2) * step;
      const first = Math.max(low, Math.min(middle - half, high - 2 * half));
      const last = groups.at(-1);
      if (last && last[0] + last[1].length * step > first) continue;
      groups.push([first, members]);
      break;
    }
  }
  const places = [];
  for (const [first, members] of groups) members.forEach((each, at) => (places[each] = first + at * step));
  return places;
}

function paintBar(sheet, { box: [left, top, width, height], bar }) {
  const { context, theme, scale, type } = sheet;
  /** @type {[number, number, number, number]} */
  const box = [left + width + BAR.gap * scale, top, BAR.width * scale, height];
  context.imageSmoothingEnabled = false;
  context.drawImage(coloured(bar, RAMP), ...box);
  const size = TICK.size * type;
  const end = box[0] + box[2];
  const to = (value) => top + height - ((value - bar.low) / (bar.high - bar.low)) * height;
  for (const [value, label] of thinned(sheet, bar.ticks, to, () => 1.05 * size)) {
    const y = to(value);
    upright(sheet, label, end + (TICK.length + TICK.gap) * scale, y + size * BASELINE.middle, size, "left", theme.quiet);
  }
}

const RAMP = { shape: [255, 1], bytes: Uint8Array.from({ length: 255 }, (_, i) => 255 - i) }; // high on top

// A table stays the same while a cursor moves over it: its colours are kept as long as its data.
const tables = new WeakMap();

function coloured(layer, data) {
  const kept = tables.get(data);
  if (kept?.colors === layer.table) return kept.canvas;
  const [rows, columns] = data.shape;
  const colors = new Uint32Array(bytes(layer.table).slice().buffer);
  const image = new ImageData(columns, rows);
  const pixels = new Uint32Array(image.data.buffer);
  const indices = bytes(data.bytes);
  for (let i = 0; i < indices.length; i++) pixels[i] = colors[indices[i]];
  const canvas = new OffscreenCanvas(columns, rows);
  /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d")).putImageData(image, 0, 0);
  tables.set(data, { colors: layer.table, canvas });
  return canvas;
}

function paintHeatmap({ context, ratio }, panel, layer, data) {
  const [rows, columns] = data.shape;
  const [left, top, width, height] = layer.within ? boxWithin(panel, layer.within) : panel.box;
  if (data.places) return paintSliding(context, panel.box, coloured(layer, data.whole), data.places);
  // A magnified cell keeps sharp edges; a table larger than the screen is averaged, or it would shimmer.
  context.imageSmoothingEnabled = columns > width * ratio || rows > height * ratio;
  context.imageSmoothingQuality = "high";
  context.drawImage(coloured(layer, data), left, top, width, height);
}

// The box on the canvas of a place in units of the axes.
function boxWithin(panel, [left, top, right, bottom]) {
  const to = scales(panel);
  return [to.x(left), to.y(top), to.x(right) - to.x(left), to.y(bottom) - to.y(top)];
}

// Cell by cell, each row and column where it is on its way.
function paintSliding(context, [left, top, width, height], table, places) {
  const [across, down] = [width / places.length, height / places.length];
  context.imageSmoothingEnabled = false;
  for (const [i, y] of places.entries()) {
    for (const [j, x] of places.entries()) {
      context.drawImage(table, j, i, 1, 1, left + x * across, top + y * down, across + 0.5, down + 0.5); // no seams
    }
  }
}

const dashesOf = (wide) => [4 * wide, 2.5 * wide];

function paintLine({ context, scale }, panel, layer, data) {
  const xy = floats(data.bytes);
  const to = scales(panel);
  const wide = layer.width * scale;
  context.strokeStyle = layer.color;
  context.lineWidth = wide;
  context.lineJoin = "round";
  context.lineCap = layer.dashed ? "butt" : "square"; // Matplotlib's own
  context.setLineDash(layer.dashed ? dashesOf(wide) : []);
  context.beginPath();
  let penUp = true; // NaN lifts the pen
  for (let i = 0; i < xy.length; i += 2) {
    if (Number.isNaN(xy[i] + xy[i + 1])) penUp = true;
    else {
      context[penUp ? "moveTo" : "lineTo"](to.x(xy[i]), to.y(xy[i + 1]));
      penUp = false;
    }
  }
  context.stroke();
  context.setLineDash([]);
}

function paintPoints({ context, scale }, panel, layer, data) {
  const xy = floats(data.bytes);
  const to = scales(panel);
  context.fillStyle = context.strokeStyle = layer.color;
  const rim = layer.hollow ? RIM * scale : 0;
  context.lineWidth = RIM * scale;
  for (let i = 0; i < xy.length; i += 2) {
    if (Number.isNaN(xy[i] + xy[i + 1])) continue;
    context.beginPath();
    context.arc(to.x(xy[i]), to.y(xy[i + 1]), (layer.size * scale - rim) / 2, 0, 2 * Math.PI);
    if (layer.hollow) context.stroke();
    else context.fill();
  }
}

function paintArrows({ context, scale }, panel, layer, data) {
  const ends = floats(data.bytes);
  const to = scales(panel);
  const wide = layer.width * scale;
  context.strokeStyle = context.fillStyle = layer.color;
  context.lineWidth = wide;
  context.lineJoin = context.lineCap = "round";
  const tip = (wide / 2) * Math.hypot(1, 2); // the head is twice as long as half its width
  for (let i = 0; i < ends.length; i += 4) {
    const [x0, y0, x1, y1] = [to.x(ends[i]), to.y(ends[i + 1]), to.x(ends[i + 2]), to.y(ends[i + 3])];
    const length = Math.hypot(x1 - x0, y1 - y0);
    if (!length) continue;
    const [dx, dy] = [(x1 - x0) / length, (y1 - y0) / length];
    const head = Math.min(HEAD * scale, length);
    // As Matplotlib does it, the head is outlined as well, and set back so that the outline ends at the tip.
    const [tipX, tipY] = [x1 - tip * dx, y1 - tip * dy];
    context.setLineDash(layer.dashed ? dashesOf(wide) : []);
    context.beginPath();
    context.moveTo(x0, y0);
    context.lineTo(tipX, tipY);
    context.stroke();
    context.setLineDash([]);
    context.beginPath();
    context.moveTo(tipX, tipY);
    context.lineTo(tipX - head * dx - (head / 2) * dy, tipY - head * dy + (head / 2) * dx);
    context.lineTo(tipX - head * dx + (head / 2) * dy, tipY - head * dy - (head / 2) * dx);
    context.closePath();
    context.stroke();
    context.fill();
  }
}

function paintLabels(sheet, panel, layer, data) {
  const xy = floats(data.bytes);
  const to = scales(panel);
  const at = data.texts.map((_, i) => [to.x(xy[2 * i]), to.y(xy[2 * i + 1])]);
  if (layer.align) return paintAligned(sheet, layer, data.texts, at);
  const size = isMap(panel) ? sizeInCells(sheet, panel, layer, data) : sizeApart(sheet, layer, data, at);
  const below = size * BASELINE.center;
  data.texts.forEach((text, i) => upright(sheet, text, at[i][0], at[i][1] + below, size, "center", layer.color));
}

// Words laid out beforehand, such as a table's: they grow and shrink as the picture does. In code all are as wide.
function paintAligned({ context, scale }, layer, texts, at) {
  const size = layer.size * scale;
  context.fillStyle = layer.color;
  context.font = layer.mono ? `${size}px ${MONO}` : font(size);
  context.textAlign = layer.align;
  context.textBaseline = "alphabetic";
  texts.forEach((text, i) => context.fillText(text, at[i][0], at[i][1] + size * BASELINE.center));
}

// Labels among lines grow by half, for there is no telling what stands beside them; two that would touch are smaller.
function sizeApart({ context, theme, scale, type, thin }, layer, { texts }, at) {
  const wanted = (layer.size * (type / theme.type + scale)) / 2;
  if (!thin) return wanted;
  const widths = texts.map((text) => widthOf(context, text, wanted) + 3);
  let share = 1;
  at.forEach(([x, y], i) => {
    for (let j = 0; j < i; j++) {
      if (Math.abs(y - at[j][1]) < wanted) share = Math.min(share, (2 * Math.abs(x - at[j][0])) / (widths[i] + widths[j]));
    }
  });
  return Math.max(wanted * share, Math.min(wanted, LEAST_TYPE - 1));
}

// In the cells of a heatmap labels grow only as far as the cells hold them, and shrink with the cells.
function sizeInCells({ theme, scale, type }, { box, natural, axes: { x, y } }, layer, data) {
  const wanted = (layer.size * type) / theme.type;
  const kept = layer.size * Math.min(scale, box[2] / natural[2], box[3] / natural[3]);
  const longest = Math.max(1, ...data.texts.map((text) => text.length));
  const [wide, high] = [box[2] / Math.abs(x.end - x.start), box[3] / Math.abs(y.end - y.start)];
  return Math.max(kept, Math.min(wanted, (0.9 * wide) / (0.62 * longest), 0.45 * high)); // there may be two in a cell
}

const LAYERS = { heatmap: paintHeatmap, line: paintLine, points: paintPoints, arrows: paintArrows, labels: paintLabels };

// ---- Between two states ----------------------------------------------------------------------------------

// The data `share` (0 … 1) of the way from `before` to `after`: what moves, moves; arrows turn; rows and columns whose
// order has changed slide. Other heatmaps, and layers that have changed their shape, are at once what they will be.
/** @param {Data} before @param {Data} after @param {number} share @returns {Data} */
export function between(before, after, share) {
  return Object.fromEntries(
    Object.entries(after).map(([name, to]) => {
      const from = before[name];
      if (changesOrder(from, to)) return [name, { ...to, whole: to, places: placesBetween(from, to, share) }];
      const moves = from && from !== to && from.shape.join() === to.shape.join() && to.bytes.byteLength === 4 * to.shape[0] * to.shape[1];
      return [name, moves ? { ...to, bytes: onTheWay(floats(from.bytes), floats(to.bytes), to.shape[1], share) } : to];
    }),
  );
}

// Whether rows and columns of a table have only changed places.
/** @param {Data} before @param {Data} after */
export const slides = (before, after) => Object.entries(after).some(([name, to]) => changesOrder(before[name], to));

/** @param {any} from @param {any} to */
function changesOrder(from, to) {
  return Boolean(from?.order && to.order && from.order.length === to.order.length && (from.places || from.order.join() !== to.order.join()));
}

/** @param {any} from @param {any} to @param {number} share */
function placesBetween({ order, places }, to, share) {
  const start = to.order.map((each) => order.indexOf(each)).map((at) => places?.[at] ?? at);
  return start.map((at, i) => at + share * (i - at));
}

function onTheWay(from, to, columns, share) {
  const now = to.map((value, i) => from[i] + share * (value - from[i]));
  for (let i = 0; columns === 4 && i < now.length; i += 4) {
    const vector = (ends) => [ends[i + 2] - ends[i], ends[i + 3] - ends[i + 1]];
    const [[x0, y0], [x1, y1]] = [vector(from), vector(to)];
    const turn = Math.atan2(x0 * y1 - y0 * x1, x0 * x1 + y0 * y1); // the shorter way round
    const [angle, length] = [Math.atan2(y0, x0) + share * turn, (1 - share) * Math.hypot(x0, y0) + share * Math.hypot(x1, y1)];
    now[i + 2] = now[i] + length * Math.cos(angle);
    now[i + 3] = now[i + 1] + length * Math.sin(angle);
  }
  return new Uint8Array(now.buffer);
}
