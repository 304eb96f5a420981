"""Counting by content: the gates of one query, the counts that are their sums, and the attention."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from posenc_lessons.figures.colors import BLUE, CHOSEN, MUTED, QUERY, RESULT, VERMILLION
from posenc_lessons.figures.scene import Axis, Heatmap, Labels, Layer, Line, Panel, Points, Scene
from posenc_lessons.figures.scene_parts import NOTHING, color_key, rectangle
from posenc_lessons.figures.ticks import Ticks
from posenc_lessons.language import Text

WIDTH, HEIGHT, WITH_MATRICES = 980, 440, 690
LEFT, ACROSS = 58, 682  # left edge and width of the strips, which share their tokens
BETWEEN = (812, 40, 150, 318)  # the box of the table's two rows
SIDE, MATRICES_TOP = 176, 466
MOST_NAMED = 44  # tokens whose names fit below the strips
LONGEST_NAME = 8  # characters
# Few, so that moving the cursor rarely changes the scale.
TOPS = (0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1.0)

COPE = Text("CoPE", "CoPE")
DISTANCE = Text("距离", "distance")
BY_COUNT = Text("按计数的注意力", "attention by count")
BY_DISTANCE = Text("按距离的注意力", "attention by distance")
AT_KEY, AT_QUERY = Text("键 $j$", "key $j$"), Text("查询 $i$", "query $i$")


@dataclass(frozen=True)
class Gates:
    """One query's row of CoPE; with ``matrices``, also those of all queries.

    ``gates``, ``counts`` (p, clamped at the last row of the table) and the attention ``by_count`` and
    ``by_distance`` are [n, n] with a row for each query; only values up to the diagonal are drawn. ``table``
    [n_positions] is z, the score at each whole count. The cursor is at ``query`` and ``key`` ≤ ``query``.
    """

    tokens: Sequence[str]
    gates: np.ndarray
    counts: np.ndarray
    by_count: np.ndarray
    by_distance: np.ndarray
    table: np.ndarray
    query: int
    key: int
    matrices: bool = True

    @property
    def most(self) -> float:
        """Return the largest count of any query."""
        return float(np.tril(self.counts).max())

    def row(self, values: np.ndarray) -> np.ndarray:
        """Return the part of ``values`` [n, n] that the query sees, [query + 1]."""
        return np.asarray(values[self.query, : self.query + 1])


def gate_scene(numbers: Gates) -> Scene:
    """Draw the gates, counts and attention of one query, the table's rows, and perhaps the matrices."""
    p = float(numbers.counts[numbers.query, numbers.key])
    key_box = (LEFT + SIDE + 34, MATRICES_TOP, 10, SIDE)
    below = (
        _matrix("counts", LEFT, Text("计数 p", "counts p"), numbers.counts, numbers),
        color_key("colors", key_box, (0, max(numbers.most, 1.0)), "sequential"),
        _matrix("by_count", 354, BY_COUNT, _relative(numbers.by_count), numbers),
        _matrix("by_distance", 586, BY_DISTANCE, _relative(numbers.by_distance), numbers),
    )
    return Scene(
        WIDTH,
        WITH_MATRICES if numbers.matrices else HEIGHT,
        (
            _gates_strip(numbers),
            _counts_strip(numbers),
            _attention_strip(numbers),
            _between_rows(numbers.table, p),
            *(below if numbers.matrices else ()),
        ),
        alt=Text(
            "{n} 个词元。查询 {query} 的门控、从各个键数起的计数 p、按计数和按距离得到的注意力；"
            "键 {key} 的 p = {p:.2f}。",
            "{n} tokens. Of query {query}: its gates, the counts p from each key, attention by count "
            "and by distance. At key {key}, p = {p:.2f}.",
        ).format(n=len(numbers.tokens), query=numbers.query, key=numbers.key, p=p),
    )


def _strip(
    numbers: Gates,
    name: str,
    place: tuple[int, int],
    title: Text,
    ends: tuple[float, float],
    layers: tuple[Layer, ...],
    ticks: Ticks = (),
    **panel: Any,
) -> Panel:
    """Draw a panel over all tokens with lines at the key and the query; ``place`` is its top and height."""
    upright = np.array(ends)
    cursors = (
        Line("query", np.full(2, float(numbers.query)), upright, MUTED, width=1.2, dashed=True),
        Line("key", np.full(2, float(numbers.key)), upright, CHOSEN, width=1.2),
    )
    return Panel(
        name,
        box=(LEFT, place[0], ACROSS, place[1]),
        hero=True,
        title=title,
        x=Axis(NOTHING, -0.5, len(numbers.tokens) - 0.5, ticks),
        y=Axis(NOTHING, *ends),
        layers=(*cursors, *layers),
        words=bool(ticks),
        **panel,
    )


def _gates_strip(numbers: Gates) -> Panel:
    row, n = numbers.row(numbers.gates), len(numbers.tokens)
    title = Text("这个查询的门控 g：开了（1）才数", "gates g of this query: an open one (1) counts")
    stems = _stems("gate", np.arange(float(len(row))), row, RESULT, n)
    return _strip(numbers, "gates", (40, 44), title, (-0.12, 1.18), stems, asked=("gate_dots",))


def _counts_strip(numbers: Gates) -> Panel:
    row, n, query, key = numbers.row(numbers.counts), len(numbers.tokens), numbers.query, numbers.key
    at, top = np.arange(float(len(row))), max(numbers.most, 1.0)
    names = np.array([1.22 * top])
    # The letters stand beside their lines; if i and j are the same token, i stands to the left.
    beside = query + (-1 if key == query else 1) * 0.01 * n
    return _strip(
        numbers,
        "row",
        (122, 92),
        Text(
            "计数 p：从键到查询，门控一共开了多少",
            "counts p: how much the gates open, from the key to the query",
        ),
        (-0.1 * top, 1.4 * top),
        (
            Line("curve", at, row, BLUE, width=1.2),
            Points("dots", at, row, BLUE, size=_dot(n)),
            Points("here", np.array([float(key)]), row[[key]], CHOSEN, size=9),
            Labels("i", np.array([beside]), names, ("i",), MUTED, size=13),
            Labels("j", np.array([key + 0.01 * n]), names, ("j",), CHOSEN, size=13),
        ),
        asked=("dots",),
    )


def _attention_strip(numbers: Gates) -> Panel:
    by_count, by_distance = numbers.row(numbers.by_count), numbers.row(numbers.by_distance)
    n, at, most = len(numbers.tokens), np.arange(float(len(by_count))), max(by_count.max(), by_distance.max())
    top = next(round_one for round_one in TOPS if round_one >= most - 1e-6)
    apart = min(0.14, 5 * n / ACROSS)  # five pixels at most
    return _strip(
        numbers,
        "attention",
        (258, 100),
        Text("只看位置分数，它看谁", "whom it looks at, going by position scores alone"),
        (-0.1 * top, 1.18 * top),
        (
            *_stems("distance", at + apart, _noticed(by_distance), VERMILLION, n),
            *_stems("count", at - apart, _noticed(by_count), BLUE, n),
        ),
        ticks=_names(numbers.tokens),
        legend=((DISTANCE, VERMILLION), (COPE, BLUE)),
        asked=("count_dots", "distance_dots"),
    )


def _stems(name: str, x: np.ndarray, y: np.ndarray, color: str, n: int) -> tuple[Layer, ...]:
    """Draw a dot at each point, on a stem from zero."""
    gap = np.full(len(x), np.nan)  # interrupts the line between stems
    xs, ys = np.stack([x, x, gap], axis=1), np.stack([0 * y, y, gap], axis=1)
    return (
        Line(f"{name}_stems", xs.ravel(), ys.ravel(), color, width=1.6),
        Points(f"{name}_dots", x, y, color, size=_dot(n)),
    )


def _noticed(weights: np.ndarray) -> np.ndarray:
    """Replace weights close to zero by NaN, so that they have no dots on the base line."""
    return np.where(weights < 0.002, np.nan, weights)


def _dot(n: int) -> float:
    return min(6.0, max(2.5, 0.5 * ACROSS / n))


def _names(tokens: Sequence[str]) -> Ticks:
    """Name the tokens below the strips; long names are cut, and some are left out if they would collide."""
    every = -(-len(tokens) // MOST_NAMED)
    shown = ("␣" if token.isspace() else token for token in tokens)
    return tuple(
        (float(i), name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…")
        for i, name in enumerate(shown)
        if i % every == 0
    )


def _relative(weights: np.ndarray) -> np.ndarray:
    """Divide each row by its largest value, so that long rows are as dark as short ones."""
    return weights / np.tril(weights).max(axis=1, keepdims=True)


def _matrix(name: str, left: int, title: Text, values: np.ndarray, numbers: Gates) -> Panel:
    n, query, key = len(values), numbers.query, numbers.key
    high = max(float(np.tril(values).max()), 1.0)
    seen = np.where(np.tri(n, dtype=bool), values, np.nan)
    edge = np.arange(n) + 0.5
    stairs = np.repeat(edge, 2), np.stack([edge - 1, edge], axis=1).ravel()
    return Panel(
        name,
        box=(left, MATRICES_TOP, SIDE, SIDE),
        asked=("values",),
        title=title,
        x=Axis(AT_KEY, -0.5, n - 0.5, whole=True),
        y=Axis(AT_QUERY if left == LEFT else NOTHING, n - 0.5, -0.5, whole=True),
        layers=(
            Heatmap("values", seen, 0, high, "sequential"),
            Line("diagonal", *stairs, MUTED, width=0.8),
            rectangle("row", (-0.5, query + 0.5), (query - 0.5, query + 0.5), QUERY, 1.4),
            rectangle("cell", (key - 0.5, key + 0.5), (query - 0.5, query + 0.5), CHOSEN, 2.5),
        ),
    )


def _between_rows(table: np.ndarray, p: float) -> Panel:
    """Draw the two rows of the table on either side of ``p``, their shares, and the interpolated value."""
    last = len(table) - 1
    low = min(math.floor(p), last)
    two = np.array(sorted({low, min(low + 1, last)}))
    rows = np.arange(max(low - 1, 0), two[-1] + 2)[: last + 1 - max(low - 1, 0)]
    share = p - low
    result = float((1 - share) * table[low] + share * table[two[-1]])
    span = float(np.ptp(table[rows])) or 1.0
    bottom, top = float(table[rows].min()) - 0.42 * span, float(table[rows].max()) + 0.36 * span
    shares = (f"×{1 - share:.2f}", f"×{share:.2f}")[: len(two)]
    place = two.astype(float)
    return Panel(
        "between",
        box=BETWEEN,
        asked=("result", "rows"),
        title=Text("z 的两行", "two rows of z"),
        x=Axis(Text("计数 $p$", "count $p$"), low - 1.2, low + 2.2, whole=True),
        y=Axis(Text("位置分数 $z$", "position score $z$"), bottom, top),
        layers=(
            Line("table", rows.astype(float), table[rows], MUTED, width=1.2),
            Points("rows", rows.astype(float), table[rows], MUTED, size=6),
            Line("drop", np.array([p, p]), np.array([bottom + 0.22 * span, result]), CHOSEN, dashed=True),
            Points("two", place, table[two], RESULT, size=10),
            Points("result", np.array([p]), np.array([result]), CHOSEN, size=8),
            Labels("shares", place, np.full(len(two), top - 0.14 * span), shares, RESULT, size=12),
            Labels(
                "score", np.array([p]), np.array([bottom + 0.12 * span]), (_signed(result),), CHOSEN, size=12
            ),
        ),
    )


def _signed(value: float) -> str:
    """Write ``value`` with a true minus sign, and without a sign for 0."""
    return f"{round(value, 2) + 0.0:.2f}".replace("-", "−")
