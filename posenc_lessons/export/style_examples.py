"""The pictures on the page about the style: letters in all fonts and sizes, and a panel of each kind."""

from __future__ import annotations

import base64
import html
from dataclasses import dataclass, replace
from typing import Any

from posenc_lessons.explorers import BatchExplorer, DistanceExplorer, RotationExplorer, SinusoidExplorer
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.figures.colors import INK, MUTED
from posenc_lessons.figures.draw import draw
from posenc_lessons.figures.places import LABEL_SIZE, SPACING, TICK_SIZE, TITLE_SIZE, room_for, room_for_ends
from posenc_lessons.figures.scene import Scene
from posenc_lessons.figures.style import MONO, PX, Picture, new_drawing, styled
from posenc_lessons.language import Language, Text, shown_in

LETTERS_WIDTH, LETTERS_ROW = 560, 36  # CSS pixels
ABOVE_PANEL = SPACING[4] + TITLE_SIZE  # room for its title


@dataclass(frozen=True)
class Kind:
    """A kind of panel: its name, the reason for its looks, where one is found, and what that one shows."""

    name: Text
    why: Text
    explorer: type[Explorer]
    panel: str
    alt: Text


KINDS = (
    Kind(
        Text("表盘", "A dial"),
        Text(
            "角度画成指针。表盘的圈很淡，指针才有颜色：查询和键各有固定的颜色。",
            "An angle is drawn as a hand. The rim is pale and the hands carry the colour, one each for "
            "query and key.",
        ),
        RotationExplorer,
        "dials",
        Text(
            "两排表盘，每个里面有查询和键的两根指针。",
            "Two rows of dials, each with a hand for query and one for key.",
        ),
    ),
    Kind(
        Text("长条", "A strip"),
        Text(
            "一串词元排成一行格子，顺序从左到右。格子到哪里，长条就到哪里，外面不加框。",
            "Tokens are cells in a row, in reading order. The strip ends with its cells, without a frame.",
        ),
        BatchExplorer,
        "tokens",
        Text(
            "三行词元，每格一个字母，下面是它的位置。",
            "Three rows of tokens, a letter in each cell and its position below.",
        ),
    ),
    Kind(
        Text("矩阵", "A matrix"),
        Text(
            "深浅表示大小，零几乎是纸的颜色。格子够大就写上数，字的深浅跟着底色换。",
            "Lightness is the amount, and zero is nearly paper. Large cells hold their numbers, dark on "
            "light and light on dark.",
        ),
        DistanceExplorer,
        "matrix",
        Text(
            "八行八列的矩阵，格子里写着 j−i。",
            "A matrix of eight rows and columns, j−i written in its cells.",
        ),
    ),
    Kind(
        Text("曲线", "Curves"),
        Text(
            "只留左边和下边两条淡线，加一条零线。名字写在线的末端：读者不用来回看图例。",
            "Two light lines at the left and bottom, one at zero. A curve's name stands where it ends, so "
            "nobody looks back and forth to a legend.",
        ),
        SinusoidExplorer,
        "row",
        Text(
            "正弦和余弦两条曲线，名字写在右端。", "A sine and a cosine curve, their names at the right end."
        ),
    ),
)
WORDS = Text("位置 3 上的词", "the word at position 3")
LETTERS = (  # lines of the picture of letters: their use, size in CSS pixels, whether they are code
    (Text("标题", "Title"), TITLE_SIZE, False),
    (Text("坐标轴的名字、线的名字", "Names of axes and lines"), LABEL_SIZE, False),
    (Text("刻度上的数", "Numbers along axes"), TICK_SIZE, False),
    (Text("代码", "Code"), LABEL_SIZE, True),
)
FORMULA = r"$q_m^{\top} R_{n-m}\, k_n$"


@styled()
def letters_figure() -> Picture:
    """Draw words, a formula and a number in each size that pictures have."""
    alt = Text(
        "图里的字：每种大小的文字、公式和数字。",
        "Letters of pictures: words, a formula, numbers in each size.",
    )
    picture = new_drawing(LETTERS_WIDTH, LETTERS_ROW * len(LETTERS), alt)
    (axes,) = picture.axes
    for row, (name, size, code) in enumerate(LETTERS):
        y = LETTERS_ROW * (row + 0.5)
        axes.text(0, y, name.show(), fontsize=LABEL_SIZE * PX, color=MUTED, va="center")
        family: dict[str, Any] = {"family": MONO} if code else {}
        said = "theta = base ** (-2 * i / d)" if code else f"{WORDS.show()}   {FORMULA}   −0.25"
        axes.text(200, y, said, fontsize=size * PX, color=INK, va="center", **family)
        axes.text(
            LETTERS_WIDTH, y, f"{size} px", fontsize=LABEL_SIZE * PX, color=MUTED, va="center", ha="right"
        )
    return picture


def letters_html(language: Language) -> str:
    """Return the picture of letters as an ``<img>``."""
    with shown_in(language):
        return _img(letters_figure(), language)


def kind_html(kind: Kind, language: Language) -> str:
    """Return the panel of that kind, in its explorer's initial state, as an ``<img>``."""
    with shown_in(language):
        explorer = kind.explorer()
        scene, *_ = explorer.present_scene()
        explorer.close()
        return _img(draw(alone(scene, kind.panel, kind.alt), language), language)


def alone(scene: Scene, name: str, alt: Text) -> Scene:
    """Return the panel ``name`` of ``scene`` as a separate scene, which ``alt`` describes."""
    (panel,) = (panel for panel in scene.panels if panel.name == name)
    _, _, width, height = panel.box
    left, below = (SPACING[1] + room for room in room_for(panel))
    right = SPACING[1] + room_for_ends(panel)
    moved = replace(panel, box=(left, ABOVE_PANEL, width, height))
    size = round(left + width + right), round(ABOVE_PANEL + height + below)
    return Scene(*size, (moved,), alt, scene.theme)


def _img(picture: Picture, language: Language) -> str:
    source = base64.b64encode(picture.png()).decode()
    alt, width = html.escape(picture.alt.show(language)), round(picture.get_figwidth() * 96)
    return f'<img src="data:image/png;base64,{source}" alt="{alt}" width="{width}">'
