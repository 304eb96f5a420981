"""From a key press on a slider to the new picture on the screen, in JupyterLab in a real browser."""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path

from playwright.sync_api import Page

from benchmarks.pages import chromium, jupyter_lab, run_all, write_notebook
from benchmarks.side_by_side import verdict

ROUNDS = 60
PRESSES = 60  # in one second
OF_INTERACT, OF_LABEL, TAIL_OF_LABEL, LATE_MS = 0.2, 1.3, 2.0, 100.0

CELLS = (
    """\
from posenc_lessons.explorers import SinusoidExplorer
explorer = SinusoidExplorer(length=256, position=0)
explorer.add_class("bench-explorer")
explorer""",
    """\
%matplotlib inline
import ipywidgets, matplotlib.pyplot as plt, numpy as np
from posenc_lessons.encodings import sinusoidal_encoding

def show(position):
    table = sinusoidal_encoding(256, 64).numpy()
    figure, (heatmap, row, similarity) = plt.subplots(1, 3, figsize=(10, 4.8))
    figure.colorbar(heatmap.imshow(table, aspect="auto"), ax=heatmap)
    heatmap.axhline(position)
    row.plot(table[position, 0::2]); row.plot(table[position, 1::2])
    similarity.plot(np.arange(256) - position, table @ table[position])
    plt.show()

interactive = ipywidgets.interactive(show, position=ipywidgets.IntSlider(0, 0, 255))
interactive.add_class("bench-interact")
interactive""",
    """\
slider, label = ipywidgets.IntSlider(0, 0, 255), ipywidgets.Label("0")
slider.observe(lambda change: setattr(label, "value", str(change["new"])), "value")
bare = ipywidgets.VBox([slider, label]).add_class("bench-label")
bare""",
)

# A press, and the moment the answer is on the screen: the explorer's canvas says when it has painted, within
# the frame it paints in; a text is on the screen at the next frame after it changed; a picture at the next
# frame after it was decoded.
SCRIPT = """
() => {
  const root = (kind) => document.querySelector(`.bench-${kind}`);
  const slider = (kind) => kind === "explorer"
    ? [...root(kind).querySelectorAll(".noUi-handle")]
        .find((handle) => handle.getAttribute("aria-label").includes("cursor"))
    : root(kind).querySelector(".noUi-handle");
  const target = {
    explorer: () => root("explorer").querySelector("canvas"),
    interact: () => root("interact").querySelector(".jupyter-widgets-output-area, .widget-output"),
    label: () => root("label").querySelector(".widget-label:not(.widget-inline-hbox *)"),
  };
  const press = (kind, key) =>
    slider(kind).dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const frame = () => new Promise(requestAnimationFrame);
  const watch = (kind, seen) => {
    const observer = new MutationObserver(async () => {
      if (kind === "explorer") return seen(performance.now());
      if (kind === "interact") {
        const image = target.interact().querySelector("img");
        if (!image) return;
        await image.decode().catch(() => {});
      }
      await frame();
      seen(performance.now());
    });
    observer.observe(target[kind](), kind === "explorer"
      ? { attributes: true, attributeFilter: ["data-painted"] }
      : { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  };
  window.bench = {
    once: (kind, key) => new Promise((done, fail) => {
      const timer = setTimeout(() => fail(new Error(`${kind} did not answer`)), 10000);
      const stop = watch(kind, (now) => { stop(); clearTimeout(timer); done(now - start); });
      const start = performance.now();
      press(kind, key);
    }),
    burst: async (kind, presses) => {
      let last = 0;
      const stop = watch(kind, (now) => { last = now; });
      const begin = performance.now();
      for (let i = 0; i < presses; i++) {
        press(kind, "ArrowRight");
        const wait = begin + ((i + 1) * 1000) / presses - performance.now();
        await new Promise((next) => setTimeout(next, Math.max(0, wait)));
      }
      const end = performance.now();
      await new Promise((next) => setTimeout(next, 3000));
      stop();
      const handle = slider(kind);
      const shown = kind === "label"
        ? target.label().textContent : target.explorer().getAttribute("aria-label");
      return { late: last - end, slider: Number(handle.getAttribute("aria-valuenow")), shown };
    },
  };
}
"""


def run() -> str:
    with tempfile.TemporaryDirectory() as folder:
        write_notebook(Path(folder, "bench.ipynb"), CELLS)
        with jupyter_lab(Path(folder)) as lab, chromium() as browser:
            page = browser.new_page(viewport={"width": 1300, "height": 2600})
            lab.open(page, "bench.ipynb")
            if not run_all(page):
                raise RuntimeError("a cell failed, so there is nothing to measure")
            for kind in ("explorer canvas[data-painted]", "interact img", "label .noUi-handle"):
                page.locator(f".bench-{kind}").first.wait_for(timeout=30_000)
            page.wait_for_timeout(1000)
            page.evaluate(SCRIPT)
            return "\n\n".join([_latency(page), _backlog(page)])


def _latency(page: Page) -> str:
    kinds = ("explorer", "interact", "label")
    times: dict[str, list[float]] = {kind: [] for kind in kinds}
    for turn in range(ROUNDS + 5):
        for kind in kinds:
            key = "ArrowRight" if turn % 2 == 0 else "ArrowLeft"
            taken = page.evaluate("([kind, key]) => bench.once(kind, key)", [kind, key])
            page.wait_for_timeout(30)
            if turn >= 5:
                times[kind].append(taken)
    median = {kind: statistics.median(taken) for kind, taken in times.items()}
    tail = {kind: statistics.quantiles(taken, n=20)[-1] for kind, taken in times.items()}
    names = {
        "explorer": "SinusoidExplorer, 256 × 64",
        "interact": "`interactive`, pyplot inline",
        "label": "a bare label (the protocol's floor)",
    }
    rows = [f"| {names[kind]} | {median[kind]:.0f} | {tail[kind]:.0f} |" for kind in kinds]
    return "\n".join(
        [
            "## A slider step on the screen",
            "",
            "Milliseconds from a key press on a slider to the answer on the screen, in JupyterLab in",
            f"headless Chromium, {ROUNDS} presses each, in turns. The canvas tells in the frame it paints,",
            "a text counts as shown at the frame after it changed, a picture at the frame after it was",
            "decoded.",
            "",
            "| | median | p95 |",
            "|---|---|---|",
            *rows,
            "",
            f"- of `interactive`: {verdict(median['explorer'] / median['interact'], OF_INTERACT)}",
            f"- of the label: {verdict(median['explorer'] / median['label'], OF_LABEL)}",
            f"- p95 of the label's p95: {verdict(tail['explorer'] / tail['label'], TAIL_OF_LABEL)}",
        ]
    )


def _backlog(page: Page) -> str:
    late: dict[str, list[float]] = {"explorer": [], "label": []}
    right = 0
    for _ in range(3):
        for kind, lateness in late.items():
            end = page.evaluate("([kind, n]) => bench.burst(kind, n)", [kind, PRESSES])
            lateness.append(end["late"])
            position = int(end["slider"])
            right += (
                end["shown"] == str(position) if kind == "label" else f"position {position};" in end["shown"]
            )
    behind = statistics.median(late["explorer"]) - statistics.median(late["label"])
    return "\n".join(
        [
            f"## {PRESSES} slider steps in one second",
            "",
            f"The last picture stands {statistics.median(late['explorer']):.0f} ms after the last press,",
            f"the bare label {statistics.median(late['label']):.0f} ms after it (medians of 3):",
            f"{behind:+.0f} ms, goal {LATE_MS:.0f}: {'met' if behind <= LATE_MS else '**not met**'}.",
            f"The last state shown was the slider's in {right} of 6 runs.",
        ]
    )


if __name__ == "__main__":
    print(run())
