// Sizes and distances of the words around panels, in CSS pixels at the picture's natural size, as in figures/places.py
// and figures/draw.py.

import { linesOf, wide } from "./type.js";

export const TITLE = 14;
export const LABEL = 12;
export const TICK = { length: 4, gap: 3, size: 11 };
export const ABOVE = 10; // from a panel's box to its title
export const BELOW = 32; // from a panel's box to the middle of its label below, if the ticks are numbers
export const BESIDE = 46;
export const LEGEND_GAP = 12; // between two names above a panel
export const LEADER = [2, 12, 15]; // from a panel to the start of a leader line, to its end, and to the name it leads to
export const END_STEP = 1.4; // between two such names, in heights of the type
export const BAR = { gap: 12, width: 12 };

// The room of words around a panel in type of ordinary size, as in figures/with_theme.py.
export const ROOM = { title: 22, bar: 34, narrow: 40 };
export const LEAST_TYPE = 11; // CSS pixels: the least size of tick labels

export const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

// Return how much of a title's line the legend takes, in CSS pixels.
export function legendWidth(legend, type) {
  return sum(legend.map(([name]) => wide(name, LABEL * type) + LEGEND_GAP * type));
}

// Return the lines of a panel's title, and whether the legend stands below the title. It does if the title would need
// more lines beside the legend (`besideLegend` CSS pixels wide) than above it (`room`), or if a word would not fit.
export function titleAndLegend({ title, legend }, besideLegend, room, type) {
  const size = TITLE * type;
  const above = linesOf(title, room, size);
  if (!legend.length) return { title: above, legendApart: false };
  const beside = linesOf(title, besideLegend, size);
  const legendApart = beside.length > above.length || beside.some((line) => wide(line, size) > besideLegend);
  return { title: legendApart ? above : beside, legendApart };
}
