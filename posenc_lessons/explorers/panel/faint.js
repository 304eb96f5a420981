// Draws a kept scene faint in the present one: lines and arrows pale and dashed, dots hollow, in axes wide enough for
// both. A name marks the faint layers where it has room, for readers who cannot tell the colours apart.

/**
 * @import { Axes, Axis, Data, Layer, Scene, Stage, StillPanel } from "./types.js"
 * @typedef {{panel: string, layers: string[], dense: string[], onMap: boolean}} Chosen
 *   the layers of one panel that are drawn faint; `dense`: those of many dots, which are drawn as a line
 */

const PAPER = 0.45, IN_DOTS = 0.2; // share of the paper's colour in a faint layer's colour
const THINNER = 0.75; // width of a faint line, as a share of its width
const LEADER = 12, LETTER = 0.54, LABEL = 12; // distance and size of a line's name, as in figures/places.py
const NAME_SIZE = 13; // CSS pixels of a name beside an arrow
const BEYOND = [1.22, 1.12]; // where the middle of an arrow's name is, across and up, in lengths of the arrow
const APART = 0.22; // least distance of that name from other tips, in units of the axes
const MOST_DOTS = 40; // a layer with more dots is drawn as a line
const MOST_ENDS = 2; // faint lines; for more, the name stands above the panel and not at a line's end
const ROOM_OF_TICK = 0.9; // share of the step between ticks that one more tick needs

const isMap = (/** @type {StillPanel} */ panel) => Object.values(panel.layers).some(({ kind }) => kind === "heatmap");
const keptName = (/** @type {string} */ layer) => `kept_${layer}`;

/**
 * Return the layers of `kept` that can be drawn faint in `scene`, of those that `layers` names for each panel.
 * @param {Scene} scene @param {Scene} kept @param {Record<string, string[]>} layers @returns {Chosen[]}
 */
export function chosenOf(scene, kept, layers) {
  return Object.entries(layers).flatMap(([panel, names]) => {
    const [now, then] = [scene.stage.panels[panel], kept.stage.panels[panel]];
    if (!now || !then) return [];
    const onMap = isMap(now);
    const there = names.filter((layer) => {
      const [before, after] = [kept.data[`${panel}_${layer}`], scene.data[`${panel}_${layer}`]];
      if (!before || !then.layers[layer]) return false;
      if (now.equal) return sameAxes(scene.axes[panel], kept.axes[panel]) && before.shape.join() === after?.shape.join();
      return !onMap || within(scene.axes[panel], numbersOf(before));
    });
    const dense = there.filter((layer) => then.layers[layer].kind === "points" && kept.data[`${panel}_${layer}`].shape[0] > MOST_DOTS);
    return there.length ? [{ panel, layers: there, dense, onMap }] : [];
  });
}

/**
 * Return `scene` with the layers `chosen` of `kept`, which are called `name` in the picture.
 * @param {Scene} scene @param {Scene} kept @param {Chosen[]} chosen @param {string} name
 * @param {Stage | undefined} stage the result of `stageWith` for these scenes
 * @returns {Scene}
 */
export function withKept(scene, kept, chosen, name, stage = stageWith(scene.stage, kept.stage, chosen, name)) {
  const axes = { ...scene.axes };
  const data = { ...scene.data };
  for (const { panel, layers, onMap } of chosen) {
    const { x, y, ends } = scene.axes[panel];
    const of = (/** @type {string} */ layer) => kept.data[`${panel}_${layer}`];
    const then = kept.axes[panel];
    axes[panel] = onMap ? scene.axes[panel] : { x: holding(x, then.x), y: holding(y, then.y), ends };
    for (const layer of layers) data[`${panel}_${keptName(layer)}`] = of(layer);
    const named = naming(kept.stage.panels[panel], layers, onMap);
    if (named.end) axes[panel].ends = [...ends, lastHeight(of(named.end))];
    if (named.tips.length) data[`${panel}_${NAME}`] = besideTip(named.tips.map(of), others(scene, panel), name);
  }
  return { ...scene, stage, axes, data };
}

const NAME = keptName("name");

/**
 * Return `stage` with the looks of the faint layers, and room for their name.
 * @param {Stage} stage @param {Stage} kept @param {Chosen[]} chosen @param {string} name @returns {Stage}
 */
export function stageWith(stage, kept, chosen, name) {
  const panels = { ...stage.panels };
  for (const { panel, layers, dense, onMap } of chosen) {
    const now = stage.panels[panel];
    const named = naming(kept.panels[panel], layers, onMap);
    const maps = Object.entries(now.layers).filter(([, { kind }]) => kind === "heatmap");
    const pale = layers.map((layer) => [keptName(layer), faint(now.layers[layer] ?? kept.panels[panel].layers[layer], stage.theme.paper, onMap, dense.includes(layer))]);
    if (named.tips.length) pale.push([NAME, { kind: "labels", color: stage.theme.quiet, size: NAME_SIZE }]);
    const rest = Object.entries(now.layers).filter(([, { kind }]) => kind !== "heatmap");
    panels[panel] = { ...now, layers: Object.fromEntries([...maps, ...pale, ...rest]) };
    if (named.end) Object.assign(panels[panel], roomForEnd(now, name, stage.theme));
    if (named.above) panels[panel].legend = [...now.legend, [`- - ${name}`, stage.theme.quiet]];
  }
  return { ...stage, panels };
}

// Return where the name of the faint layers stands in a panel: at a line's end, above the panel, or at an arrow's tip.
/** @param {StillPanel} panel @param {string[]} layers @param {boolean} onMap */
function naming(panel, layers, onMap) {
  const ofKind = (/** @type {string[]} */ ...kinds) => layers.filter((layer) => kinds.includes(panel.layers[layer].kind));
  const lines = onMap || panel.equal ? [] : ofKind("line");
  const dots = onMap || panel.equal || lines.length ? [] : ofKind("points");
  const single = panel.equal && panel.hero;
  return {
    end: lines.length <= MOST_ENDS ? (lines[0] ?? dots[0]) : undefined,
    above: lines.length > MOST_ENDS,
    tips: single ? ofKind("arrows") : [],
  };
}

/** @param {any} looks @param {string} paper @param {boolean} onMap @param {boolean} isDense */
function faint(looks, paper, onMap, isDense) {
  if (onMap) return { ...looks, dashed: true };
  const pale = { ...looks, color: mixed(looks.color, paper, looks.kind === "points" && !isDense ? IN_DOTS : PAPER) };
  if (isDense) return { ...pale, kind: "line", width: looks.size / 2, dashed: true };
  return looks.kind === "points" ? { ...pale, hollow: true } : { ...pale, width: Math.max(1.2, THINNER * looks.width), dashed: true };
}

/**
 * Return the colour at a `share` of the way from one colour to another. All are "#rrggbb".
 * @param {string} from @param {string} to @param {number} share
 */
export function mixed(from, to, share) {
  const channels = (/** @type {string} */ color) => [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
  const end = channels(to);
  const between = channels(from).map((value, i) => Math.round(value + share * (end[i] - value)));
  return `#${between.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

/** @param {StillPanel} panel @param {string} name @param {{type: number, quiet: string}} theme */
function roomForEnd({ box, right, ends }, name, { type, quiet }) {
  const width = LABEL * [...name].reduce((wide, letter) => wide + (letter > "\u2e7f" ? 1 : LETTER), 0);
  const room = Math.max(right, LEADER + width);
  return {
    box: [box[0], box[1], box[2] - (room - right) * type, box[3]],
    right: room,
    ends: [...ends, [name, quiet]],
  };
}

/** @param {Layer} layer */
export const numbersOf = ({ bytes }) => new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));

// ---- Axes that hold both ----

/** @param {Axes[string]} one @param {Axes[string]} other */
const sameAxes = (one, other) => JSON.stringify([one.x, one.y]) === JSON.stringify([other.x, other.y]);

/** @param {Axes[string]} axes @param {Float32Array} points x and y in turn */
function within({ x, y }, points) {
  const outside = (/** @type {Axis} */ axis, /** @type {number} */ value) => value < Math.min(axis.start, axis.end) || value > Math.max(axis.start, axis.end);
  return points.every((value, i) => !outside(i % 2 ? y : x, value));
}

/** @param {Axis} now @param {Axis} then @returns {Axis} */
function holding(now, then) {
  const way = now.start <= now.end ? 1 : -1;
  const start = way * Math.min(way * now.start, way * then.start);
  const end = way * Math.max(way * now.end, way * then.end);
  if (start === now.start && end === now.end) return now;
  return { start, end, ticks: ticksOf(now, then) };
}

// Return the ticks of the wider axis, and those ticks of the other that lie outside it and have room.
/** @param {Axis} now @param {Axis} then */
function ticksOf(now, then) {
  const span = (/** @type {Axis} */ { start, end }) => Math.abs(end - start);
  const [wide, other] = span(then) > span(now) ? [then, now] : [now, then];
  const ticks = [...wide.ticks];
  const step = ticks.length > 1 ? Math.abs(ticks[1][0] - ticks[0][0]) : span(wide);
  const [low, high] = [Math.min(wide.start, wide.end), Math.max(wide.start, wide.end)];
  for (const tick of other.ticks) {
    const beyond = tick[0] < low || tick[0] > high;
    if (beyond && ticks.every(([value]) => Math.abs(value - tick[0]) >= ROOM_OF_TICK * step)) ticks.push(tick);
  }
  return ticks.sort(([a], [b]) => a - b);
}

// ---- Where names stand ----

/** @param {Layer} line @returns {number} */
function lastHeight(line) {
  const points = numbersOf(line);
  let at = points.length - 2;
  while (at > 0 && Number.isNaN(points[at] + points[at + 1])) at -= 2;
  return points[at + 1];
}

// Return the places of the present arrows' tips and of labels.
/** @param {Scene} scene @param {string} panel @returns {[number, number][]} */
function others({ stage, data }, panel) {
  return Object.entries(stage.panels[panel].layers).flatMap(([layer, { kind }]) => {
    if (kind !== "arrows" && kind !== "labels") return [];
    const [all, step] = [numbersOf(data[`${panel}_${layer}`]), kind === "arrows" ? 4 : 2];
    return Array.from({ length: all.length / step }, (_, i) => /** @type {[number, number]} */ ([all[step * (i + 1) - 2], all[step * (i + 1) - 1]]));
  });
}

// Return the name as a layer of labels: beyond the tip with most room around it, or no name if none has enough.
/** @param {Layer[]} arrows @param {[number, number][]} others @param {string} name @returns {Layer} */
function besideTip(arrows, others, name) {
  const free = arrows.map((arrow) => {
    const [x0, y0, x1, y1] = numbersOf(arrow);
    const at = [x0 + BEYOND[0] * (x1 - x0), y0 + BEYOND[1] * (y1 - y0)];
    return { at, far: Math.min(...others.map(([x, y]) => Math.hypot(x - at[0], y - at[1]))) };
  });
  const { at, far } = free.reduce((best, each) => (each.far > best.far ? each : best));
  const named = far >= APART;
  return { shape: [named ? 1 : 0, 2], bytes: new Uint8Array(Float32Array.from(named ? at : []).buffer), texts: named ? [name] : [] };
}
