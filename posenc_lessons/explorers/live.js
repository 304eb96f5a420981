// Paints a scene on a canvas. Python sends the frame (a picture of titles, axis labels and colour bars,
// drawn once per layout) and then only data: this module places bytes, it holds no mathematics.

const TICK = { length: 4, gap: 3, size: 11 };
const FONT = "Posenc Sans SC"; // as in figures/fonts; here only once the kernel has sent it
const FONTS = `"${FONT}", "Noto Sans", "Helvetica Neue", Arial, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif`;
// How far below its place the baseline is, in heights of the type: the same whatever the font says of itself.
const BELOW = { top: 0.76, middle: 0.425, center: 0.39 };
const ARROW_HEAD = 10;

const floats = (view) => new Float32Array(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength));
const bytes = (view) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

// From a value on an axis to a pixel, for each of the two directions.
function scales(panel) {
  const [left, top, width, height] = panel.box;
  const { x, y } = panel;
  return {
    x: (value) => left + ((value - x.start) / (x.end - x.start)) * width,
    y: (value) => top + height - ((value - y.start) / (y.end - y.start)) * height,
  };
}

function paintTicks(context, panel, theme) {
  const [left, top, width, height] = panel.box;
  const to = scales(panel);
  const isMap = Object.values(panel.layers).some((layer) => layer.kind === "heatmap");
  const size = TICK.size * theme.type;
  context.font = `${size}px ${FONTS}`;
  context.textBaseline = "alphabetic";
  context.lineWidth = 1;
  const stroke = (color, x0, y0, x1, y1) => {
    context.strokeStyle = color;
    context.beginPath();
    context.moveTo(x0, y0);
    context.lineTo(x1, y1);
    context.stroke();
  };
  context.fillStyle = theme.ink;
  for (const [value, label] of panel.x.ticks) {
    const x = to.x(value);
    if (!isMap) stroke(theme.grid, x, top, x, top + height);
    stroke(theme.ink, x, top + height, x, top + height + TICK.length);
    context.save();
    context.translate(x, top + height + TICK.length + TICK.gap);
    if (panel.words) context.rotate(-Math.PI / 4);
    context.textAlign = panel.words ? "right" : "center";
    context.fillText(label, 0, size * (panel.words ? BELOW.middle : BELOW.top));
    context.restore();
  }
  context.textAlign = "right";
  for (const [value, label] of panel.y.ticks) {
    const y = to.y(value);
    if (!isMap) stroke(theme.grid, left, y, left + width, y);
    stroke(theme.ink, left - TICK.length, y, left, y);
    context.fillText(label, left - TICK.length - TICK.gap, y + size * BELOW.middle);
  }
}

// A table stays the same while a cursor moves over it: its colours are kept as long as its data.
const tables = new WeakMap();

function coloured(layer, data) {
  const kept = tables.get(data);
  if (kept?.colors === layer.table) return kept.canvas;
  const [rows, columns] = data.shape;
  const colors = new Uint32Array(bytes(layer.table).slice().buffer);
  const image = new ImageData(columns, rows);
  const pixels = new Uint32Array(image.data.buffer);
  const indices = bytes(data.bytes);
  for (let i = 0; i < indices.length; i++) pixels[i] = colors[indices[i]];
  const canvas = new OffscreenCanvas(columns, rows);
  canvas.getContext("2d").putImageData(image, 0, 0);
  tables.set(data, { colors: layer.table, canvas });
  return canvas;
}

function paintHeatmap(context, panel, layer, data, ratio) {
  const [rows, columns] = data.shape;
  const [left, top, width, height] = panel.box;
  // A magnified cell keeps sharp edges; a table larger than the screen is averaged, or it would shimmer.
  context.imageSmoothingEnabled = columns > width * ratio || rows > height * ratio;
  context.imageSmoothingQuality = "high";
  context.drawImage(coloured(layer, data), left, top, width, height);
}

function paintLine(context, panel, layer, data) {
  const xy = floats(data.bytes);
  const to = scales(panel);
  context.strokeStyle = layer.color;
  context.lineWidth = layer.width;
  context.lineJoin = "round";
  context.lineCap = layer.dashed ? "butt" : "square"; // Matplotlib's own
  context.setLineDash(layer.dashed ? [4 * layer.width, 2.5 * layer.width] : []);
  context.beginPath();
  let penUp = true; // NaN lifts the pen
  for (let i = 0; i < xy.length; i += 2) {
    if (Number.isNaN(xy[i] + xy[i + 1])) penUp = true;
    else {
      context[penUp ? "moveTo" : "lineTo"](to.x(xy[i]), to.y(xy[i + 1]));
      penUp = false;
    }
  }
  context.stroke();
  context.setLineDash([]);
}

function paintPoints(context, panel, layer, data) {
  const xy = floats(data.bytes);
  const to = scales(panel);
  context.fillStyle = layer.color;
  for (let i = 0; i < xy.length; i += 2) {
    context.beginPath();
    context.arc(to.x(xy[i]), to.y(xy[i + 1]), layer.size / 2, 0, 2 * Math.PI);
    context.fill();
  }
}

function paintArrows(context, panel, layer, data) {
  const ends = floats(data.bytes);
  const to = scales(panel);
  context.strokeStyle = context.fillStyle = layer.color;
  context.lineWidth = layer.width;
  context.lineJoin = context.lineCap = "round";
  const tip = (layer.width / 2) * Math.hypot(1, 2); // the head is twice as long as half its width
  for (let i = 0; i < ends.length; i += 4) {
    const [x0, y0, x1, y1] = [to.x(ends[i]), to.y(ends[i + 1]), to.x(ends[i + 2]), to.y(ends[i + 3])];
    const length = Math.hypot(x1 - x0, y1 - y0);
    if (!length) continue;
    const [dx, dy] = [(x1 - x0) / length, (y1 - y0) / length];
    const head = Math.min(ARROW_HEAD, length);
    // As Matplotlib does it, the head is outlined as well, and set back so that the outline ends at the tip.
    const [tipX, tipY] = [x1 - tip * dx, y1 - tip * dy];
    context.beginPath();
    context.moveTo(x0, y0);
    context.lineTo(tipX, tipY);
    context.stroke();
    context.beginPath();
    context.moveTo(tipX, tipY);
    context.lineTo(tipX - head * dx - (head / 2) * dy, tipY - head * dy + (head / 2) * dx);
    context.lineTo(tipX - head * dx + (head / 2) * dy, tipY - head * dy - (head / 2) * dx);
    context.closePath();
    context.stroke();
    context.fill();
  }
}

function paintLabels(context, panel, layer, data) {
  const xy = floats(data.bytes);
  const to = scales(panel);
  context.fillStyle = layer.color;
  context.font = `${layer.size}px ${FONTS}`;
  context.textAlign = "center";
  context.textBaseline = "alphabetic";
  const below = layer.size * BELOW.center;
  data.texts.forEach((text, i) => context.fillText(text, to.x(xy[2 * i]), to.y(xy[2 * i + 1]) + below));
}

const PAINT = {
  heatmap: paintHeatmap,
  line: paintLine,
  points: paintPoints,
  arrows: paintArrows,
  labels: paintLabels,
};

// How many CSS pixels high the picture may be on a page of the explorers' own, so that all above it and the words
// below it are on the screen together. The words never give back a line they once took: the picture would jump.
function heightLeft(canvas, words, kept) {
  const page = canvas.closest("#rendered_cells");
  if (!page || !canvas.offsetParent) return Infinity;
  const { top, bottom } = canvas.getBoundingClientRect();
  const said = words?.getBoundingClientRect();
  if (said && said.top >= bottom) kept.below = Math.max(kept.below, said.height);
  return innerHeight - (top - page.getBoundingClientRect().top + page.scrollTop) - kept.below - 12; // its margins
}

// The width of an enlarged picture: less where the screen lacks height, though never less than is legible.
function widthShown({ width, height, theme }, room) {
  return Math.round(width * Math.min(theme.enlarged, Math.max(theme.at_least, room / height)));
}

function paint(canvas, frame, model, room) {
  const { width, height, panels, theme } = model.get("stage");
  const ratio = model.get("sharpness") * theme.enlarged;
  const cut = height * ratio - frame.naturalHeight;
  if (Math.abs(cut) >= 2 || Math.abs(width * ratio - frame.naturalWidth) >= 2) return; // its frame is yet to load
  if (canvas.width !== frame.naturalWidth || canvas.height !== frame.naturalHeight) {
    canvas.width = frame.naturalWidth; // pixel for pixel: nothing is made larger, and so softer, afterwards
    canvas.height = frame.naturalHeight;
  }
  canvas.style.width = `${widthShown(model.get("stage"), room)}px`;
  const context = canvas.getContext("2d");
  context.resetTransform();
  context.drawImage(frame, 0, 0);
  context.setTransform(ratio, 0, 0, ratio, 0, -cut); // part of a pixel, which Matplotlib lacks at the top
  const axes = model.get("axes");
  for (const [name, still] of Object.entries(panels)) {
    const panel = { ...still, ...axes[name] };
    paintTicks(context, panel, theme);
    context.save();
    context.beginPath();
    context.rect(...panel.box);
    context.clip();
    for (const [layerName, layer] of Object.entries(panel.layers)) {
      PAINT[layer.kind](context, panel, layer, model.get(`${name}_${layerName}`), ratio);
    }
    context.restore();
    context.strokeStyle = theme.ink;
    context.lineWidth = 1;
    context.strokeRect(...panel.box);
  }
  canvas.dataset.painted = model.get("edition");
}

// Which panel and which values on its axes a pointer event points at; null outside all of them.
function pointed(event, canvas, model) {
  const { width, panels } = model.get("stage");
  const axes = model.get("axes");
  const bounds = canvas.getBoundingClientRect();
  const scale = width / bounds.width;
  const px = (event.clientX - bounds.left) * scale;
  const py = (event.clientY - bounds.top) * scale;
  for (const [name, { box: [left, top, w, h] }] of Object.entries(panels)) {
    const across = (px - left) / w;
    const up = (top + h - py) / h;
    if (across < 0 || across > 1 || up < 0 || up > 1) continue;
    const { x, y } = axes[name];
    return { panel: name, x: x.start + across * (x.end - x.start), y: y.start + up * (y.end - y.start) };
  }
  return null;
}

// A machine without a Chinese font paints boxes. The kernel then sends the course's font, once a page: this module
// is there once for each explorer, so the page itself remembers who asked. It serves the page's own words too.
const ASKED = Symbol.for("posenc-lessons: the font was asked for");
const ARRIVED = "posenc-font";
const FOR_PAGE = `${FONT} for the page`; // for Chinese alone: all else on the page stays as it is
const CHINESE = "U+2E80-9FFF, U+F900-FAFF, U+FF00-FFEF, U+20000-3FFFF";
const WORDS_OF_PAGE = ["--jp-ui-font-family", "--jp-content-font-family", "--jp-code-font-family"];

// Han characters are as wide as they are high; the box for a missing one is not.
function drawsChinese() {
  const context = document.createElement("canvas").getContext("2d");
  context.font = `100px ${FONTS}`;
  return Math.abs(context.measureText("\u4f4d").width - 100) < 2;
}

function askForFont(model) {
  if (globalThis[ASKED] || drawsChinese()) return;
  globalThis[ASKED] = model;
  model.send({ wanted: "font" });
}

async function receiveFont([content]) {
  if ([...document.fonts].some((face) => face.family.includes(FONT))) return;
  const faces = [new FontFace(FONT, content), new FontFace(FOR_PAGE, content, { unicodeRange: CHINESE })];
  for (const face of faces) document.fonts.add(face);
  await Promise.all(faces.map((face) => face.load()));
  for (const name of WORDS_OF_PAGE) {
    const families = getComputedStyle(document.body).getPropertyValue(name) || "sans-serif";
    document.body.style.setProperty(name, `"${FOR_PAGE}", ${families}`); // after system-ui Chromium passes it over
  }
  window.dispatchEvent(new Event(ARRIVED));
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

function render({ model, el }) {
  const canvas = document.createElement("canvas");
  canvas.setAttribute("role", "img");
  canvas.style.maxWidth = "100%";
  canvas.style.touchAction = "pan-y";
  const notice = document.createElement("div");
  notice.setAttribute("role", "alert");
  notice.style.cssText = "border-left:4px solid #b3261e;background:#fdecea;color:#222;padding:8px 14px";
  notice.hidden = true;
  el.append(canvas, notice);

  const frame = new Image();
  let room = Infinity;
  let asked = false;
  const repaint = () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      if (frame.complete && frame.naturalWidth) paint(canvas, frame, model, room);
    });
  };
  const loadFrame = () => {
    if (frame.src) URL.revokeObjectURL(frame.src);
    frame.src = URL.createObjectURL(new Blob([model.get("frame")], { type: "image/png" }));
  };
  frame.onload = repaint;
  model.on("change:frame", loadFrame);
  model.on("change:edition", repaint);
  loadFrame();

  const describe = () => {
    canvas.setAttribute("aria-label", model.get("alt"));
    canvas.setAttribute("aria-description", model.get("words").instead ?? "");
  };
  model.on("change:alt", describe);
  describe();

  const point = (event) => {
    const where = pointed(event, canvas, model);
    if (!where) return;
    model.set("pointer", where);
    model.save_changes();
  };
  // A finger counts when it is lifted or moves across: one that moves up or down may be scrolling the page.
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    if (event.pointerType !== "touch") point(event);
  });
  canvas.addEventListener("pointerup", (event) => event.pointerType === "touch" && point(event));
  canvas.addEventListener("pointermove", (event) => (event.buttons || model.get("hover")) && point(event));

  const receive = (said, contents) => (said.font ? receiveFont(contents) : download(said, contents));
  model.on("msg:custom", receive);
  window.addEventListener(ARRIVED, repaint);
  askForFont(model);

  // Tells the reader when the kernel is gone, which ipywidgets marks with a class; anywidget keeps the fact
  // itself from us. Our own words, in both languages: the switch hides one without a kernel. On a page of the
  // explorers' own there is no cell to run again: session.js says what to do there.
  const own = document.querySelector('meta[name="posenc-page"]');
  const connection = (explorer) => {
    const gone = !own && explorer.classList.contains("jupyter-widgets-disconnected");
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

  let kept = { below: 0 };
  const fit = () =>
    requestAnimationFrame(() => {
      const explorer = el.closest(".posenc-explorer");
      if (!explorer || !canvas.dataset.painted) return;
      room = heightLeft(canvas, explorer.querySelector("[aria-live]"), kept);
      const width = `${widthShown(model.get("stage"), room)}px`;
      if (canvas.style.width !== width) canvas.style.width = width;
    });
  const fitAnew = () => {
    kept = { below: 0 };
    fit();
  };
  const sizes = new ResizeObserver(fit);
  window.addEventListener("resize", fitAnew);

  let watcher, connectionWatcher, name, leave;
  const frameId = requestAnimationFrame(() => {
    const explorer = el.closest(".posenc-explorer");
    if (!explorer) return;
    for (const child of explorer.children) sizes.observe(child);
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
    sizes.disconnect();
    window.removeEventListener("resize", fitAnew);
    window.removeEventListener("keydown", leave, true);
    model.off("change:frame", loadFrame);
    model.off("change:edition", repaint);
    model.off("change:alt", describe);
    model.off("change:words", name);
    model.off("msg:custom", receive);
    window.removeEventListener(ARRIVED, repaint);
    if (globalThis[ASKED] === model) delete globalThis[ASKED]; // perhaps it was never answered
    URL.revokeObjectURL(frame.src);
  };
}

export default { render };
