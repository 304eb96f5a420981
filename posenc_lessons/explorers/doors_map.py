"""The four doors as a map to click: a card for each, which leads to the explorers behind it.

Because it is HTML and not an image, it has links, words for screen readers, keyboard focus and the switch of
language. It uses only tags and styles that JupyterLab keeps in a notebook that is not trusted. Its links have
no attributes, so that exported pages find them.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

from matplotlib.colors import to_hex

from posenc_lessons.explorers import (
    DistanceExplorer,
    GateExplorer,
    LearnedTableExplorer,
    RotationExplorer,
    SinusoidExplorer,
    StretchExplorer,
)
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.figures.colors import INK
from posenc_lessons.figures.four_doors import DOORS, Door
from posenc_lessons.figures.shapes import mixed
from posenc_lessons.language import Text


@dataclass(frozen=True)
class DoorExplorer:
    """An explorer behind a door, the lesson that shows it, and the settings that show what the door does."""

    explorer: type[Explorer]
    lesson: str
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> Text:
        """Its name in the middle of a sentence, in lower case."""
        return Text(self.explorer.title.zh, self.explorer.title.en.lower())

    @property
    def cell(self) -> str:
        """The id of the lesson's cell that shows it."""
        return f"{self.explorer.name}-explorer"


# Behind each door, in the order of the lessons.
BEHIND: dict[int, tuple[DoorExplorer, ...]] = {
    1: (DoorExplorer(SinusoidExplorer, "02_sinusoidal"), DoorExplorer(LearnedTableExplorer, "03_learned")),
    2: (DoorExplorer(RotationExplorer, "05_rotary"), DoorExplorer(StretchExplorer, "08_longer_than_trained")),
    3: (
        DoorExplorer(DistanceExplorer, "04_relative", {"kind": "alibi"}),
        DoorExplorer(GateExplorer, "06_cope"),
    ),
    4: (DoorExplorer(DistanceExplorer, "04_relative", {"kind": "shaw", "clip": 4}),),
}


def door_color(notebook: str) -> str | None:
    """Return the colour of the door that a lesson opens, the first if there are two; None without one.

    ``notebook``: the lesson's file, such as ``05_rotary.ipynb``, or that of its solutions.
    """
    lesson = PurePath(notebook).stem
    doors = (door for door in DOORS if any(behind.lesson == lesson for behind in BEHIND[door.number]))
    return next((door.color for door in doors), None)


_ROW = "display:flex;flex-wrap:wrap;max-width:63em"
_SUB = "font-size:70%;line-height:0"  # a line with a subscript is not higher than others


class DoorsMap:
    """Four cards side by side, or below each other in little room; the last line of a cell shows it."""

    def __repr__(self) -> str:
        return "\n".join(f"{door.number} {door.name.show()}" for door in DOORS)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        page = f'<div class="posenc-doors" style="{_ROW}">{"".join(map(_card, DOORS))}</div>'
        return {"text/plain": repr(self), "text/html": page}


def _card(door: Door) -> str:
    """Return a card; the door's number, name and formula are part of its first link."""
    style = (
        f"display:grid;flex:1 1 9em;margin:4px;border:2px solid {door.color};border-radius:8px;"
        f"background:{to_hex(mixed(door.color, 0.04))};color:{INK};text-align:center"
    )
    first, *others = BEHIND[door.number]
    links = _link(first, door, _head(door)) + "".join(_link(behind, door) for behind in others)
    return f'<div style="{style}">{links}</div>'


def _head(door: Door) -> str:
    badge = (
        f"background:{door.color};color:#ffffff;border-radius:1em;width:1.7em;line-height:1.7;"
        "display:inline-block;font-weight:bold"
    )
    return (  # a link does not underline an inline block
        f'<div style="display:inline-block;width:100%"><div style="{badge}">{door.number}</div>'
        f'<div style="font-weight:bold">{door.name.html()}</div>'
        f'<div style="font-family:serif;padding:4px 0px">{_formula(door)}</div></div>'
    )


def _link(behind: DoorExplorer, door: Door, head: str = "") -> str:
    words = f'<div style="color:{door.color}">{behind.name.html()}</div>'
    inside = f'<div style="color:{INK};padding:6px 4px">{head}{words}</div>'
    address = f"{behind.lesson}.ipynb#cell-id={behind.cell}"
    return f'<a href="{html.escape(address)}">{inside}</a>'


def _formula(door: Door) -> str:
    """Return the picture's formula in HTML; the part that carries the position has the door's colour."""
    return "".join(
        f'<strong style="color:{door.color}">{_in_html(piece)}</strong>' if carries else _in_html(piece)
        for piece, carries in door.formula
    )


def _in_html(piece: str) -> str:
    for tex, character in (("$", ""), (r"\,", " "), (r"\cdot", " ·"), (r"\Sigma", "Σ")):
        piece = piece.replace(tex, character)
    slanted = re.sub("[A-Za-z]+", r"<i>\g<0></i>", piece)
    return re.sub(r"_\{?(<i>\w+</i>)\}?", rf'<sub style="{_SUB}">\1</sub>', slanted)
