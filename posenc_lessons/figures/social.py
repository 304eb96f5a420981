"""The preview picture of a shared link to the course: its question, and positions as dials."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle

from posenc_lessons.figures.colors import BLUE, GREEN, INK, MUTED, PAPER, PURPLE, VERMILLION
from posenc_lessons.figures.shapes import EDGE, arrow, write
from posenc_lessons.figures.style import PX, Picture, new_drawing, styled
from posenc_lessons.language import Text, current

WIDTH, HEIGHT = 600, 315  # CSS pixels; the file has the 1200 × 630 pixels that sites ask for
QUESTION = Text(
    "Transformer 怎么知道\n哪个词在前，\n哪个词在后？",
    "How does a\nTransformer know\nwhich word\ncame first?",
)
COURSE = Text(
    "位置编码，边学边动手，\n每张图都能自己调",
    "Position encodings in lessons\nwith pictures that you can move",
)
WORDS = Text("小 狗 追 小 猫", "the dog bites the man")  # a word that occurs twice has different dials
SPEEDS = (1.0, 0.5, 0.2, 0.05)  # radians per position
COLORS = (BLUE, VERMILLION, GREEN, PURPLE)
LEFT, FIRST, TOP, STEP, RADIUS = 30, 352, 92, 52, 20  # of words; of the first dial; between dials


@styled()
def social_figure() -> Picture:
    """Draw the course's question beside a sentence; the dials below each word show its position."""
    picture = new_drawing(WIDTH, HEIGHT, _ALT)
    (axes,) = picture.axes
    if current() == "both":
        _words(axes, 50, QUESTION.zh, 27, INK)
        _words(axes, 196, "How does a Transformer know\nwhich word came first?", 18, MUTED)
    else:
        _words(axes, 50, QUESTION.show(), 27, INK)
        _words(axes, 216, COURSE.show(), 14, MUTED)
    _words(axes, 280, "posenc_lessons", 15, BLUE)
    for position, word in enumerate(WORDS.show("en" if current() == "en" else "zh").split()):
        x = FIRST + position * STEP
        write(axes, x, TOP - 42, word, 17)
        for row, (speed, color) in enumerate(zip(SPEEDS, COLORS, strict=True)):
            _dial(axes, (x, TOP + row * STEP), position * speed, color)
        write(axes, x, TOP + len(SPEEDS) * STEP - 15, str(position), 14, MUTED)
    return picture


_ALT = Text(
    "Transformer 怎么知道哪个词在前、哪个词在后？一句话，每个词下面有四个表盘，指针转到它的位置。",
    "How does a Transformer know which word came first? A sentence, and below each word four dials, their "
    "hands turned to its position.",
)


def _words(axes: Axes, y: float, text: str, size: float, color: str) -> None:
    for number, line in enumerate(text.split("\n")):
        axes.text(LEFT, y + number * 1.42 * size, line, fontsize=size * PX, color=color, va="center")


def _dial(axes: Axes, centre: tuple[float, float], angle: float, color: str) -> None:
    """Draw a dial whose hand starts at twelve and turns clockwise."""
    axes.add_patch(Circle(centre, RADIUS, fc=PAPER, ec=EDGE, lw=1.2 * PX))
    tip = (centre[0] + RADIUS * np.sin(angle), centre[1] - RADIUS * np.cos(angle))
    arrow(axes, centre, tip, color, 2.2)
