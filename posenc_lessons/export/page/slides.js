// One slide at a time. Arrow keys, space, Page Up and Down, Home and End; N notes, S notes in a window, L language.
const slides = [...document.querySelectorAll("section")];
const number = document.querySelector(".number");
const ways = { ArrowRight: 1, ArrowDown: 1, PageDown: 1, " ": 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1 };
let now = 0;
let speaker = null;

// What is taller than the screen is made smaller until it fits: code first moves beside what it printed. What
// leaves most of the screen empty is made larger.
function fit(slide) {
  const content = slide.querySelector(".fit");
  content.style.transform = content.style.width = content.style.fontSize = "";
  content.classList.remove("beside");
  const room = slide.getBoundingClientRect().bottom - content.getBoundingClientRect().top - 48;
  const tall = () => content.scrollHeight;
  if (tall() < 0.4 * room && !content.querySelector("img, .source")) content.style.fontSize = "1.3em";
  if (tall() > 1.2 * room && content.querySelector(".source + .shown")) content.classList.add("beside");
  for (const wide of content.querySelectorAll(".formula, pre")) {
    wide.style.fontSize = "";
    const ratio = wide.clientWidth / wide.scrollWidth;
    if (ratio < 1) wide.style.fontSize = `${Math.max(0.5, ratio * 0.98) * parseFloat(getComputedStyle(wide).fontSize)}px`;
  }
  let scale = 1;
  for (let turn = 0; turn < 4 && tall() * scale > room; turn += 1) {
    scale = Math.max(0.3, room / tall() * 0.99);
    content.style.width = `${100 / scale}%`;
  }
  if (scale < 1) content.style.transform = `scale(${scale})`;
}

function show(wanted) {
  now = Math.min(Math.max(wanted, 0), slides.length - 1);
  for (const slide of slides) slide.classList.toggle("now", slide === slides[now]);
  slides.forEach((slide, place) => slide.setAttribute("aria-hidden", place !== now));
  slides.forEach((slide, place) => { slide.inert = place !== now; });
  number.textContent = `${now + 1} / ${slides.length}`;
  history.replaceState(null, "", `#${now + 1}`);
  fit(slides[now]);
  tell();
}

function tell() {
  if (!speaker || speaker.closed) return;
  const next = slides[now + 1]?.querySelector("h1, h2")?.textContent ?? "";
  speaker.document.title = `${now + 1} / ${slides.length}`;
  speaker.document.body.className = document.body.className;
  const notes = speaker.document.importNode(slides[now].querySelector("aside"), true);
  const [main, after, arrow, what] = ["main", "p", "strong", "span"].map((tag) => speaker.document.createElement(tag));
  arrow.textContent = "→";
  what.textContent = next;
  after.append(arrow, " ", what);
  main.append(...notes.childNodes, after);
  speaker.document.body.replaceChildren(main);
}

function openSpeaker() {
  speaker = window.open("", "posenc-notes", "width=760,height=640");
  if (!speaker) return document.body.classList.add("with-notes");
  if (!speaker.document.querySelector("style")) {
    speaker.document.head.append(speaker.document.importNode(document.querySelector("style"), true));
    speaker.addEventListener("keydown", key);
  }
  tell();
}

function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches?.("input, summary")) return;
  if (event.key in ways) show(now + ways[event.key]);
  else if (event.key === "Home") show(0);
  else if (event.key === "End") show(slides.length - 1);
  else if (event.key === "n" || event.key === "N") { document.body.classList.toggle("with-notes"); fit(slides[now]); }
  else if (event.key === "s" || event.key === "S") openSpeaker();
  else if ((event.key === "l" || event.key === "L") && document.body.dataset.languages) {
    document.body.classList.toggle("only-zh");
    document.body.classList.toggle("only-en");
    show(now);
  } else return;
  event.preventDefault();
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
window.addEventListener("resize", () => fit(slides[now]));
window.addEventListener("hashchange", () => show(Number(location.hash.slice(1)) - 1));
// On paper every slide is a page of 1280 × 720, whatever the window's size.
window.addEventListener("beforeprint", () => {
  document.body.classList.add("printing");
  slides.forEach(fit);
});
window.addEventListener("afterprint", () => {
  document.body.classList.remove("printing");
  fit(slides[now]);
});
if (document.body.dataset.languages) {
  document.body.classList.add(navigator.language.startsWith("zh") ? "only-zh" : "only-en");
}
document.fonts.ready.then(() => show(Number(location.hash.slice(1) || 1) - 1));
