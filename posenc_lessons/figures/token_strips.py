"""Tokens in a row, sentence by sentence, with numbers under each: distance, gate, position."""

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes

from posenc_lessons.figures.colors import BLUE, GREEN, INK, MUTED, ORANGE
from posenc_lessons.figures.places import wide
from posenc_lessons.figures.shapes import box, mixed, write
from posenc_lessons.figures.style import Picture, new_drawing, styled
from posenc_lessons.language import Language, Text, current

PART_COLORS = (ORANGE, BLUE, GREEN)
CELL, GAP, RIGHT = 66, 6, 12  # CSS pixels: the width of a token, the gap between two, the right margin
NAME, BESIDE = 12, 16  # the type size of a row's name, and the gaps beside it
TITLE, ROW, BETWEEN = 34, 26, 18


@dataclass(frozen=True)
class Strip:
    """``tokens`` from left to right; ``parts`` says which sentence each is in, 0, 1, 2, … from the left.

    ``rows`` are lines of numbers below, (name, one text per token). ``strong`` (row, token) are emphasised.
    """

    title: Text
    tokens: tuple[Text, ...]
    parts: tuple[int, ...]
    rows: tuple[tuple[Text, tuple[str, ...]], ...]
    strong: frozenset[tuple[int, int]] = frozenset()


@styled()
def token_strips_figure(strips: Sequence[Strip]) -> Picture:
    """Draw ``strips`` below each other. Each sentence has a colour; the last token is the query."""
    tall = 50 if current() == "both" else 34
    heights = [TITLE + tall + 8 + ROW * len(strip.rows) + BETWEEN for strip in strips]
    most = max(len(strip.tokens) for strip in strips)
    names = [_name(name) for strip in strips for name, _ in strip.rows]
    left = NAME * max(map(wide, names), default=0) + 2 * BESIDE
    picture = new_drawing(
        left + most * (CELL + GAP) + RIGHT,
        sum(heights) + 6,
        alt=Text(
            "；".join(f"{strip.title.zh}：{_said(strip, 'zh')}" for strip in strips) + "。",
            "; ".join(f"{strip.title.en}: {_said(strip, 'en')}" for strip in strips) + ".",
        ),
    )
    (axes,) = picture.axes
    top = 4.0
    for strip, height in zip(strips, heights, strict=True):
        _draw(axes, strip, (left, top), tall)
        top += height
    return picture


def _said(strip: Strip, language: Language) -> str:
    words = " ".join(token.show(language) for token in strip.tokens)
    rows = "".join(f" | {name.show(language)} {' '.join(numbers)}" for name, numbers in strip.rows)
    return (words + rows).replace("$", "")


def _name(name: Text) -> str:
    return name.show(between=" ")


def _draw(axes: Axes, strip: Strip, corner: tuple[float, float], tall: float) -> None:
    first, top = corner  # the left of the first token, the top of the title
    middle = first + len(strip.tokens) * (CELL + GAP) / 2
    write(axes, middle, top + 12, strip.title.show(), 14)
    top += TITLE
    last = len(strip.tokens) - 1
    for place, (token, part) in enumerate(zip(strip.tokens, strip.parts, strict=True)):
        color = PART_COLORS[part % len(PART_COLORS)]
        left = first + place * (CELL + GAP)
        width = 2.4 if place == last else 1.2
        edge = INK if place == last else color
        box(axes, (left, top), (CELL, tall), mixed(color, 0.22), edge, width=width)
        lines = token.show(between="\n")
        write(axes, left + CELL / 2, top + tall / 2 - 9 * lines.count("\n"), lines, 14)
    top += tall + 8
    for row, (name, numbers) in enumerate(strip.rows):
        at = top + ROW * (row + 0.5)
        write(axes, first / 2, at, _name(name), NAME, MUTED)
        for place, number in enumerate(numbers):
            strong = (row, place) in strip.strong
            x = first + place * (CELL + GAP) + CELL / 2
            if strong:
                box(axes, (x - 24, at - 12), (48, 24), mixed(BLUE, 0.22), mixed(BLUE, 0.22), rounded=4)
            write(axes, x, at, number, 14, INK if strong else MUTED)
