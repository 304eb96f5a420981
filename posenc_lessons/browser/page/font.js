// A machine without a Chinese font would show boxes: it is lent the course's own, for pictures and page alike.

import { FONT, FONTS } from "./paint.js";

const FOR_PAGE = `${FONT} for the page`; // for Chinese alone: all else on the page stays as it is
const CHINESE = "U+2E80-9FFF, U+F900-FAFF, U+FF00-FFEF, U+20000-3FFFF";

// Han characters are as wide as they are high; the box for a missing one is not.
function drawsChinese() {
  const context = document.createElement("canvas").getContext("2d");
  context.font = `100px ${FONTS}`;
  return Math.abs(context.measureText("\u4f4d").width - 100) < 2;
}

// `read()` gives the font's bytes; whether it was needed.
export async function lendFont(read) {
  if (drawsChinese()) return false;
  const content = await read();
  const faces = [new FontFace(FONT, content), new FontFace(FOR_PAGE, content, { unicodeRange: CHINESE })];
  for (const face of faces) document.fonts.add(face);
  await Promise.all(faces.map((face) => face.load()));
  return true;
}
