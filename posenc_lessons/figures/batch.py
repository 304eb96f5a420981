"""A batch of texts: the position of each token, the mask of a row, and how far the outputs move."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from posenc_lessons.figures.colors import BLUE, CHOSEN, GREEN, INK, VERMILLION
from posenc_lessons.figures.scene import Axis, End, Heatmap, Labels, Layer, Line, Panel, Points, Scene, Ticks
from posenc_lessons.figures.scene_parts import NOTHING, power_of_ten, rectangle
from posenc_lessons.figures.theme import LIGHT
from posenc_lessons.language import Text

WIDTH, HEIGHT = 980, 480
LEFT, TOP, ROW = 96, 34, 46  # the strips of tokens
STRIPS_WIDTH = 868
BELOW_TOP, BELOW_HEIGHT = 224, 208
CURVES_LEFT, NAMES = 490, 112  # where the curves begin, and the room for their names at the right
MASK_WIDTH = 300
OWN, WRONGLY = -0.55, 0.6  # shades of a mask, blue and orange
LEAST = -8.0  # smaller powers of ten are drawn as this one
DARKEST = 6.0  # the power of the darkest colour, above all values, so that letters on strips can be read
COLORS = (BLUE, VERMILLION, GREEN)

KEY, QUERY = Text("键", "key"), Text("查询", "query")
LETTER = Text("文本里的第几个字母", "letter of its text")
MOVED = Text("与单独运行相比，移走的概率", "Probability moved, against running alone")


def batch_scene(
    tokens: Sequence[Sequence[str]],
    positions: np.ndarray,
    moved: np.ndarray,
    text: np.ndarray,
    seen: np.ndarray,
    names: Sequence[str],
    row: int,
) -> Scene:
    """Draw rows of ``tokens`` with ``positions`` [B, L] below; ``seen`` bool [L, L] is the mask of ``row``.

    ``text`` [B, L] gives the index in ``names`` of each token's text, −1 for padding. ``moved`` [B, L] is the
    share of probability that changed compared with running the text by itself, 0 to 1, NaN without an answer.
    """
    powers = np.log10(np.maximum(moved, 10**LEAST))
    panels = (
        _strips(tokens, positions, powers, text, row),
        _mask(tokens[row], text[row], seen),
        _curves(powers, text, names),
    )
    most = float(np.nanmax(moved)) if not np.isnan(moved).all() else 0.0
    return Scene(
        WIDTH,
        HEIGHT,
        panels,
        alt=Text(
            "{n} 行词元，每个词元下面是它的位置；第 {row} 行的掩码；"
            "每个词元的输出与单独运行相差多少（最大 {most}）。",
            "{n} rows of tokens, with its position under each; the mask of row {row}; how far each token's "
            "output is from the same text run alone (at most {most}).",
        ).format(n=len(tokens), row=row + 1, most=f"{max(most, 10**LEAST):.2g}".replace("-", "−")),
    )


def _strips(
    tokens: Sequence[Sequence[str]],
    positions: np.ndarray,
    powers: np.ndarray,
    text: np.ndarray,
    row: int,
) -> Panel:
    n_rows, length = positions.shape
    rows, columns = np.indices(positions.shape).reshape(2, -1).astype(float)
    flat_text = text.ravel()
    letters = tuple(token for line in tokens for token in line)
    integers = tuple(
        str(int(p)) if of >= 0 else "" for p, of in zip(positions.ravel(), flat_text, strict=True)
    )
    layers: list[Layer] = [
        Heatmap("moved", powers, LEAST, DARKEST, "sequential"),
        Labels("letters", columns, rows - 0.18, letters, INK, 15),
        Labels("positions", columns, rows + 0.27, integers, INK, 12),
    ]
    if n_rows > 1:
        layers.append(rectangle("row", (-0.5, length - 0.5), (row - 0.47, row + 0.47), CHOSEN, 1.6))
    height = ROW * n_rows
    labels: Ticks = ()
    if n_rows > 1:
        labels = tuple((float(number), str(number + 1)) for number in range(n_rows))
    return Panel(
        "tokens",
        box=(LEFT, TOP + (ROW * 3 - height) / 2, STRIPS_WIDTH, height),
        title=Text(
            "词元，下面是位置；颜色越深，输出离单独运行越远",
            "Tokens above their positions; darker: farther from the text run alone",
        ),
        x=Axis(NOTHING, -0.5, length - 0.5, ()),
        y=Axis(Text("行", "row") if n_rows > 1 else NOTHING, n_rows - 0.5, -0.5, labels),
        layers=tuple(layers),
    )


def _mask(tokens: Sequence[str], text: np.ndarray, seen: np.ndarray) -> Panel:
    """Draw the mask: blue where a token sees its own text, orange where it sees padding or another text."""
    length = len(tokens)
    foreign = (text[:, None] != text[None, :]) | (text[None, :] < 0)
    shades = np.where(seen, np.where(foreign & ~np.eye(length, dtype=bool), WRONGLY, OWN), 0.0)
    shades[text < 0] = 0.0  # nobody reads the outputs at padding
    every = 1 if length <= 18 else 3
    ticks = tuple((float(at), token) for at, token in enumerate(tokens) if at % every == 0)
    return Panel(
        "mask",
        box=(LEFT, BELOW_TOP, MASK_WIDTH, BELOW_HEIGHT),
        title=Text("掩码", "Mask"),
        legend=((Text("看见", "seen"), BLUE), (Text("不该看见", "wrongly seen"), LIGHT.legible(VERMILLION))),
        x=Axis(KEY, -0.5, length - 0.5, ticks),
        y=Axis(QUERY, length - 0.5, -0.5, ticks if length <= 18 else ()),
        layers=(Heatmap("seen", shades, -1, 1, "diverging"),),
    )


def _curves(powers: np.ndarray, text: np.ndarray, names: Sequence[str]) -> Panel:
    layers: list[Layer] = []
    ends: list[End] = []
    longest = max(len(name) for name in names)
    for number in range(len(names)):
        y = powers[text == number][1:]  # without the start token
        x = np.arange(1.0, len(y) + 1)
        layers.append(Line(f"line_{number}", x, y, COLORS[number], 1.2))
        layers.append(Points(f"points_{number}", x, y, COLORS[number], 6))
        ends.append(End(Text(names[number], names[number]), COLORS[number], float(y[-1])))
    ticks = tuple((float(p), power_of_ten(p)) for p in range(-8, 1, 2))
    return Panel(
        "moved",
        box=(CURVES_LEFT, BELOW_TOP, WIDTH - CURVES_LEFT - NAMES, BELOW_HEIGHT),
        title=MOVED,
        x=Axis(LETTER, 0.5, longest + 0.5, whole=True),
        y=Axis(NOTHING, LEAST - 0.5, 0.0, ticks),
        layers=tuple(layers),
        ends=tuple(ends),
    )
