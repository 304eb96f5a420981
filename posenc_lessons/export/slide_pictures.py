"""Draw the picture beside the words of a slide: the main panel of an explorer, large, in one language."""

from __future__ import annotations

import base64
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
from posenc_lessons.language import BilingualValueError, Language, shown_in

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
        scene = with_theme(_only(explorer.present_scene()[0], panel), PROJECTOR)
        explorer.close()
        if problems or request.problems:
            raise BilingualValueError(*[f"{link}: {side}" for side in (problems or request.problems)[0].pair])
        picture = draw(scene, language)
        data, metadata = picture.bundle()
    data["image/png"] = base64.b64encode(data["image/png"]).decode()
    return v4.new_output("display_data", data, metadata=metadata)


def _only(scene: Scene, name: str) -> Scene:
    """Return a scene with one panel of ``scene``: the one of that name, or the main one."""
    panel = _panel(scene, name)
    scale = PROJECTOR.type_scale
    beside, below = (scale * room + EDGE for room in room_for(panel))
    above = ABOVE + scale * TITLE_SIZE * (2.6 if panel.legend else 1.4)
    right = EDGE + BAR * bool(panel.color_bar) + NAMES * bool(panel.ends)
    *_, width, height = panel.box
    whole = replace(panel, box=(beside, above, width, height))
    return replace(
        scene, width=round(beside + width + right), height=round(above + height + below), panels=(whole,)
    )


def _panel(scene: Scene, name: str) -> Panel:
    wanted = [panel for panel in scene.panels if (panel.name == name if name else panel.hero)]
    return (wanted or scene.panels)[0]
