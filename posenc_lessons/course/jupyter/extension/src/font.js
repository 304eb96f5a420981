// The course's Chinese font, for a machine without one, which would show boxes.

/**
 * Fetch the font if this machine needs it. The server has the module that finds out (explorers/panel/font.js).
 *
 * @param {string} base the server's address
 */
export async function bringFont(base) {
  const address = `${base}posenc-lessons/`;
  const answer = await fetch(`${address}font.js`, { method: "HEAD" });
  if (!answer.ok) {
    console.info("posenc-lessons: this server has no font; the first explorer that runs brings one if needed");
    return;
  }
  const { ASKED, drawsChinese, addFontToJupyter } = await import(/* webpackIgnore: true */ `${address}font.js`);
  const page = /** @type {Record<string, string>} */ (/** @type {unknown} */ (globalThis));
  if (page[ASKED] || drawsChinese()) return;
  page[ASKED] = address;
  await addFontToJupyter(await (await fetch(`${address}PosencSansSC-Regular.woff2`)).arrayBuffer());
}
