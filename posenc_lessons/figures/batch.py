"""A batch of texts: the position of each token, the mask of a row, and how far the outputs move."""

from collections.abc import Sequence

import numpy as np

from posenc_lessons.figures.colors import BLUE, CHOSEN, INK, MUTED, WRONG
from posenc_lessons.figures.scene import Axis, Heatmap, Labels, Layer, Panel, Points, Scene, Ticks
from posenc_lessons.figures.scene_parts import NOTHING, rectangle
from posenc_lessons.language import Text, current

WIDTH, HEIGHT = 816, 370
TOP = 52
STRIPS = (80, 506)  # the left end and width of the rows of tokens; in both languages their names take more
ROW, LETTER, INTEGER = 92, 26, 16  # the height of a row, and the sizes of its letters and integers
LETTERS_AT, HERE_AT, ALONE_AT = -0.28, 0.09, 0.34  # places in a row, whose height is 1; room for larger type
MASK = (646, 160)  # the left end of the mask, and its side
SEEN = -0.55  # the shade of a mask
DOT = 0.4  # the size of a dot in a cell of a mask, as a share of the cell
LEAST = -2.0  # smaller powers of ten have no colour
DARKEST = 2.5  # the power of the darkest colour, above all values, so that letters on strips can be read

PADDING, BEGIN = Text("· 填充", "· padding"), Text("^ 开头", "^ start")
HERE, ALONE = Text("位置", "position"), Text("正确位置", "correct")
CHANGED = Text("橙色：放进一批后，答案变了", "orange: the batch changes the answer")
SAME = Text("没有橙色：答案都和单独运行一样", "no orange: every answer is as when run alone")
KEY, QUERY = Text("键", "key"), Text("查询", "query")


def batch_scene(
    tokens: Sequence[Sequence[str]],
    positions: np.ndarray,
    moved: np.ndarray,
    text: np.ndarray,
    seen: np.ndarray,
    row: int,
) -> Scene:
    """Draw rows of ``tokens`` with ``positions`` [B, L] below; ``seen`` bool [L, L] is the mask of ``row``.

    ``text`` [B, L] gives the index of each token's text, −1 for padding. ``moved`` [B, L] is the
    share of probability that changed compared with running the text by itself, 0 to 1, NaN without an answer.
    """
    powers = np.log10(np.maximum(moved, 10**LEAST))
    panels = (
        _strips(tokens, positions, powers, text, row),
        _mask(tokens[row], text[row], seen),
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
        ).format(n=len(tokens), row=row + 1, most=f"{max(most, 1e-8):.2g}".replace("-", "−")),
    )


def _strips(
    tokens: Sequence[Sequence[str]],
    positions: np.ndarray,
    powers: np.ndarray,
    text: np.ndarray,
    row: int,
) -> Panel:
    n_rows, length = positions.shape
    left = STRIPS[0] + (34 if current() == "both" else 0)
    across = STRIPS[0] + STRIPS[1] - left
    # [B, L]: how many tokens of the same text stand before each
    own = np.tril(text[:, :, None] == text[:, None, :], -1).sum(axis=2)
    wrong = (positions != own) & (text >= 0)
    rows, columns = np.indices(positions.shape).reshape(2, -1).astype(float)
    letters = tuple(token for line in tokens for token in line)
    layers: list[Layer] = [
        Heatmap("moved", powers - LEAST, LEAST - DARKEST, DARKEST - LEAST, "diverging"),
        Labels("letters", columns, rows + LETTERS_AT, letters, INK, min(LETTER, across / length)),
    ]
    for name, values, which, off, color in (
        ("positions", positions, (text >= 0) & ~wrong, HERE_AT, INK),
        ("wrong", positions, wrong, HERE_AT, WRONG),
        ("own", own, wrong, ALONE_AT, INK),
    ):
        row_at, column_at = np.nonzero(which)
        integers = tuple(str(int(value)) for value in values[which])
        size = min(INTEGER, 0.66 * across / length)
        layers.append(Labels(name, column_at.astype(float), row_at + off, integers, color, size))
    if n_rows > 1:
        layers.append(rectangle("row", (-0.5, length - 0.5), (row - 0.47, row + 0.47), CHOSEN, 1.6))
    labels: Ticks = ()
    for number in range(n_rows):
        names = [(number + LETTERS_AT, str(number + 1))] if n_rows > 1 else []
        names += [(number + HERE_AT, HERE.show(between=" "))]
        names += [(number + ALONE_AT, ALONE.show(between=" "))] if wrong[number].any() else []
        labels += tuple(names)
    return Panel(
        "tokens",
        box=(left, TOP, across, ROW * n_rows),
        hero=True,
        title=CHANGED if np.nanmax(powers, initial=LEAST) > LEAST else SAME,
        legend=((PADDING, MUTED),) * bool((text < 0).any()) + ((BEGIN, MUTED),),
        x=Axis(NOTHING, -0.5, length - 0.5, ()),
        y=Axis(NOTHING, n_rows - 0.5, -0.5, labels),
        layers=tuple(layers),
        words=True,
    )


def _mask(tokens: Sequence[str], text: np.ndarray, seen: np.ndarray) -> Panel:
    """Draw the mask: blue where a token sees, with a dot where it sees padding or another text."""
    length = len(tokens)
    foreign = (text[:, None] != text[None, :]) | (text[None, :] < 0)
    reads = seen & (text[:, None] >= 0)  # nobody reads the outputs at padding
    rows, columns = np.nonzero(reads & foreign & ~np.eye(length, dtype=bool))
    every = 1 if length <= 18 else 3
    ticks = tuple((float(at), token) for at, token in enumerate(tokens) if at % every == 0)
    size = DOT * MASK[1] / length
    one_language = current() != "both"  # in two there is no room for the first name
    return Panel(
        "mask",
        box=(MASK[0], TOP, MASK[1], MASK[1]),
        title=Text("掩码", "Mask"),
        legend=((Text("看见", "seen"), BLUE),) * one_language
        + ((Text("• 该遮住", "• must be hidden"), WRONG),),
        x=Axis(KEY, -0.5, length - 0.5, ticks),
        y=Axis(QUERY, length - 0.5, -0.5, ticks if length <= 18 else ()),
        layers=(
            Heatmap("seen", np.where(reads, SEEN, 0.0), -1, 1, "diverging"),
            *([Points("foreign", columns.astype(float), rows.astype(float), WRONG, size)] * (len(rows) > 0)),
        ),
    )
