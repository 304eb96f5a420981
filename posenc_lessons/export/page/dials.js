// The dials of the front page: the hands of a word show its position at several speeds. A slider moves the sentence.

import { one } from "./elements.js";

const OPENING = 12, SECONDS = 3.5; // when the page opens: positions by which the sentence moves, and seconds that it takes

export function startDials() {
  const figure = document.querySelector(".dials");
  if (!(figure instanceof HTMLElement)) return;
  const slider = one(figure, "input", HTMLInputElement);
  const reading = one(figure, ".reading", HTMLElement);
  const said = String(reading.dataset.said);
  const hands = [.../** @type {NodeListOf<SVGElement>} */ (figure.querySelectorAll(".hand"))];
  const numbers = [.../** @type {NodeListOf<SVGElement>} */ (figure.querySelectorAll(".at"))];
  const speeds = [...new Set(hands.map(({ dataset }) => Number(dataset.speed)))];
  const [one_, other] = String(figure.dataset.pair).split(" ").map(Number);

  /** Return the dot product of two words' positions, with the hands as vectors. */
  const product = (/** @type {number} */ m, /** @type {number} */ n) =>
    speeds.reduce((sum, speed) => sum + Math.cos(m * speed) * Math.cos(n * speed) + Math.sin(m * speed) * Math.sin(n * speed), 0);

  const show = (/** @type {number} */ first) => {
    for (const hand of hands) {
      const degrees = ((first + Number(hand.dataset.word)) * Number(hand.dataset.speed) * 180) / Math.PI;
      hand.style.transform = `rotate(${degrees}deg)`;
    }
    const whole = Math.round(first);
    for (const number of numbers) number.textContent = String(whole + Number(number.dataset.word));
    const values = { m: whole + one_, n: whole + other, product: product(first + one_, first + other).toFixed(3) };
    reading.textContent = said.replace(/\{(\w+)\}/g, (_, name) => String(values[/** @type {keyof values} */ (name)]));
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
