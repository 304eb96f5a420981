// The canvas in a notebook: fits the picture to the room, tells the kernel where the pointer is, names controls.
// What is painted, and how, is paint.js; live.py joins it, font.js and this into the one module that anywidget takes.

import { ARRIVED, ASKED, drawsChinese, addFontToJupyter } from "./font.js";
import { between, layoutFor, measureAnew, paint, pointed, slides } from "./paint.js";

// How many CSS pixels high the picture may be, so that the controls above it and the words below it are on the screen
// together. The words never give back a line they once took, as long as the picture's room is as wide: it would jump.
// A page that is as high as what is on it, such as an output in a frame of its own, limits nothing. A kept picture
// has as much room as the present one.
function heightLeft(explorer, width, reserved) {
  const notebook = explorer.closest(".jp-WindowedPanel-outer, .jp-Notebook");
  if (!notebook) return Infinity;
  const boxes = (found) => [...explorer.querySelectorAll(found)].filter((it) => it.offsetParent).map((it) => it.getBoundingClientRect());
  const words = boxes(".posenc-reading").map(({ height }) => height);
  reserved.below = Math.max(reserved.width === width ? reserved.below : 0, ...words);
  reserved.width = width;
  const above = Math.min(...boxes("canvas").map(({ top }) => top)) - explorer.getBoundingClientRect().top;
  return notebook.clientHeight - above - reserved.below - 24; // the margins between them
}

// Whether another picture stands beside this one.
function besideAnother(el) {
  const room = el.closest(".posenc-pictures");
  return Boolean(room) && el.clientWidth < 0.6 * room.clientWidth;
}

// A machine without a Chinese font paints boxes. The kernel then sends the course's font, unless the extension for the
// lessons has brought it.
function askForFont(model) {
  if (globalThis[ASKED] || drawsChinese()) return;
  globalThis[ASKED] = model;
  model.send({ wanted: "font" });
}

function download({ name, type }, [content]) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

// ipywidgets gives slider handles and read-outs no name, and a logarithmic handle announces its exponent:
// take both from the label and the read-out that the eye sees. Its play buttons are icons alone, its toggle
// buttons do not say whether they are pressed, and a label without a tooltip has the tooltip "null".
const ICONS = { play: ".fa-play", pause: ".fa-pause", stop: ".fa-stop", repeat: ".fa-retweet" };

function nameControls(root, words) {
  const set = (element, name, text) => element.getAttribute(name) !== text && element.setAttribute(name, text);
  for (const slider of root.querySelectorAll(".widget-slider")) {
    const handle = slider.querySelector(".noUi-handle");
    if (!handle) continue;
    const label = slider.querySelector(".widget-label")?.textContent ?? "";
    const readout = slider.querySelector(".widget-readout");
    set(handle, "aria-label", label);
    set(handle, "aria-valuetext", readout?.textContent ?? "");
    set(handle, "aria-disabled", String(slider.querySelector(".noUi-target").hasAttribute("disabled")));
    if (!readout) continue;
    set(readout, "role", "textbox");
    set(readout, "aria-label", label);
  }
  for (const [name, icon] of Object.entries(ICONS)) {
    for (const button of root.querySelectorAll(`.widget-play button:has(${icon})`)) {
      set(button, "aria-label", words[name]);
      set(button, "title", words[name]);
    }
  }
  for (const group of root.querySelectorAll(".posenc-several")) {
    set(group, "role", "group");
    set(group, "aria-label", group.querySelector(".widget-label")?.textContent ?? "");
  }
  for (const button of root.querySelectorAll(".widget-toggle-button, .widget-play button:has(.fa-retweet)")) {
    set(button, "aria-pressed", String(button.classList.contains("mod-active")));
  }
  for (const label of root.querySelectorAll('[title="null"]')) label.removeAttribute("title");
}

// After a slider's range has changed, noUiSlider's own Home and End still go to the ends of the old one.
function goToEnd(event) {
  const handle = event.target.closest(".noUi-handle");
  if (!handle || !["Home", "End"].includes(event.key)) return;
  const slider = handle.closest(".noUi-target").noUiSlider;
  const { min, max } = slider.options.range;
  slider.set(event.key === "End" ? max : min);
  event.preventDefault();
  event.stopPropagation();
}

// Jupyter Notebook 7 looks at a key before the control that has the focus does (JupyterLab after it), and with
// arrows and Enter it walks between cells. The attribute asks it to leave to the controls what they use.
const CONTROL_KEYS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown", "Enter"];
function leaveToControls(explorer, event) {
  if (!explorer.contains(event.target)) return;
  const combined = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
  event.target.toggleAttribute("data-lm-suppress-shortcuts", !combined && CONTROL_KEYS.includes(event.key));
}

function dataOf(model) {
  const named = Object.entries(model.get("stage").panels).flatMap(([panel, { layers }]) => Object.keys(layers).map((layer) => `${panel}_${layer}`));
  return Object.fromEntries(named.map((name) => [name, model.get(name)]));
}

// How long the picture may take from one state to the next, in milliseconds: while the play button moves a slider on
// (as often as `Play` in Python does), and when rows and columns change places. 0 is at once.
const PLAYED = 80, SLIDE = 300;
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

function timeFor(before, after, explorer) {
  if (!before || reducedMotion.matches) return 0;
  return slides(before, after) ? SLIDE : explorer?.querySelector(".widget-play .fa-pause") ? PLAYED : 0;
}

// One canvas pixel to a pixel of the screen: nothing is made larger, and so softer, afterwards.
function show(canvas, model, data, layout) {
  const [stage, axes] = [model.get("stage"), model.get("axes")];
  const ratio = globalThis.devicePixelRatio;
  const [width, height] = [Math.round(layout.width * ratio), Math.round(layout.height * ratio)];
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
    canvas.style.width = `${width / ratio}px`;
    canvas.style.height = `${height / ratio}px`;
  }
  paint(canvas.getContext("2d"), stage, axes, data, ratio, layout);
}

function render({ model, el }) {
  const canvas = document.createElement("canvas");
  canvas.setAttribute("role", "img");
  canvas.style.touchAction = "pan-y";
  const notice = document.createElement("div");
  notice.setAttribute("role", "alert");
  notice.style.cssText = "border-left:4px solid #b3261e;background:#fdecea;color:#222;padding:8px 14px";
  notice.hidden = true;
  el.append(canvas, notice);

  let layout;
  const reserved = { below: 0, width: 0 }; // what the words took, in a picture of that width
  let asked = false;
  let shown, edition, way; // what was painted last, of which edition, and {from, began, takes} while it moves
  const repaint = () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame((now) => {
      asked = false;
      const explorer = el.closest(".posenc-explorer");
      const { enlarged } = model.get("stage").theme;
      const width = Math.floor(el.getBoundingClientRect().width); // alike for both of two, wherever they begin
      const height = explorer && canvas.dataset.painted ? heightLeft(explorer, width, reserved) : Infinity;
      layout = layoutFor(model.get("stage"), width || Infinity, height, enlarged, besideAnother(el));
      const data = dataOf(model);
      if (edition !== model.get("edition")) {
        edition = model.get("edition");
        way = { from: shown, began: now, takes: timeFor(shown, data, explorer) };
      }
      const share = way.takes ? Math.min((now - way.began) / way.takes, 1) : 1;
      shown = share < 1 ? between(way.from, data, share) : data;
      show(canvas, model, shown, layout);
      if (share < 1) repaint();
      else canvas.dataset.painted = edition;
    });
  };
  model.on("change:edition", repaint);
  repaint();

  const describe = () => {
    canvas.setAttribute("aria-label", model.get("alt"));
    canvas.setAttribute("aria-description", Object.keys(model.get("takes")).length ? model.get("words").instead : "");
  };
  model.on("change:alt", describe);
  model.on("change:takes", describe);
  describe();

  // Other places (Colab, VS Code) do not say, and the picture stays light.
  const light = () => {
    model.set("dark", document.body.dataset.jpThemeLight === "false");
    model.save_changes();
  };
  const lights = new MutationObserver(light);
  lights.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light"] });
  if (document.body.dataset.jpThemeLight === "false") light();

  const tell = (where) => {
    model.set("pointer", where);
    model.save_changes();
  };
  const placeOf = ({ clientX, clientY }) => {
    const { left, top } = canvas.getBoundingClientRect();
    return pointed(model.get("stage"), model.get("axes"), clientX - left, clientY - top, layout);
  };
  const taken = (event) => model.get("takes")[placeOf(event)?.panel];
  const point = (event, kind) => {
    const where = placeOf(event);
    const cursors = { grab: event.buttons ? "grabbing" : "grab", point: "pointer" };
    canvas.style.cursor = cursors[taken(event)] ?? "";
    if (kind === "hover" && !model.get("hover")) return;
    if (where) tell({ ...where, kind });
    else if (kind === "hover") tell({ kind: "leave" });
  };
  // A finger counts when it is lifted or moves across: one that moves up or down may be scrolling the page.
  // Where it takes something along it counts at once, and the page stays where it is.
  let held = false;
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    held = event.pointerType !== "touch" || taken(event) === "grab";
    if (held) point(event, "press");
  });
  canvas.addEventListener("touchstart", (event) => taken(event.touches[0]) === "grab" && event.preventDefault(), { passive: false });
  canvas.addEventListener("pointerup", (event) => !held && point(event, "press"));
  canvas.addEventListener("pointermove", (event) => point(event, event.buttons ? "drag" : "hover"));
  canvas.addEventListener("pointerleave", () => model.get("hover") && tell({ kind: "leave" }));

  const receive = (said, contents) => (said.font ? addFontToJupyter(contents[0]) : download(said, contents));
  model.on("msg:custom", receive);
  const fontCame = () => {
    measureAnew(); // whoever brought it has another copy of the painter
    repaint();
  };
  window.addEventListener(ARRIVED, fontCame);
  askForFont(model);

  // Tells the reader when the kernel is gone, which ipywidgets marks with a class; anywidget keeps the fact
  // itself from us. Our own words, in both languages: the switch hides one without a kernel.
  const connection = (explorer) => {
    const gone = explorer.classList.contains("jupyter-widgets-disconnected");
    if (gone === !notice.hidden) return;
    notice.hidden = !gone;
    const said = Object.entries(gone ? model.get("disconnected") : {}).map(([language, words]) => {
      const part = document.createElement("div");
      part.lang = language;
      part.textContent = words;
      return part;
    });
    notice.replaceChildren(...said);
  };

  const sizes = new ResizeObserver(repaint);
  sizes.observe(el);
  window.addEventListener("resize", repaint);

  let watcher, connectionWatcher, name, leave;
  const frameId = requestAnimationFrame(() => {
    const explorer = el.closest(".posenc-explorer");
    if (!explorer) return;
    for (const child of explorer.children) sizes.observe(child);
    if (el.closest(".posenc-kept")) return; // all else is the present picture's to do
    name = () => nameControls(explorer, model.get("words"));
    name();
    model.on("change:words", name);
    explorer.addEventListener("keydown", goToEnd, true);
    leave = (event) => leaveToControls(explorer, event);
    window.addEventListener("keydown", leave, true); // the one place that comes before Notebook's own
    connection(explorer);
    connectionWatcher = new MutationObserver(() => connection(explorer));
    connectionWatcher.observe(explorer, { attributes: true, attributeFilter: ["class"] });
    watcher = new MutationObserver(name);
    const attributeFilter = ["aria-valuenow", "class", "disabled"];
    watcher.observe(explorer, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter });
  });
  return () => {
    cancelAnimationFrame(frameId);
    watcher?.disconnect();
    connectionWatcher?.disconnect();
    lights.disconnect();
    sizes.disconnect();
    window.removeEventListener("resize", repaint);
    window.removeEventListener("keydown", leave, true);
    model.off("change:edition", repaint);
    model.off("change:alt", describe);
    model.off("change:takes", describe);
    model.off("change:words", name);
    model.off("msg:custom", receive);
    window.removeEventListener(ARRIVED, fontCame);
    if (globalThis[ASKED] === model) delete globalThis[ASKED]; // perhaps it was never answered
  };
}

export default { render };
