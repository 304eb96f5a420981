// Paints a whole picture on a 2-D context: panels with their data, titles, labels, legends, colour bars, ticks.
// `figures/canvas_data.py` says what stage, axes and data are. This module contains no mathematics of the lessons and
// does not depend on a page: JupyterLab and the page without a kernel use the same one.
//
//   const layout = layoutFor(stage, roomWidth, roomHeight);   // layout.js: {width, height, …} in CSS pixels
//   canvas.width = Math.round(layout.width * ratio);          // ratio: device pixels to a CSS pixel
//   paint(canvas.getContext("2d"), stage, axes, data, ratio, layout);
//   pointed(stage, axes, x, y, layout);                       // CSS pixels on the canvas → {panel, x, y} or null

import { axesIn, inProportion, scales } from "./layout.js";
import { ABOVE, BAR, END_STEP, LABEL, LEADER, LEAST_TYPE, LEGEND_GAP, TICK, TITLE, legendWidth, sum } from "./sizes.js";
import { BASELINE, font, widthOf, write } from "./type.js";

/** @import { Axes, Box, Data, Layout, Stage } from "./types.js" */

const HEAD = 10; // length of the head of an arrow that is 2 wide or more
const HALO = 5; // line width of the paper around a label
const RIM = 1.3; // line width of a hollow dot

const floats = (view) => new Float32Array(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength));
const bytes = (view) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
const isMap = (panel) => Object.values(panel.layers).some((layer) => layer.kind === "heatmap");
const hasLines = (panel) => !panel.equal && !isMap(panel); // axis lines at the left and bottom: the panel shows curves

// Paint the whole picture. `ratio`: how many pixels of the context a CSS pixel of the layout has.
/**
 * @param {CanvasRenderingContext2D} context @param {Stage} stage @param {Axes} axes
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
    panel.written = Object.entries(still.layers).flatMap(([layer, { kind, size }]) => (kind === "labels" ? { size, data: data[`${name}_${layer}`] } : []));
    const lower = panel.box[3] < 0.99 * still.box[3] * layout.scale; // because its words took some of its height
    const sheet = { context, theme, ratio, scale: layout.scale, type: layout.type, thin: layout.thin || lower };
    paintTicks(sheet, panel);
    context.save();
    if (hasLines(panel)) {
      context.beginPath();
      context.rect(.../** @type {Box} */ (panel.box));
      context.clip(); // arrows, and the frame of a cell at the edge, may reach out of the box
    }
    for (const [layer, looks] of Object.entries(panel.layers)) LAYERS[looks.kind](sheet, panel, looks, data[`${name}_${layer}`]);
    context.restore();
    paintWords(sheet, panel);
    paintEnds(sheet, panel);
    if (panel.bar) paintBar(sheet, panel);
  }
}

// Return the place near `at` where a straight line 1 CSS pixel wide covers whole pixels.
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

// Return every tick. In type larger than the picture was made for, return every second or third … so that labels do
// not touch.
function thinned(sheet, ticks, place, extent) {
  if (!sheet.thin) return ticks;
  for (let every = 1; every < ticks.length; every++) {
    const some = ticks.filter((_, i) => i % every === 0);
    const apart = (tick, i) => i === 0 || Math.abs(place(tick[0]) - place(some[i - 1][0])) >= (extent(tick) + extent(some[i - 1])) / 2;
    if (some.every(apart)) return some;
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

// Write text in which `$` is a plain character, as in a reader's own words.
function upright({ context, theme }, text, x, baseline, size, align, color = theme.ink) {
  context.fillStyle = color;
  context.font = font(size);
  context.textAlign = align;
  context.textBaseline = "alphabetic";
  context.fillText(text, x, baseline);
}

// Part a text among arrows and arcs from the lines it stands on, as in figures/draw.py.
function halo({ context, theme, scale }, text, x, baseline, size, align) {
  Object.assign(context, { font: font(size), textAlign: align, textBaseline: "alphabetic", strokeStyle: theme.paper, lineWidth: HALO * scale, lineJoin: "round" });
  context.strokeText(text, x, baseline);
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
  const inside = (0.6 + 1.2 * (panel.y.length - 1)) * LABEL * type + 1; // the picture's left edge cuts nothing off
  context.translate(Math.max(left - type * panel.places[0], inside), top + height / 2);
  context.rotate(-Math.PI / 2);
  [...panel.y].reverse().forEach((line, i) => {
    write(context, line, 0, -i * 1.2 * LABEL * type, LABEL * type, theme.quiet, "center", "center");
  });
  context.restore();
  let end = Math.max(left + width, legendWidth(panel.legend, type));
  for (const [name, color] of [...panel.legend].reverse()) {
    write(context, name, end, head, LABEL * type, color, "right", "bottom");
    end -= widthOf(context, name, LABEL * type) + LEGEND_GAP * type;
  }
}

// Write the names of lines, to the right of their ends.
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

// Return places near the wanted ones that are at least a step apart, as in figures/places.py.
function apart(wanted, step, low, high) {
  const groups = /** @type {[number, number[]][]} */ ([]);
  const order = wanted.map((_, i) => i).sort((a, b) => wanted[a] - wanted[b]);
  for (const i of order) {
    for (let members = [i]; ; members = [.../** @type {any} */ (groups.pop())[1], ...members]) {
      const middle = sum(members.map((member) => wanted[member])) / members.length;
      const half = ((members.length - 1) / 2) * step;
      const first = Math.max(low, Math.min(middle - half, high - 2 * half));
      const last = groups.at(-1);
      if (last && last[0] + last[1].length * step > first) continue;
      groups.push([first, members]);
      break;
    }
  }
  const places = [];
  for (const [first, members] of groups) members.forEach((member, at) => (places[member] = first + at * step));
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

// Heatmaps in their colours, by their data, because a heatmap stays the same while a cursor moves over it.
const tables = new WeakMap();

function coloured(layer, data) {
  const earlier = tables.get(data);
  if (earlier?.colors === layer.table) return earlier.canvas;
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
  if (data.places) return paintSliding(context, panel.box, coloured(layer, data.whole), data);
  // Enlarged cells keep sharp edges; a heatmap with more cells than pixels is averaged, so that it does not shimmer.
  context.imageSmoothingEnabled = columns > width * ratio || rows > height * ratio;
  context.imageSmoothingQuality = "high";
  context.drawImage(coloured(layer, data), left, top, width, height);
}

// Return the box on the canvas of a rectangle in units of the axes.
function boxWithin(panel, [left, top, right, bottom]) {
  const to = scales(panel);
  return [to.x(left), to.y(top), to.x(right) - to.x(left), to.y(bottom) - to.y(top)];
}

// Paint a heatmap cell by cell while its rows and columns slide to other places, the first item in front.
function paintSliding(context, [left, top, width, height], table, { places, columns, order }) {
  const [across, down] = [width / columns.length, height / places.length];
  const fromBehind = order.map((item, at) => [item, at]).sort((one, other) => other[0] - one[0]).map(([, at]) => at);
  context.imageSmoothingEnabled = false;
  for (const i of fromBehind) {
    for (const j of fromBehind) {
      context.drawImage(table, j, i, 1, 1, left + columns[j] * across, top + places[i] * down, across + 0.5, down + 0.5); // no seams
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
  context.lineCap = layer.dashed ? "butt" : "square"; // as in Matplotlib
  context.setLineDash(layer.dashed ? dashesOf(wide) : []);
  context.beginPath();
  let penUp = true; // NaN leaves a gap
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
    const head = Math.min(HEAD * Math.min(1, layer.width / 2) * scale, length);
    // As in Matplotlib, the head has an outline too, and is moved back so that the outline ends at the tip.
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
  const size = isMap(panel) ? sizeInCells(sheet, panel, layer, data) : sizeApart(sheet, panel, layer);
  const below = size * BASELINE.center;
  const { align, color } = layer;
  for (const { text, x, y } of labelsOf(panel, data)) {
    const at = align === "center" ? insideOf(sheet, panel, text, x, size) : x;
    if (panel.equal) halo(sheet, text, at, y + below, size, align);
    upright(sheet, text, at, y + below, size, align, color);
  }
}

function labelsOf(panel, data) {
  const xy = floats(data.bytes);
  const to = scales(panel);
  return data.texts.map((text, i) => ({ text, x: to.x(xy[2 * i]), y: to.y(xy[2 * i + 1]) }));
}

// Return the x of a label's middle. Panels of curves are clipped at their box, so in a narrow one labels move inside.
function insideOf({ context, thin }, panel, text, x, size) {
  if (!thin || !hasLines(panel)) return x;
  const [left, , width] = panel.box;
  const half = widthOf(context, text, size) / 2 + 1;
  return Math.max(left + half, Math.min(x, left + width - half));
}

// Return the size of labels among curves: they grow half as much as other type, because nothing says how much room they
// have. All labels of one size in the panel become smaller if two of them would touch.
function sizeApart({ context, theme, scale, type, thin }, panel, layer) {
  const wanted = (layer.size * (type / theme.type + scale)) / 2;
  if (!thin) return wanted;
  const alike = panel.written.filter(({ size }) => size === layer.size).flatMap(({ data }) => labelsOf(panel, data)).filter(({ text }) => text);
  const widths = alike.map(({ text }) => widthOf(context, text, wanted) + 3);
  let share = 1;
  alike.forEach(({ x, y }, i) => {
    for (let j = 0; j < i; j++) {
      if (Math.abs(y - alike[j].y) < wanted) share = Math.min(share, (2 * Math.abs(x - alike[j].x)) / (widths[i] + widths[j]));
    }
  });
  return Math.max(wanted * share, Math.min(wanted, LEAST_TYPE - 1));
}

// Return the size of labels in the cells of a heatmap: they grow only as far as the cells allow, and shrink with them.
function sizeInCells({ theme, scale, type }, { box, natural, axes: { x, y } }, layer, data) {
  const wanted = (layer.size * type) / theme.type;
  const least = layer.size * Math.min(scale, box[2] / natural[2], box[3] / natural[3]);
  const longest = Math.max(1, ...data.texts.map((text) => text.length));
  const [wide, high] = [box[2] / Math.abs(x.end - x.start), box[3] / Math.abs(y.end - y.start)];
  return Math.max(least, Math.min(wanted, (0.9 * wide) / (0.62 * longest), 0.45 * high)); // a cell may hold two labels
}

const LAYERS = { heatmap: paintHeatmap, line: paintLine, points: paintPoints, arrows: paintArrows, labels: paintLabels };
