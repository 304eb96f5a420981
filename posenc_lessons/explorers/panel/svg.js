// A 2-D context that writes SVG. It has the part of the canvas API that paint.js uses.
//
//   const sheet = new SvgContext(layout.width, layout.height, canvas.getContext("2d"));
//   paint(sheet, stage, axes, data, 1, layout);
//   sheet.svg(alt, fontFace)   // the text of the file; fontFace: a CSS rule with an embedded font, or ""

const number = (value) => String(Math.round(value * 1000) / 1000);
// eslint-disable-next-line no-control-regex -- XML does not allow these characters
const escaped = (text) => text.replace(/[&<>"\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, (c) => ESCAPES[c] ?? "");
const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const ANCHORS = { left: "start", center: "middle", right: "end" };
const LOOK = ["fillStyle", "strokeStyle", "lineWidth", "lineJoin", "lineCap", "font", "textAlign", "textBaseline", "imageSmoothingEnabled", "imageSmoothingQuality"];

const FORMULAS_FACE = "Posenc Formulas"; // as in type.js

export class SvgContext {
  fillStyle = "#000000";
  strokeStyle = "#000000";
  lineWidth = 1;
  lineJoin = "miter";
  lineCap = "butt";
  font = "10px sans-serif";
  textAlign = "left";
  textBaseline = "alphabetic";
  imageSmoothingEnabled = true;
  imageSmoothingQuality = "low";
  globalAlpha = 1;

  /** @param {number} width @param {number} height @param {CanvasRenderingContext2D} ruler measures words */
  constructor(width, height, ruler) {
    this.width = width;
    this.height = height;
    this.ruler = ruler;
    /** @type {string[]} */
    this.parts = [];
    this.clips = 0;
    this.path = "";
    /** @type {number[]} */
    this.dashes = [];
    /** @type {object[]} */
    this.kept = [];
    this.matrix = [1, 0, 0, 1, 0, 0];
    this.clipped = "";
  }

  svg(alt, fontFace = "") {
    const size = `width="${number(this.width)}" height="${number(this.height)}" viewBox="0 0 ${number(this.width)} ${number(this.height)}"`;
    const style = fontFace && `<style>${fontFace}</style>`;
    return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img"><title>${escaped(alt)}</title>${style}${this.parts.join("\n")}</svg>\n`;
  }

  save() {
    const look = Object.fromEntries(LOOK.map((name) => [name, /** @type {any} */ (this)[name]]));
    this.kept.push({ ...look, matrix: this.matrix, clipped: this.clipped, dashes: this.dashes });
  }
  restore() {
    Object.assign(this, this.kept.pop());
  }
  setTransform(...matrix) {
    this.matrix = matrix;
  }
  transform(a, b, c, d, e, f) {
    const [A, B, C, D, E, F] = this.matrix;
    this.matrix = [A * a + C * b, B * a + D * b, A * c + C * d, B * c + D * d, A * e + C * f + E, B * e + D * f + F];
  }
  translate(x, y) {
    this.transform(1, 0, 0, 1, x, y);
  }
  rotate(angle) {
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    this.transform(cos, sin, -sin, cos, 0, 0);
  }

  beginPath() {
    this.path = "";
  }
  moveTo(x, y) {
    this.path += `M${number(x)} ${number(y)}`;
  }
  lineTo(x, y) {
    this.path += `L${number(x)} ${number(y)}`;
  }
  closePath() {
    this.path += "Z";
  }
  rect(x, y, width, height) {
    this.path += `M${number(x)} ${number(y)}h${number(width)}v${number(height)}h${number(-width)}Z`;
  }
  // Add a whole circle. The painter draws no other arcs.
  arc(x, y, radius) {
    const half = `a${number(radius)} ${number(radius)} 0 1 0`;
    this.path += `M${number(x - radius)} ${number(y)}${half} ${number(2 * radius)} 0${half} ${number(-2 * radius)} 0Z`;
  }
  setLineDash(dashes) {
    this.dashes = dashes;
  }
  clip() {
    const id = `clip${(this.clips += 1)}`;
    this.parts.push(`<clipPath id="${id}"><path d="${this.path}"${this.placed()}/></clipPath>`);
    this.clipped = ` clip-path="url(#${id})"`;
  }

  stroke() {
    const dashes = this.dashes.length ? ` stroke-dasharray="${this.dashes.map(number).join(" ")}"` : "";
    const line = `stroke-width="${number(this.lineWidth)}" stroke-linejoin="${this.lineJoin}" stroke-linecap="${this.lineCap}"`;
    this.add(`<path d="${this.path}" fill="none" stroke="${this.strokeStyle}" ${line}${dashes}`);
  }
  fill() {
    this.add(`<path d="${this.path}" fill="${this.fillStyle}"`);
  }
  fillRect(...box) {
    this.beginPath();
    this.rect(...box);
    this.fill();
  }

  measureText(text) {
    this.ruler.font = this.font;
    return this.ruler.measureText(text);
  }
  fillText(text, x, y) {
    const [, size, family] = /** @type {string[]} */ (this.font.match(/^([\d.]+)px (.*)$/));
    const italic = family.includes(FORMULAS_FACE) && /\p{L}/u.test(text); // in other fonts its letters are upright
    const look = `font-size="${number(+size)}" font-family="${escaped(family)}"${italic ? ' font-style="italic"' : ""}`;
    const place = `x="${number(x)}" y="${number(y)}" text-anchor="${ANCHORS[/** @type {keyof typeof ANCHORS} */ (this.textAlign)]}" xml:space="preserve"`;
    this.add(`<text ${place} ${look} fill="${this.fillStyle}"`, `${escaped(text)}</text>`);
  }
  drawImage(image, x, y, width, height) {
    const sheet = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
    /** @type {CanvasRenderingContext2D} */ (sheet.getContext("2d")).drawImage(image, 0, 0);
    const place = `x="${number(x)}" y="${number(y)}" width="${number(width)}" height="${number(height)}"`;
    const rendering = this.imageSmoothingEnabled ? "" : ' style="image-rendering:pixelated"';
    this.add(`<image ${place} preserveAspectRatio="none"${rendering} href="${sheet.toDataURL()}"`);
  }

  placed() {
    const moved = this.matrix.some((value, i) => value !== [1, 0, 0, 1, 0, 0][i]);
    return moved ? ` transform="matrix(${this.matrix.map(number).join(" ")})"` : "";
  }
  // Add an element. If it is clipped it gets a group, because its transform would otherwise move the clip too.
  add(start, content) {
    const seen = this.globalAlpha === 1 ? "" : ` opacity="${number(this.globalAlpha)}"`;
    const element = `${start}${seen}${this.placed()}${content === undefined ? "/>" : `>${content}`}`;
    this.parts.push(this.clipped ? `<g${this.clipped}>${element}</g>` : element);
  }
}
