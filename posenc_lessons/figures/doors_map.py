"""The four doors as a map to click: a card for each, which leads to the explorers behind it.

It is HTML rather than an image, so that links, what screen readers say, the keyboard's focus and the change
of language are the page's own. It has only the tags and styles that JupyterLab keeps where a notebook is not
trusted, and links without attributes, as exported pages look for them.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from typing import Any

from matplotlib.colors import to_hex

from posenc_lessons.figures.colors import INK
from posenc_lessons.figures.four_doors import DOORS, Door
from posenc_lessons.figures.shapes import mixed
from posenc_lessons.language import Text


@dataclass(frozen=True)
class Place:
    """An explorer by its name, and the lesson that shows it."""

    explorer: str
    lesson: str
    name: Text

    @property
    def link(self) -> str:
        """From one lesson to the explorer's cell in another."""
        return f"{self.lesson}.ipynb#cell-id={self.explorer}-explorer"


DISTANCE = Place("distance", "04_relative", Text("相对距离", "distance"))
# Behind each door, in the order of the lessons.
BEHIND: dict[int, tuple[Place, ...]] = {
    1: (
        Place("sinusoid", "02_sinusoidal", Text("正弦编码", "sinusoid")),
        Place("learned", "03_learned", Text("可学习的表", "learned table")),
    ),
    2: (
        Place("rotation", "05_rotary", Text("旋转编码", "rotation")),
        Place("stretch", "08_longer_than_trained", Text("拉长上下文", "stretch")),
    ),
    3: (DISTANCE, Place("gate", "06_cope", Text("门控的计数", "gate counts"))),
    4: (DISTANCE,),
}

_ROW = "display:flex;flex-wrap:wrap;max-width:63em"
_SUB = "font-size:70%;line-height:0"  # lines stay as high as those without


class DoorsMap:
    """Four cards side by side, or below each other where there is little room; the last line of its cell."""

    def __repr__(self) -> str:
        return "\n".join(f"{door.number} {door.name.show()}" for door in DOORS)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        page = f'<div class="posenc-doors" style="{_ROW}">{"".join(map(_card, DOORS))}</div>'
        return {"text/plain": repr(self), "text/html": page}


def _card(door: Door) -> str:
    """The door's number, name and formula belong to its first link: all of the card can be clicked."""
    style = (
        f"display:grid;flex:1 1 9em;margin:4px;border:2px solid {door.color};border-radius:8px;"
        f"background:{to_hex(mixed(door.color, 0.04))};color:{INK};text-align:center"
    )
    first, *others = BEHIND[door.number]
    links = _link(first, door, _head(door)) + "".join(_link(place, door) for place in others)
    return f'<div style="{style}">{links}</div>'


def _head(door: Door) -> str:
    badge = (
        f"background:{door.color};color:#ffffff;border-radius:1em;width:1.7em;line-height:1.7;"
        "display:inline-block;font-weight:bold"
    )
    return (  # what stands in an inline block is not underlined with the link
        f'<div style="display:inline-block;width:100%"><div style="{badge}">{door.number}</div>'
        f'<div style="font-weight:bold">{door.name.html()}</div>'
        f'<div style="font-family:serif;padding:4px 0px">{_formula(door)}</div></div>'
    )


def _link(place: Place, door: Door, head: str = "") -> str:
    words = f'<div style="color:{door.color}">{place.name.html()}</div>'
    inside = f'<div style="color:{INK};padding:6px 4px">{head}{words}</div>'
    return f'<a href="{html.escape(place.link)}">{inside}</a>'


def _formula(door: Door) -> str:
    """The picture's formula in HTML; what carries the position is in the door's colour."""
    return "".join(
        f'<strong style="color:{door.color}">{_in_html(piece)}</strong>' if carries else _in_html(piece)
        for piece, carries in door.formula
    )


def _in_html(piece: str) -> str:
    for tex, character in (("$", ""), (r"\,", " "), (r"\cdot", " ·"), (r"\Sigma", "Σ")):
        piece = piece.replace(tex, character)
    slanted = re.sub("[A-Za-z]+", r"<i>\g<0></i>", piece)
    return re.sub(r"_\{?(<i>\w+</i>)\}?", rf'<sub style="{_SUB}">\1</sub>', slanted)
