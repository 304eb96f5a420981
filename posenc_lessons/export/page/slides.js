// One slide at a time. Arrow keys, space, Page Up and Down, Home and End; N notes, S notes in a window, L language.
// Slides are laid out at 1280 × 720 and then made as large as the window, so that they break at the same places on
// every screen and on paper. What is too much for one becomes several.
const PICTURE = 240; // pixels of height: a picture is not made lower than this
const FEW = 3; // lines of code or print that may stand alone
const FORMULA = 16; // pixels: the letters of a wide formula are not made smaller
const turns = { ArrowRight: 1, ArrowDown: 1, PageDown: 1, " ": 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1 };
const main = document.querySelector("main");
const sources = [...document.querySelectorAll("section")].map((section) => ({
  section,
  blocks: [...section.querySelector(".fit").children].flatMap(singly),
}));
let pages = [];
let now = 0;
let speaker = null;

/** The blocks in one that holds those of a language, where there are two. */
function singly(block) {
  if (!document.body.dataset.languages || !block.lang) return [block];
  for (const each of block.children) each.lang = block.lang;
  return [...block.children];
}

/** Whether a block is in the language that is shown. */
function shown(block) {
  const other = document.body.classList.contains("only-zh") ? "en" : "zh-Hans";
  return !document.body.dataset.languages || block.lang !== other;
}

function lay() {
  const before = pages[now]?.source ?? null;
  main.replaceChildren();
  pages = sources.flatMap((source) => {
    const parts = divided(source);
    parts.forEach(({ section }, place) => {
      const part = section.querySelector(".part");
      if (part) part.textContent = parts.length > 1 ? `${place + 1} / ${parts.length}` : "";
    });
    return parts;
  });
  pages.forEach(({ section }, place) => {
    section.classList.remove("laying");
    section.querySelector(".number").textContent = `${place + 1} / ${pages.length}`;
  });
  now = before ? pages.findIndex(({ source }) => source === before) : 0;
}

/** The pages that a slide needs: one if it can be, at one of two sizes. */
function divided(source) {
  const whole = opened(source);
  // Copies may be cut; a picture is never, and its slider knows itself.
  const blocks = source.blocks.filter(shown);
  whole.fit.append(...blocks.map((block) => (block.querySelector("img") ? block : block.cloneNode(true))));
  if (fits(whole)) {
    enlarge(whole);
    return [whole];
  }
  whole.fit.classList.add("small");
  if (fits(whole)) return [whole];
  const waiting = [...whole.fit.children];
  whole.section.remove();
  const found = [];
  while (waiting.length) found.push(filled(source, waiting));
  return found;
}

/** An empty page of the slide. */
function opened(source) {
  const section = source.section.cloneNode(true);
  const fit = section.querySelector(".fit");
  fit.replaceChildren();
  section.classList.add("laying");
  main.append(section);
  return { source, section, fit };
}

/** A page with as many of the blocks as it holds, which are taken away from `waiting`. */
function filled(source, waiting) {
  const page = opened(source);
  page.fit.className = "fit small wrapped";
  while (waiting.length) {
    const block = waiting.shift();
    page.fit.append(block);
    if (fits(page)) continue;
    const alone = page.fit.children.length === 1;
    const rest = taken(block, () => fits(page));
    if (rest) waiting.unshift(rest);
    if (!rest && alone) page.fit.classList.add("scrolls");
    if (!rest && !alone) {
      block.remove();
      waiting.unshift(block);
    }
    break;
  }
  return page;
}

/** Takes from the end of a block what does not fit, and returns it as a block like it; null if nothing would stay. */
function taken(block, fit) {
  if (block.matches("pre")) return linesTaken(block, fit);
  if (block.matches("p, .formula, .stills, img") || !block.children.length) return null;
  const rest = block.cloneNode(false);
  const counted = block.matches("ol") ? block : null;
  const units = block.matches("table") ? block.querySelector("tbody") ?? block : block;
  while (!fit() && units.children.length > 1) rest.prepend(units.lastElementChild);
  if (!fit()) {
    const inner = taken(units.lastElementChild, fit);
    if (!inner) {
      units.append(...rest.children);
      return null;
    }
    rest.prepend(inner);
  }
  if (counted) rest.start = counted.start + counted.children.length;
  if (units !== block) {
    const body = document.createElement("tbody");
    body.append(...rest.children);
    rest.append(...[block.querySelector("thead")].filter(Boolean).map((head) => head.cloneNode(true)), body);
  }
  return rest;
}

/** The same for lines, no fewer than `FEW` on either side; parted at an empty one if one is near. */
function linesTaken(pre, fit) {
  const whole = pre.cloneNode(true);
  const lines = whole.textContent.split("\n");
  const breaks = []; // where each line ends: a text node and a place in it
  const walker = document.createTreeWalker(whole, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    for (let at = node.data.indexOf("\n"); at >= 0; at = node.data.indexOf("\n", at + 1)) breaks.push([node, at]);
  }
  const part = (from, to) => {
    const range = document.createRange();
    range.selectNodeContents(whole);
    if (from) range.setStart(breaks[from - 1][0], breaks[from - 1][1] + 1);
    if (to < lines.length) range.setEnd(...(to ? breaks[to - 1] : [whole, 0]));
    return range.cloneContents();
  };
  const keep = (count) => {
    while (count && count < lines.length && !lines[count - 1].trim()) count -= 1;
    pre.replaceChildren(part(0, count));
  };
  let most = lines.length;
  do keep(--most); while (most && !fit());
  most = Math.min(most, lines.length - FEW);
  const begins = (at) => /^\S/.test(lines[at]);
  const ends = (at) => !lines[at - 1].trim();
  const near = Array.from({ length: Math.max(0, Math.ceil(most / 2)) }, (_, back) => most - back);
  const count = near.find((at) => begins(at) && ends(at)) ?? near.find((at) => begins(at) || ends(at)) ?? most;
  keep(count >= FEW ? count : lines.length);
  if (count < FEW) return null;
  const rest = pre.cloneNode(false);
  const next = lines.findIndex((line, at) => at >= count && line !== "");
  rest.append(part(next < 0 ? count : next, lines.length));
  return rest;
}

/** Whether all of a page is in sight, once its pictures have the height that is left and wide formulas are narrower. */
function fits({ fit }) {
  fit.style.setProperty("--picture", "0px");
  const left = fit.clientHeight - needed(fit);
  fit.style.setProperty("--picture", `${Math.max(PICTURE, left)}px`);
  for (const formula of fit.querySelectorAll(".formula")) {
    formula.style.fontSize = "";
    const size = parseFloat(getComputedStyle(formula).fontSize);
    const narrower = (0.98 * size * formula.clientWidth) / formula.scrollWidth;
    if (narrower < size) formula.style.fontSize = `${Math.max(FORMULA, narrower)}px`;
  }
  const wide = [fit, ...fit.querySelectorAll("pre, .wide, .formula")].some((box) => box.scrollWidth > box.clientWidth);
  return !wide && needed(fit) <= fit.clientHeight;
}

/** The height of what is in a box, which may be less than the box's. */
function needed(fit) {
  fit.classList.add("bare");
  const height = fit.offsetHeight;
  fit.classList.remove("bare");
  return height;
}

/** Few words are written larger. */
function enlarge(page) {
  if (page.fit.querySelector("img, .source") || needed(page.fit) > 0.4 * page.fit.clientHeight) return;
  page.fit.classList.add("large");
  if (!fits(page)) page.fit.classList.remove("large");
}

function scale() {
  const notes = document.body.classList.contains("with-notes") ? 0.68 : 1;
  const times = Math.min(innerWidth / 1280, (notes * innerHeight) / 720);
  const style = document.documentElement.style;
  style.setProperty("--times", times);
  style.setProperty("--left", `${(innerWidth - 1280 * times) / 2}px`);
  style.setProperty("--top", `${(notes * innerHeight - 720 * times) / 2}px`);
}

function show(wanted) {
  now = Math.min(Math.max(wanted, 0), pages.length - 1);
  pages.forEach(({ section }, place) => section.classList.toggle("now", place === now));
  history.replaceState(null, "", `#${now + 1}`);
  tell();
}

function tell() {
  if (!speaker || speaker.closed) return;
  const next = pages[now + 1]?.section.querySelector("h1, h2")?.textContent ?? "";
  speaker.document.title = `${now + 1} / ${pages.length}`;
  speaker.document.body.className = document.body.className;
  const notes = speaker.document.importNode(pages[now].section.querySelector("aside"), true);
  const [said, after, arrow, what] = ["main", "p", "strong", "span"].map((tag) => speaker.document.createElement(tag));
  arrow.textContent = "→";
  what.textContent = next;
  after.append(arrow, " ", what);
  said.append(...notes.childNodes, after);
  speaker.document.body.replaceChildren(said);
}

function openSpeaker() {
  speaker = window.open("", "posenc-notes", "width=760,height=640");
  if (!speaker) return toggleNotes();
  if (!speaker.document.querySelector("style")) {
    speaker.document.head.append(speaker.document.importNode(document.querySelector("style"), true));
    speaker.addEventListener("keydown", key);
  }
  tell();
}

function toggleNotes() {
  document.body.classList.toggle("with-notes");
  scale();
}

async function otherLanguage() {
  document.body.classList.toggle("only-zh");
  document.body.classList.toggle("only-en");
  await begin(null);
}

function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches?.("input, summary")) return;
  const keys = { n: toggleNotes, s: openSpeaker };
  if (document.body.dataset.languages) keys.l = otherLanguage;
  const done = keys[event.key.toLowerCase()];
  if (event.key in turns) show(now + turns[event.key]);
  else if (event.key === "Home") show(0);
  else if (event.key === "End") show(pages.length - 1);
  else if (done) done();
  else return;
  event.preventDefault();
}

/** Lay all slides out with the fonts that their words need, and show one. */
async function begin(wanted) {
  await document.fonts.ready;
  lay();
  if (document.fonts.status === "loading") { // a font that only the other language needs
    await document.fonts.ready;
    lay();
  }
  show(wanted ?? now);
}

let touched = 0;
document.addEventListener("keydown", key);
document.addEventListener("touchstart", (event) => { touched = event.touches[0].clientX; });
document.addEventListener("touchend", (event) => {
  const moved = event.changedTouches[0].clientX - touched;
  if (Math.abs(moved) > 60 && !event.target.matches("input")) show(now - Math.sign(moved));
});
document.addEventListener("click", (event) => {
  if (!event.target.closest("a, button, input, summary, pre, aside, .stills")) show(now + 1);
});
window.addEventListener("resize", scale);
window.addEventListener("hashchange", () => show(Number(location.hash.slice(1)) - 1));
if (document.body.dataset.languages) {
  document.body.classList.add(navigator.language.startsWith("zh") ? "only-zh" : "only-en");
}
scale();
window.addEventListener("load", () => begin(Number(location.hash.slice(1) || 1) - 1)); // pictures have their size
