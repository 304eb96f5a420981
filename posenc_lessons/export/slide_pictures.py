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
from posenc_lessons.figures.colors import CHOSEN, QUERY
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
FRAMES = (("query", QUERY), ("key", CHOSEN))  # of words in the gate's text
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
    query, _, panels = links[0].partition("&panel=")
    name = read_link(query, NAMES).explorer
    with shown_in(language):
        explorer = next(kind for kind in EXPLORERS if kind.name == name)(**live["initial"] if live else {})
        settings = [*_settings(explorer, query, links[1:])]
        explorer.restore(settings[0])
        theme = SLIDE if live else _theme(explorer, panels, words)
        for most in MOST_FRAMES:
            scenes, states = _scenes(explorer, settings, panels, theme, most)
            content = _json(scenes, states, language)
            if len(content) <= MOST_LETTERS:
                break
        levers = LEVERS[explorer.name] if live else ()
        labels = [explorer.controls[lever].label.show() for lever in levers]
        explorer.close()
    still = {STILL: {**live, "query": query, "levers": " ".join(levers), "labels": labels}} if live else {}
    return v4.new_output("display_data", {PICTURE: content, **still})


def drawn_curves(match: re.Match[str], language: Language, words: bool = True) -> Any:
    """Return the output of a cell with the chart of a table that ``CURVES`` matches, as ``drawn`` does."""
    with shown_in(language):
        scenes = curves(match[2], match[1], ROOMS["below" if words else "alone"])
    states = [0, *range(len(scenes))]  # nothing moves when the slide is entered
    return v4.new_output("display_data", {PICTURE: _json(scenes, states, language)})


def _settings(explorer: Explorer, query: str, changes: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield the parameters of each state: first those of the link ``query``, then after each change."""
    values: dict[str, str] = {}
    for link in (query, *(f"explorer={explorer.name}&{change}" for change in changes)):
        request = read_link(link, NAMES)
        values = {**values, **request.values}
        if problems := (*request.problems, *follow(explorer, values)):
            raise BilingualValueError(*joined(problems).parts().values())
        yield explorer.parameters()


def _theme(explorer: Explorer, panels: str, words: bool) -> Theme:
    """Return the theme with the room in which the picture is largest, or nearly so beside ``words``."""
    beside, below, whole = (replace(SLIDE, alone=room) for room in ROOMS.values())
    if not words:
        return whole
    boxes = [[panel.box for panel in _alone(explorer, panels, theme).panels] for theme in (beside, below)]
    areas = [sum(width * height for _, _, width, height in shown) for shown in boxes]
    return below if LINES * areas[1] > areas[0] else beside


def _scenes(
    explorer: Explorer, settings: Sequence[dict[str, Any]], panels: str, theme: Theme, most: int
) -> tuple[list[Scene], list[int]]:
    """Return the frames from state to state, at ``most`` so many of a change, and which are the states."""
    scenes, states = [], []
    for before, after in zip([settings[0], *settings], settings, strict=False):
        for between in _between(explorer, before, after, most):
            explorer.restore(between)
            scenes.append(_alone(explorer, panels, theme))
        states.append(len(scenes) - 1)
    return scenes, states


def _json(frames: Sequence[Scene], states: Sequence[int], language: Language) -> str:
    return json.dumps(
        {"alt": frames[-1].alt.show(language), "states": states, "frames": [*_changing(frames, language)]},
        default=lambda array: base64.b64encode(array).decode(),
        ensure_ascii=False,
        separators=(",", ":"),
    ).replace("<", "\\u003c")


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


def _alone(explorer: Explorer, names: str, theme: Theme) -> Scene:
    """Return the scene of ``explorer`` with nothing but the panels ``names``, or its main one.

    What a title asks the reader to do stays only beside a live explorer, for which ``theme`` has no room.
    """
    scene = explorer.present_scene()[0]
    panels = {panel.name: panel for panel in scene.panels}
    shown = [panels[name] for name in names.split(",")] if names else main(scene)
    if theme.alone != SLIDE.alone:
        shown = [_untitled(panel, explorer) for panel in shown]
    return alone(scene, shown, theme)


def _untitled(panel: Panel, explorer: Explorer) -> Panel:
    if explorer.name == "gate":  # no controls beside it say which word is the query and which the key
        frames = tuple((explorer.controls[name].label, color) for name, color in FRAMES)
        left, top, width, high = panel.box
        lowest = max(layer.y.max(initial=0) for layer in panel.layers if isinstance(layer, Labels))
        end = min(high, lowest + EDGE)
        box, y, legend = (left, top, width, end), replace(panel.y, start=end), frames + panel.legend
        return replace(panel, title=NOTHING, box=box, y=y, legend=legend)
    if explorer.name == "rotation" and panel.name == "score":
        return replace(panel, title=NOTHING, y=replace(panel.y, label=panel.title))
    zh, en = (words.split(mark)[0] for words, mark in ((panel.title.zh, "；"), (panel.title.en, "; ")))
    return replace(panel, title=NOTHING if panel.name in explorer.grabs else Text(zh, en))
