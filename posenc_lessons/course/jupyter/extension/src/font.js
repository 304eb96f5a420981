// The course's typeface for the words of lessons, and its Chinese font for a machine without one, which would show boxes.

const FACES = [
  ["Posenc Text", "400", "PosencText-Regular"],
  ["Posenc Text", "700", "PosencText-Bold"],
  ["Posenc Bold SC", "700", "PosencSansSC-Bold"],
];

/**
 * Name the faces, which the browser fetches when it first draws with them, and fetch the Chinese font if this machine
 * needs it. The server has the module that finds out (explorers/panel/font.js).
 *
 * @param {string} base the server's address
 */
export async function bringFonts(base) {
  const address = `${base}posenc-lessons/`;
  if (!(await fetch(`${address}font.js`, { method: "HEAD" })).ok) return; // the first explorer that runs brings one if needed
  for (const [family, weight, file] of FACES) document.fonts.add(new FontFace(family, `url(${address}${file}.woff2)`, { weight }));
  const { ASKED, drawsChinese, addFontToJupyter } = await import(/* webpackIgnore: true */ `${address}font.js`);
  const page = /** @type {Record<string, string>} */ (/** @type {unknown} */ (globalThis));
  if (page[ASKED] || drawsChinese()) return;
  page[ASKED] = address;
  await addFontToJupyter(await (await fetch(`${address}PosencSansSC-Regular.woff2`)).arrayBuffer());
}
