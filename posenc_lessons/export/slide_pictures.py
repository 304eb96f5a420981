"""Compute the pictures of slides: one panel of an explorer in one language, and how it changes.

A page paints them (``page/slide_picture.js``), as large as the slide allows, with the painter of explorers.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from nbformat import v4

from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.controls import LogSlider, Slider
from posenc_lessons.explorers.every import EXPLORERS
from posenc_lessons.explorers.links import follow, read_link
from posenc_lessons.export.outputs import PICTURE, STILL
from posenc_lessons.export.slide_curves import curves
from posenc_lessons.figures import canvas_data
from posenc_lessons.figures.scene import Labels, Panel, Scene
from posenc_lessons.figures.scene_parts import NOTHING
from posenc_lessons.figures.theme import SLIDE, Theme
from posenc_lessons.figures.with_theme import alone, main
from posenc_lessons.language import BilingualValueError, Language, Text, joined, shown_in

NAMES = [kind.name for kind in EXPLORERS]
# The controls that stand beside a live explorer on a slide.
LEVERS = {
    "shuffle": ("arrangement",),
    "sinusoid": ("d_model", "position"),
    "learned": ("step", "position"),
    "distance": ("kind", "key"),
    "rotation": ("m", "n"),
    "gate": ("rule", "query"),
    "attention": ("step", "row", "encoding"),
    "race": ("task", "highlight"),
    "stretch": ("method", "factor"),
    "batch": ("arrangement", "counted", "hide"),
    "spectrum": ("model", "layer"),
    "grid": ("encoding", "side"),
}
# Of one change, as many as fit; the page computes what is between two of them.
MOST_FRAMES = (32, 16, 8, 4, 2)
# The room of a picture by its place to the words of its slide, in CSS pixels.
ROOMS: dict[str, tuple[float, float]] = {"beside": (640, 560), "below": (1140, 470), "alone": (1140, 560)}
FINE = 16  # frames of a change of the stretch explorer's factor
EDGE = 30  # below the last line of words of the gate's text
LINES = 1.3  # how much larger a picture may be beside words, where these stand in short lines
MOST_LETTERS = 200_000  # of the data of a picture


def drawn(
    picture: str | Sequence[str] | None,
    language: Language,
    live: Mapping[str, Any] | None = None,
    words: bool = True,
) -> Any:
    """Return the output of a cell with the data from which a page paints ``picture``.

    ``picture`` is a link, as ``explorer=rotation&m=9&panel=score``, or a list that begins with one and goes
    on with the settings that change, as ``m=109``. ``panel=before,after``, at its end, are panels side by
    side; without, it is the explorer's main one (shuffle has three). ``live`` are the settings of the live
    explorer (``stills.py``) that replaces the picture in the page, if any, and begins as the picture does.
    ``words``: whether the slide has words, below or beside which the picture stands.
    Raises BilingualValueError for what cannot be followed, and KeyError for a panel that is not there.
    """
    link = picture or (live and (live["query"] or f"explorer={live['explorer']}")) or ""
    links = [link] if isinstance(link, str) else link
    start = {"query": links[0].partition("&panel=")[0]}
    names = LEVERS[live["explorer"]] if live else ()
    labels = _labels(live["explorer"], names, language) if live else []
    levers = {STILL: {**live, **start, "levers": " ".join(names), "labels": labels}} if live else {}
    theme = SLIDE if live else replace(SLIDE, alone=ROOMS["beside" if words else "alone"])
    for most in MOST_FRAMES:
        content = _content(links, language, live, theme, most)
        if len(content) <= MOST_LETTERS:
            break
    return v4.new_output("display_data", {PICTURE: content.replace("<", "\\u003c"), **levers})


def _labels(name: str, controls: Sequence[str], language: Language) -> list[str]:
    """Return the words beside the ``controls`` of the explorer ``name``."""
    with shown_in(language):
        explorer = next(kind for kind in EXPLORERS if kind.name == name)()
        labels = [explorer.controls[control].label.show() for control in controls]
        explorer.close()
    return labels


def drawn_curves(match: re.Match[str], language: Language, words: bool = True) -> Any:
    """Return the output of a cell with the chart of a table that ``CURVES`` matches, as ``drawn`` does."""
    with shown_in(language):
        scenes = curves(match[2], match[1], ROOMS["below" if words else "alone"])
    states = [0, *range(len(scenes))]  # nothing moves when the slide is entered
    return v4.new_output("display_data", {PICTURE: _json(scenes, states, language).replace("<", "\\u003c")})


def _content(
    links: Sequence[str], language: Language, live: Mapping[str, Any] | None, theme: Theme, most: int
) -> str:
    """Return the frames of the states ``links`` as JSON, at ``most`` so many of one change."""
    query, _, panels = links[0].partition("&panel=")
    name = read_link(query, NAMES).explorer
    with shown_in(language):
        explorer = next(kind for kind in EXPLORERS if kind.name == name)(**live["initial"] if live else {})
        values = _follow(explorer, query, {})
        if theme.alone == ROOMS["beside"]:
            below = replace(theme, alone=ROOMS["below"])
            boxes = [_alone(explorer, panels, room, titled=False).panels for room in (theme, below)]
            areas = [sum(panel.box[2] * panel.box[3] for panel in shown) for shown in boxes]
            theme = below if LINES * areas[1] > areas[0] else theme
        frames, states = [_alone(explorer, panels, theme, titled=live is not None)], [0]
        for change in links[1:]:
            before = explorer.parameters()
            values = _follow(explorer, f"explorer={name}&{change}", values)
            for between in _between(explorer, before, explorer.parameters(), most):
                explorer.restore(between)
                frames.append(_alone(explorer, panels, theme, titled=live is not None))
            states.append(len(frames) - 1)
        explorer.close()
        return _json(frames, states, language)


def _json(frames: Sequence[Scene], states: Sequence[int], language: Language) -> str:
    alt = frames[-1].alt.show(language)
    return json.dumps(
        {"alt": alt, "states": states, "frames": [*_changing(frames, language)]},
        default=lambda array: base64.b64encode(array).decode(),
        ensure_ascii=False,
        separators=(",", ":"),
    )


def _follow(explorer: Explorer, query: str, values: Mapping[str, str]) -> Mapping[str, str]:
    """Set the explorer to ``values`` and those of the link ``query``, and return both."""
    request = read_link(query, NAMES)
    values = {**values, **request.values}
    if problems := (*request.problems, *follow(explorer, values)):
        raise BilingualValueError(*joined(problems).parts().values())
    return values


def _between(
    explorer: Explorer, before: Mapping[str, Any], after: Mapping[str, Any], most: int
) -> Iterator[dict[str, Any]]:
    """Yield the settings of each frame of a change: sliders move step by step, all others change at once."""
    moving = {
        name: control
        for name, control in explorer.controls.items()
        if isinstance(control, Slider) and before[name] != after[name]
    }
    steps = (abs(after[name] - before[name]) / control.step for name, control in moving.items())
    count = round(min(most, max(steps, default=1)))
    # Whole factors are too far apart for hands that turn.
    if explorer.name == "stretch" and "factor" in moving:
        moving["factor"].whole, count = False, min(most, FINE)
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


def _alone(explorer: Explorer, names: str, theme: Theme, titled: bool) -> Scene:
    """Return the scene of ``explorer`` with nothing but the panels ``names``, or its main one.

    What a title asks the reader to do stays only if it is ``titled``.
    """
    scene = explorer.present_scene()[0]
    panels = {panel.name: panel for panel in scene.panels}
    shown = [panels[name] for name in names.split(",")] if names else main(scene)
    if not titled:
        shown = [_untitled(panel, explorer) for panel in shown]
    return alone(scene, shown, theme)


def _untitled(panel: Panel, explorer: Explorer) -> Panel:
    if explorer.name == "gate":  # its title speaks of the tables that count gates
        left, top, width, high = panel.box
        lowest = max(layer.y.max(initial=0) for layer in panel.layers if isinstance(layer, Labels))
        end = min(high, lowest + EDGE)
        return replace(panel, title=NOTHING, box=(left, top, width, end), y=replace(panel.y, start=end))
    if explorer.name == "rotation" and panel.name == "score":
        return replace(panel, title=NOTHING, y=replace(panel.y, label=panel.title))
    zh, en = (words.split(mark)[0] for words, mark in ((panel.title.zh, "；"), (panel.title.en, "; ")))
    return replace(panel, title=NOTHING if panel.name in explorer.grabs else Text(zh, en))
