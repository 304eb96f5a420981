"""What one slider step costs in the kernel: the explorers' canvas against `interact` with pyplot inline."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import partial

import matplotlib.pyplot as plt
from IPython.core.pylabtools import print_figure

from benchmarks.side_by_side import milliseconds, ratio, taking_turns, threads, verdict
from posenc_lessons.course.language import choose
from posenc_lessons.explorers import DistanceExplorer, RotationExplorer, ShuffleExplorer, SinusoidExplorer
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.figures.scene import Arrows, Heatmap, Labels, Line, Scene

GOAL = 1 / 50
SECONDS = 4.0  # for each case

# An explorer, what is set before, and the slider that moves.
CASES: tuple[tuple[type[Explorer], str, dict[str, object], str], ...] = (
    (SinusoidExplorer, "128 × 64", {}, "position"),
    (SinusoidExplorer, "128 × 64", {}, "base"),
    (SinusoidExplorer, "128 × 64", {}, "length"),
    (SinusoidExplorer, "1024 × 512", {"length": 1024, "d_model": 512}, "base"),
    (ShuffleExplorer, "8 words", {}, "arrangement"),
    (ShuffleExplorer, "40 words", {"sentence": "one two three four " * 10}, "arrangement"),
    (DistanceExplorer, "8 × 8", {}, "clip"),
    (DistanceExplorer, "64 × 64", {"kind": "t5", "len_q": 64, "len_k": 64}, "query"),
    (RotationExplorer, "d = 32", {}, "m"),
    (RotationExplorer, "d = 64", {"d": 64}, "m"),
)


def with_pyplot(scene: Scene) -> bytes:
    """The same panels and data as a notebook usually draws them: pyplot, then inline's PNG."""
    figure = plt.figure(figsize=(scene.width / 96, scene.height / 96))
    for panel in scene.panels:
        left, top, width, height = panel.box
        box = (
            left / scene.width,
            1 - (top + height) / scene.height,
            width / scene.width,
            height / scene.height,
        )
        axes = figure.add_axes(box, title=panel.title.en, xlabel=panel.x.label.en, ylabel=panel.y.label.en)
        for layer in panel.layers:
            if isinstance(layer, Heatmap):
                axes.imshow(layer.values, vmin=layer.low, vmax=layer.high, aspect="auto")
            elif isinstance(layer, Line):
                axes.plot(layer.x, layer.y)
            elif isinstance(layer, Arrows):
                axes.quiver(
                    *layer.start.T, *(layer.end - layer.start).T, angles="xy", scale_units="xy", scale=1
                )
            elif isinstance(layer, Labels):
                for x, y, text in zip(layer.x, layer.y, layer.texts, strict=True):
                    axes.text(x, y, text)
            else:
                axes.plot(layer.x, layer.y, "o")
        axes.set(xlim=(panel.x.start, panel.x.end), ylim=(panel.y.start, panel.y.end))
    png = print_figure(figure, fmt="png", bbox_inches="tight")
    plt.close(figure)
    return png


def plain_step(explorer: Explorer) -> bytes:
    """What the plotting function of `interact` does at a step: compute, draw, encode."""
    return with_pyplot(explorer.present_scene()[0])


def steps(explorer: Explorer, slider: str) -> Callable[[], None]:
    """A function that moves the slider to and fro, one step a call."""
    widget = explorer.controls[slider]
    start = widget.value
    far = start * 1.1 if slider == "base" else start + 1
    places = itertools.cycle((far, start))

    def step() -> None:
        before = explorer.canvas.edition
        widget.value = next(places)
        assert explorer.canvas.edition == before + 1 and explorer.message is None

    return step


def run() -> str:
    plt.switch_backend("agg")
    choose("en")  # pyplot's own font has no Chinese
    lines = [
        "## A slider step in the kernel",
        "",
        "Milliseconds (median) from a slider's new value to the data ready to send, and for the same picture",
        "drawn by pyplot and turned into inline's PNG, as `interact` does at each step. One thread, in",
        f"turns. Goal: at most 1/{1 / GOAL:.0f}.",
        "",
        "| explorer | size | slider | explorer, ms | pyplot, ms | ratio |",
        "|---|---|---|---|---|---|",
    ]
    ratios = []
    for kind, size, initial, slider in CASES:
        explorer = kind(**initial)
        ways: dict[str, Callable[[], object]] = {
            "ours": steps(explorer, slider),
            "pyplot": partial(plain_step, explorer),
        }
        with threads(1):
            times = taking_turns(ways, SECONDS, least=12)
        ratios.append(ratio(times, "ours", "pyplot"))
        lines.append(
            f"| {kind.title.en} | {size} | {slider} | {milliseconds(times, 'ours'):.2f} "
            f"| {milliseconds(times, 'pyplot'):.0f} | {ratios[-1]:.4f} (1/{1 / ratios[-1]:.0f}) |"
        )
        explorer.close()
    choose("both")
    lines += ["", f"The slowest of them: {verdict(max(ratios), GOAL)}."]
    return "\n".join(lines)


if __name__ == "__main__":
    print(run())
