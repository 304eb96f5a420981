// Finds elements, and keeps the reader's choices, for the scripts of exported pages.

import { attempt } from "./store.js";

/**
 * Return the first element in `within` that matches `selector`, which every such page has. It must be of class `kind`.
 *
 * @template {HTMLElement} Kind
 * @param {ParentNode} within
 * @param {string} selector
 * @param {new () => Kind} kind
 */
export function one(within, selector, kind) {
  const element = within.querySelector(selector);
  if (!(element instanceof kind)) throw new Error(`this page lacks ${selector}`);
  return element;
}

/**
 * Return all elements in `within` that match `selector` and are of class `kind`.
 *
 * @template {HTMLElement} Kind
 * @param {ParentNode} within
 * @param {string} selector
 * @param {new () => Kind} kind
 * @returns {Kind[]}
 */
export function all(within, selector, kind) {
  return [...within.querySelectorAll(selector)].flatMap((element) => (element instanceof kind ? [element] : []));
}

const STORED = "posenc-lessons"; // the reader's choices, which the explorers' page uses too

/** Return the reader's choices, made here or on the explorers' page. @returns {Record<string, unknown>} */
export function choices() {
  const stored = attempt(() => JSON.parse(localStorage.getItem(STORED) ?? "{}"));
  return stored && typeof stored === "object" ? stored : {};
}

/** Keep a choice of the reader, if this browser keeps anything. @param {Record<string, unknown>} choice */
export function choose(choice) {
  attempt(() => localStorage.setItem(STORED, JSON.stringify({ ...choices(), ...choice })));
}
