// The page above both languages: open the one that the reader chose before or, without a choice, the browser's.

{
  const links = /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll(".choose-language a"));
  let wanted = navigator.language;
  try {
    wanted = JSON.parse(localStorage.getItem("posenc-lessons") ?? "{}").language ?? wanted;
  } catch { /* no storage: the browser's */ }
  const [english, own] = ["en", wanted.slice(0, 2)].map((tag) => [...links].find(({ hreflang }) => hreflang.startsWith(tag)));
  const best = own ?? english;
  if (best) location.replace(best.getAttribute("href") ?? "");
}
