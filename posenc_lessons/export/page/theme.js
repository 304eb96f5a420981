// The theme (light, dark or projector): the reader's choice, kept for the site and its explorers, or the system's.

import { all, choose, one } from "./elements.js";

/** Follow the menu of themes in the page's head. */
export function startThemes() {
  const { dataset } = document.documentElement;
  for (const menu of all(document, ".theme select", HTMLSelectElement)) {
    menu.value = dataset.mode ?? "";
    if (menu.selectedIndex < 0 || !dataset.mode) menu.value = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    menu.addEventListener("change", () => {
      dataset.mode = menu.value;
      choose({ mode: menu.value });
    });
    one(document, ".theme", HTMLElement).hidden = false;
  }
}
