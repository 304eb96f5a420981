// Finds the marks whose numbers the reader can ask about: cells of a heatmap, dots, points of a curve, arrows, words.
// It finds the mark at a point and the next mark in a direction, and where each one is, in CSS pixels of the layout.
// The layers named in a panel's `asked` are enough for that; nothing more is sent with a picture.

import { placesIn } from "./layout.js";

/**
 * @import { Box, Layer, Layout, Scene } from "./types.js"
 * @typedef {{panel: string, layer: string, row: number, column: number, part?: number}} Name `part`: the term of a sum
 * @typedef {Name & {box: Box, whole: Box, room: Box, kind: "cell" | "curve" | "apart"}} Mark `whole`: the box that no
 *   card may cover, for a single arrow all of it; `room`: the box of its panel
 * @typedef {{x: number, y: number, box: Box, ends?: number[], word?: boolean}} Spot any mark but a cell; `ends` of an
 *   arrow: x, y, x, y
 * @typedef {ReturnType<typeof placesIn>} Places
 */

const AROUND = 8; // CSS pixels from the middle of a dot to the sides of its box
const NEAR = 16, FAR = 60; // CSS pixels: how close a pointer has to be to a mark without neighbours, and to any
const ALONG = 8; // on a curve, one pixel to the side counts as much as this many up or down

const floats = (/** @type {Uint8Array} */ bytes) => new Float32Array(bytes.slice().buffer);

/** Return the names of panels with such marks, the hero first. @param {Scene} scene */
export function askedPanels({ stage }) {
  const names = Object.keys(stage.panels).filter((name) => stage.panels[name].asked.length);
  return names.sort((one, other) => Number(stage.panels[other].hero) - Number(stage.panels[one].hero));
}

/** Return the mark at (x, y), in CSS pixels of the layout. @param {Scene} scene @param {Layout} layout @param {number} x @param {number} y @returns {Mark | null} */
export function markAt(scene, layout, x, y) {
  for (const panel of askedPanels(scene)) {
    const places = placesIn(scene.stage, scene.axes, layout, panel);
    const [left, top, width, height] = places.box;
    if (x < left - AROUND || x > left + width + AROUND || y < top - AROUND || y > top + height + AROUND) continue;
    let nearest = null;
    let least = Infinity;
    for (const layer of scene.stage.panels[panel].asked) {
      const candidate = nearestIn(scene, places, panel, layer, x, y);
      if (candidate && candidate.far < least) [nearest, least] = [candidate, candidate.far];
    }
    if (nearest) return nearest.mark;
  }
  return null;
}

/** Return the mark with this name in the present scene, or null. @param {Scene} scene @param {Layout} layout @param {Name} name @returns {Mark | null} */
export function markNamed(scene, layout, { panel, layer, row, column }) {
  if (!scene.stage.panels[panel]?.asked.includes(layer)) return null;
  const places = placesIn(scene.stage, scene.axes, layout, panel);
  const data = dataOf(scene, panel, layer);
  if (looksOf(scene, panel, layer).kind === "heatmap") return isCell(data, row, column) ? cell(scene, places, panel, layer, row, column) : null;
  const spots = spotsOf(scene, places, panel, layer);
  const spot = spots[column];
  return spot && !Number.isNaN(spot.x + spot.y) ? asMark(places, { panel, layer, row: 0, column }, spots) : null;
}

/** Return the box round all that a layer has, or null if the picture lacks it. @param {Scene} scene @param {Layout} layout @param {string} panel @param {string} layer @returns {Box | null} */
export function boxOf(scene, layout, panel, layer) {
  if (!scene.stage.panels[panel]?.layers[layer]) return null;
  const spots = spotsOf(scene, placesIn(scene.stage, scene.axes, layout, panel), panel, layer).filter(({ x }) => !Number.isNaN(x));
  const [x, y] = [spots.map((spot) => spot.x), spots.map((spot) => spot.y)];
  const { kind, size } = looksOf(scene, panel, layer);
  const half = kind === "points" ? (size * layout.scale) / 2 : 0;
  const [left, top] = [Math.min(...x) - half, Math.min(...y) - half];
  return [left, top, Math.max(...x) + half - left, Math.max(...y) + half - top];
}

/** Return the first mark of a panel. @param {Scene} scene @param {Layout} layout @param {string} panel @returns {Mark | null} */
export function firstIn(scene, layout, panel) {
  for (const layer of scene.stage.panels[panel].asked) {
    const [rows, columns] = looksOf(scene, panel, layer).kind === "heatmap" ? dataOf(scene, panel, layer).shape : [1, dataOf(scene, panel, layer).shape[0]];
    for (let at = 0; at < rows * columns; at++) {
      const mark = markNamed(scene, layout, { panel, layer, row: Math.floor(at / columns), column: at % columns });
      if (mark) return mark;
    }
  }
  return null;
}

/**
 * Return the next mark to the right (1, 0), left (−1, 0), below (0, 1) or above (0, −1), or null. Marks that are no cells
 * have the order of their layer from left to right, and the panel's other layers above and below.
 * @param {Scene} scene @param {Layout} layout @param {Mark} from @param {[number, number]} way @returns {Mark | null}
 */
export function nextMark(scene, layout, from, way) {
  const { panel } = from;
  if (from.kind === "cell") return nextCell(scene, placesIn(scene.stage, scene.axes, layout, panel), from, way);
  const [right, down] = way;
  const { asked } = scene.stage.panels[panel];
  const layer = asked[asked.indexOf(from.layer) + down];
  if (layer === undefined) return null;
  const [count] = dataOf(scene, panel, layer).shape;
  for (let column = Math.min(from.column, count - 1) + right; column >= 0 && column < count; column += right || -1) {
    const mark = markNamed(scene, layout, { panel, layer, row: 0, column });
    if (mark) return mark;
  }
  return null;
}

// ---- Cells ----

/** @param {Scene} scene @param {string} panel @param {string} layer */
const looksOf = (scene, panel, layer) => scene.stage.panels[panel].layers[layer];
/** @param {Scene} scene @param {string} panel @param {string} layer @returns {Layer} */
const dataOf = (scene, panel, layer) => scene.data[`${panel}_${layer}`];
/** Return whether there is a cell; an empty cell is 0. @param {Layer} data @param {number} row @param {number} column */
const isCell = ({ shape: [rows, columns], bytes }, row, column) =>
  row >= 0 && row < rows && column >= 0 && column < columns && bytes[row * columns + column] > 0;

// Return left, top, right and bottom of a heatmap, in units of the axes.
/** @param {Scene} scene @param {string} panel @param {string} layer @returns {[number, number, number, number]} */
function edgesOf(scene, panel, layer) {
  const { within } = looksOf(scene, panel, layer);
  if (within) return within;
  const { x, y } = scene.axes[panel];
  return [x.start, y.end, x.end, y.start];
}

/** @param {Scene} scene @param {Places} places @param {string} panel @param {string} layer @param {number} row @param {number} column @returns {Mark} */
function cell(scene, places, panel, layer, row, column) {
  const [left, top, right, bottom] = edgesOf(scene, panel, layer);
  const [rows, columns] = dataOf(scene, panel, layer).shape;
  const [x0, x1] = [column, column + 1].map((at) => places.x(left + ((right - left) * at) / columns));
  const [y0, y1] = [row, row + 1].map((at) => places.y(top + ((bottom - top) * at) / rows));
  /** @type {Box} */
  const box = [x0, y0, x1 - x0, y1 - y0];
  return { panel, layer, row, column, kind: "cell", room: places.box, box, whole: box };
}

/** @param {Scene} scene @param {Places} places @param {Mark} from @param {[number, number]} way */
function nextCell(scene, places, from, [right, down]) {
  const data = dataOf(scene, from.panel, from.layer);
  const [rows, columns] = data.shape;
  let { row, column } = from;
  do [row, column] = [row + down, column + right];
  while (row >= 0 && row < rows && column >= 0 && column < columns && !isCell(data, row, column));
  return isCell(data, row, column) ? cell(scene, places, from.panel, from.layer, row, column) : null;
}

// ---- Dots, points of a curve, arrows, words ----

/** @param {Scene} scene @param {Places} places @param {string} panel @param {string} layer @returns {Spot[]} */
function spotsOf(scene, places, panel, layer) {
  const { kind, size } = looksOf(scene, panel, layer);
  const values = floats(dataOf(scene, panel, layer).bytes);
  /** @type {Spot[]} */
  const spots = [];
  if (kind === "arrows") {
    for (let i = 0; i < values.length; i += 4) {
      const ends = [places.x(values[i]), places.y(values[i + 1]), places.x(values[i + 2]), places.y(values[i + 3])];
      spots.push({ x: ends[2], y: ends[3], ends, box: around(ends) });
    }
    return spots;
  }
  for (let i = 0; i < values.length; i += 2) {
    const [x, y] = [places.x(values[i]), places.y(values[i + 1])];
    const half = kind === "points" ? Math.max(AROUND, size / 2 + 3) : AROUND;
    spots.push({ x, y, word: kind === "labels", box: [x - half, y - half, 2 * half, 2 * half] });
  }
  return spots;
}

/** @param {number[]} ends @returns {Box} */
function around([x0, y0, x1, y1]) {
  const [left, top] = [Math.min(x0, x1) - 4, Math.min(y0, y1) - 4];
  return [left, top, Math.abs(x1 - x0) + 8, Math.abs(y1 - y0) + 8];
}

// Return whether the marks are in order from left to right, like those of a curve or of bars.
/** @param {Spot[]} spots */
const isCurve = (spots) => spots.length > 1 && spots.every((spot, i) => !spot.ends && (i === 0 || spot.x > spots[i - 1].x));

// Return the mark of a spot. A single arrow is marked at its tip. Several arrows, such as the hands of dials, are
// marked where they begin. A word, such as the number of a dial, is marked with some space around it.
/** @param {Places} places @param {Name} name @param {Spot[]} spots @returns {Mark} */
function asMark(places, name, spots) {
  const { x, y, box, ends, word } = spots[name.column];
  const curve = isCurve(spots);
  const half = spots.length > 1 ? 0.9 * reachOf(spots, curve) : AROUND + 2;
  const [middle, height] = ends && spots.length > 1 ? ends : [x, y];
  /** @type {Box} */
  const marked = ends || word ? [middle - half, height - half, 2 * half, 2 * half] : box;
  return { ...name, kind: curve ? "curve" : "apart", room: places.box, box: marked, whole: ends && spots.length < 2 ? box : marked };
}

// Return the mark of a layer that is nearest to (x, y) and its distance, or null if none is near enough.
/** @param {Scene} scene @param {Places} places @param {string} panel @param {string} layer @param {number} x @param {number} y @returns {{mark: Mark, far: number} | null} */
function nearestIn(scene, places, panel, layer, x, y) {
  if (looksOf(scene, panel, layer).kind === "heatmap") return cellAt(scene, places, panel, layer, x, y);
  const spots = spotsOf(scene, places, panel, layer);
  const curve = isCurve(spots);
  const limit = reachOf(spots, curve);
  let best = -1;
  let least = Infinity;
  spots.forEach((spot, at) => {
    const aside = curve ? Math.abs(spot.x - x) : distance(spot, x, y);
    const far = curve ? Math.hypot(ALONG * aside, spot.y - y) : aside;
    if (aside <= limit && far < least) [best, least] = [at, far];
  });
  return best < 0 ? null : { mark: asMark(places, { panel, layer, row: 0, column: best }, spots), far: least };
}

/** @param {Scene} scene @param {Places} places @param {string} panel @param {string} layer @param {number} x @param {number} y */
function cellAt(scene, places, panel, layer, x, y) {
  const data = dataOf(scene, panel, layer);
  const [rows, columns] = data.shape;
  const { box } = cell(scene, places, panel, layer, 0, 0);
  const [column, row] = [Math.floor((x - box[0]) / box[2]), Math.floor((y - box[1]) / box[3])];
  if (row >= rows || column >= columns || !isCell(data, row, column)) return null;
  return { mark: cell(scene, places, panel, layer, row, column), far: 0 };
}

// Return how close the pointer must be to a mark: about half the distance between marks, or between points of a curve.
/** @param {Spot[]} spots @param {boolean} curve */
function reachOf(spots, curve) {
  if (curve) return Math.max(NEAR, (0.6 * Math.abs(spots[spots.length - 1].x - spots[0].x)) / (spots.length - 1));
  let least = Infinity;
  for (const [i, one] of spots.entries()) {
    const starts = (/** @type {Spot} */ spot) => spot.ends ?? [spot.x, spot.y];
    for (const other of spots.slice(0, i)) least = Math.min(least, Math.hypot(starts(one)[0] - starts(other)[0], starts(one)[1] - starts(other)[1]));
  }
  return least < Infinity ? Math.min(Math.max(0.5 * least, NEAR / 2), FAR) : NEAR;
}

/** @param {Spot} spot @param {number} x @param {number} y */
function distance(spot, x, y) {
  if (!spot.ends) return Math.hypot(spot.x - x, spot.y - y);
  const [x0, y0, x1, y1] = spot.ends;
  const [dx, dy] = [x1 - x0, y1 - y0];
  const share = Math.min(Math.max(((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy || 1), 0), 1);
  return Math.hypot(x - x0 - share * dx, y - y0 - share * dy);
}

/** @param {Mark} mark @returns {Name} */
export const nameOf = ({ panel, layer, row, column }) => ({ panel, layer, row, column });
