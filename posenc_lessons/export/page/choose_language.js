// Opens the site in the language that the reader chose before or, without a choice, in the browser's language.

import { all, choices } from "./elements.js";

const { language } = choices();
const wanted = language === "zh" || language === "en" ? language : navigator.language.slice(0, 2);
const links = all(document, "main a", HTMLAnchorElement);
const best = links.find(({ hreflang }) => hreflang.startsWith(wanted)) ?? links.find(({ hreflang }) => hreflang === "en");
if (best) location.replace(best.getAttribute("href") ?? "");
