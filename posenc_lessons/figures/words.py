"""Draw a reader's words in a picture: as the ticks of an axis, and in a row with their positions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from posenc_lessons.figures.colors import INK, KEY, MUTED, QUERY
from posenc_lessons.figures.places import wide
from posenc_lessons.figures.scene import Axis, Labels, Layer, Line, Panel
from posenc_lessons.figures.scene_parts import NOTHING
from posenc_lessons.figures.ticks import Ticks

LONGEST_LABEL = 9  # characters; longer words are cut, so that labels do not reach into the picture
MOST_TICKS = 18
BETWEEN = 14.0  # CSS pixels between two words of a row
WORD_SIZE, NUMBER_SIZE = 15.0, 11.0
HALF_LINE = 8.0


class Placed(NamedTuple):
    """A word of a row: its index, and the distance of its middle from the row's left end in CSS pixels."""

    which: int
    middle: float


def cut(word: str, room: int) -> str:
    """Cut ``word`` to at most ``room`` characters."""
    return word if len(word) <= room else word[: max(room - 1, 1)] + "…" * (room > 1)


def word_ticks(words: Sequence[str]) -> Ticks:
    """Return a tick for each word; long words are cut, and some are left out if they would collide."""
    every = -(-len(words) // MOST_TICKS)
    return tuple((float(i), cut(word, LONGEST_LABEL)) for i, word in enumerate(words) if i % every == 0)


def position_ticks(words: Sequence[str], n: int) -> Ticks:
    """Return ticks for positions 0 … ``n`` − 1: the number, and the word there as far as the words reach."""
    names = [f"{i} {word}" for i, word in enumerate(words[:n])]
    return word_ticks([*names, *map(str, range(len(names), n))])


def placed_words(words: Sequence[str], m: int, n: int, room: float) -> list[Placed]:
    """Return the places of words in the middle of a row ``room`` CSS pixels wide.

    If not all words fit, the row has those around positions ``m`` and ``n``, or only around ``m`` if these
    are far apart. A position beyond the words does not count.
    """
    widths = [WORD_SIZE * wide(cut(word, LONGEST_LABEL)) + BETWEEN for word in words]
    ends = np.cumsum(widths)
    middles = ends - np.array(widths) / 2
    left = (ends[-1] - room) / 2
    if left > 0:
        chosen = [middles[at] for at in (m, n) if at < len(words)] or [middles[-1]]
        around = chosen[0] if np.ptp(chosen) > room - 2 * BETWEEN else np.mean(chosen)
        left = float(np.clip(around - room / 2, 0, ends[-1] - room))
    inside = (ends <= left + room + 1e-6) & (ends - widths >= left - 1e-6)
    return [Placed(i, float(middles[i]) - left) for i in np.flatnonzero(inside).tolist()]


def word_at(words: Sequence[str], m: int, n: int, room: float, x: float) -> int:
    """Return the index of the word nearest to ``x`` in the row of ``placed_words``."""
    return min(placed_words(words, m, n, room), key=lambda each: abs(each.middle - x)).which


def words_panel(words: Sequence[str], m: int, n: int, box: tuple[float, float, float, float]) -> Panel:
    """Draw ``words`` in a row with their positions; those of query ``m`` and key ``n`` stand out."""
    placed = placed_words(words, m, n, box[2])
    x = np.array([each.middle for each in placed])
    colors = [{m: QUERY, n: KEY}.get(each.which, INK) for each in placed]
    layers: list[Layer] = []
    for name, color in (("others", INK), ("query_word", QUERY), ("key_word", KEY)):
        here = [at for at, each in enumerate(colors) if each == color]
        said = tuple(cut(words[placed[at].which], LONGEST_LABEL) for at in here)
        layers.append(Labels(name, x[here], np.full(len(here), 0.7), said, color, WORD_SIZE))
    for name, position, color, way in (("query_line", m, QUERY, -1), ("key_line", n, KEY, 1)):
        ends = sorted(
            (0.0 if m == n else -way * HALF_LINE, way * HALF_LINE)
        )  # both under one word: half each
        at = [each.middle + end for each in placed if each.which == position for end in ends]
        layers.append(Line(name, np.array(at), np.full(len(at), 0.36), color, width=2.5))
    numbers = tuple(str(each.which) for each in placed)
    layers.append(Labels("positions", x, np.full(len(x), 0.12), numbers, MUTED, NUMBER_SIZE))
    return Panel(
        "words",
        box=box,
        hero=True,
        title=NOTHING,
        x=Axis(NOTHING, 0.0, box[2], ()),
        y=Axis(NOTHING, 0.0, 1.0, ()),
        layers=tuple(layers),
    )
