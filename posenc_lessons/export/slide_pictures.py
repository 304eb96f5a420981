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
from posenc_lessons.export.outputs import PICTURE
from posenc_lessons.figures import canvas_data
from posenc_lessons.figures.places import ABOVE, TITLE_SIZE, room_for
from posenc_lessons.figures.scene import Panel, Scene
from posenc_lessons.figures.theme import PROJECTOR
from posenc_lessons.figures.with_theme import with_theme
from posenc_lessons.language import BilingualValueError, Language, Text, joined, shown_in

# ``type_scale`` is for the words around a panel; those in it have less room.
LARGE = replace(PROJECTOR, type_scale=1.6, enlarged=8)
BAR, NAMES, EDGE = 60, 130, 16  # CSS pixels right of a panel: for a colour bar, names of lines, neither
MOST_FRAMES = 32  # of one change; the page computes what is between two of them


def drawn(picture: str | Sequence[str], language: Language) -> Any:
    """Return the output of a cell with the data from which a page paints ``picture``.

    ``picture`` is a link, as ``explorer=rotation&m=9&panel=score``, or a list that begins with one and goes
    on with the settings that change, as ``m=109``. Without ``panel`` it is the explorer's main one. Raises
    BilingualValueError for what cannot be followed.
    """
    link, *changes = [picture] if isinstance(picture, str) else picture
    query, _, panel = link.partition("&panel=")
    name = _request(query).explorer
    with shown_in(language):
        explorer = next(kind for kind in EXPLORERS if kind.name == name)()
        values = _follow(explorer, query, {})
        frames, states = [_alone(explorer, panel)], [0]
        for change in changes:
            before = explorer.parameters()
            values = _follow(explorer, f"explorer={name}&{change}", values)
            for between in _between(explorer, before, explorer.parameters()):
                explorer.restore(between)
                frames.append(_alone(explorer, panel))
            states.append(len(frames) - 1)
        explorer.close()
        alt = frames[-1].alt.show(language)
    content = json.dumps(
        {"alt": alt, "states": states, "frames": [*_changing(frames, language)]},
        default=lambda array: base64.b64encode(array).decode(),
        ensure_ascii=False,
        separators=(",", ":"),
    )
    return v4.new_output("display_data", {PICTURE: content.replace("<", "\\u003c")})


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


def _alone(explorer: Explorer, name: str) -> Scene:
    """Return the scene of ``explorer`` with nothing but the panel ``name`` and the room for its words."""
    scene = explorer.present_scene()[0]
    fitting = [panel for panel in scene.panels if (panel.name == name if name else panel.hero)]
    panel = (fitting or scene.panels)[0]
    if panel.name in explorer.grabs:  # its title invites to drag, which a picture cannot answer
        panel = replace(panel, title=Text("", ""))
    scale = LARGE.type_scale
    beside, below = (scale * room + EDGE for room in room_for(panel))
    top = ABOVE + scale * TITLE_SIZE * (0.2 + 1.2 * bool(panel.title.en) + 1.2 * bool(panel.legend))
    right = EDGE + BAR * bool(panel.color_bar) + NAMES * bool(panel.ends)
    *_, width, height = panel.box
    if panel.equal:  # without the room that only makes the axes as broad as the box
        width = min(width, height * abs((panel.x.end - panel.x.start) / (panel.y.end - panel.y.start)))
    whole = (replace(panel, box=(beside, top, width, height)),)
    size = {"width": round(beside + width + right), "height": round(top + height + below)}
    only: Panel
    (only,) = with_theme(replace(scene, panels=whole, **size), PROJECTOR).panels
    return replace(scene, theme=LARGE, panels=(only,), **size)
