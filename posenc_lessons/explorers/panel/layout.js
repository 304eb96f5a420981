// Lays out a picture in the available room, and finds the panel at a point. All lengths are CSS pixels.

import { stacked } from "./stacked.js";
import { BELOW, BESIDE, LABEL, LEAST_TYPE, ROOM, TICK, legendWidth, sum, titleAndLegend } from "./sizes.js";
import { linesOf } from "./type.js";

/** @import { Axes, Box, Layout, Stage } from "./types.js" */

const SMALLEST = 0.52, LARGEST = 2; // limits of a picture's scale, in a low room and in a large one
const TALLEST = 1.3; // how many times as high panels become in a high room
export const PHONE = 500; // CSS pixels: in a narrower room, panels stand one below the other

// Return the layout of a picture that may take `roomWidth` × `roomHeight` CSS pixels (Infinity: no limit) and be at
// most `largest` times its natural size. It shrinks to fit the height, down to SMALLEST. In a narrow room the panels
// stand one below the other, on pages as high as the room.
// The layout: {width, height, scale, type, panels: {name: {box, title, x, y: lines; legendApart}}}. Lines and dots are
// scaled by `scale`, words by `type`. With pages it has `pages`: the names of the panels on each.
/** @param {Stage} stage @param {number} roomWidth @param {number} [roomHeight] @param {number} [largest] @returns {Layout} */
export function layoutFor(stage, roomWidth, roomHeight = Infinity, largest = Math.max(stage.theme.enlarged, LARGEST)) {
  if (roomWidth < PHONE) return stacked(stage, Math.floor(roomWidth), roomHeight);
  const fitting = Math.max(SMALLEST, roomHeight / stage.height);
  const scale = Math.min(largest, fitting, roomWidth / stage.width);
  const higher = inProportion(stage, scale, true); // tried first: panels keep their height
  if (higher.height > roomHeight) return inProportion(stage, scale);
  return inProportion(taller(stage, Math.min(TALLEST, 1 + (roomHeight - higher.height) / (stage.height * scale))), scale, true);
}

// Return the stage with all panels `times` as high, but for squares and what stands in a row with them.
function taller(stage, times) {
  const squares = Object.values(stage.panels).filter(({ equal, box }) => equal && box[2] === box[3]);
  const panels = Object.entries(stage.panels).map(([name, panel]) => {
    const [left, top, width, height] = panel.box;
    const square = squares.some(({ box }) => box[1] === top && box[3] === height);
    const box = square ? [left, top * times, width, height] : [left, top * times, width, height * times];
    return [name, { ...panel, box }];
  });
  return { ...stage, height: stage.height * times, panels: Object.fromEntries(panels) };
}

// Return the layout as Python arranged it, at `scale` times its natural size. Words stay legible; the room they need
// is taken from the panels, in a column from the highest ones. If the picture `grows`, it becomes higher instead:
// everything below a panel moves down.
export function inProportion(stage, scale, grows = false) {
  const width = Math.round(stage.width * scale);
  const exact = width / stage.width;
  const type = Math.max(stage.theme.type * exact, (Math.sqrt(stage.theme.type) * LEAST_TYPE) / TICK.size);
  const more = type / exact - stage.theme.type;
  const panels = {};
  const moves = []; // for each panel so far: its lower end, and how far everything below moves down
  for (const [name, panel] of Object.entries(stage.panels).sort(([, a], [, b]) => a.box[1] - b.box[1])) {
    const row = Object.values(stage.panels).filter(({ box }) => box[1] === panel.box[1] && box[3] === panel.box[3]);
    const words = row.map((other) => wordsOf(other, stage, type, exact));
    const [left, top, boxWidth, boxHeight] = panel.box;
    const line = (type / exact) * LABEL * 1.2;
    const above = more * ROOM.title + line * Math.max(...words.map(({ title, legendApart }) => title.length + Number(legendApart) - 1), 0);
    const below = more * Math.max(...row.map((other) => other.below)) + line * Math.max(...words.map(({ x }) => x.length - 1), 0);
    const own = wordsOf(panel, stage, type, exact);
    const beside = more * panel.beside + line * Math.max(own.y.length - 1, 0);
    const narrower = boxWidth < ROOM.narrow ? 0 : beside + afterPanel(panel, more);
    const down = Math.max(0, ...moves.filter(([end]) => end <= top).map(([, far]) => far));
    if (grows) moves.push([top + boxHeight, down + above + below]);
    const box = [left + beside, top + down + above, boxWidth - narrower, boxHeight - (grows ? 0 : above + below)];
    panels[name] = { ...own, box: box.map((side) => side * exact) };
  }
  if (!grows) for (const column of columnsOf(stage)) level(column, panels, exact);
  const high = stage.height + Math.max(0, ...moves.map(([, far]) => far));
  return { width, height: Math.round(high * exact), scale: exact, type, thin: more > 1e-6, panels };
}

// Share out a column's height again: the highest panels shrink first, until all that shrink are equally high.
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

// Return the columns: lists of [name, panel] from top to bottom. Panels that also stand in a row are in no column.
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

// Return how much narrower a panel becomes for larger words to its right: names at line ends, numbers of a colour bar.
const afterPanel = ({ right, bar }, more) => more * (right + (bar ? ROOM.bar : 0));

// Return the lines of a panel's title and labels, in type of size `type` and a picture at `scale` times its natural
// size. They fit between the panel's neighbours.
function wordsOf(panel, stage, type, scale) {
  const [left, top, width, height] = panel.box;
  const others = Object.values(stage.panels).map(({ box }) => box);
  const beside = others.filter((box) => box[0] > left + width && box[1] < top + height && box[1] + box[3] > top);
  const end = Math.min(stage.width, ...beside.filter((box) => box[2] >= ROOM.narrow).map((box) => box[0])) - 4;
  const more = type / scale - stage.theme.type;
  const shift = more * panel.beside; // the panel moves right for its own larger words
  const inside = width - shift - afterPanel(panel, more);
  const inRow = beside.some((box) => box[0] - 4 === end && box[1] + box[3] === top + height);
  const apart = inRow ? 4 + shift : 2 * BESIDE; // below a row stand only the names of the axes
  const across = Math.max(width, Math.min(end - left, left + width) - apart);
  return {
    ...titleAndLegend(panel, scale * inside - legendWidth(panel.legend, type), scale * (end - left - shift), type),
    x: linesOf(panel.x, scale * across, LABEL * type),
    y: linesOf(panel.y, scale * (height + 2 * BELOW), LABEL * type),
  };
}

/** @param {Stage} stage @param {Axes} axes @param {number} x @param {number} y @param {Layout} [layout] */
export function pointed(stage, axes, x, y, layout = inProportion(stage, 1)) {
  for (const name of Object.keys(stage.panels)) {
    const [left, top, width, height] = layout.panels[name].box;
    const across = (x - left) / width;
    const up = (top + height - y) / height;
    if (across < 0 || across > 1 || up < 0 || up > 1) continue;
    const at = (axis, share) => axis.start + share * (axis.end - axis.start);
    const extended = axesIn(layout.panels[name].box, stage.panels[name], axes[name]);
    return { panel: name, x: at(extended.x, across), y: at(extended.y, up) };
  }
  return null;
}

// Return both axes for a box. With `equal` a unit has the same length on both axes, so that circles stay round: the
// axis with room to spare is extended on both sides.
export function axesIn([, , width, height], { equal }, { x, y }) {
  if (!equal) return { x, y };
  const span = (axis) => axis.end - axis.start;
  const unit = Math.min(width / Math.abs(span(x)), height / Math.abs(span(y)));
  const filling = (axis, room) => {
    const more = (Math.sign(span(axis)) * room / unit - span(axis)) / 2;
    return { ...axis, start: axis.start - more, end: axis.end + more };
  };
  return { x: filling(x, width), y: filling(y, height) };
}

// Return a panel's box in a layout, and functions from a value on an axis to a CSS pixel.
/** @param {Stage} stage @param {Axes} axes @param {Layout} layout @param {string} name @returns {{box: Box, x: (value: number) => number, y: (value: number) => number}} */
export function placesIn(stage, axes, layout, name) {
  const { box } = layout.panels[name];
  return { box, ...scales({ box, axes: axesIn(box, stage.panels[name], axes[name]) }) };
}

// Return two functions, for x and y, from a value on the axis to a CSS pixel.
export function scales({ box: [left, top, width, height], axes: { x, y } }) {
  return {
    x: (value) => left + ((value - x.start) / (x.end - x.start)) * width,
    y: (value) => top + height - ((value - y.start) / (y.end - y.start)) * height,
  };
}
