// Navigation in a site: marks the section being read and how far it is, and links to the same section in the other
// language.

import { all, choices, choose } from "./elements.js";

const READ_AT = 0.25; // share of the window's height: the last heading above this line is that of the present section

export function startNavigation() {
  openChosenLanguage();
  // Open the other language's page at the same section.
  for (const link of all(document, "a.other", HTMLAnchorElement)) {
    link.addEventListener("click", () => {
      link.hash = location.hash;
      choose({ language: link.hreflang.slice(0, 2) });
    });
  }
  const links = all(document, ".sections a", HTMLAnchorElement).filter(({ hash }) => hash);
  if (links.length > 0) startSections(links);
  // Close a list that covers the page when the reader follows one of its links.
  for (const list of all(document, "nav[popover]", HTMLElement)) {
    list.addEventListener("click", (event) => {
      if (event.target instanceof HTMLAnchorElement && list.matches(":popover-open")) list.hidePopover();
    });
  }
}

/** On the page above both languages, open the one that the reader chose before or, without a choice, the browser's. */
function openChosenLanguage() {
  const { language } = choices();
  const wanted = language === "zh" || language === "en" ? language : navigator.language.slice(0, 2);
  const links = all(document, ".choose-language a", HTMLAnchorElement);
  const best = links.find(({ hreflang }) => hreflang.startsWith(wanted)) ?? links.find(({ hreflang }) => hreflang === "en");
  if (best) location.replace(best.getAttribute("href") ?? "");
}

/** Mark the link of the section that is being read. @param {HTMLAnchorElement[]} links */
function startSections(links) {
  const places = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
  const read = document.querySelector(".read");
  let due = false;
  const mark = () => {
    due = false;
    const length = document.documentElement.scrollHeight - innerHeight;
    if (read instanceof HTMLElement) read.style.transform = `scaleX(${length > 0 ? Math.min(1, scrollY / length) : 0})`;
    const line = innerHeight * READ_AT;
    const atEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
    const lowest = atEnd ? innerHeight : line;
    const present = places.findLastIndex((place) => place && place.getBoundingClientRect().top <= lowest);
    for (const [at, link] of links.entries()) {
      if (at !== present) link.removeAttribute("aria-current");
      else if (!link.hasAttribute("aria-current")) {
        link.setAttribute("aria-current", "location");
        keepInSight(link);
      }
    }
  };
  const later = () => {
    if (due) return;
    due = true;
    requestAnimationFrame(mark);
  };
  addEventListener("scroll", later, { passive: true });
  addEventListener("resize", later);
  mark();
}

/** Scroll the list, but not the page, until `link` is visible. @param {HTMLElement} link */
function keepInSight(link) {
  const list = link.closest("nav");
  if (!list) return;
  const { top, bottom } = link.getBoundingClientRect();
  const around = list.getBoundingClientRect();
  if (top < around.top) list.scrollTop -= around.top - top + 40;
  if (bottom > around.bottom) list.scrollTop += bottom - around.bottom + 40;
}
