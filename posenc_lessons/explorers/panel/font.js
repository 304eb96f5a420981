// Brings the course's Chinese font to a machine without one, which would show boxes: for pictures and page, in
// JupyterLab (notebook.js and the extension for the lessons) and in the page without a kernel.

import { FONT, FONTS, measureAgain } from "./type.js";

const FOR_PAGE = `${FONT} for the page`; // for Chinese characters only; the rest of the page keeps its fonts
const CHINESE = "U+2E80-9FFF, U+F900-FAFF, U+FF00-FFEF, U+20000-3FFFF";

// Return whether this machine draws Chinese. Chinese characters are as wide as they are high; the box for a missing
// character is not.
export function drawsChinese() {
  const context = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
  context.font = `100px ${FONTS}`;
  return Math.abs(context.measureText("\u4f4d").width - 100) < 2;
}

// Add the font if it is missing; `read()` fetches its bytes. Return whether it was missing.
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

// A property of the window. Many modules in JupyterLab's page may need the font; the first that sets it asks for it.
export const ASKED = Symbol.for("posenc-lessons: the font was asked for");
export const ARRIVED = "posenc-font"; // an event of the window, sent when the font has loaded
const WORDS_OF_PAGE = ["--jp-ui-font-family", "--jp-content-font-family", "--jp-code-font-family"];

/** @param {BufferSource} content */
export async function addFontToJupyter(content) {
  if ([...document.fonts].some((face) => face.family.includes(FONT))) return;
  await addFont(content);
  for (const name of WORDS_OF_PAGE) {
    const families = getComputedStyle(document.body).getPropertyValue(name) || "sans-serif";
    document.body.style.setProperty(name, `"${FOR_PAGE}", ${families}`); // Chromium ignores it after system-ui
  }
  const sheet = new CSSStyleSheet(); // menus and text boxes use the browser's own font otherwise
  sheet.replaceSync(".jupyter-widgets :is(select, input, textarea, button) { font-family: var(--jp-ui-font-family); }");
  document.adoptedStyleSheets.push(sheet);
  window.dispatchEvent(new Event(ARRIVED));
}
