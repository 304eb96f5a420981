"""The picture of the whole course: attention as a house with four doors through which positions come in."""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.offsetbox import AnnotationBbox, HPacker, TextArea
from matplotlib.patches import PathPatch, Wedge
from matplotlib.path import Path

from posenc_lessons.figures.colors import INK, MUTED, PAPER
from posenc_lessons.figures.shapes import arrow, box, cells, mixed, write
from posenc_lessons.figures.style import DIVERGING, PX, SEQUENTIAL, Picture, new_drawing, styled
from posenc_lessons.language import BilingualValueError, Text, current


@dataclass(frozen=True)
class Door:
    """A door: its place in the picture, what changes there, and the encodings that use it."""

    number: int
    x: float  # of its middle
    color: str
    name: Text
    formula: tuple[tuple[str, bool], ...]  # pieces, and whether the piece carries the position
    encodings: tuple[tuple[Text, ...], ...]  # in lines
    lessons: Text


# Darker than the colours of lines, so that white numbers and coloured formulas are legible.
DOORS = (
    Door(
        1,
        112,
        "#0069A6",
        Text("嵌入", "the embeddings"),
        (("$x_m$ + ", False), ("$p_m$", True)),
        ((Text("正弦", "sinusoidal"),), (Text("可学习", "learned"),)),
        Text("第 02、03 课", "lessons 02, 03"),
    ),
    Door(
        2,
        331,
        "#BF4F00",
        Text("查询和键", "queries and keys"),
        (("$R_m$", True), (r"$\,q,$   ", False), ("$R_n$", True), (r"$\,k$", False)),
        ((Text("RoPE", "RoPE"),), (Text("插值", "interpolation"), Text("NTK", "NTK"), Text("YaRN", "YaRN"))),
        Text("第 05、08 课", "lessons 05, 08"),
    ),
    Door(
        3,
        549,
        "#00785A",
        Text("分数", "the scores"),
        ((r"$q\cdot k$ + ", False), ("$b_{mn}$", True)),
        ((Text("Shaw 的键", "Shaw keys"),), (Text("T5", "T5"), Text("ALiBi", "ALiBi"), Text("CoPE", "CoPE"))),
        Text("第 04、06 课", "lessons 04, 06"),
    ),
    Door(
        4,
        768,
        "#A0447A",
        Text("值", "the values"),
        ((r"$\Sigma_n\,a_{mn}\,(v_n$ + ", False), ("$c_{mn}$", True), ("$)$", False)),
        ((Text("Shaw 的值", "Shaw values"),),),
        Text("第 04 课", "lesson 04"),
    ),
)

WIDTH = 880
FLOOR = 246  # of the house; the doors stand on it
CARDS = FLOOR + 14  # top of the cards
CARD = (208, 150)  # width and height
MIDDLE, STEP = 130, 26  # y of the second row of tokens, and the distance between rows
WEIGHTS = 664  # x of the middle of the weights
INSIDE = "#F5F7F9"
HERE = Text("你在这里", "you are here")
WORDS = (Text("我", "I"), Text("爱", "love"), Text("你", "you"))
NOTES = (
    (221, Text("注意力看不见顺序", "attention is blind to order")),
    (440, Text("位置只能走门", "positions use the doors")),
)


@styled()
def four_doors_figure(here: Collection[int] = ()) -> Picture:
    """Draw attention from tokens to output, and the four doors through which positions come in.

    Doors (1 … 4) in ``here`` are marked "you are here", and the others are pale. Raises ValueError for a
    number that is not a door.
    """
    here = set(here)
    unknown = sorted(here - {door.number for door in DOORS})
    if unknown:
        raise BilingualValueError(
            f"here 里只能是 1 到 4 号门，收到 {unknown}",
            f"here must hold doors from 1 to 4, got {unknown}",
        )
    picture = new_drawing(WIDTH, CARDS + CARD[1] + (18 if here else 6), _alt(here))
    (axes,) = picture.axes
    _draw_house(axes)
    for door in DOORS:
        faded = bool(here) and door.number not in here
        _draw_door(axes, door, faded)
        _draw_card(axes, door, faded)
        if door.number in here:
            _draw_here(axes, door)
    return picture


def _draw_house(axes: Axes) -> None:
    """Draw the walls, the attention inside, and the words between the doors."""
    box(axes, (6, 6), (WIDTH - 12, FLOOR - 6), INSIDE, width=2, rounded=10)
    _draw_attention(axes)
    y = FLOOR - (38 if current() == "both" else 30)
    for x, note in NOTES:
        write(axes, x, y, note.show(between="\n"), 12, MUTED)


def _alt(here: Collection[int]) -> Text:
    doors = Text(
        "注意力看不见顺序；位置从四道门进来：1 嵌入，2 查询和键，3 分数，4 值。",
        "Attention cannot see order; positions come in by four doors: 1 the embeddings, 2 queries and keys, "
        "3 the scores, 4 the values.",
    )
    if not here:
        return doors
    zh, en = (word.join(map(str, sorted(here))) for word in ("、", " and "))
    door = "door" if len(here) == 1 else "doors"
    return Text(f"{doors.zh}你在第 {zh} 道门。", f"{doors.en} You are at {door} {en}.")


def _draw_attention(axes: Axes) -> None:
    """Draw tokens → embeddings → queries and keys → scores → weights → output, with values along the top."""
    embeddings, queries_keys, scores, output = (door.x for door in DOORS)
    _draw_numbers(axes)
    for row, word in enumerate(WORDS):
        y = MIDDLE + (row - 1) * STEP
        box(axes, (14, y - 11), (56, 22), PAPER, rounded=4)
        write(axes, 42, y, word.show(between=" "), 12)

    steps = (
        (72, embeddings - 28, ""),
        (embeddings + 29, queries_keys - 53, "$W_q,\\ W_k$"),
        (queries_keys + 51, scores - 38, r"$q\cdot k$"),
        (scores + 36, WEIGHTS - 36, "softmax"),
        (WEIGHTS + 36, output - 28, r"$\Sigma$"),
        (output + 29, WIDTH - 14, ""),
    )
    for start, end, label in steps:
        arrow(axes, (start, MIDDLE), (end, MIDDLE))
        write(axes, (start + end) / 2 - 1, MIDDLE - 13, label, 11.5, MUTED)
    over = MIDDLE - STEP - 28  # the values go over the roof beams, not through the scores
    corner = MIDDLE - STEP - 12
    axes.plot([embeddings, embeddings, output], [corner, over, over], color=MUTED, lw=1.4 * PX)
    arrow(axes, (output, over), (output, corner + 1))
    write(axes, (embeddings + queries_keys) / 2 - 12, over, "$W_v$", 11.5, MUTED, fill=INSIDE)

    captions = (
        (42, Text("词元", "tokens")),
        (embeddings, Text("嵌入 $x$", "embeddings $x$")),
        (queries_keys, Text("查询 $q$、键 $k$", "queries $q$, keys $k$")),
        (scores, Text("分数", "scores")),
        (WEIGHTS, Text("注意力权重 $a$", "weights $a$")),
        (output, Text("值 $v$ → 输出", "values $v$ → output")),
    )
    for x, caption in captions:
        write(axes, x, 30 if current() == "both" else 42, caption.show(between="\n"), 12.5)


def _draw_numbers(axes: Axes) -> None:
    """Compute a small attention and draw its numbers as the colours of cells."""
    embeddings, queries_keys, scores, output = (door.x for door in DOORS)
    draw = np.random.default_rng(7).standard_normal
    x, w_query, w_key, w_value = draw((3, 5)), draw((5, 4)), draw((5, 4)), draw((5, 5))
    query, key = x @ w_query, x @ w_key
    score = query @ key.T / 2
    weight = np.exp(score) / np.exp(score).sum(axis=1, keepdims=True)
    value = weight @ (x @ w_value)

    for middle, vectors in (
        (embeddings, x),
        (queries_keys - 26, query),
        (queries_keys + 26, key),
        (output, value),
    ):
        shares = 0.5 + vectors / np.abs(vectors).max() / 2.4
        cells(axes, (middle, MIDDLE), shares, DIVERGING, (10, 18), gap=STEP - 18)
    cells(axes, (scores, MIDDLE), 0.5 + score / np.abs(score).max() / 2.4, DIVERGING, (22, STEP - 3))
    cells(axes, (WEIGHTS, MIDDLE), weight * 0.8, SEQUENTIAL, (22, STEP - 3))


def _draw_door(axes: Axes, door: Door, faded: bool) -> None:
    color = mixed(door.color, 0.3) if faded else door.color
    arrow(axes, (door.x, FLOOR - 55), (door.x, MIDDLE + STEP + 13), color, 2.2)
    half, spring = 19, FLOOR - 32  # half the width; where the round arch begins
    axes.add_patch(Wedge((door.x, spring), half, 180, 360, fc=color, ec="none"))
    frame = [(door.x - half, FLOOR), (door.x - half, spring - 0.3), (door.x + half, spring - 0.3)]
    axes.add_patch(PathPatch(Path([*frame, (door.x + half, FLOOR)]), fc=color, ec="none"))
    axes.plot([door.x - half - 6, door.x + half + 6], [FLOOR, FLOOR], color=color, lw=4 * PX)  # the doorstep
    axes.plot(door.x + half - 5, FLOOR - 14, "o", ms=4 * PX, mew=0, color=PAPER)  # the knob
    write(axes, door.x, FLOOR - 32, str(door.number), 22, mixed(door.color, 0.8) if faded else PAPER)


def _draw_card(axes: Axes, door: Door, faded: bool) -> None:
    fill = PAPER if faded else mixed(door.color, 0.06)
    edge = mixed(door.color, 0.3) if faded else door.color
    ink, accent = (MUTED, MUTED) if faded else (INK, door.color)
    box(axes, (door.x - CARD[0] / 2, CARDS), CARD, fill, edge, width=1 if faded else 1.6)
    write(axes, door.x, CARDS + 20, door.name.show(), 14, accent)
    _write_formula(axes, door.x, CARDS + 49, door, ink, accent)
    lines = "\n".join(_listed(line) for line in door.encodings)
    write(axes, door.x, CARDS + 80, lines, 12, ink)
    write(axes, door.x, CARDS + CARD[1] - 22, door.lessons.show(), 11.5, MUTED)


def _write_formula(axes: Axes, x: float, y: float, door: Door, ink: str, accent: str) -> None:
    """Write the formula in one line; the part that the position changes has the door's colour."""
    pieces: list[Artist] = [
        TextArea(piece, textprops={"color": accent if carries else ink, "fontsize": 17 * PX})
        for piece, carries in door.formula
    ]
    line = HPacker(children=pieces, align="baseline", pad=0, sep=0)
    axes.add_artist(AnnotationBbox(line, (x, y), frameon=False, pad=0))


def _listed(names: tuple[Text, ...]) -> str:
    """Join ``names``; for both languages, each name in both unless they are the same."""
    return ("、" if current() == "zh" else ", ").join(name.show(between=" ") for name in names)


def _draw_here(axes: Axes, door: Door) -> None:
    y = CARDS + CARD[1]
    half = 78 if current() == "both" else 48
    box(axes, (door.x - half, y - 12), (2 * half, 24), door.color, PAPER, width=2, rounded=11)
    write(axes, door.x, y, HERE.show(), 13, PAPER)


STRIP = (208, 62)  # a card of the strip


@styled()
def doors_strip_figure(here: Collection[int]) -> Picture:
    """Draw only the four doors, in a row: a reminder for readers who know the house."""
    picture = new_drawing(WIDTH, STRIP[1] + 12, _alt(here))
    (axes,) = picture.axes
    for door in DOORS:
        faded = door.number not in here
        edge, ink = (mixed(door.color, 0.3), MUTED) if faded else (door.color, INK)
        box(axes, (door.x - STRIP[0] / 2, 6), STRIP, PAPER if faded else mixed(door.color, 0.12), edge)
        accent = MUTED if faded else door.color
        write(axes, door.x, 22, f"{door.number} · {door.name.show()}", 13, accent)
        _write_formula(axes, door.x, 48, door, ink, accent)
    return picture
