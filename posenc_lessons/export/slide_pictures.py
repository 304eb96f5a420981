"""Draw the picture beside the words of a slide: the main panel of an explorer, large, in one language."""

from __future__ import annotations

import base64
from collections.abc import Collection
from dataclasses import replace
from typing import Any

from nbformat import v4

from posenc_lessons.explorers.every import EXPLORERS
from posenc_lessons.explorers.links import follow, read_link
from posenc_lessons.figures.draw import draw
from posenc_lessons.figures.places import ABOVE, TITLE_SIZE, room_for
from posenc_lessons.figures.scene import Panel, Scene
from posenc_lessons.figures.theme import PROJECTOR
from posenc_lessons.figures.with_theme import with_theme
from posenc_lessons.language import BilingualValueError, Language, Text, shown_in

BAR, NAMES, EDGE = 60, 130, 16  # the room in CSS pixels right of a panel: for a colour bar, names of lines, else


def drawn(link: str, language: Language) -> Any:
    """Return the output of a cell with the picture of ``link``, such as ``explorer=rotation&m=9&panel=score``.

    ``panel`` is the explorer's main one if the link names none. Raises BilingualValueError for a link that
    cannot be followed.
    """
    query, _, panel = link.partition("&panel=")
    request = read_link(query, [kind.name for kind in EXPLORERS])
    kind = next((kind for kind in EXPLORERS if kind.name == request.explorer), None)
    if kind is None:
        raise BilingualValueError(f"幻灯片的图 {link!r} 没有说是哪张交互图", f"{link!r} names no explorer")
    with shown_in(language):
        explorer = kind()
        problems = follow(explorer, request.values)
        scene = with_theme(_only(explorer.present_scene()[0], panel, explorer.grabs), PROJECTOR)
        explorer.close()
        if problems or request.problems:
            wrong = (*problems, *request.problems)[0]
            raise BilingualValueError(f"{link}：{wrong.zh}", f"{link}: {wrong.en}")
        picture = draw(scene, language)
        data, metadata = picture.bundle()
    data["image/png"] = base64.b64encode(data["image/png"]).decode()
    return v4.new_output("display_data", data, metadata=metadata)


def _only(scene: Scene, name: str, grabs: Collection[str]) -> Scene:
    """Return a scene with one panel of ``scene``: the one of that name, or the main one.

    The title of a panel in ``grabs`` invites to drag, which a picture cannot answer, and is left out.
    """
    panel = _panel(scene, name)
    scale = PROJECTOR.type_scale
    beside, below = (scale * room + EDGE for room in room_for(panel))
    title = Text("", "") if panel.name in grabs else panel.title
    above = ABOVE + scale * TITLE_SIZE * (1.2 * bool(title.en) + 1.2 * bool(panel.legend) + 0.2)
    right = EDGE + BAR * bool(panel.color_bar) + NAMES * bool(panel.ends)
    *_, width, height = panel.box
    if panel.equal:  # without the room that only makes the axes as broad as the box
        width = min(width, height * abs((panel.x.end - panel.x.start) / (panel.y.end - panel.y.start)))
    whole = replace(panel, box=(beside, above, width, height), title=title)
    return replace(
        scene, width=round(beside + width + right), height=round(above + height + below), panels=(whole,)
    )


def _panel(scene: Scene, name: str) -> Panel:
    wanted = [panel for panel in scene.panels if (panel.name == name if name else panel.hero)]
    return (wanted or scene.panels)[0]
