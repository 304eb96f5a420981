"""Compute the pictures of slides: one panel of an explorer in one language, and how it changes.

A page paints them (``page/slide_picture.js``), as large as the slide allows, with the painter of explorers.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from nbformat import v4

from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.controls import LogSlider, Slider
from posenc_lessons.explorers.every import EXPLORERS
from posenc_lessons.explorers.links import follow, read_link
from posenc_lessons.export.outputs import PICTURE, STILL
from posenc_lessons.figures import canvas_data
from posenc_lessons.figures.scene import Scene
from posenc_lessons.figures.theme import SLIDE
from posenc_lessons.figures.with_theme import alone
from posenc_lessons.language import BilingualValueError, Language, Text, joined, shown_in

# The controls that stand beside a live explorer on a slide.
LEVERS = {
    "shuffle": ("arrangement", "causal"),
    "sinusoid": ("position", "offset"),
    "learned": ("step", "position"),
    "distance": ("kind", "clip"),
    "rotation": ("m", "n", "locked"),
    "gate": ("rule", "query"),
    "attention": ("step", "row", "encoding"),
    "race": ("task", "highlight"),
    "stretch": ("method", "factor"),
    "batch": ("arrangement", "counted", "hide"),
    "spectrum": ("model", "layer"),
    "grid": ("encoding", "shift"),
}
MOST_FRAMES = 32  # of one change; the page computes what is between two of them


def drawn(
    picture: str | Sequence[str] | None, language: Language, live: Mapping[str, Any] | None = None
) -> Any:
    """Return the output of a cell with the data from which a page paints ``picture``.

    ``picture`` is a link, as ``explorer=rotation&m=9&panel=score``, or a list that begins with one and goes
    on with the settings that change, as ``m=109``. Without ``panel`` it is the explorer's main one. ``live``
    are the settings of the live explorer (``stills.py``) that replaces the picture in the page, if any; it
    has them too if there is no link. Raises BilingualValueError for what cannot be followed.
    """
    link = picture or (live and (live["query"] or f"explorer={live['explorer']}")) or ""
    link, *changes = [link] if isinstance(link, str) else link
    query, _, panel = link.partition("&panel=")
    name = _request(query).explorer
    with shown_in(language):
        explorer = next(kind for kind in EXPLORERS if kind.name == name)(**live["initial"] if live else {})
        values = _follow(explorer, query, {})

        def scene() -> Scene:
            return _alone(explorer, panel, titled=live is not None)

        frames, states = [scene()], [0]
        for change in changes:
            before = explorer.parameters()
            values = _follow(explorer, f"explorer={name}&{change}", values)
            for between in _between(explorer, before, explorer.parameters()):
                explorer.restore(between)
                frames.append(scene())
            states.append(len(frames) - 1)
        explorer.close()
        alt = frames[-1].alt.show(language)
    content = json.dumps(
        {"alt": alt, "states": states, "frames": [*_changing(frames, language)]},
        default=lambda array: base64.b64encode(array).decode(),
        ensure_ascii=False,
        separators=(",", ":"),
    ).replace("<", "\\u003c")
    beside = {STILL: {**live, "levers": " ".join(LEVERS[live["explorer"]])}} if live else {}
    return v4.new_output("display_data", {PICTURE: content, **beside})


def _request(query: str) -> Any:
    return read_link(query, [kind.name for kind in EXPLORERS])


def _follow(explorer: Explorer, query: str, values: Mapping[str, str]) -> Mapping[str, str]:
    """Set the explorer to ``values`` and those of the link ``query``, and return both."""
    request = _request(query)
    values = {**values, **request.values}
    if problems := (*request.problems, *follow(explorer, values)):
        raise BilingualValueError(*joined(problems).parts().values())
    return values


def _between(
    explorer: Explorer, before: Mapping[str, Any], after: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    """Yield the settings of each frame of a change: sliders move step by step, all others change at once."""
    moving = {
        name: control
        for name, control in explorer.controls.items()
        if isinstance(control, Slider) and before[name] != after[name]
    }
    most = max(
        (abs(after[name] - before[name]) / control.step for name, control in moving.items()), default=1
    )
    count = round(min(MOST_FRAMES, most))
    for frame in range(1, count + 1):
        share = frame / count
        yield {
            **after,
            **{
                name: before[name] * (after[name] / before[name]) ** share
                if isinstance(control, LogSlider)
                else before[name] + (after[name] - before[name]) * share
                for name, control in moving.items()
            },
        }


def _changing(frames: Sequence[Scene], language: Language) -> Iterator[dict[str, Any]]:
    """Yield the stage, axes and layers of each frame that differ from those of the frame before it."""
    former: dict[str, Any] = {"stage": None, "axes": None, "data": {}}
    for scene in frames:
        frame = {
            "stage": canvas_data.stage(scene, language),
            "axes": canvas_data.axes(scene),
            "data": canvas_data.data(scene),
        }
        changed = {name: frame[name] for name in ("stage", "axes") if frame[name] != former[name]}
        layers = frame["data"].items()
        yield {
            **changed,
            "data": {name: layer for name, layer in layers if former["data"].get(name) != layer},
        }
        former = frame


def _alone(explorer: Explorer, name: str, titled: bool) -> Scene:
    """Return the scene of ``explorer`` with nothing but the panel ``name``, or its main one.

    The title of a panel in which something can be dragged says so, and stays only if it is ``titled``.
    """
    scene = explorer.present_scene()[0]
    fitting = [panel for panel in scene.panels if (panel.name == name if name else panel.hero)]
    panel = (fitting or scene.panels)[0]
    if panel.name in explorer.grabs and not titled:
        panel = replace(panel, title=Text("", ""))
    return alone(scene, panel, SLIDE)
