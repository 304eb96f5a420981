// Sizes of what stands around the panels of a picture, in CSS pixels at its natural size, as in figures/places.py and
// figures/draw.py.

import { linesOf, wide } from "./type.js";

export const TITLE = 14;
export const LABEL = 12;
export const TICK = { length: 4, gap: 3, size: 11 };
export const ABOVE = 10; // from the box to its title
export const BELOW = 32; // from the box to the middle of its labels, where ticks are numbers
export const BESIDE = 46;
export const LEGEND_GAP = 12; // from a name above a panel to the next
export const LEADER = [2, 9, 12]; // from a panel to both ends of the line that leads to a line's name, and to the name
export const END_STEP = 1.25; // from one such name to the next, in heights of the type
export const BAR = { gap: 12, width: 12 };

// What words take up beside a panel in type of the ordinary size, as in figures/with_theme.py.
export const ROOM = { title: 22, bar: 34, narrow: 40 };
export const LEAST_TYPE = 11; // CSS pixels of a tick label, however small the picture

export const sum = (numbers) => numbers.reduce((total, each) => total + each, 0);

// Return how much of a title's line the legend takes, in CSS pixels.
export function legendWidth(legend, type) {
  return sum(legend.map(([name]) => wide(name, LABEL * type) + LEGEND_GAP * type));
}

// Return the lines of a panel's title, and whether the legend stands below them: where the title would need more lines
// beside it (`besideLegend` CSS pixels) than above it (`room`), or a word would not fit.
export function titleAndLegend({ title, legend }, besideLegend, room, type) {
  const size = TITLE * type;
  const above = linesOf(title, room, size);
  if (!legend.length) return { title: above, legendApart: false };
  const beside = linesOf(title, besideLegend, size);
  const legendApart = beside.length > above.length || beside.some((line) => wide(line, size) > besideLegend);
  return { title: legendApart ? above : beside, legendApart };
}
