// A machine without a Chinese font would show boxes: it is given the course's own, for pictures and page alike,
// in JupyterLab (notebook.js, and the extension for the lessons) and in the page without a kernel.

import { FONT, FONTS, measureAgain } from "./type.js";

const FOR_PAGE = `${FONT} for the page`; // only for Chinese: all else on the page stays as it is
const CHINESE = "U+2E80-9FFF, U+F900-FAFF, U+FF00-FFEF, U+20000-3FFFF";

// Han characters are as wide as they are high; the box for a missing one is not.
export function drawsChinese() {
  const context = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
  context.font = `100px ${FONTS}`;
  return Math.abs(context.measureText("\u4f4d").width - 100) < 2;
}

// `read()` gives the font's bytes; whether it was needed.
/** @param {() => Promise<ArrayBuffer>} read */
export async function addMissingFont(read) {
  if (drawsChinese()) return false;
  await addFont(await read());
  return true;
}

/** @param {BufferSource} content */
async function addFont(content) {
  const faces = [new FontFace(FONT, content), new FontFace(FOR_PAGE, content, { unicodeRange: CHINESE })];
  for (const face of faces) document.fonts.add(face);
  await Promise.all(faces.map((face) => face.load()));
  measureAgain();
}

// ---- JupyterLab ----

// Its page holds many modules that may want the font: the first to say so under that name brings it.
export const ASKED = Symbol.for("posenc-lessons: the font was asked for");
export const ARRIVED = "posenc-font"; // an event of the window
const WORDS_OF_PAGE = ["--jp-ui-font-family", "--jp-content-font-family", "--jp-code-font-family"];

/** @param {BufferSource} content */
export async function addFontToJupyter(content) {
  if ([...document.fonts].some((face) => face.family.includes(FONT))) return;
  await addFont(content);
  for (const name of WORDS_OF_PAGE) {
    const families = getComputedStyle(document.body).getPropertyValue(name) || "sans-serif";
    document.body.style.setProperty(name, `"${FOR_PAGE}", ${families}`); // after system-ui Chromium passes it over
  }
  const sheet = new CSSStyleSheet(); // menus and boxes have the browser's family
  sheet.replaceSync(".jupyter-widgets :is(select, input, textarea, button) { font-family: var(--jp-ui-font-family); }");
  document.adoptedStyleSheets.push(sheet);
  window.dispatchEvent(new Event(ARRIVED));
}
