"""Counting by content: a text in which gates open, the counts from each word to the query, the attention."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from posenc_lessons.figures.colors import BLUE, CHOSEN, ECHO, INK, QUERY, RESULT, VERMILLION
from posenc_lessons.figures.places import wide
from posenc_lessons.figures.scene import Axis, Labels, Layer, Line, Panel, Scene
from posenc_lessons.figures.scene_parts import NOTHING, rectangle, strokes, words_at
from posenc_lessons.figures.words import cut
from posenc_lessons.language import Text

WIDTH, HEIGHT = 642, 396
LEFT, TOP, ACROSS, HIGH = 10, 44, 542, 346  # the box of the text, without the names of its numbers
NAMES, BESIDE = 70, 10  # their room, at the left, and that for half of the last number, at the right
SIZES = range(24, 4, -1)  # of the words, CSS pixels: the largest at which all lines fit
LINE = 5.0  # from a line of words to the next, in heights of the type, as the four below
GAP, NARROWEST = 0.9, 1.6  # between two words, and the least width of a word with its gap
ABOVE, BELOW = 1.15, 1.1  # from a word to its count above, and to its distance below
UNDER = (1.85, 2.15)  # from a word to its two underlines
LONGEST_NAME = 16  # characters
FAINT = 0.02  # a weight below this share of the row's largest has no underline

# The attention.
BY_COUNT, BY_DISTANCE = Text("注意力按计数", "attends by count"), Text("按距离", "by distance")
GATES, TOKENS = Text("门控", "gates"), Text("词元", "tokens")  # what is counted back from the query


@dataclass(frozen=True)
class Gates:
    """The gates of a text, the counts of CoPE, and the attention of each query.

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

    def row(self, values: np.ndarray) -> np.ndarray:
        """Return the part of ``values`` [n, n] that the query sees, [query + 1]."""
        return np.asarray(values[self.query, : self.query + 1])


class Lines(NamedTuple):
    """The places of words in lines: left and right ends and heights [n], and the size of the type."""

    left: np.ndarray
    right: np.ndarray
    y: np.ndarray
    size: int


def gate_scene(numbers: Gates) -> Scene:
    """Draw the text as one query sees it."""
    return Scene(
        WIDTH,
        HEIGHT,
        (_text(numbers),),
        alt=Text(
            "{n} 个词元。查询 {query} 的门控、从各个键数起的计数 p、按计数和按距离得到的注意力；"
            "键 {key} 的 p = {p:.2f}。",
            "{n} tokens. Of query {query}: its gates, the counts p from each key, attention by count "
            "and by distance. At key {key}, p = {p:.2f}.",
        ).format(
            n=len(numbers.tokens),
            query=numbers.query,
            key=numbers.key,
            p=float(numbers.counts[numbers.query, numbers.key]),
        ),
    )


def lines_of(tokens: Sequence[str]) -> Lines:
    """Return the places of ``tokens`` in the text, in CSS pixels from the left and from the top."""
    for size in SIZES:
        widths = [max(size * (wide(_shown(token)) + GAP), NARROWEST * size) for token in tokens]
        line, end, places = 0, 0.0, []
        for width in widths:
            if end + width > ACROSS:
                line, end = line + 1, 0.0
            places.append((end, end + width, (LINE * line + 2.3) * size))
            end += width
        if (line + 1) * LINE * size <= HIGH:
            break
    left, right, y = np.array(places).T
    return Lines(left, right, y, size)


def token_at(tokens: Sequence[str], x: float, y: float) -> tuple[int, bool]:
    """Return the token at (x, y) of the text, and whether the place is the gap after it."""
    lines = lines_of(tokens)
    off = np.abs(lines.y - y)
    here = np.flatnonzero(off == off.min())
    token = int(here[np.argmin(np.maximum(lines.left[here] - x, x - lines.right[here]))])
    for at in (token - 1, token):
        if at >= 0 and off[at] == off.min() and abs(x - lines.right[at]) < GAP / 2 * lines.size:
            return at, True
    return token, False


def _text(numbers: Gates) -> Panel:
    """Draw the words, each below its count and above its distance, gates as bars, attention as underlines."""
    lines = lines_of(numbers.tokens)
    left, right, y, size = lines
    middle, seen = (left + right) / 2, np.arange(len(left)) <= numbers.query
    words = tuple(map(_shown, numbers.tokens))
    layers: list[Layer] = [
        _underline("by_count", lines, numbers.row(numbers.by_count), UNDER[0], BLUE),
        _underline("by_distance", lines, numbers.row(numbers.by_distance), UNDER[1], VERMILLION),
        _bars(lines, numbers.row(numbers.gates)),
    ]
    for name, at, color in (("query", numbers.query, QUERY), ("key", numbers.key, CHOSEN)):
        across = left[at] + 0.2 * GAP * size, right[at] - 0.2 * GAP * size
        high = (0.64 if name == "query" else 0.56) * size
        layers.append(rectangle(name, across, (y[at] - high, y[at] + high), color, 2.0))
    for name, which, color in (("words", seen, INK), ("later", ~seen, ECHO)):
        texts = tuple(words[at] for at in np.flatnonzero(which))
        layers.append(Labels(name, middle[which], y[which], texts, color, float(size)))
    counts = tuple(_number(p) for p in numbers.row(numbers.counts))
    back = tuple(str(numbers.query - at) for at in range(numbers.query + 1))
    gates = numbers.row(numbers.gates)
    open_at = np.flatnonzero(gates >= FAINT)
    plus = "+" if (gates[open_at] == 1).all() else ""  # numbers with decimals have no room for it
    steps = tuple(f"{plus}{_number(gates[at])}" for at in open_at)
    for name, x, levels, texts, color, share in (
        ("counts", middle[seen], y[seen] - ABOVE * size, counts, BLUE, 0.78),
        ("distances", middle[seen], y[seen] + BELOW * size, back, VERMILLION, 0.6),
        ("steps", right[open_at], y[open_at] - 1.95 * size, steps, RESULT, 0.6),
    ):
        layers.append(Labels(name, x, levels, texts, color, share * size))
    for number, line in enumerate(np.unique(y[seen])):
        for name, off, text, color in (("gates", -ABOVE, GATES, BLUE), ("tokens", BELOW, TOKENS, VERMILLION)):
            place = -float(NAMES), float(line + off * size)
            layers.append(words_at(f"{name}_name{number}", *place, text, color, 13, 14.0, "left"))
    return Panel(
        "text",
        box=(LEFT, TOP, NAMES + ACROSS + BESIDE, HIGH),
        hero=True,
        title=Text(
            "往回数门控，不数词元；点词元或空隙", "count gates back, not tokens; press a word or a gap"
        ),
        x=Axis(NOTHING, -NAMES, ACROSS + BESIDE, ()),
        y=Axis(NOTHING, HIGH, 0, ()),
        layers=tuple(layers),
        legend=((BY_COUNT, BLUE), (BY_DISTANCE, VERMILLION)),
        asked=("counts",),
    )


def _underline(name: str, lines: Lines, weights: np.ndarray, below: float, color: str) -> Line:
    """Underline each word by its weight: all of it, up to its neighbours, for the largest weight."""
    share = weights / weights.max()
    half = np.where(share < FAINT, np.nan, share) * (lines.right - lines.left)[: len(share)] / 2
    middle, y = ((lines.left + lines.right) / 2)[: len(share)], lines.y[: len(share)] + below * lines.size
    return strokes(name, np.stack([middle - half, middle + half], axis=1), y[:, None], color, 5.0)


def _bars(lines: Lines, gates: np.ndarray) -> Line:
    """Draw a bar behind each word, as high as its gate is open: up to the word's count."""
    x, y = lines.right[: len(gates)], lines.y[: len(gates)] + 0.7 * lines.size
    top = y - np.where(gates < FAINT, np.nan, gates) * 1.4 * lines.size
    return strokes("gates", x[:, None], np.stack([y, top], axis=1), RESULT, 4.0)


def _shown(token: str) -> str:
    return "␣" if token.isspace() else cut(token, LONGEST_NAME)


def _number(value: float) -> str:
    """Return ``value`` with one decimal, a whole number with none."""
    return f"{value:.0f}" if value == round(value) else f"{value:.1f}"
