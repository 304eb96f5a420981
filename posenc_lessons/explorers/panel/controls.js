// Makes native controls from their specifications, which Python sends: kind, value and allowed values.
// A control shows a new value at once. Python's answer may correct it, unless the reader has changed it again by then.

import { make, setAttribute, setProperties, write } from "./dom.js";

/** @import { Control } from "./types.js" */

const DIGITS = 6; // significant digits of a value, as in links

const rounded = (value) => Number(value.toPrecision(DIGITS));

function nameOf(id) {
  return make("span", { className: "name", id: `${id}-name` });
}

// A slider with a box for its number. A slider of kind "log" moves the exponent of a power of ten.
function slider(id, changed) {
  const range = make("input", { type: "range", id, "aria-labelledby": `${id}-name` });
  const number = make("input", { type: "number", className: "number", "aria-labelledby": `${id}-name` });
  const label = nameOf(id);
  let spec = {};
  const isLog = () => spec.kind === "log";
  const shownAt = (value) => {
    const at = isLog() ? Math.log10(value) : value;
    setProperties(range, { value: at });
    const share = String((at - spec.min) / (spec.max - spec.min || 1));
    if (range.style.getPropertyValue("--at") !== share) range.style.setProperty("--at", share);
  };
  range.addEventListener("input", () => {
    const value = isLog() ? rounded(10 ** range.valueAsNumber) : range.valueAsNumber;
    shownAt(value);
    setProperties(number, { value });
    setAttribute(range, "aria-valuetext", String(value));
    changed(value);
  });
  number.addEventListener("input", () => {
    if (!Number.isFinite(number.valueAsNumber)) return;
    shownAt(number.valueAsNumber);
    changed(number.valueAsNumber);
  });
  const show = (next, keep) => {
    spec = next;
    write(label, spec.label);
    setProperties(range, { min: spec.min, max: spec.max, step: spec.step, disabled: spec.disabled });
    const limits = isLog() ? [10 ** spec.min, 10 ** spec.max, "any"] : [spec.min, spec.max, spec.step];
    setProperties(number, { min: limits[0], max: limits[1], step: limits[2], disabled: spec.disabled });
    if (keep) return;
    shownAt(spec.value);
    setAttribute(range, "aria-valuetext", spec.text);
    if (document.activeElement !== number) setProperties(number, { value: isLog() ? rounded(spec.value) : spec.value });
  };
  number.addEventListener("blur", () => show(spec, false));
  return { parts: [label, number, range], show };
}

// A control of one element, whose property `key` is the value.
function single(element, key, event, label, changed) {
  element.addEventListener(event, () => changed(element[key]));
  const show = (spec, keep) => {
    write(label, spec.label);
    element.disabled = spec.disabled;
    if (!keep && element[key] !== spec.value) element[key] = spec.value;
  };
  return { parts: [label, element], show };
}

function choice(id, changed) {
  const menu = make("select", { id, "aria-labelledby": `${id}-name` });
  const { parts, show } = single(menu, "selectedIndex", "change", nameOf(id), changed);
  const showOptions = (spec, keep) => {
    const names = [...menu.options].map((option) => option.text);
    if (JSON.stringify(names) !== JSON.stringify(spec.options)) {
      const chosen = menu.selectedIndex;
      menu.replaceChildren(...spec.options.map((option) => make("option", { text: option })));
      menu.selectedIndex = chosen;
    }
    show(spec, keep);
  };
  return { parts, show: showOptions };
}

function textBox(id, changed) {
  const box = make("input", { type: "text", id, autocomplete: "off", spellcheck: false, "aria-labelledby": `${id}-name` });
  return single(box, "value", "input", nameOf(id), changed);
}

function tick(id, changed) {
  const box = make("input", { type: "checkbox", id, "aria-labelledby": `${id}-name` });
  const label = make("label", { className: "name", id: `${id}-name`, htmlFor: id });
  const { show } = single(box, "checked", "change", label, changed);
  return { parts: [box, label], show };
}

const KINDS = { slider, log: slider, choice, text: textBox, tick };

/**
 * Make a control. Its `show(spec, keep)` shows the specification; with `keep` it leaves the shown value as it is.
 * @param {string} id @param {Control["kind"]} kind @param {(value: any) => void} changed is called with the value that the reader chooses
 * @returns {{element: HTMLElement, show(spec: Control, keep: boolean): void}}
 */
export function makeControl(id, kind, changed) {
  const { parts, show } = KINDS[kind](id, changed);
  const element = make("div", { className: `control ${kind}` }, ...parts);
  return {
    element,
    show: (spec, keep = false) => {
      setProperties(element, { hidden: spec.hidden });
      show(spec, keep);
    },
  };
}
