"""The cost of a slider step in the kernel: the explorers' panel against `interact` with pyplot inline.

Both run in a Jupyter kernel, and are measured from a control's new value to the last byte passed to the
connection. The front end is a client that reads everything and shows nothing.
"""

from __future__ import annotations

import itertools
import json
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import ipywidgets
import matplotlib.pyplot as plt
from jupyter_client.manager import start_new_kernel

from benchmarks.side_by_side import Times, milliseconds, ratio, table, verdict
from posenc_lessons.explorers import DistanceExplorer, RotationExplorer, ShuffleExplorer, SinusoidExplorer
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.figures.scene import Arrows, Heatmap, Labels, Line, Scene
from posenc_lessons.language import choose

GOAL = 1 / 50
ROUNDS = 9

# An explorer, the name of its size, its settings, the control that moves, and its two values.
Case = tuple[type[Explorer], str, dict[str, Any], str, tuple[Any, Any]]
LARGE = {"length": 1024, "d_model": 512}
LONG = {"sentence": "one two three four " * 10}
CASES: tuple[Case, ...] = (
    (SinusoidExplorer, "128 × 64", {}, "position", (24, 25)),
    (SinusoidExplorer, "128 × 64", {}, "base", (10_000.0, 11_000.0)),
    (SinusoidExplorer, "128 × 64", {}, "length", (128, 129)),
    (SinusoidExplorer, "128 × 64", {}, "d_model", (64, 66)),
    (SinusoidExplorer, "1024 × 512", LARGE, "position", (24, 25)),
    (SinusoidExplorer, "1024 × 512", LARGE, "base", (10_000.0, 11_000.0)),
    (ShuffleExplorer, "8 words", {}, "arrangement", (2, 3)),
    (ShuffleExplorer, "8 words", {}, "encoding", ("none", "sinusoidal")),
    (ShuffleExplorer, "8 words", {}, "sentence", ("a dog bites a man 狗咬人", "a dog bit a man 狗咬人")),
    (ShuffleExplorer, "40 words", LONG, "arrangement", (2, 3)),
    (DistanceExplorer, "8 × 8", {}, "clip", (3, 4)),
    (DistanceExplorer, "64 × 64", {"kind": "t5", "len_q": 64, "len_k": 64}, "query", (3, 4)),
    (RotationExplorer, "d = 32", {}, "m", (3, 4)),
    (RotationExplorer, "d = 64", {"d": 64}, "m", (3, 4)),
)


def with_pyplot(scene: Scene) -> None:
    """Draw the panels and data of ``scene`` as a notebook usually does, with pyplot's default resolution."""
    figure = plt.figure(figsize=(scene.width / 96, scene.height / 96))
    for panel in scene.panels:
        left, top, width, height = panel.box
        across, down = scene.width, scene.height
        box = (left / across, 1 - (top + height) / down, width / across, height / down)
        axes = figure.add_axes(box, title=panel.title.en, xlabel=panel.x.label.en, ylabel=panel.y.label.en)
        for layer in panel.layers:
            if isinstance(layer, Heatmap):
                image = axes.imshow(layer.values, vmin=layer.low, vmax=layer.high, aspect="auto")
                if panel.color_bar is not None:
                    figure.colorbar(image, ax=axes)
            elif isinstance(layer, Line):
                axes.plot(layer.x, layer.y)
            elif isinstance(layer, Arrows):
                along = (layer.end - layer.start).T
                axes.quiver(*layer.start.T, *along, angles="xy", scale_units="xy", scale=1)
            elif isinstance(layer, Labels):
                for x, y, text in zip(layer.x, layer.y, layer.texts, strict=True):
                    axes.text(x, y, text)
            else:
                axes.plot(layer.x, layer.y, "o")
        axes.set(xlim=(panel.x.start, panel.x.end), ylim=(panel.y.start, panel.y.end))
    plt.show()


def interactive_twin(explorer: Explorer, name: str, values: tuple[Any, Any]) -> ipywidgets.Widget:
    """Return the ``interact`` of a function of that parameter that computes the same and draws it."""

    def show(value: Any) -> None:
        parameters = {**explorer.parameters(), name: value}
        with_pyplot(explorer.scene(parameters, explorer.compute(parameters)))

    return ipywidgets.interactive(show, value=ipywidgets.Dropdown(options=values))


def step(control: Any, values: tuple[Any, Any]) -> Callable[[], None]:
    """Return a function that sets the control or widget to each value in turn."""
    places = itertools.cycle(values[::-1])
    return lambda: setattr(control, "value", next(places))


def in_turns(ways: Mapping[str, Callable[[], None]]) -> Times:
    """Return the seconds of each way for the second of two steps; the first follows another way's step."""
    times: Times = {name: [] for name in ways}
    for _ in range(ROUNDS):
        for name, way in ways.items():
            way()
            start = time.perf_counter()
            way()
            times[name].append(time.perf_counter() - start)
    return times


def measure() -> list[tuple[float, float, float]]:
    """Return for each case the milliseconds of explorer and ``interact``, and the ratio; run in a kernel."""
    choose("en")  # pyplot's own font has no Chinese
    found = []
    for kind, _, initial, name, values in CASES:
        explorer = kind(**initial, **{name: values[0]})
        twin = interactive_twin(explorer, name, values)
        ways = {"explorer": step(explorer.controls[name], values), "interact": step(twin.children[0], values)}
        panel, drawn = explorer.widget, list[object]()
        explorer.on_change(lambda drawn=drawn, explorer=explorer: drawn.append(explorer.shown))  # type: ignore[misc]
        times = in_turns(ways)
        if len({id(scene) for scene in drawn}) != 2 * ROUNDS or explorer.message is not None:
            raise RuntimeError(f"{kind.__name__}, {name}: not every step was drawn; {explorer.message}")
        panel.close()
        found.append((milliseconds(times, "explorer"), milliseconds(times, "interact"), ratio(times, *ways)))
        explorer.close()
        twin.close()
    return found


def in_a_kernel(code: str) -> str:
    """Return the output of ``code`` in a new kernel of this Python with one thread."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    manager, client = start_new_kernel(cwd=str(Path(__file__).parents[1]), env=environment)
    printed: list[str] = []

    def listen(message: dict[str, Any]) -> None:
        content = message["content"]
        if message["msg_type"] == "stream" and content["name"] == "stdout":
            printed.append(content["text"])
        elif message["msg_type"] == "error":
            raise RuntimeError("\n".join(content["traceback"]))

    try:
        client.execute_interactive(code, output_hook=listen, timeout=600)
    finally:
        client.stop_channels()
        manager.shutdown_kernel()
    return "".join(printed)


MEASURE = """
%matplotlib inline
import json
from benchmarks.slider_kernel import measure
print(json.dumps(measure()))
"""


def run() -> str:
    """Measure and return a section of Markdown."""
    found = json.loads(in_a_kernel(MEASURE))
    rows = [
        (kind.title.en, size, name, f"{ours:.2f}", f"{theirs:.0f}", f"1/{1 / share:.0f}")
        for (kind, size, _, name, _), (ours, theirs, share) in zip(CASES, found, strict=True)
    ]
    met = sum(share <= GOAL for _, _, share in found)
    slowest = max(share for _, _, share in found)
    return "\n".join(
        [
            "## A slider step in the kernel",
            "",
            "Milliseconds (median) from a control's new value to the last byte sent, in a Jupyter kernel on",
            "one thread: the explorer, and `interact` with a function that computes the same and draws it",
            "with pyplot inline. Steps of a drag, in turns. Goal: at most 1/50.",
            "",
            *table("explorer | size | control | explorer, ms | `interact`, ms | ratio", rows, range(3)),
            f"The goal is met in {met} of {len(CASES)} cases; the slowest: {verdict(slowest, GOAL)}.",
        ]
    )
