"""Compute the places of the words around a panel, for the still, the painter and the themes.

Lengths are CSS pixels at the ordinary type size, from the panel's box outwards.
"""

import unicodedata
from collections.abc import Sequence
from itertools import pairwise

from posenc_lessons.figures.scene import Axis, Panel
from posenc_lessons.language import Language

SPACING = (4, 8, 12, 16, 24, 32, 48)  # the gaps that new pictures and pages choose from

TITLE_SIZE, LABEL_SIZE, TICK_SIZE = 14, 12, 11
ABOVE = 10  # to the title
DESCENT = 0.2  # from the baseline of a name to its bottom, in heights of the type, as in panel/type.js
LEGEND_GAP = SPACING[2]  # from a name above a panel to the next; panel/sizes.js has it too
NUMBERS_BESIDE, NUMBERS_BELOW = 46, 32  # to the middle of an axis's name, where its ticks are numbers
TICKS, LABEL = 26, 22  # the room for numbers, and for the name of the axis
BAR_BESIDE, BAR_WIDTH = SPACING[2], SPACING[2]  # the colour bar: its gap, and how wide it is
# From the panel to start and end of the line that leads to a name, and to the name.
LEADER = (2, SPACING[2], SPACING[2] + 3)
END_STEP = 1.4  # from one name at the end of a line to the next, in heights of the type
LETTER = 0.54  # width of a letter, as a share of its size
SLOPE = 0.8  # how far down a word at 45° reaches, including its height, as a share of its length
UPRIGHT = 0.8  # words below a panel are upright if none takes more than this share of the way to the next


def label_places(panel: Panel) -> tuple[float, float]:
    """Return the distances of the names of the y axis and of the x axis from the box.

    They do not depend on numbers at the ticks; if the ticks are words, the longest decides.
    """
    beside, below = longest_word(panel.y, panel.words), longest_word(panel.x, slanted(panel))
    return (
        beside + LABEL_SIZE + 4 if beside else NUMBERS_BESIDE,
        SLOPE * below + LABEL_SIZE + 8 if below else NUMBERS_BELOW,
    )


def slanted(panel: Panel) -> bool:
    """Return whether the words below ``panel`` are slanted, because they are too long to stand upright."""
    ticks = panel.x.shown_ticks()
    if not panel.words or len(ticks) < 2:
        return False
    apart = min(abs(after[0] - before[0]) for before, after in pairwise(ticks))
    room = UPRIGHT * apart / abs(panel.x.end - panel.x.start) * panel.box[2]
    return max(wide(label) for _, label in ticks) * TICK_SIZE > room


def room_for(panel: Panel) -> tuple[float, float]:
    """Return the room for the words left of ``panel`` and below it."""
    beside, below = longest_word(panel.y, panel.words), SLOPE * longest_word(panel.x, slanted(panel))
    return _room(panel.y, beside), _room(panel.x, below)


def _room(axis: Axis, words: float) -> float:
    ticks = (max(words + 4, TICKS) if words else TICKS) if axis.shown_ticks() else 0
    return ticks + (LABEL if axis.label.zh else 0)


def longest_word(axis: Axis, words: bool) -> float:
    """Estimate the width of an axis's longest word, with room around it; 0 if there are only numbers."""
    named = [label for _, label in axis.shown_ticks()] if words and axis.ticks else []
    return max(map(wide, named), default=-1) * TICK_SIZE + TICK_SIZE


def room_for_ends(panel: Panel, language: Language | None = None) -> float:
    """Estimate the room for the names of lines right of ``panel``; 0 if there are none."""
    if not panel.ends:
        return 0
    return LEADER[-1] + LABEL_SIZE * max(wide(end.name.show(language)) for end in panel.ends)


def wide(text: str) -> float:
    """Estimate the width of ``text`` in heights of the type."""
    return sum(1 if unicodedata.east_asian_width(c) in "WF" else LETTER for c in text)


def apart(wanted: Sequence[float], step: float, low: float, high: float) -> list[float]:
    """Return places near the ``wanted`` ones, in their order: ``low`` to ``high``, at least ``step`` apart.

    Neighbours that are too close form a group around the middle of their wanted places.
    """
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    groups: list[tuple[float, list[int]]] = []  # the place of the first member, and the members
    for i in order:
        members = [i]
        while True:
            middle = sum(wanted[member] for member in members) / len(members)
            first = middle - (len(members) - 1) / 2 * step
            first = max(low, min(first, high - (len(members) - 1) * step))
            if not groups or groups[-1][0] + len(groups[-1][1]) * step <= first:
                break
            members = groups.pop()[1] + members
        groups.append((first, members))
    places = {member: first + at * step for first, members in groups for at, member in enumerate(members)}
    return [places[i] for i in range(len(wanted))]
