// A machine without a Chinese font would show boxes: it is lent the course's own, for pictures and page alike,
// in JupyterLab (live.js) and in the page without a kernel.

import { FONT, FONTS } from "./paint.js";

export const FOR_PAGE = `${FONT} for the page`; // for Chinese alone: all else on the page stays as it is
const CHINESE = "U+2E80-9FFF, U+F900-FAFF, U+FF00-FFEF, U+20000-3FFFF";

// Han characters are as wide as they are high; the box for a missing one is not.
export function drawsChinese() {
  const context = document.createElement("canvas").getContext("2d");
  context.font = `100px ${FONTS}`;
  return Math.abs(context.measureText("\u4f4d").width - 100) < 2;
}

// `read()` gives the font's bytes; whether it was needed.
export async function lendFont(read) {
  if (drawsChinese()) return false;
  await addFont(await read());
  return true;
}

export async function addFont(content) {
  const faces = [new FontFace(FONT, content), new FontFace(FOR_PAGE, content, { unicodeRange: CHINESE })];
  for (const face of faces) document.fonts.add(face);
  await Promise.all(faces.map((face) => face.load()));
}
