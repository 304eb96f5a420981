// Made with the page: see build.py.

import type { Words } from "../explorers/panel/types.js";

type Part = { name: string; file: string; size: number };
export const FOLDER: string;
export const PARTS: Part[];
export const DATA: { part: Part; readers: string[] }[];
export const CELLS: Part;
export const FIRST: Part;
export const FONT: Part;
export const EDITOR: Part | null;
export const TABLE: {
  words: Record<string, Words>;
  languages: Record<string, string>;
  explorers: Record<string, Words>;
};
