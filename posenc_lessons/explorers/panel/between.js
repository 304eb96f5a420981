// The steps from one picture to another with the same panels: layers that both have move, the others fade.

import { mixed, numbersOf } from "./faint.js";

/**
 * @import { Axes, Axis, Data, Layer, Scene, Stage, StillPanel } from "./types.js"
 * @typedef {{name: string, moves: [string, any, any][], comes: [string, any][], goes: [string, any][]}} Changes
 *   in one panel: each entry has a layer's name and its looks, before and after where it moves
 */

/**
 * Return a function that gives the scene at a `share` (0 … 1) of the way from `before` to `after`, or null if their
 * panels differ.
 * @param {Scene} before @param {Scene} after @returns {((share: number) => Scene) | null}
 */
export function wayBetween(before, after) {
  const boxes = (/** @type {Scene} */ { stage: { panels, width, height } }) => JSON.stringify([width, height, Object.keys(panels).sort().map((name) => [name, panels[name].box])]);
  if (boxes(before) !== boxes(after)) return null;
  const changes = Object.keys(after.stage.panels).map((name) => changesOf(name, before, after));
  return (share) => ({
    ...after,
    stage: { ...after.stage, panels: Object.fromEntries(changes.map((each) => [each.name, panelBetween(after.stage.panels[each.name], each, share)])) },
    axes: Object.fromEntries(changes.map(({ name }) => [name, axesBetween(before.axes[name], after.axes[name], share)])),
    data: { ...gone(before.data, changes), ...dataBetween(before.data, after.data, changes, share) },
  });
}

/** @param {string} name @param {Scene} before @param {Scene} after @returns {Changes} */
function changesOf(name, before, after) {
  const [then, now] = [before.stage.panels[name].layers, after.stage.panels[name].layers];
  const alike = (/** @type {string} */ layer) => {
    const [from, to] = [before.data[`${name}_${layer}`], after.data[`${name}_${layer}`]];
    return then[layer]?.kind === now[layer].kind && from.shape.join() === to.shape.join() && (now[layer].kind === "heatmap" ? sameTable(then[layer], now[layer]) : samePen(from, to));
  };
  const both = Object.keys(now).filter((layer) => layer in then && alike(layer));
  const others = (/** @type {Record<string, any>} */ layers) => Object.entries(layers).filter(([layer]) => !both.includes(layer));
  return { name, moves: both.map((layer) => [layer, then[layer], now[layer]]), comes: others(now), goes: others(then) };
}

/** @param {any} one @param {any} other */
const sameTable = (one, other) => one.table === other.table || (one.table && other.table && String(one.table) === String(other.table));

// Return whether both curves have gaps at the same points. Otherwise a part of a curve would appear suddenly.
/** @param {Layer} one @param {Layer} other */
function samePen(one, other) {
  const [from, to] = [numbersOf(one), numbersOf(other)];
  return from.every((value, i) => Number.isNaN(value) === Number.isNaN(to[i]));
}

const ending = (/** @type {string} */ layer) => `${layer} before`;

// Layers that fade out are painted below those that fade in. A heatmap does not fade out: the next one covers it.
/** @param {StillPanel} panel @param {Changes} changes @param {number} share @returns {StillPanel} */
function panelBetween(panel, { moves, comes, goes }, share) {
  const going = goes.map(([layer, looks]) => [ending(layer), { ...looks, alpha: looks.kind === "heatmap" ? 1 : 1 - share }]);
  const present = Object.fromEntries([
    ...comes.map(([layer, looks]) => [layer, { ...looks, alpha: share }]),
    ...moves.map(([layer, then, now]) => [layer, looksBetween(then, now, share)]),
  ]);
  const inOrder = Object.keys(panel.layers).map((layer) => [layer, present[layer]]);
  return { ...panel, layers: Object.fromEntries([...going, ...inOrder]) };
}

/** @param {any} then @param {any} now @param {number} share */
function looksBetween(then, now, share) {
  if (then === now || !now.color) return now;
  const wide = (/** @type {"width" | "size"} */ of) => (of in now ? { [of]: then[of] + share * (now[of] - then[of]) } : {});
  return { ...now, color: mixed(then.color, now.color, share), ...wide("width"), ...wide("size") };
}

/** @param {Axes[string]} then @param {Axes[string]} now @param {number} share @returns {Axes[string]} */
function axesBetween(then, now, share) {
  const near = (/** @type {number} */ from, /** @type {number} */ to) => from + share * (to - from);
  const axis = (/** @type {Axis} */ from, /** @type {Axis} */ to) => {
    if (from.start === to.start && from.end === to.end) return to;
    const [start, end] = [near(from.start, to.start), near(from.end, to.end)];
    const ticks = share < 0.5 ? from.ticks : to.ticks; // with the ticks of both, numbers would overlap
    return { start, end, ticks: ticks.filter(([value]) => (value - start) * (value - end) <= 0) };
  };
  const ends = then.ends.length === now.ends.length ? now.ends.map((end, i) => near(then.ends[i], end)) : now.ends;
  return { x: axis(then.x, now.x), y: axis(then.y, now.y), ends };
}

/** @param {Data} before @param {Changes[]} changes @returns {Data} */
function gone(before, changes) {
  return Object.fromEntries(changes.flatMap(({ name, goes }) => goes.map(([layer]) => [`${name}_${ending(layer)}`, before[`${name}_${layer}`]])));
}

/** @param {Data} before @param {Data} after @param {Changes[]} changes @param {number} share @returns {Data} */
function dataBetween(before, after, changes, share) {
  const moved = between(before, after, share);
  for (const { name, moves, comes } of changes) {
    for (const [layer] of comes) moved[`${name}_${layer}`] = after[`${name}_${layer}`];
    for (const [layer, , { kind }] of moves) {
      const place = `${name}_${layer}`;
      if (kind === "heatmap" && before[place] !== after[place] && !moved[place].places) moved[place] = blended(before[place], after[place], share);
    }
  }
  return moved;
}

// Return a heatmap `share` of the way: cells move along the colour ramp; a cell that is empty at one end changes at
// half of the way.
/** @param {Layer} from @param {Layer} to @param {number} share @returns {Layer} */
function blended(from, to, share) {
  const now = new Uint8Array(to.bytes.length);
  for (let i = 0; i < now.length; i++) {
    const [then, end] = [from.bytes[i], to.bytes[i]];
    if (then && end) now[i] = Math.round(then + share * (end - then));
    else now[i] = share < 0.5 ? then : end;
  }
  return { ...to, bytes: now };
}

// ---- Layers that both pictures have ----

// Return the data at a `share` (0 … 1) of the way from `before` to `after`: points move, arrows turn, and the rows and
// columns of a heatmap slide if only their order changes. All other layers are already as in `after`.
/** @param {Data} before @param {Data} after @param {number} share @returns {Data} */
export function between(before, after, share) {
  return Object.fromEntries(
    Object.entries(after).map(([name, to]) => {
      const from = before[name];
      if (changesOrder(from, to)) return [name, { ...to, whole: to, places: placesBetween(from, to, share) }];
      const moves = from && from !== to && from.shape.join() === to.shape.join() && to.bytes.byteLength === 4 * to.shape[0] * to.shape[1];
      return [name, moves ? { ...to, bytes: onTheWay(numbersOf(from), numbersOf(to), to.shape[1], share) } : to];
    }),
  );
}

// Return whether the rows and columns of a heatmap change their order.
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
