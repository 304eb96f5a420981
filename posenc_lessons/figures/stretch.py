"""Stretched rotary embedding: a ruler for the length, a dial for each pair, and how far every pair turns."""

import math

import numpy as np

from posenc_lessons.figures.colors import BLUE, CHOSEN, ECHO, INK, MUTED, PALE, PAPER, RESULT, WRONG
from posenc_lessons.figures.scene import Arrows, Axis, Labels, Layer, Line, Panel, Points, Scene
from posenc_lessons.figures.scene_parts import NOTHING, strokes, words_at
from posenc_lessons.figures.sinusoid import clock_pairs
from posenc_lessons.figures.theme import LIGHT
from posenc_lessons.language import Text, current

WIDTH, HEIGHT = 770, 452
DIALS = (8.0, 48.0, 500.0, 396.0)
ACROSS, PITCH = 4, 1.26  # dials in a row, one unit apart; from a row to the next
RADIUS = 0.46  # of a dial, in units
FEW_GROWN = 1.75  # how many times as large dials are at most if they do not fill a row
SPOKES, SPOKE = 72, 5.0  # lines that fill a whole dial, and their width in CSS pixels, at a unit of UNIT
UNIT = 120.0
RULER = -1.12  # its height above the first row of dials
RULER_ENDS, POWERS = (-0.44, 3.44), (-1.2, 5.0)  # in units; the power of two of the factor at these ends

TRAINED, NEW = "#B5D7EE", "#F3B6BF"  # a pale BLUE and a pale WRONG, which fill dials
PAIR = Text("第 {pair} 对", "pair {pair}")
TEXT_OF, FAST, SLOW = Text("文本长", "text of"), Text("，最快", ", fastest"), Text("，最慢", ", slowest")
NAMES = (
    (Text("训练过", "trained"), BLUE),
    (Text("这个文本", "this text"), RESULT),
    (Text("没见过", "never seen"), WRONG),
)


def never_seen(trained_turns: np.ndarray, turns: np.ndarray) -> np.ndarray:
    """Return which pairs [n] meet new angles: they make ``turns``, and made ``trained_turns`` in training."""
    return np.asarray(np.minimum(turns, 1.0) > np.minimum(trained_turns, 1.0) + 1e-9)


def stretch_scene(trained_turns: np.ndarray, turns: np.ndarray, trained: int, factor: float) -> Scene:
    """Draw how far ``n`` pairs turn in training and in a text ``factor`` times the ``trained`` length.

    ``trained_turns`` and ``turns`` [n] are whole turns from the first position to the last.
    """
    new = never_seen(trained_turns, turns)
    return Scene(
        WIDTH,
        HEIGHT,
        (_dials_panel(trained_turns, turns, trained, factor), _turns_panel(trained_turns, turns, factor)),
        alt=Text(
            "{n} 对的表盘，训练长度 {trained}，现在的文本是它的 {factor} 倍：{new} 对遇到没见过的角度。",
            "Dials of {n} pairs, trained on {trained} positions, for a text {factor} times as long: {new} of "
            "them meet angles never seen.",
        ).format(n=len(turns), trained=trained, factor=f"{factor:g}", new=int(new.sum())),
    )


def factor_at(x: float) -> float:
    """Return the factor that the ruler has at ``x`` in the panel of the dials."""
    return float(2 ** max(np.interp(x, RULER_ENDS, POWERS), 0.0))


def _dials_panel(trained_turns: np.ndarray, turns: np.ndarray, trained: int, factor: float) -> Panel:
    pairs = clock_pairs(len(turns))
    place = np.arange(len(pairs))
    centres = np.stack([place % ACROSS, PITCH * (place // ACROSS)], axis=1)
    grown, filled, above = 1.0, 1.0, 0.13
    if len(pairs) < ACROSS:  # few dials are larger, and fill both rows
        grown = min(ACROSS / len(pairs), FEW_GROWN)
        filled, above = 0.98 * grown, 0.18  # the broad spokes must not show outside the rim, nor names cut it
        centres = np.stack(
            [ACROSS / len(pairs) * (place + 0.5) - 0.5, np.full(len(pairs), PITCH / 2)], axis=1
        )
    radius = grown * RADIUS
    seen, swept = (2 * np.pi * np.minimum(of[pairs], 1.0) for of in (trained_turns, turns))
    new = never_seen(trained_turns, turns)[pairs]
    zero = np.zeros(len(pairs))
    last = 2 * np.pi * turns[pairs]  # the hand's angle at the last position
    hands = centres + 0.98 * radius * np.stack([np.cos(last), -np.sin(last)], axis=1)
    upper, lower = RULER - 0.45, PITCH + 0.5
    spare = (DIALS[2] * (lower - upper) / DIALS[3] - ACROSS) / 2
    return Panel(
        "dials",
        box=DIALS,
        title=Text("红色：训练时没见过的角度", "red: angles never seen in training"),
        hero=True,
        legend=tuple((name, LIGHT.legible(color)) for name, color in NAMES),
        equal=True,
        x=Axis(NOTHING, -0.5 - spare, ACROSS - 0.5 + spare, ()),
        y=Axis(NOTHING, lower, upper, ()),
        layers=(
            *_ruler(trained, factor, bool(new.any())),
            _filled("trained", centres, zero, seen, TRAINED, filled),
            _filled("new", centres[new], seen[new], swept[new], NEW, filled),
            strokes("rims", *_arcs(centres, zero, zero + 2 * np.pi, grown), PALE, 2.0),
            strokes("familiar", *_arcs(centres, zero, np.minimum(seen, swept), grown), RESULT, 6.0),
            strokes("unknown", *_arcs(centres[new], seen[new], swept[new], grown), WRONG, 6.0),
            Arrows("hands", centres, hands, INK, 3.0),
            Labels("pairs", centres[:, 0], centres[:, 1] - radius - above, _names(pairs), MUTED, 13),
        ),
    )


def _names(pairs: np.ndarray) -> tuple[str, ...]:
    """Name the pairs that have dials; in both languages by their numbers."""
    if current() == "both":
        return tuple(map(str, pairs))
    names = [PAIR.format(pair=pair).show() for pair in pairs]
    fast, slow = (FAST, SLOW) if len(names) > 2 else (NOTHING, NOTHING)  # two may be any of a larger model
    return (names[0] + fast.show(), *names[1:-1], names[-1] + slow.show())


def _ruler(trained: int, factor: float, new: bool) -> tuple[Layer, ...]:
    """Draw lengths in powers of two: those of training, the present one with its handle."""
    left, right = RULER_ENDS
    start, handle = np.interp([0.0, math.log2(factor)], POWERS, RULER_ENDS).tolist()
    powers = np.arange(1, int(POWERS[1]) + 1)
    ticks = np.interp(powers, POWERS, RULER_ENDS)
    lengths = tuple(str(trained * 2**power) for power in powers)
    trained_name, below = Text(f"训练到 {trained}", f"trained to {trained}"), RULER + 0.28
    length = f"{TEXT_OF.show(between=' ')} {factor * trained:.4g} = {factor:.3g} × {trained}"
    middle = min(max(handle, left + 0.95), right - 0.95)
    grip = np.array([[handle, RULER]] * 2)

    def level(name: str, begin: float, end: float, color: str, width: float) -> Line:
        cap = width / 2 / UNIT  # lines have square ends
        ends = np.array([begin + cap, end - cap])
        return Line(name, ends if ends[1] > ends[0] else ends * np.nan, np.full(2, RULER), color, width)

    return (
        level("ruler", left, right, PALE, 6.0),
        level("trained_length", left, start, TRAINED, 24.0),
        level("familiar_length", left, start, RESULT, 8.0),
        level("text_length", start, handle, WRONG if new else RESULT, 8.0),
        Points("handle", grip[:1, 0], grip[:1, 1], CHOSEN, 32),
        Arrows("ways", grip, grip + np.array([[-0.12, 0], [0.12, 0]]), PAPER, 1.6),
        Labels("length", np.array([middle]), np.array([RULER - 0.32]), (length,), INK, 18),
        Labels("lengths", ticks, np.full(len(ticks), below), lengths, MUTED, 13),
        words_at("trained_name", (left + start) / 2, below, trained_name, LIGHT.legible(BLUE), 13, 0.15),
    )


def _arcs(
    centres: np.ndarray, start: np.ndarray, end: np.ndarray, grown: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return x and y [n, points] of an arc around each centre [n, 2], anticlockwise from the right."""
    sweep = start[:, None] + (end - start)[:, None] * np.linspace(0, 1, SPOKES + 1)
    # The y axis of the dials points down, hence the minus.
    arcs = centres[:, None] + grown * RADIUS * np.stack([np.cos(sweep), -np.sin(sweep)], axis=2)
    return arcs[..., 0], arcs[..., 1]


def _filled(
    name: str, centres: np.ndarray, start: np.ndarray, end: np.ndarray, color: str, grown: float
) -> Line:
    """Fill sectors with spokes, whose outer edges are at the ``start`` and ``end`` angles [n]."""
    half = np.minimum(SPOKE / 2 / (RADIUS * UNIT), (end - start) / 2)
    x, y = _arcs(centres, start + half, end - half, grown)
    middle = np.broadcast_to(centres.T[:, :, None], (2, *x.shape))
    spokes = np.stack([middle, np.stack([x, y])], axis=3).reshape(2, len(centres), 2 * x.shape[1])
    return strokes(name, spokes[0], spokes[1], color, grown * SPOKE)


def _turns_panel(trained_turns: np.ndarray, turns: np.ndarray, factor: float) -> Panel:
    """Draw the turns of all pairs; without a method they would be ``factor`` times those of training."""
    new = never_seen(trained_turns, turns)
    pairs = np.arange(len(turns), dtype=float)
    ends = np.array([-0.5, len(turns) - 0.5])
    dot = 7.0 if len(pairs) <= 16 else 3.0
    before, now = np.log10(trained_turns), np.log10(turns)
    low, high = math.floor(before.min()), math.ceil(before.max() + 1.5)
    return Panel(
        "turns",
        box=(566, 190, 190, 176),
        title=Text("圈数", "turns"),
        x=Axis(Text("第 $i$ 对", "pair $i$"), ends[0], ends[1], whole=True),
        y=Axis(
            NOTHING, low, high, tuple((float(p), f"{10.0**p:g}") for p in range(low + low % 2, high + 1, 2))
        ),
        layers=(
            Line("one", ends, np.zeros(2), MUTED, 1.2, dashed=True),
            Line("unmended", pairs, before + math.log10(factor), ECHO, 2.0, dashed=True),
            Line("trained", pairs, before, BLUE, 2.4),
            Line("text", pairs, now, RESULT, 2.4),
            Points("familiar", pairs[~new], now[~new], RESULT, dot),
            Points("unknown", pairs[new], now[new], WRONG, dot),
        ),
    )
