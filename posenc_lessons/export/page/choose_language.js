// The page above both languages: it opens the one that the reader chose before, else the one that the browser speaks.

import { all, choices } from "./elements.js";

const { language } = choices();
const wanted = language === "zh" || language === "en" ? language : navigator.language.slice(0, 2);
const links = all(document, "main a", HTMLAnchorElement);
const best = links.find(({ hreflang }) => hreflang.startsWith(wanted)) ?? links.find(({ hreflang }) => hreflang === "en");
if (best) location.replace(best.getAttribute("href") ?? "");
