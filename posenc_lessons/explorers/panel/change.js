// A change between two pictures with the same panels: the numbers of the scene go from those of one to those of the
// other. Points move, arrows turn, colours blend, and other words come late. Where rows and columns of a heatmap only change
// their order, its rows slide to their places one after another, with all else that moves, and then its columns. New
// lines and points are drawn from their beginning. Everything else is at once as in the later picture.

/** @import { Axes, Axis, Data, Layer, Scene } from "./types.js" */
/** @typedef {readonly number[]} Order of each row, the number of what it shows */

export const DURATION = 300, SLIDING = 1500; // milliseconds of a change, and of one in which rows and columns slide
const LATE = 0.6; // the share of a change after which other words stand, because colours are nearly those of the later picture
const COVERS = 0.6; // rows from one whose number it hides, and a little of its own
const APART = 0.7; // from the start of one row to that of the next, as a share of the way of one

/**
 * Return a function that gives the scene at a `share` (0 … 1) of the way from `before` to `after`, or null if their
 * panels differ.
 * @param {Scene} before @param {Scene} after @returns {((share: number) => Scene) | null}
 */
export function wayBetween(before, after) {
  if (boxesOf(before) !== boxesOf(after)) return null;
  /** @type {Record<string, string>} */
  const sliding = Object.fromEntries(Object.keys(after.data).flatMap((name) => (slides(before.data[name], after.data[name]) ? [[panelOf(name), name]] : [])));
  const [first] = Object.values(sliding);
  if (!first) return between;
  return (share) => {
    const [rows, columns] = [Math.min(1, 2 * share), Math.max(0, 2 * share - 1)];
    const scene = between(rows);
    for (const name of Object.values(sliding)) scene.data[name] = slidBetween(before.data[name], after.data[name], rows, columns);
    for (const [name, layer] of Object.entries(after.data)) {
      const table = sliding[panelOf(name)];
      if (!table) scene.data[name] = inTurnBetween(before.data[name], layer, name, after.data[first].shape[0], rows);
      else if (layer.texts) scene.data[name] = numbersBetween(before.data[name], layer, scene.data[table], columns < 1);
    }
    for (const panel of Object.keys(sliding)) if (columns < 0.5 && panel in before.axes) scene.axes[panel] = before.axes[panel]; // its words move with the columns
    return scene;
  };

  function between(/** @type {number} */ share) {
    return {
      ...after,
      axes: mapped(after.axes, (axes, name) => axesBetween(before.axes[name], axes, share)),
      data: mapped(after.data, (layer, name) => layerBetween(before.data[name], layer, share)),
    };
  }
}

/** @param {string} layer its name, which begins with that of its panel */
const panelOf = (layer) => layer.split("_")[0];

/** Return the share of its own way that item `number` of `count` has made: they go one after another. @param {number} share @param {number} number @param {number} count */
const inTurn = (share, number, count) => eased(Math.min(1, Math.max(0, share * (1 + (count - 1) * APART) - number * APART)));

/** Return a layer beside rows that slide: its words, or the strokes whose number is in their name, go in turn as the rows do. @param {Layer | undefined} from @param {Layer} to @param {string} name @param {number} count @param {number} share */
function inTurnBetween(from, to, name, count, share) {
  const number = /\d+$/.exec(name);
  if (!from || !sameShape(from, to)) return to;
  if (to.texts?.length !== count) return layerBetween(from, to, number ? inTurn(share, Number(number[0]), count) : share);
  const start = floats(from), now = floats(to).map((value, i) => near(start[i], value, inTurn(share, i >> 1, count)));
  for (let i = 3; i < now.length; i += 2) if (now.some((y, k) => k % 2 && k < i && Math.abs(y - now[i]) < COVERS)) now[i] = NaN;
  return { ...to, bytes: bytesOf(now) };
}

/** Return a heatmap whose rows and columns slide. @param {Layer} from @param {Layer} to @param {number} rows @param {number} columns */
function slidBetween(from, to, rows, columns) {
  const [places, order] = [placesBetween(from, to, rows, "places"), to.order ?? []];
  return { ...to, whole: { ...to, bytes: blended(inOrder(from, order), to.bytes, rows) }, places, columns: placesBetween(from, to, columns, "columns") };
}

/** Return the numbers in the cells of a table that slides. Other numbers than before come when their cells have arrived; a number below a row or column that slides over it is not seen. @param {Layer | undefined} from @param {Layer} to @param {Layer} table @param {boolean} moves */
function numbersBetween(from, to, { places = [], columns = [], order = [] }, moves) {
  const isOther = from?.texts?.join() !== to.texts?.join(), now = floats(to);
  const isCovered = (/** @type {readonly number[]} */ at, /** @type {number} */ i) => at.some((place, k) => order[k] < order[i] && Math.abs(place - at[i]) < COVERS);
  for (let i = 0; i < now.length; i += 2) {
    const [column, row] = [Math.round(now[i]), Math.round(now[i + 1])];
    [now[i], now[i + 1]] = [columns[column], places[row]];
    if ((isOther && moves) || isCovered(columns, column) || isCovered(places, row)) now[i] = NaN;
  }
  return { ...to, bytes: bytesOf(now) };
}

/** Return the cells of a heatmap with its rows and columns in another order. @param {Layer} layer @param {Order} order */
function inOrder({ bytes, order: earlier = [] }, order) {
  const at = order.map((item) => earlier.indexOf(item));
  return Uint8Array.from(bytes.length === at.length ** 2 ? at.flatMap((row) => at.map((column) => bytes[row * at.length + column])) : bytes);
}

/** Return whether a heatmap's rows and columns are in another order. @param {Data} before @param {Data} after */
export const changesOrder = (before, after) => Object.entries(after).some(([name, layer]) => slides(before[name], layer));

/** Return the share of the way after a share of the time: slow at both ends. @param {number} time */
export const eased = (time) => time * time * (3 - 2 * time);

/** @param {Scene} scene */
function boxesOf({ stage: { panels, width, height } }) {
  return JSON.stringify([width, height, Object.keys(panels).sort().map((name) => [name, panels[name].box])]);
}

/** @template T @param {Record<string, T>} entries @param {(value: T, name: string) => T} change @returns {Record<string, T>} */
const mapped = (entries, change) => Object.fromEntries(Object.entries(entries).map(([name, value]) => [name, change(value, name)]));

/** @param {number} from @param {number} to @param {number} share */
const near = (from, to, share) => from + share * (to - from);

/** @param {Axes[string]} from @param {Axes[string]} to @param {number} share @returns {Axes[string]} */
function axesBetween(from, to, share) {
  const ends = from.ends.length === to.ends.length ? to.ends.map((end, i) => near(from.ends[i], end, share)) : to.ends;
  return { x: axisBetween(from.x, to.x, share), y: axisBetween(from.y, to.y, share), ends };
}

/** @param {Axis} from @param {Axis} to @param {number} share @returns {Axis} */
function axisBetween(from, to, share) {
  const [start, end] = [near(from.start, to.start, share), near(from.end, to.end, share)];
  return { start, end, ticks: to.ticks.filter(([value]) => (value - start) * (value - end) <= 0) };
}

/** @param {Layer | undefined} from @param {Layer} to @param {number} share @returns {Layer} */
function layerBetween(from, to, share) {
  if (from && to.texts && from.texts?.join() !== to.texts.join()) return share < LATE ? from : to;
  const [rows, columns] = to.shape;
  if (!from && !to.texts && to.bytes.length === 8 * rows) return drawnTo(to, share);
  if (!from || from === to || !sameShape(from, to)) return to;
  if (to.bytes.length === rows * columns) return { ...to, bytes: blended(from.bytes, to.bytes, share) };
  const numbers = columns === 4 ? turned(floats(from), floats(to), share) : moved(floats(from), floats(to), share);
  return { ...to, bytes: bytesOf(numbers) };
}

/** Return a line, or points, of which a pen has drawn a share: all further numbers are where it is. @param {Layer} layer @param {number} share */
function drawnTo(layer, share) {
  const numbers = floats(layer), way = share * (layer.shape[0] - 1), at = Math.floor(way);
  const pen = [0, 1].map((k) => near(numbers[2 * at + k], numbers[2 * at + 2 + k] ?? NaN, way - at));
  for (let i = 2 * at + 2; i < numbers.length; i++) numbers[i] = pen[i % 2];
  return { ...layer, bytes: bytesOf(numbers) };
}

/** @param {Layer} from @param {Layer} to */
const sameShape = (from, to) => from.shape.join() === to.shape.join();

/** @param {Float32Array} numbers */
const bytesOf = (numbers) => new Uint8Array(numbers.buffer);

/** @param {Layer} layer */
const floats = ({ bytes }) => new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));

/** @param {Float32Array} from @param {Float32Array} to @param {number} share */
const moved = (from, to, share) => to.map((value, i) => (Number.isNaN(from[i]) ? value : near(from[i], value, share)));

// Return arrows (x, y of the beginning, x, y of the tip) that turn the shorter way round.
/** @param {Float32Array} from @param {Float32Array} to @param {number} share */
function turned(from, to, share) {
  const arrows = moved(from, to, share);
  for (let i = 0; i < arrows.length; i += 4) {
    const [x0, y0, x1, y1] = [from[i + 2] - from[i], from[i + 3] - from[i + 1], to[i + 2] - to[i], to[i + 3] - to[i + 1]];
    const angle = Math.atan2(y0, x0) + share * Math.atan2(x0 * y1 - y0 * x1, x0 * x1 + y0 * y1);
    const length = near(Math.hypot(x0, y0), Math.hypot(x1, y1), share);
    arrows[i + 2] = arrows[i] + length * Math.cos(angle);
    arrows[i + 3] = arrows[i + 1] + length * Math.sin(angle);
  }
  return arrows;
}

// Return cells on their way along the colour ramp. A cell that is empty (0) before or after changes at once.
/** @param {Uint8Array} from @param {Uint8Array} to @param {number} share */
const blended = (from, to, share) => to.map((value, i) => (value && from[i] ? Math.round(near(from[i], value, share)) : value));

/** @param {Layer | undefined} from @param {Layer} to */
const slides = (from, to) => Boolean(from?.order && to.order && from.order.length === to.order.length && (from.places || from.order.join() !== to.order.join()));

// Return where each row, or each column, stands; a change may begin while an earlier one is under way.
/** @param {any} from @param {any} to @param {number} share @param {"places" | "columns"} which @returns {number[]} */
function placesBetween(from, to, share, which) {
  return to.order.map((/** @type {number} */ item, /** @type {number} */ i) => {
    const at = from.order.indexOf(item);
    return near(from[which]?.[at] ?? at, i, inTurn(share, item, to.order.length));
  });
}
