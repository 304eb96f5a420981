// The dials of the front page: the hands of a word show its position at several speeds. A slider moves the sentence.

import { one } from "./elements.js";

const OPENING = 12, SECONDS = 3.5; // when the page opens: positions by which the sentence moves, and seconds that it takes

export function startDials() {
  const figure = document.querySelector(".dials");
  if (!(figure instanceof HTMLElement)) return;
  const slider = one(figure, "input", HTMLInputElement);
  const hands = [.../** @type {NodeListOf<SVGElement>} */ (figure.querySelectorAll(".hand"))];
  const numbers = [.../** @type {NodeListOf<SVGElement>} */ (figure.querySelectorAll("tspan"))];

  const show = (/** @type {number} */ first) => {
    for (const { dataset, style } of hands) {
      style.transform = `rotate(${((first + Number(dataset.word)) * Number(dataset.speed) * 180) / Math.PI}deg)`;
    }
    for (const number of numbers) number.textContent = String(Math.round(first) + Number(number.dataset.word));
  };

  let touched = false;
  slider.addEventListener("input", () => {
    touched = true;
    show(slider.valueAsNumber);
  });
  one(figure, ".move", HTMLElement).hidden = false;
  show(slider.valueAsNumber);
  if (slider.valueAsNumber !== 0 || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const began = performance.now();
  const turn = (/** @type {number} */ now) => {
    if (touched) return;
    const share = Math.min(1, Math.max(0, now - began) / 1000 / SECONDS);
    const at = OPENING * (3 * share ** 2 - 2 * share ** 3);
    slider.value = String(Math.round(at));
    show(at);
    if (share < 1) requestAnimationFrame(turn);
  };
  requestAnimationFrame(turn);
}
