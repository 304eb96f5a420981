// The words of a picture: their fonts, their widths, line breaks, and how to write them on a 2-D context.

export const FONT = "Posenc Sans SC"; // as in figures/fonts
const FORMULAS = `"Posenc Formulas", "STIX Two Math", "Cambria Math", serif`; // in the first, all letters are italic
export const FONTS = `"Posenc Words", "${FONT}", "Noto Sans", "Helvetica Neue", Arial, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif`;
// The distance from a text's place down to its baseline, in heights of the type. It does not depend on the font.
export const BASELINE = { top: 0.85, middle: 0.425, center: 0.39, bottom: -0.2 };

// Split a text into runs. A part between dollar signs is a formula, which has its own font and space around operators.
const runsOf = (() => {
  const parsed = new Map();
  return (text) => {
    if (!parsed.has(text)) parsed.set(text, text.split("$").flatMap((part, i) => (i % 2 ? formula(part) : plain(part))));
    return parsed.get(text);
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

export const font = (size, formula = false) => `${size}px ${formula ? FORMULAS : FONTS}`;

export function widthOf(context, text, size) {
  let width = 0;
  for (const run of runsOf(text)) {
    context.font = font(size, run.formula);
    width += context.measureText(run.text).width + 2 * run.space * size;
  }
  return width;
}

// Write a text. `align`: its left end, center or right end is at x; `baseline`: a name in BASELINE, the line of the
// type that is at y.
export function write(context, text, x, y, size, color, align, baseline) {
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

// The widths of texts, in CSS pixels. Each is measured once, because a picture may be laid out in every frame.
const widths = new Map();
const MOST_WIDTHS = 5000;
let measuring; // a context to measure with

export function wide(text, size) {
  const key = `${size} ${text}`;
  if (!widths.has(key)) {
    if (widths.size > MOST_WIDTHS) widths.clear();
    measuring ??= globalThis.document?.createElement("canvas").getContext("2d");
    widths.set(key, measuring ? widthOf(measuring, text, size) : 0.6 * size * text.length); // Node cannot measure
  }
  return widths.get(key);
}

// Forget all widths, after a font has loaded.
export function measureAgain() {
  widths.clear();
  measuring = undefined;
}

// Break `text` into lines that fit into `room` CSS pixels. Formulas are not broken.
export function linesOf(text, room, size) {
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
