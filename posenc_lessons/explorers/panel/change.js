// A change between two pictures with the same panels: the numbers of the scene go from those of one to those of the
// other. Points move, arrows turn, colours blend. Where rows and columns of a heatmap only change their order, first its
// rows slide to their places, with all else that moves, and then its columns. Everything else is at once as in the later picture.

/** @import { Axes, Axis, Data, Layer, Scene } from "./types.js" */

export const DURATION = 300, SLIDING = 900; // milliseconds of a change, and of one in which rows and columns slide

/**
 * Return a function that gives the scene at a `share` (0 … 1) of the way from `before` to `after`, or null if their
 * panels differ.
 * @param {Scene} before @param {Scene} after @returns {((share: number) => Scene) | null}
 */
export function wayBetween(before, after) {
  if (boxesOf(before) !== boxesOf(after)) return null;
  const sliding = new Set(Object.keys(after.data).filter((name) => slides(before.data[name], after.data[name])).map(panelOf));
  if (!sliding.size) return between;
  return (share) => {
    const [rows, columns] = [Math.min(1, 2 * share), Math.max(0, 2 * share - 1)];
    const scene = between(rows);
    for (const [name, layer] of Object.entries(after.data)) {
      if (sliding.has(panelOf(name))) scene.data[name] = slidBetween(before.data[name], layer, rows, columns);
    }
    for (const panel of sliding) if (columns < 0.5 && panel in before.axes) scene.axes[panel] = before.axes[panel]; // its words move with the columns
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

/** Return a layer of a panel whose rows and columns slide. @param {Layer | undefined} from @param {Layer} to @param {number} rows @param {number} columns */
function slidBetween(from, to, rows, columns) {
  if (slides(from, to)) return { ...to, whole: to, places: placesBetween(from, to, rows, "places"), columns: placesBetween(from, to, columns, "columns") };
  const [across, down] = [layerBetween(from, to, columns), layerBetween(from, to, rows)];
  if (!to.texts || to.shape[1] !== 2) return down;
  const [x, y] = [floats(across), floats(down)];
  return { ...to, bytes: new Uint8Array(y.map((value, i) => (i % 2 ? value : x[i])).buffer) };
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
  if (!from || from === to || from.shape.join() !== to.shape.join()) return to;
  const [rows, columns] = to.shape;
  if (to.bytes.length === rows * columns) return { ...to, bytes: blended(from.bytes, to.bytes, share) };
  const numbers = columns === 4 ? turned(floats(from), floats(to), share) : moved(floats(from), floats(to), share);
  return { ...to, bytes: new Uint8Array(numbers.buffer) };
}

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
  const start = to.order.map((/** @type {number} */ row) => from.order.indexOf(row)).map((/** @type {number} */ at) => from[which]?.[at] ?? at);
  return start.map((/** @type {number} */ at, /** @type {number} */ i) => near(at, i, share));
}
