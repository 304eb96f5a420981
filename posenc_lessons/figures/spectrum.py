"""The pairs of a head by wavelength, the score that results, and which of a model's layers have them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from posenc_lessons.figures.colors import BLUE, GREEN, INK, MUTED, ORANGE, PAPER, PURPLE, VERMILLION
from posenc_lessons.figures.scene import Align, Axis, Heatmap, Labels, Layer, Line, Panel, Points, Scene
from posenc_lessons.figures.scene_parts import NOTHING, power_of_ten, rectangle
from posenc_lessons.language import Text, current

WIDTH, HEIGHT = 960, 456
SPECTRUM = (66.0, 36.0, 606.0, 248.0)
SCORES = (66.0, 318.0, 606.0, 88.0)
STACK = (742.0, 36.0, 200.0, 370.0)
PALE = "#C9CED6"
LEAST_DECADES = 8  # the axis of most models, so that they can be compared
NEVER = 0.55  # decades beyond the end of the axis, where pairs stand that do not turn
FEWEST_ROWS = 12  # of the stack of layers, so that one layer is no wall
NAME_SIZE = 12
CHOSEN, OTHERS = 0.85, 0.22  # the cells of layers, from paper (0) to ink (1)

POSITIONS = Text("词元的个数", "number of tokens")
SPECTRUM_TITLE = Text("一个头里各对的波长", "The pairs of a head, by wavelength")
SPECTRUM_AXIS = Text("从快到慢，%", "fastest first, %")
SCORES_TITLE = Text("分数随距离（q 与 k 相同）", "Score by distance, for q equal to k")
STACK_TITLE = Text("点一层", "Press a layer")
LAYER = Text("第几层", "layer")
CONTEXT, TRAINED, WINDOW = (
    Text("上下文 {n}", "context {n}"),
    Text("训练时 {n}", "trained {n}"),
    Text("窗口 {n}", "window {n}"),
)
NO_ATTENTION = Text("没有注意力：顺序来自递归", "no attention: order comes from a recurrence")
STILL = Text("没有一对转动", "no pair turns")


@dataclass(frozen=True)
class Spectrum:
    """The pairs of one kind of layer.

    ``waves``: their wavelengths in tokens, fastest first, infinite for a pair that does not turn; ``before``:
    those before any extension; each [d/2]. ``unseen``: which of them meet angles that training did not have
    [d/2]. ``scores`` at ``distances`` [n], for a query and a key that are equal. ``window``: None for all.
    """

    name: Text
    waves: np.ndarray
    before: np.ndarray
    unseen: np.ndarray
    distances: np.ndarray
    scores: np.ndarray
    window: int | None
    attention: bool = True


def spectrum_scene(
    kinds: Sequence[Spectrum], layers: Sequence[int], layer: int, context: int, trained: int
) -> Scene:
    """Draw the ``kinds`` of layers of a model; ``layers`` is the kind of each, and ``layer`` is looked at.

    ``context`` is how many tokens the model is made for, ``trained`` how many it had before any extension.
    """
    chosen = kinds[layers[layer]]
    finite = [wave for kind in kinds for wave in (kind.waves, kind.before)]
    longest = max(float(np.max(wave[np.isfinite(wave)], initial=context)) for wave in finite)
    decades = max(LEAST_DECADES, math.ceil(math.log10(longest) - 1e-9))
    others = [kind for kind in kinds if kind is not chosen]
    return Scene(
        WIDTH,
        HEIGHT,
        (
            _spectrum_panel(chosen, others, decades, context, trained),
            _scores_panel(chosen, others, decades, context),
            _stack_panel(kinds, layers, layer),
        ),
        alt=Text(
            "第 {layer} 层（{name}）一个头的 {n} 对：{full} 对的波长短于上下文 {context}，{slow} 对更长，{still} 对不转。",
            "The {n} pairs of a head in layer {layer} ({name}): {full} have wavelengths below the context of "
            "{context}, {slow} longer ones, {still} do not turn.",
        ).format(
            layer=layer, name=chosen.name, n=len(chosen.waves), context=context, **counts(chosen, context)
        ),
    )


def counts(kind: Spectrum, context: int) -> dict[str, int]:
    """Return how many pairs make a ``full`` turn within ``context`` tokens, are too ``slow``, or ``still``."""
    turns = np.isfinite(kind.waves)
    full = turns & (kind.waves <= context)
    return {"full": int(full.sum()), "slow": int((turns & ~full).sum()), "still": int((~turns).sum())}


def name_color(kind: Spectrum) -> str:
    """Return the colour of a kind of layer in the stack and at the end of its line."""
    if not kind.attention:
        return MUTED
    if not np.isfinite(kind.waves).any():
        return PURPLE
    return GREEN if kind.window is None else ORANGE


def _lines(text: Text) -> tuple[str, ...]:
    """Return ``text`` in the reader's language, or a line for each of both."""
    shown = text.show(between="\n")
    return tuple(shown.split("\n"))


def _words(name: str, at: tuple[float, float], text: Text, color: str, line: float, align: Align) -> Labels:
    """Return ``text`` at a point; of both languages the second stands ``line`` units below."""
    lines = _lines(text)
    across, up = np.full(len(lines), at[0]), at[1] - line * np.arange(len(lines))
    return Labels(name, across, up, lines, color, NAME_SIZE, align)


def _log(waves: np.ndarray, decades: int) -> np.ndarray:
    return np.where(np.isfinite(waves), np.log10(np.where(np.isfinite(waves), waves, 1.0)), decades + NEVER)


def _share(waves: np.ndarray) -> np.ndarray:
    """Return how many percent of the head's pairs are as fast as each, itself counted half."""
    return 100 * (np.arange(len(waves)) + 0.5) / len(waves)


def _spectrum_panel(
    chosen: Spectrum, others: Sequence[Spectrum], decades: int, context: int, trained: int
) -> Panel:
    layers: list[Layer] = [
        Line("no_turn", np.full(2, float(decades)), np.array([0.0, 100.0]), PALE, 1.0),
        *_length_lines(chosen, decades, context, trained),
    ]
    for number, other in enumerate(others):
        layers += _curve(f"other_{number}", other, decades, PALE, MUTED, 3.0)
    share, at = _share(chosen.waves), _log(chosen.waves, decades)
    if not np.array_equal(chosen.before, chosen.waves):
        turning = np.isfinite(chosen.before)
        layers.append(Line("before", np.log10(chosen.before[turning]), share[turning], PALE, 4.0))
    slow = np.isfinite(chosen.waves) & (chosen.waves > context) & ~chosen.unseen
    still = ~np.isfinite(chosen.waves) & np.full(len(at), chosen.attention)
    full = np.isfinite(chosen.waves) & ~slow & ~chosen.unseen
    for name, which, color in (
        ("still", still, PURPLE),
        ("slow", slow, BLUE),
        ("full", full, GREEN),
        ("unseen", chosen.unseen, VERMILLION),
    ):
        layers.append(Points(name, at[which], share[which], color, 6))
    layers += _names_of_points(slow, full, chosen, decades, context)
    return Panel(
        "spectrum",
        box=SPECTRUM,
        title=SPECTRUM_TITLE,
        x=Axis(NOTHING, 0.0, decades + 2 * NEVER, tuple((at, "") for at, _ in _ticks(decades))),
        y=Axis(SPECTRUM_AXIS, 0.0, 100.0, tuple((float(p), str(p)) for p in (0, 25, 50, 75, 100))),
        layers=tuple(layers),
    )


def _ticks(decades: int) -> tuple[tuple[float, str], ...]:
    powers = tuple((float(power), power_of_ten(power)) for power in range(0, decades + 1, 2))
    return (*powers, (decades + NEVER, "∞"))


def _length_lines(chosen: Spectrum, decades: int, context: int, trained: int) -> list[Layer]:
    """Draw the lengths that wavelengths are compared with, with their names below the curves."""
    lengths = [("context", CONTEXT, context, INK)]
    if trained != context:
        lengths.append(("trained", TRAINED, trained, MUTED))
    if chosen.window is not None:
        lengths.append(("window", WINDOW, chosen.window, ORANGE))
    layers: list[Layer] = []
    for row, (name, words, length, color) in enumerate(lengths):
        at = math.log10(length)
        layers.append(Line(name, np.full(2, at), np.array([0.0, 100.0]), color, 1.4, dashed=True))
        said = words.format(n=f"{length:,}")
        layers.append(
            Labels(
                f"{name}_name",
                np.array([at + 0.06]),
                np.array([4.5 + 8 * row]),
                (said.show(between=" "),),
                color,
                NAME_SIZE,
                "left",
            )
        )
    return layers


def _curve(name: str, kind: Spectrum, decades: int, color: str, ink: str, width: float) -> list[Layer]:
    """Draw another kind of layer as a pale line with its name at the end."""
    turning = np.isfinite(kind.waves)
    share = _share(kind.waves)
    if not turning.any():
        return []
    at = np.log10(kind.waves[turning])
    line = Line(name, at, share[turning], color, width)
    end = (float(at[-1]) + 0.1, min(float(share[turning][-1]), 96.0))
    return [line, _words(f"{name}_name", end, kind.name, ink, 7.0, "left")]


def _names_of_points(
    slow: np.ndarray, full: np.ndarray, chosen: Spectrum, decades: int, context: int
) -> list[Layer]:
    """Write what the colours of the points mean beside them."""
    if not chosen.attention:
        return [_words("nothing", (1.2, 50.0), NO_ATTENTION, MUTED, 8.0, "left")]
    if not np.isfinite(chosen.waves).any():
        return [_words("nothing", (decades - 0.15, 50.0), STILL, PURPLE, 8.0, "right")]
    share, at = _share(chosen.waves), _log(chosen.waves, decades)
    found: list[Layer] = []
    for name, which, text, color in (
        ("full_name", full, Text("转满一圈", "a full turn"), GREEN),
        ("slow_name", slow, Text("不满一圈", "less than a turn"), BLUE),
        ("unseen_name", chosen.unseen, Text("没见过的角度", "angles never seen"), VERMILLION),
        ("still_name", ~np.isfinite(chosen.waves), Text("不转", "no turn"), PURPLE),
    ):
        if not which.any():
            continue
        middle = int(np.flatnonzero(which)[which.sum() // 2])
        still = name == "still_name"
        place = (float(at[middle]) + (-0.2 if still else 0.2), float(share[middle]) - (0 if still else 6))
        found.append(_words(name, place, text, color, 8.0, "right" if still else "left"))
    return found


def _scores_panel(chosen: Spectrum, others: Sequence[Spectrum], decades: int, context: int) -> Panel:
    layers: list[Layer] = [Line("zero", np.array([0.0, decades + 2 * NEVER]), np.zeros(2), PALE, 1.0)]
    for number, other in enumerate(others):
        if other.attention:
            layers.append(Line(f"other_{number}", np.log10(other.distances), other.scores, PALE, 1.4))
    layers.append(
        Line("context", np.full(2, math.log10(context)), np.array([-2.0, 2.0]), INK, 1.4, dashed=True)
    )
    if chosen.window is not None:
        at = math.log10(chosen.window)
        layers.append(Line("window", np.full(2, at), np.array([-2.0, 2.0]), ORANGE, 1.4, dashed=True))
        out = Text("看不见", "out of sight")
        layers.append(_words("out", (at + 0.06, 0.8), out, ORANGE, 0.32, "left"))
    if chosen.attention:
        layers.append(Line("scores", np.log10(chosen.distances), chosen.scores, name_color(chosen), 1.8))
    return Panel(
        "scores",
        box=SCORES,
        title=SCORES_TITLE,
        x=Axis(POSITIONS, 0.0, decades + 2 * NEVER, _ticks(decades)),
        y=Axis(NOTHING, -0.5, 1.1, ((0.0, "0"), (0.5, "0.5"), (1.0, "1"))),
        layers=tuple(layers),
    )


def _stack_panel(kinds: Sequence[Spectrum], layers: Sequence[int], layer: int) -> Panel:
    """Draw a row for each layer, the first at the bottom, with its cell in the column of its kind."""
    rows = max(len(layers), FEWEST_ROWS)
    cells = np.full((rows, len(kinds)), np.nan)
    for number, kind in enumerate(layers):
        cells[rows - 1 - number, kind] = CHOSEN if number == layer else OTHERS
    ends = (-0.5, len(kinds) - 0.5)
    between = np.arange(rows - len(layers), rows) - 0.5
    gaps = Line("gaps", np.tile((*ends, np.nan), len(between)), np.repeat(between, 3), PAPER, 1.0)
    here = rectangle(
        "here", ends, (rows - 1.5 - layer, rows - 0.5 - layer), name_color(kinds[layers[layer]]), 2.0
    )
    every = max(1, 5 * math.ceil(len(layers) / 40))
    return Panel(
        "stack",
        box=STACK,
        title=STACK_TITLE,
        x=Axis(
            NOTHING, *ends, tuple((float(i), kind.name.show(between=" ")) for i, kind in enumerate(kinds))
        ),
        y=Axis(
            LAYER,
            rows - 0.5,
            -0.5,
            tuple((float(rows - 1 - number), str(number)) for number in range(0, len(layers), every)),
        ),
        layers=(Heatmap("cells", cells, 0.0, 1.0, "ink"), gaps, here),
    )


def layer_at(y: float, n: int) -> int:
    """Return the layer at ``y`` of the stack of ``n`` layers; the nearest where there is none."""
    return min(max(max(n, FEWEST_ROWS) - 1 - round(y), 0), n - 1)
