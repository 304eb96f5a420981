"""The sheet of a lesson: formula, example by hand, and code that answers the commonest question."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

import numpy as np

from posenc_lessons.figures.colors import INK, MUTED
from posenc_lessons.figures.formulas import HEIGHT, WIDTH, formula
from posenc_lessons.figures.scene import Align, Axis, Heatmap, Labels, Layer, Line, Panel, Scene
from posenc_lessons.figures.scene_parts import NOTHING
from posenc_lessons.language import Language, Text, current

PAGE = (920, 440)  # CSS pixels
MARGIN = 24
FORMULA_TOP, BODY_TOP = 58, 172  # y of the formula, and of the first line below it
DOUBT_LEFT = 500  # x of the right-hand column
ROW = 25  # from line to line
GAP = 3  # between two columns, in letters


@dataclass(frozen=True)
class Sheet:
    """The words of one lesson's sheet; ``code`` answers the question ``doubt``."""

    lesson: str
    title: Text
    color: str  # "#rrggbb", the colour of the lesson's door
    example: Text  # describes the table, one or two lines
    doubt: Text
    code: tuple[str, ...]
    answer: Text  # how to read what the code prints, one to three lines


@dataclass(frozen=True)
class Table:
    """The example as a table: ``rows`` of formatted numbers below ``head``."""

    head: tuple[Text, ...]
    rows: tuple[tuple[str, ...], ...]


def sheet_scene(sheet: Sheet, table: Table) -> Scene:
    """Draw ``sheet`` with the numbers of ``table``, in the reader's language; Chinese for both."""
    language: Language = "zh" if current() == "both" else current()
    alt = Text(
        f"第 {sheet.lesson} 课的一页纸：{sheet.title.zh}。公式、手算的例子、三行代码。",
        f"Sheet of lesson {sheet.lesson}, {sheet.title.en}: formula, example by hand, three lines of code.",
    )
    return Scene(*PAGE, (_panel(sheet, table, language),), alt)


def _formula(sheet: Sheet) -> Heatmap:
    left = (PAGE[0] - WIDTH) / 2
    within = (left, FORMULA_TOP, left + WIDTH, FORMULA_TOP + HEIGHT)
    return Heatmap("formula", formula(sheet.lesson), 0, 1, "ink", within=within)


def _panel(sheet: Sheet, table: Table, language: Language) -> Panel:
    width, height = PAGE[0] - 8, PAGE[1] - 8
    body = _lines("example", sheet.example, language, (MARGIN, BODY_TOP), 13, INK)
    first_row = BODY_TOP + ROW * (1 + sheet.example.show(language).count("\n")) + 8
    doubt = _lines("doubt", sheet.doubt, language, (DOUBT_LEFT, BODY_TOP), 15, sheet.color)
    below = BODY_TOP + ROW * (1 + sheet.doubt.show(language).count("\n")) + 8
    lines = [(float(DOUBT_LEFT), float(below + ROW * n), line) for n, line in enumerate(sheet.code)]
    code = _labels("code", lines, 12, mono=True)
    answer_top = below + ROW * len(sheet.code) + 8
    layers: tuple[Layer, ...] = (
        _formula(sheet),
        *_box(),
        _labels("title", [(MARGIN, 30, f"{sheet.lesson} · {sheet.title.show(language)}")], 19, sheet.color),
        body,
        *_table(table, language, first_row),
        doubt,
        code,
        _lines("answer", sheet.answer, language, (DOUBT_LEFT, answer_top), 13, INK),
        _labels("source", [(PAGE[0] - MARGIN, PAGE[1] - 24, "posenc_lessons")], 11, MUTED, align="right"),
    )
    x, y = Axis(NOTHING, 4, 4 + width, ticks=()), Axis(NOTHING, 4 + height, 4, ticks=())
    return Panel("sheet", (4, 4, width, height), NOTHING, x, y, layers)


def _box() -> tuple[Line, ...]:
    """Frame the formula."""
    left, right = (PAGE[0] - WIDTH) / 2, (PAGE[0] + WIDTH) / 2
    top, bottom = FORMULA_TOP, FORMULA_TOP + HEIGHT
    x, y = (left, right, right, left, left), (top, top, bottom, bottom, top)
    return (Line("frame", np.array(x, float), np.array(y, float), MUTED, 1.0),)


def _table(table: Table, language: Language, top: float) -> list[Labels]:
    """Lay out ``table``: the first column starts at the left, the others end below their heads."""
    lines = [tuple(name.show(language) for name in table.head), *table.rows]
    widths = [max(map(_width, column)) + GAP for column in zip(*lines, strict=True)]
    ends = MARGIN + np.cumsum(widths) * (DOUBT_LEFT - 2 * MARGIN) / sum(widths)
    cells = [
        (end, top + ROW * n, word)
        for n, line in enumerate(lines)
        for end, word in zip(ends[1:], line[1:], strict=True)
    ]
    names = [(float(MARGIN), top + ROW * n, line[0]) for n, line in enumerate(lines)]
    columns = len(lines[0]) - 1
    return [
        _labels("head_first", names[:1], 12, MUTED),
        _labels("head", cells[:columns], 12, MUTED, align="right"),
        _labels("names", names[1:], 13),
        _labels("numbers", cells[columns:], 13, align="right"),
    ]


def _width(word: str) -> int:
    """Count the letters of ``word``, Chinese ones twice."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in word)


def _lines(
    name: str, text: Text, language: Language, at: tuple[float, float], size: float, color: str
) -> Labels:
    lines = text.show(language).split("\n")
    return _labels(name, [(at[0], at[1] + ROW * n, line) for n, line in enumerate(lines)], size, color)


def _labels(
    name: str,
    placed: list[tuple[float, float, str]],
    size: float,
    color: str = INK,
    align: Align = "left",
    mono: bool = False,
) -> Labels:
    x, y, texts = zip(*placed, strict=True)
    return Labels(name, np.array(x), np.array(y), texts, color, size, align, mono)
