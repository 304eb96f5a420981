// Navigation in a site: links to the same section in the other language, lists that open over the page.

import { all, choices, choose } from "./elements.js";
import { startSections } from "./sections.js";

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
