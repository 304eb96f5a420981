"""Measure the time from a key on a slider to the new picture on the screen, in JupyterLab in a browser.

A slider has four kinds of answer: an explorer's canvas at two sizes, `interact` with the same picture by
pyplot inline, and a plain label, which shows the least time of a message to the kernel and back. Keys are
real ones. The clock starts at the event's time stamp and stops when the frame with the answer has been
rendered:

- for the canvas, the frame in which it paints (``data-painted``);
- for a text, the frame after its change;
- for a picture, the frame after it was decoded.
"""

from __future__ import annotations

import re
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from benchmarks.side_by_side import table, verdict
from tests.support.pages import Lab, chromium, jupyter_lab, new_context, run_all, write_notebook

SESSIONS, ROUNDS, WARM_UP = 3, 20, 4  # each session has its own page and kernel
PRESSES, BURSTS = 60, 3  # in one second
OF_INTERACT, OF_LABEL, TAIL_OF_LABEL, LATE_MS = 0.2, 1.3, 2.0, 100.0

KINDS = {
    "explorer": "SinusoidExplorer, 256 × 64",
    "large": "SinusoidExplorer, 1024 × 512",
    "interact": "`interact`, pyplot inline, 256 × 64",
    "label": "a bare label",
}

CELLS = (
    """\
from posenc_lessons import language
from posenc_lessons.explorers import SinusoidExplorer
language.choose("en")
SinusoidExplorer(length=256, position=0)""",
    """\
SinusoidExplorer(length=1024, d_model=512, position=0)""",
    """\
%matplotlib inline
import ipywidgets
from benchmarks.slider_kernel import with_pyplot

twin = SinusoidExplorer(length=256)

def show(position):
    parameters = {**twin.parameters(), "position": position}
    with_pyplot(twin.scene(parameters, twin.compute(parameters)))

interactive = ipywidgets.interactive(show, position=ipywidgets.IntSlider(0, 0, 255))
interactive.children[0].add_class("bench-slider")
interactive.add_class("bench-interact")""",
    """\
slider, label = ipywidgets.IntSlider(0, 0, 255), ipywidgets.Label("0")
slider.observe(lambda change: setattr(label, "value", str(change["new"])), "value")
slider.add_class("bench-slider")
label.add_class("bench-answer")
ipywidgets.VBox([slider, label]).add_class("bench-label")""",
)

SCRIPT = """
() => {
  const panels = [...document.querySelectorAll(".posenc-panel")].map((each) => each.shadowRoot);
  const isCanvas = (kind) => ["explorer", "large"].includes(kind);
  const find = (kind, what) => isCanvas(kind)
    ? panels[["explorer", "large"].indexOf(kind)].querySelector(what)
    : document.querySelector(`.bench-${kind} ${what}`);
  const slider = (kind) => find(kind, isCanvas(kind) ? "#sinusoid-position" : ".bench-slider .noUi-handle");
  const after = (seen) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => seen(performance.now());
    port2.postMessage(0);
  };
  let pressed = 0;
  document.addEventListener("keydown", (event) => { pressed = event.timeStamp; }, true);

  // Calls seen(now) for every answer of that kind that has reached the screen.
  const watch = (kind, seen) => {
    let source = find(kind, "img")?.src;
    const observer = new MutationObserver(async () => {
      if (isCanvas(kind)) return after(seen);
      if (kind === "interact") {
        const image = find(kind, "img");
        if (!image || image.src === source) return;
        source = image.src;
        await image.decode();
      }
      requestAnimationFrame(() => after(seen));
    });
    if (isCanvas(kind)) observer.observe(find(kind, "canvas"), { attributeFilter: ["data-painted"] });
    else observer.observe(find(kind, kind === "label" ? ".bench-answer" : ".widget-output"),
                          { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  };
  const answer = (kind) => isCanvas(kind) ? find(kind, "canvas").getAttribute("aria-label")
    : kind === "label" ? find(kind, ".bench-answer").textContent : "";
  window.bench = {
    arm: (kind) => {
      slider(kind).focus({ preventScroll: true });
      window.bench.first = new Promise((done, fail) => {
        const timer = setTimeout(() => fail(new Error(`${kind} did not answer`)), 20000);
        const stop = watch(kind, (now) => { stop(); clearTimeout(timer); done(now - pressed); });
      });
      window.bench.first.catch(() => {});
    },
    watchAll: (kind) => {
      slider(kind).focus({ preventScroll: true });
      window.bench.last = pressed;
      window.bench.stop = watch(kind, (now) => { window.bench.last = now; });
    },
    late: () => { window.bench.stop(); return window.bench.last - pressed; },
    quietFor: () => performance.now() - Math.max(window.bench.last, pressed),
    state: (kind) => ({
      slider: Number(slider(kind).value ?? slider(kind).getAttribute("aria-valuenow")),
      answer: answer(kind),
      pixels: isCanvas(kind) ? find(kind, "canvas").toDataURL() : "",
    }),
  };
}
"""
IDLE = "jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === 'idle'"


def run() -> str:
    """Measure and return two sections of Markdown."""
    with tempfile.TemporaryDirectory() as folder, jupyter_lab(Path(folder)) as lab, chromium() as browser:
        times: dict[str, list[float]] = {kind: [] for kind in KINDS}
        for session in range(SESSIONS):
            write_notebook(Path(folder, f"bench{session}.ipynb"), CELLS)
            page = new_context(browser, viewport={"width": 1300, "height": 2600}).new_page()
            _prepare(page, lab, f"bench{session}.ipynb")
            for kind, taken in _latencies(page).items():
                times[kind] += taken
            if session < SESSIONS - 1:
                page.context.close()
        return "\n\n".join([_said(times), _backlog(page)])


def _prepare(page: Page, lab: Lab, notebook: str) -> None:
    lab.open(page, notebook)
    if not run_all(page):
        raise RuntimeError("a cell failed, so there is nothing to measure")
    places = ("canvas[data-painted] >> nth=1", ".bench-interact img", ".bench-label .bench-answer")
    for place in places:
        page.locator(place).first.wait_for()
    page.evaluate(SCRIPT)


def _rest(page: Page) -> None:
    """Wait until the previous turn is finished."""
    page.wait_for_function(IDLE)
    page.wait_for_timeout(120)


def _press(page: Page, kind: str, key: str) -> float:
    """Return milliseconds from the press to the answer on the screen."""
    page.evaluate("kind => bench.arm(kind)", kind)
    page.keyboard.press(key)
    taken: float = page.evaluate("bench.first")
    return taken


def _latencies(page: Page) -> dict[str, list[float]]:
    """Return milliseconds from press to answer for each kind, measured in turns."""
    times: dict[str, list[float]] = {kind: [] for kind in KINDS}
    kinds = list(KINDS)
    for turn in range(ROUNDS + WARM_UP):
        for kind in kinds:
            _rest(page)
            taken = _press(page, kind, "ArrowRight" if turn % 2 == 0 else "ArrowLeft")
            if turn >= WARM_UP:
                times[kind].append(taken)
        kinds = [*kinds[1:], kinds[0]]  # no kind always follows the same heavy one
    return times


def _said(times: dict[str, list[float]]) -> str:
    median = {kind: statistics.median(taken) for kind, taken in times.items()}
    tail = {kind: statistics.quantiles(taken, n=20)[-1] for kind, taken in times.items()}
    rows = [
        [name, *(f"{each[kind]:.0f}" for each in (median, tail))]
        + [f"{median[kind] / median[to]:.2f}" for to in ("interact", "label")]
        for kind, name in KINDS.items()
    ]
    return "\n".join(
        [
            "## A slider step on the screen",
            "",
            "Milliseconds from a key pressed on a slider to the answer on the screen, JupyterLab in headless",
            f"Chromium, {SESSIONS * ROUNDS} presses in {SESSIONS} pages, in turns. The clock runs from the",
            "key event's own time stamp to the end of the frame that carries the answer: the frame the",
            "canvas is painted in, the next one after a text has changed, the next one after a picture has",
            "been decoded. The label does nothing but repeat the slider's value: no answer from the kernel",
            "can be faster.",
            "",
            *table("answer | median | p95 | of `interact` | of the label", rows),
            f"- of `interact`: {verdict(median['explorer'] / median['interact'], OF_INTERACT)}",
            f"- of the label: {verdict(median['explorer'] / median['label'], OF_LABEL)}",
            f"- p95, of the label's p95: {verdict(tail['explorer'] / tail['label'], TAIL_OF_LABEL)}",
        ]
    )


def _burst(page: Page, kind: str) -> float:
    """Press an arrow 60 times in a second; return milliseconds from the last press to the last answer."""
    page.evaluate("kind => bench.watchAll(kind)", kind)
    begin = time.perf_counter()
    for press in range(1, PRESSES + 1):
        page.keyboard.down("ArrowRight")
        time.sleep(max(0.0, begin + press / PRESSES - time.perf_counter()))
    page.keyboard.up("ArrowRight")
    page.wait_for_function("bench.quietFor() > 1000")
    page.wait_for_function(IDLE)
    late: float = page.evaluate("bench.late()")
    return late


def _is_right(page: Page, kind: str) -> bool:
    """Return True if the answer belongs to the slider's value: asking later gives the same pixels."""
    after: dict[str, Any] = page.evaluate("kind => bench.state(kind)", kind)
    position = int(after["slider"])
    if kind == "label":
        return bool(after["answer"] == str(position))
    for key in ("ArrowLeft", "ArrowRight"):
        _press(page, kind, key)
        _rest(page)
    again = page.evaluate("kind => bench.state(kind)", kind)
    return again == after and re.search(rf"position {position}\b", after["answer"]) is not None


def _backlog(page: Page) -> str:
    late: dict[str, list[float]] = {kind: [] for kind in KINDS}
    right: dict[str, int] = dict.fromkeys(KINDS, 0)
    for _ in range(BURSTS):
        for kind in KINDS:
            _rest(page)
            late[kind].append(_burst(page, kind))
            if kind != "interact":
                right[kind] += _is_right(page, kind)
    median = {kind: statistics.median(lateness) for kind, lateness in late.items()}
    behind = median["explorer"] - median["label"]
    rows = [
        (name, f"{median[kind]:.0f}", "not looked at" if kind == "interact" else f"{right[kind]} of {BURSTS}")
        for kind, name in KINDS.items()
    ]
    return "\n".join(
        [
            f"## {PRESSES} slider steps in one second",
            "",
            "Milliseconds from the last press to the last answer on the screen (medians), and whether that",
            "answer was right: the slider's own value, with the same pixels as when the slider comes back",
            "to it in peace.",
            "",
            *table("answer | last answer, ms after the last press | right", rows),
            f"The explorer's last picture comes {behind:+.0f} ms after the label's last text "
            f"(goal {LATE_MS:.0f}: {'met' if behind <= LATE_MS else '**not met**'}) and was "
            f"{'always' if right['explorer'] == right['large'] == BURSTS else '**not always**'} right.",
        ]
    )
