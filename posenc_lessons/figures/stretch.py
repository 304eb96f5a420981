"""Stretched rotary embedding: a dial for each pair, wavelengths before and after, and their ratio."""

from __future__ import annotations

import math

import numpy as np

from posenc_lessons.figures.colors import BLUE, ECHO, INK, MUTED, PALE, RESULT, WRONG
from posenc_lessons.figures.scene import Axis, End, Labels, Line, Panel, Points, Scene
from posenc_lessons.figures.scene_parts import NOTHING, power_of_ten, strokes
from posenc_lessons.figures.theme import LIGHT
from posenc_lessons.language import Text

WIDTH, HEIGHT = 992, 480
DIALS = (16.0, 44.0, 640.0, 400.0)
WHOLE = 4  # CSS pixels; multiples of 4 are whole pixels of a saved still, which has 1.25 for each
RING = 0.38  # radius of a dial; dials are one unit apart
BAND, TURN = 0.15, 0.07  # line widths, as shares of a unit: of the angles in training, of those of the text
MOST_SLOWER = 5.0  # the power of two at which the last axis ends

TRAINED = "#8FC1E3"  # a pale BLUE
PAIR = Text("第 $i$ 对", "pair $i$")
RINGS = (
    (Text("训练", "training"), BLUE),
    (Text("这个文本", "this text"), RESULT),
    (Text("没见过", "never seen"), WRONG),
)


def never_seen(seen: np.ndarray, swept: np.ndarray) -> np.ndarray:
    """Return which pairs [n] sweep angles beyond those ``seen`` in training: radians [n], at most 2π each."""
    return swept > seen + 1e-9


def stretch_scene(
    seen: np.ndarray,
    swept: np.ndarray,
    before: np.ndarray,
    after: np.ndarray,
    trained: int,
    factor: float,
) -> Scene:
    """Draw the angles of ``n`` pairs in training and in a text ``factor`` times the ``trained`` length.

    ``seen`` and ``swept`` [n] are the angles from distance 0 to the longest, radians, 2π for a whole circle;
    ``before`` and ``after`` [n] are wavelengths, in positions.
    """
    new = never_seen(seen, swept)
    return Scene(
        WIDTH,
        HEIGHT,
        (
            _dials_panel(seen, swept, new),
            _wavelengths_panel(before, after, new, trained, factor),
            _slower_panel(after / before, new, factor),
        ),
        alt=Text(
            "{n} 对的表盘，训练长度 {trained}，现在的文本是它的 {factor} 倍：{new} 对遇到没见过的角度。",
            "Dials of {n} pairs, trained on {trained} positions, for a text {factor} times as long: {new} of "
            "them meet angles never seen.",
        ).format(n=len(seen), trained=trained, factor=f"{factor:g}", new=int(new.sum())),
    )


def _dials_panel(seen: np.ndarray, swept: np.ndarray, new: np.ndarray) -> Panel:
    _, _, width, height = DIALS
    n = len(seen)
    # Dials in a row, and CSS pixels from one to the next, so that dials are as large as possible.
    across, unit = max(
        ((across, min(width / across, height / math.ceil(n / across))) for across in range(1, n + 1)),
        key=lambda grid: grid[1],
    )
    down = math.ceil(n / across)
    # With whole pixels also in a still, all dials are smoothed alike, which halves the file.
    unit -= unit % WHOLE
    number = np.arange(n)
    centres = np.stack([number % across, number // across], axis=1).astype(float)
    thick = max(3.0, TURN * unit)
    none = np.zeros(n)
    rims = _arcs(centres, none, none + 2 * np.pi)
    trained = _arcs(centres, none, seen)
    familiar = _arcs(centres, none, np.minimum(seen, swept))
    unknown = _arcs(centres[new], seen[new], swept[new])
    spare = ((width / unit - across) / 2, (height / unit - down) / 2)
    return Panel(
        "dials",
        box=DIALS,
        title=Text("离开蓝带，就没见过", "Off the blue band: never seen"),
        hero=True,
        legend=tuple((name, LIGHT.legible(color)) for name, color in RINGS),
        equal=True,
        x=Axis(NOTHING, -0.5 - spare[0], across - 0.5 + spare[0], ()),
        y=Axis(NOTHING, down - 0.5 + spare[1], -0.5 - spare[1], ()),
        layers=(
            strokes("rims", *rims, PALE),
            strokes("trained", *trained, TRAINED, max(8.0, BAND * unit)),
            strokes("familiar", *familiar, RESULT, thick),
            strokes("unknown", *unknown, WRONG, thick),
            Labels(
                "pairs", centres[:, 0], centres[:, 1], tuple(map(str, number)), INK, 15 if unit > 60 else 10
            ),
        ),
    )


def _arcs(centres: np.ndarray, start: np.ndarray, end: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return x and y [n, points] of an arc around each centre [n, 2], anticlockwise from the right."""
    sweep = start[:, None] + (end - start)[:, None] * np.linspace(0, 1, 49)
    # The y axis of the dials points down, hence the minus.
    arcs = centres[:, None] + RING * np.stack([np.cos(sweep), -np.sin(sweep)], axis=2)
    return arcs[..., 0], arcs[..., 1]


def _wavelengths_panel(
    before: np.ndarray, after: np.ndarray, new: np.ndarray, trained: int, factor: float
) -> Panel:
    pairs = np.arange(len(before), dtype=float)
    ends = (-0.5, len(before) - 0.5)
    last = math.ceil(math.log10(max(float(after.max()), factor * trained)) + 0.1)
    every = 1 if last <= 5 else 2
    levels = np.log10([trained, factor * trained])
    return Panel(
        "wavelengths",
        box=(720, 44, 180, 148),
        title=Text("波长", "Wavelengths"),
        x=Axis(PAIR, *ends, whole=True),
        y=Axis(
            Text("位置", "positions"),
            0,
            last,
            tuple((float(p), power_of_ten(p)) for p in range(0, last + 1, every)),
        ),
        layers=(
            Line("trained", np.array(ends), np.full(2, levels[0]), BLUE, 1.4, dashed=True),
            Line("text", np.array(ends), np.full(2, levels[1]), MUTED, 1.4, dashed=True),
            Line("before", pairs, np.log10(before), ECHO, 4),
            Line("after", pairs, np.log10(after), RESULT),
            Points("familiar", pairs[~new], np.log10(after[~new]), RESULT, 6),
            Points("unknown", pairs[new], np.log10(after[new]), WRONG, 6),
        ),
        ends=(
            End(Text("训练", "training"), BLUE, levels[0]),
            End(Text("这个文本", "this text"), MUTED, levels[1]),
        ),
    )


def _slower_panel(slower: np.ndarray, new: np.ndarray, factor: float) -> Panel:
    pairs = np.arange(len(slower), dtype=float)
    ends = (-0.5, len(slower) - 0.5)
    powers = np.log2(slower)
    return Panel(
        "slower",
        box=(720, 278, 180, 148),
        title=Text("放慢几倍", "Times slower"),
        x=Axis(PAIR, *ends, whole=True),
        y=Axis(
            Text("倍", "times"), -0.25, MOST_SLOWER + 0.25, tuple((float(p), str(2**p)) for p in range(6))
        ),
        layers=(
            Line("factor", np.array(ends), np.full(2, math.log2(factor)), MUTED, 2, dashed=True),
            Line("slower", pairs, powers, RESULT),
            Points("familiar", pairs[~new], powers[~new], RESULT, 6),
            Points("unknown", pairs[new], powers[new], WRONG, 6),
        ),
    )
