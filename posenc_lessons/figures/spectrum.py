"""The pairs of a head by wavelength, the score that results, and which of a model's layers have them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from posenc_lessons.figures.colors import BLUE, ECHO, GREEN, INK, MUTED, ORANGE, PAPER, PURPLE, VERMILLION
from posenc_lessons.figures.scene import (
    Align,
    Arrows,
    Axis,
    Heatmap,
    Labels,
    Layer,
    Line,
    Panel,
    Points,
    Scene,
)
from posenc_lessons.figures.scene_parts import NOTHING, power_of_ten, rectangle, strokes, words_at
from posenc_lessons.figures.theme import LIGHT
from posenc_lessons.language import Text, current

WIDTH, HEIGHT = 770, 454
# Left and right of the panels; dials begin at EDGE, because names of layers do not need room beside them.
EDGE, LEFT, LEFT_OF_BOTH, RIGHT = 18.0, 76.0, 104.0, 752.0
# Top and height of each panel; for the strip, the height of a row.
SPECTRUM, STRIP = (52, 282), (396, 18)
DIALS, A_ROW = 12, 6  # dials shown, and those in a row
RIM, HIGH = 0.42, 2.9  # the radius of a dial and the height of the panel, in steps from dial to dial
GROUPS = (PURPLE, BLUE, GREEN, VERMILLION)  # the colours of the groups of pairs
PALE = "#C9CED6"
LEAST_DECADES = 8  # the length of most models' axis, so that they can be compared
NEVER = 0.55  # pairs that do not turn stand so many decades beyond the end of the axis
FEWEST_LAYERS = 12  # the strip always has room for so many
NAME_SIZE = 13
CHOSEN, OTHERS = 0.85, 0.22  # the cells of layers, from paper (0) to ink (1)

WAVELENGTH = Text("波长，词元", "wavelength, tokens")
DIALS_TITLE = Text("{title}：各对在 {far} 个词元里转多远", "{title}: turns in {far} tokens")
SPECTRUM_TITLE = Text("{title}：一个头里各对的波长", "Pairs of a head by wavelength: {title}")
SPECTRUM_AXIS = Text("从快到慢，%", "fastest first, %")
STRIP_TITLE = Text("第 0 到 {last} 层，点一层", "Layers 0 to {last}: press one")
CONTEXT, TRAINED, WINDOW = Text("上下文", "context"), Text("训练时", "trained"), Text("窗口", "window")
NO_ATTENTION = Text("没有注意力：顺序来自递归", "no attention: order comes from a recurrence")
# The names of GROUPS; dials write whole turns with ×, less than a turn in degrees.
NAMES = (
    Text("不转", "no turn"),
    Text("不满一圈（°）", "less than a turn (°)"),
    Text("满一圈（×）", "turns (×)"),
    Text("没见过的角度", "angles never seen"),
)


@dataclass(frozen=True)
class Spectrum:
    """The pairs of one kind of layer.

    ``waves`` [d/2]: their wavelengths in tokens, fastest first, infinite for a pair that does not turn.
    ``before`` [d/2]: the same before any extension. ``unseen`` [d/2]: which of them reach angles that
    training did not have. ``window``: None for all tokens.
    """

    name: Text
    waves: np.ndarray
    before: np.ndarray
    unseen: np.ndarray
    window: int | None
    attention: bool = True


def spectrum_scene(
    title: Text,
    kinds: Sequence[Spectrum],
    layers: Sequence[int],
    layer: int,
    context: int,
    trained: int,
    plot: bool = False,
) -> Scene:
    """Draw the ``kinds`` of layers of a model; ``layers`` is the kind of each, ``layer`` the chosen one.

    ``context`` is the number of tokens that the model is
    made for, ``trained`` the number before any extension. ``plot``: all pairs by wavelength, not dials.
    """
    chosen = kinds[layers[layer]]
    finite = [wave for kind in kinds for wave in (kind.waves, kind.before)]
    longest = max(float(np.max(wave[np.isfinite(wave)], initial=context)) for wave in finite)
    decades = max(LEAST_DECADES, math.ceil(math.log10(longest) - 1e-9))
    if plot:
        others = [kind for kind in kinds if not np.array_equal(kind.waves, chosen.waves)]
        panels = [_spectrum_panel(title, chosen, others, decades, context, trained)]
    else:
        panels = [_dials_panel(title, chosen, context)]
    panels.append(_strip_panel(kinds, layers, layer))
    return Scene(
        WIDTH,
        HEIGHT,
        tuple(panels),
        alt=Text(
            "{title}，第 {layer} 层（{name}）一个头的 {n} 对：{full} 对的波长不超过看得见的 {far} 个词元，"
            "{slow} 对更长，{still} 对不转。",
            "{title}: the {n} pairs of a head in layer {layer} ({name}). {full} have wavelengths up to the "
            "{far} tokens it sees, {slow} longer ones, {still} do not turn.",
        ).format(
            title=title,
            layer=layer,
            name=chosen.name,
            n=len(chosen.waves),
            far=reach(chosen, context),
            **counts(chosen, context),
        ),
    )


def reach(kind: Spectrum, context: int) -> int:
    """Return how far apart a query and a key can be: the window, or the whole ``context``."""
    return context if kind.window is None else kind.window


def counts(kind: Spectrum, context: int) -> dict[str, int]:
    """Return how many pairs make a ``full`` turn within ``reach``, are too ``slow``, stand ``still``."""
    turns = np.isfinite(kind.waves)
    full = turns & (kind.waves <= reach(kind, context))
    return {"full": int(full.sum()), "slow": int((turns & ~full).sum()), "still": int((~turns).sum())}


def groups(kind: Spectrum, context: int) -> dict[str, np.ndarray]:
    """Return which pairs have which colour, bool [d/2] each; none for a layer without attention."""
    turning = np.isfinite(kind.waves)
    slow = turning & (kind.waves > reach(kind, context)) & ~kind.unseen
    full = turning & ~slow & ~kind.unseen
    still = ~turning & np.full(len(kind.waves), kind.attention)
    return {"still": still, "slow": slow, "full": full, "unseen": kind.unseen}


def _words(name: str, at: tuple[float, float], text: Text, color: str, line: float, align: Align) -> Labels:
    return words_at(name, *at, text, LIGHT.legible(color), NAME_SIZE, -line, align)


def _log(waves: np.ndarray, decades: int) -> np.ndarray:
    return np.where(np.isfinite(waves), np.log10(np.where(np.isfinite(waves), waves, 1.0)), decades + NEVER)


def _share(waves: np.ndarray) -> np.ndarray:
    """Return for each pair how many percent of the pairs are faster, plus half of itself."""
    return 100 * (np.arange(len(waves)) + 0.5) / len(waves)


def _spectrum_panel(
    title: Text, chosen: Spectrum, others: Sequence[Spectrum], decades: int, context: int, trained: int
) -> Panel:
    layers: list[Layer] = [
        Line("no_turn", np.full(2, float(decades)), np.array([0.0, 100.0]), PALE, 1.0),
        *_length_lines(chosen, decades, context, trained),
    ]
    for number, other in enumerate(others):
        layers += _curve(f"other_{number}", other, decades, ECHO, MUTED, 3.0)
    share, at = _share(chosen.waves), _log(chosen.waves, decades)
    if not np.array_equal(chosen.before, chosen.waves):
        trained_pairs = np.isfinite(chosen.before)
        waves = np.log10(chosen.before[trained_pairs])
        layers.append(Line("before", waves, share[trained_pairs], PALE, 4.0))
    turning = np.isfinite(chosen.waves)
    pairs = groups(chosen, context)
    for (name, which), color in zip(pairs.items(), GROUPS, strict=True):
        layers.append(Points(name, at[which], share[which], color, 6))
    if turning.any() and others:
        end = (float(at[turning][-1]) + 0.1, min(float(share[turning][-1]), 96.0))
        layers.append(_words("name", end, chosen.name, INK, 9.0, "left"))
    if not chosen.attention:
        layers.append(_words("nothing", (1.2, 50.0), NO_ATTENTION, MUTED, 9.0, "left"))
    return Panel(
        "spectrum",
        box=_box(*SPECTRUM),
        hero=True,
        title=SPECTRUM_TITLE.format(title=title),
        x=Axis(WAVELENGTH, 0.0, decades + 2 * NEVER, _ticks(decades)),
        y=Axis(SPECTRUM_AXIS, 0.0, 100.0, tuple((float(p), str(p)) for p in (0, 25, 50, 75, 100))),
        layers=tuple(layers),
        legend=_legend(pairs),
    )


def _dials_panel(title: Text, kind: Spectrum, context: int) -> Panel:
    """Draw some pairs, evenly spaced, as dials: how far each turns, clockwise, as far as a query can see."""
    box, n = (EDGE, SPECTRUM[0], RIGHT - EDGE, SPECTRUM[1]), len(kind.waves)
    across = HIGH * box[2] / box[3]  # in dials, so that they stay round
    pairs = np.unique(np.linspace(0, n - 1, DIALS).round().astype(int))  # [dials]
    turns = reach(kind, context) / kind.waves[pairs]  # 0 for a pair that does not turn
    centres = np.stack([np.arange(len(pairs)) % A_ROW, 1.4 * (np.arange(len(pairs)) // A_ROW)], axis=1)
    ends = 2 * np.pi * np.stack([np.minimum(turns, 1), turns % 1])  # [2, dials]: of the arc, of the hand
    arcs = np.linspace(0, 1, 60)

    def around(angles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        points = centres[:, None] + RIM * np.stack([np.sin(angles), -np.cos(angles)], axis=-1)
        return points[..., 0], points[..., 1]

    layers: list[Layer] = []
    if kind.attention:
        x, y = around(np.broadcast_to(2 * np.pi * arcs, (len(pairs), len(arcs))))
        layers.append(strokes("rims", x, y, PALE, 5))
        x, y = around(ends[0][:, None] * arcs)
        tips = np.stack(around(ends[1][:, None]), axis=-1)[:, 0]
        for (name, which), color in zip(groups(kind, context).items(), GROUPS, strict=True):
            chosen = which[pairs]
            layers.append(strokes(name, x[chosen], y[chosen], color, 5))
            layers.append(Arrows(f"{name}_hands", centres[chosen], tips[chosen], color, 2.5))
            words = tuple(_turns_written(turn) for turn in turns[chosen])
            places = centres[chosen, 0], centres[chosen, 1] + 0.68
            layers.append(Labels(f"{name}_turns", *places, words, LIGHT.legible(color), 14))
    else:
        middle = ((A_ROW - 1) / 2, 0.75)
        layers.append(_words("nothing", middle, NO_ATTENTION, MUTED, -0.2, "center"))
    return Panel(
        "dials",
        box=box,
        hero=True,
        title=DIALS_TITLE.format(title=title, far=f"{reach(kind, context):,}"),
        equal=True,
        x=Axis(NOTHING, (A_ROW - 1 - across) / 2, (A_ROW - 1 + across) / 2, ()),
        y=Axis(NOTHING, 0.9 + HIGH / 2, 0.9 - HIGH / 2, ()),
        layers=tuple(layers),
        legend=_legend(groups(kind, context)),
    )


def _turns_written(turns: float) -> str:
    """Write how often a pair turns; below one turn, by how many degrees."""
    if turns < 1:
        return f"{360 * turns:.0f}°" if 360 * turns >= 10 else f"{360 * turns:.2g}°"
    return f"{turns:,.0f}×" if turns >= 10 else f"{turns:.2g}×"


def _ticks(decades: int) -> tuple[tuple[float, str], ...]:
    powers = tuple((float(power), power_of_ten(power)) for power in range(0, decades + 1, 2))
    return (*powers, (decades + NEVER, "∞"))


def _length_lines(chosen: Spectrum, decades: int, context: int, trained: int) -> list[Layer]:
    """Draw lines at the context and the trained length, with their names below the curves."""
    lengths = [("context", CONTEXT, context, INK)]
    if trained != context:
        lengths.append(("trained", TRAINED, trained, MUTED))
    if chosen.window is not None:
        lengths.append(("window", WINDOW, chosen.window, ORANGE))
    layers: list[Layer] = []
    for row, (name, words, length, color) in enumerate(lengths):
        at = math.log10(length)
        layers.append(Line(name, np.full(2, at), np.array([0.0, 100.0]), color, 1.4, dashed=True))
        said = f"{words.show(between=' ')} {length:,}"
        place = (np.array([at + 0.06]), np.array([8.0 + 11 * row]))
        layers.append(Labels(f"{name}_name", *place, (said,), LIGHT.legible(color), NAME_SIZE, "left"))
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


def _legend(pairs: dict[str, np.ndarray]) -> tuple[tuple[Text, str], ...]:
    """Return the names of the groups that have a pair, in their colours."""
    named = zip(pairs.values(), NAMES, GROUPS, strict=True)
    return tuple((name, LIGHT.legible(color)) for which, name, color in named if which.any())


def _box(top: float, height: float) -> tuple[float, float, float, float]:
    left = LEFT_OF_BOTH if current() == "both" else LEFT
    return left, top, RIGHT - left, height


def _strip_panel(kinds: Sequence[Spectrum], layers: Sequence[int], layer: int) -> Panel:
    """Draw a column for each layer, with its cell in the row of its kind."""
    columns = max(len(layers), FEWEST_LAYERS)
    cells = np.full((len(kinds), columns), np.nan)
    for number, kind in enumerate(layers):
        cells[kind, number] = CHOSEN if number == layer else OTHERS
    ends = (len(kinds) - 0.5, -0.5)
    between = np.arange(1, len(layers)) - 0.5
    gaps = strokes("gaps", between[:, None], [ends], PAPER, 1.0)
    here = rectangle("here", (layer - 0.5, layer + 0.5), ends, INK, 2.0)
    top, height = STRIP
    return Panel(
        "strip",
        box=_box(top, height * max(len(kinds), 1.5)),
        title=STRIP_TITLE.format(last=len(layers) - 1),
        x=Axis(NOTHING, -0.5, columns - 0.5, ()),
        y=Axis(
            NOTHING, *ends, tuple((float(n), kind.name.show(between=" ")) for n, kind in enumerate(kinds))
        ),
        layers=(Heatmap("cells", cells, 0.0, 1.0, "ink"), gaps, here),
        words=True,
    )


def layer_at(x: float, n: int) -> int:
    """Return the layer at ``x`` of the strip of ``n`` layers, or the nearest one."""
    return min(max(round(x), 0), n - 1)
