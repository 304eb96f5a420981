// Loads the fonts of pictures, which are those of the stills, in any page.

import { FACES } from "./faces.js";
import { measureAgain } from "./type.js";

/** @type {Promise<void> | undefined} */
let coming;
let come = false;

export const hasFaces = () => come;

// Load the fonts in faces.js. This takes some milliseconds, and pictures wait for it.
export function bringFaces() {
  coming ??= addFaces().finally(() => {
    come = true;
    measureAgain();
  });
  return coming;
}

async function addFaces() {
  const families = [...document.fonts].map((face) => face.family).join();
  const missing = Object.entries(FACES).filter(([family]) => !families.includes(family));
  const faces = missing.map(([family, content]) => new FontFace(family, Uint8Array.from(atob(content), (c) => c.charCodeAt(0))));
  for (const face of faces) document.fonts.add(face);
  await Promise.all(faces.map((face) => face.load()));
}
