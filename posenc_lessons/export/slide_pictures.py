"""Draw the picture beside the words of a slide: one panel of an explorer, large, in one language."""

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
from posenc_lessons.language import BilingualValueError, Language, Text, joined, shown_in

LARGE = replace(PROJECTOR, type_scale=1.6)  # for the words around a panel; those in it have less room
BAR, NAMES, EDGE = 60, 130, 16  # CSS pixels right of a panel: for a colour bar, names of lines, neither


def drawn(link: str, language: Language) -> Any:
    """Return the output of a cell with the picture of ``link``, as ``explorer=rotation&m=9&panel=score``.

    Without ``panel`` it is the explorer's main one. Raises BilingualValueError for a link that cannot be
    followed.
    """
    query, _, name = link.partition("&panel=")
    request = read_link(query, [kind.name for kind in EXPLORERS])
    with shown_in(language):
        explorer = next(kind for kind in EXPLORERS if kind.name == request.explorer)()
        problems = (*request.problems, *follow(explorer, request.values))
        scene = explorer.present_scene()[0]
        explorer.close()
        if problems:
            raise BilingualValueError(*joined(problems).parts().values())
        fitting = [panel for panel in scene.panels if (panel.name == name if name else panel.hero)]
        panel = (fitting or scene.panels)[0]
        if panel.name in explorer.grabs:  # its title invites to drag, which a picture cannot answer
            panel = replace(panel, title=Text("", ""))
        scene = replace(with_theme(_alone(scene, panel), PROJECTOR), theme=LARGE)
        data, metadata = draw(scene, language).bundle()
    data["image/png"] = base64.b64encode(data["image/png"]).decode()
    return v4.new_output("display_data", data, metadata=metadata)


def _alone(scene: Scene, panel: Panel) -> Scene:
    """Return ``scene`` with nothing but ``panel`` and the room for its words."""
    scale = LARGE.type_scale
    beside, below = (scale * room + EDGE for room in room_for(panel))
    top = ABOVE + scale * TITLE_SIZE * (0.2 + 1.2 * bool(panel.title.en) + 1.2 * bool(panel.legend))
    right = EDGE + BAR * bool(panel.color_bar) + NAMES * bool(panel.ends)
    *_, width, height = panel.box
    if panel.equal:  # without the room that only makes the axes as broad as the box
        width = min(width, height * abs((panel.x.end - panel.x.start) / (panel.y.end - panel.y.start)))
    whole = (replace(panel, box=(beside, top, width, height)),)
    return replace(
        scene, width=round(beside + width + right), height=round(top + height + below), panels=whole
    )
