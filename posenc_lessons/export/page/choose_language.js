// The page above both languages: open the one that the reader chose before or, without a choice, the browser's.

import { all, choices } from "./elements.js";

const { language } = choices();
const wanted = language === "zh" || language === "en" ? language : navigator.language.slice(0, 2);
const links = all(document, ".choose-language a", HTMLAnchorElement);
const best = links.find(({ hreflang }) => hreflang.startsWith(wanted)) ?? links.find(({ hreflang }) => hreflang === "en");
if (best) location.replace(best.getAttribute("href") ?? "");
