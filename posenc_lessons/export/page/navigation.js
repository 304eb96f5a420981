// Navigation in a site: links to the same section in the other language, lists that open over the page.

import { all, choose, one } from "./elements.js";
import { startSections } from "./sections.js";

export function startNavigation() {
  // Open the other language's page at the same section.
  for (const link of all(document, "a.other", HTMLAnchorElement)) {
    link.addEventListener("click", () => {
      const present = document.querySelector(".sections [aria-current]");
      link.hash = present instanceof HTMLAnchorElement ? present.hash : location.hash;
      choose({ language: link.hreflang.slice(0, 2) });
    });
  }
  const links = all(document, ".sections a", HTMLAnchorElement).filter(({ hash }) => hash);
  if (links.length > 0) startSections(links);
  for (const link of all(document, ".course [aria-current]", HTMLElement)) {
    const list = one(document, ".course", HTMLElement);
    const showPresent = () => { list.scrollTop = link.offsetTop > list.clientHeight - 60 ? link.offsetTop - innerHeight / 2 : 0; };
    list.addEventListener("toggle", showPresent); // on a phone it is closed at first
    showPresent();
  }
  // Close a list that covers the page when the reader follows one of its links.
  for (const list of all(document, "nav[popover]", HTMLElement)) {
    list.addEventListener("click", (event) => {
      if (event.target instanceof HTMLAnchorElement && list.matches(":popover-open")) list.hidePopover();
    });
  }
}
