"""Scores of one patch of a picture with all others, as a heat map over the picture's grid."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from posenc_lessons.figures.colors import BLUE, CHOSEN, GREEN, MUTED, ORANGE, PAPER, WRONG
from posenc_lessons.figures.scene import Axis, Heatmap, Layer, Line, Panel, Points, Scene
from posenc_lessons.figures.scene_parts import NOTHING, color_key, rectangle, strokes
from posenc_lessons.figures.sunset import COLORS, LAST, lit
from posenc_lessons.figures.ticks import Ticks
from posenc_lessons.language import Text

WIDTH, HEIGHT = 772, 470
ALONG_ROW, ALONG_COLUMN, ALONG_TIME = BLUE, GREEN, ORANGE
PALE_BLUE, PALE_GREEN = "#A9CDE6", "#9FD6C4"
SIDE, SMALL = 394.0, 192.0  # CSS pixels of the picture and of the maps
LEFT, LOWER = 512.0, 270.0  # of the small panels, and of their second row

Names = tuple[tuple[str, ...], tuple[str, ...]]
Piece = tuple[float, float, float, float]  # of a line: x and y of both ends


@dataclass(frozen=True)
class PatchScores:
    """The scores of the patch at ``row`` and ``column`` with all patches of a picture, and their parts.

    ``scores`` [side, side], drawn from ``low`` to ``high``; NaN stays empty.
    ``met`` [side, side] says which patches' differences training had; a dashed line surrounds them.
    ``names`` stand beside rows and below columns. The picture's first patch is at (``shift``, ``shift``).
    ``along_time`` [frames] are the patch's scores with itself in all frames; ``scores`` are with ``frame``.
    ``trained`` are the scores of the patch ``trained_at`` in a picture of the trained size.
    """

    scores: np.ndarray
    met: np.ndarray
    row: int
    column: int
    shift: int
    frame: int
    names: Names
    low: float
    high: float
    along_time: np.ndarray | None
    trained: np.ndarray | None
    trained_at: tuple[int, int]

    @property
    def place(self) -> tuple[int, int]:
        """Return the row and the column of the patch."""
        return self.row, self.column


def grid_scene(patch: PatchScores) -> Scene:
    """Draw the picture, and the scores as a heat map and as curves."""
    side, low, high = len(patch.scores), patch.low, patch.high
    return Scene(
        WIDTH,
        HEIGHT,
        (
            _scores_panel(patch),
            color_key("key", (LEFT + SMALL + 36, 34, 12, SMALL), (low, high), "sequential"),
            _picture_panel(patch),
            _steps_panel(patch),
        ),
        alt=Text(
            "第 {row} 行第 {column} 列的图块与 {n} × {n} 个图块的分数热图，从 {low:.2f} 到 {high:.2f}；"
            "一幅小画，画着湖上的帆船，这一块框了出来；分数沿这一行和这一列的曲线。",
            "Heat map of the scores of the patch at row {row}, column {column} with {n} × {n} patches, from "
            "{low:.2f} to {high:.2f}; a small picture of a sailing boat with this patch marked; the "
            "scores along the row and the column.",
        ).format(row=patch.row, column=patch.column, n=side, low=low, high=high),
    )


def _scores_panel(patch: PatchScores) -> Panel:
    side = len(patch.scores)
    return Panel(
        "scores",
        box=(LEFT, 34, SMALL, SMALL),
        title=Text("和每一块的分数", "score with each patch"),
        equal=True,
        x=Axis(NOTHING, -0.5, side - 0.5, ()),
        y=Axis(NOTHING, side - 0.5, -0.5, ()),
        layers=(
            Heatmap("scores", patch.scores, patch.low, patch.high, "sequential", within=_edges(side)),
            Line("met", *_outline(patch.met), WRONG, 1.6, dashed=True),
            *_mark(patch.place, 2.0, dot=patch.frame > 0),
        ),
    )


def _thinned(names: Sequence[str], shift: int) -> Ticks:
    """Return ticks for all ``names``, or for every second one if there is too little room."""
    ticks = tuple((float(at + shift), name) for at, name in enumerate(names))
    return ticks[:: 1 if len(ticks) <= 12 else 2]


def _picture_panel(patch: PatchScores) -> Panel:
    """Return the picture, lit by the scores, with its first patch at (``shift``, ``shift``)."""
    side, shift, (row, column) = len(patch.scores), patch.shift, patch.place
    first, last = shift - 0.5, shift + side - 0.5
    share = np.clip((patch.scores - patch.low) / (patch.high - patch.low), 0, 1)
    x, y = _outline(patch.met)
    layers: list[Layer] = [
        Heatmap("picture", lit(share**1.7), 0, LAST, COLORS, within=(first, first, last, last)),
        _cuts("cuts", side, first, PAPER, 0.8),
        Line("met", x + shift, y + shift, WRONG, 2.2, dashed=True),
        *_mark((row + shift, column + shift), 3.5, dot=patch.frame > 0),
    ]
    if shift:
        corner = np.array([0.0, 0.0, shift - 0.5]) - 0.5
        layers.insert(0, Line("corner", corner[[2, 0, 0]], corner[[0, 0, 2]], MUTED, 1.2))
    return Panel(
        "picture",
        box=(56, 34, SIDE, SIDE),
        title=Text("越亮，分数越高", "brighter: a higher score with the framed patch"),
        hero=True,
        equal=True,
        x=Axis(Text("列", "column"), -0.5, last, _thinned(patch.names[1], shift)),
        y=Axis(Text("行", "row"), last, -0.5, _thinned(patch.names[0], shift)),
        layers=tuple(layers),
    )


def _steps_panel(patch: PatchScores) -> Panel:
    """Return the scores against steps from the patch, with those in a picture of the trained size dashed."""
    scores = patch.scores
    layers: list[Layer] = []
    reach = len(scores) - 1
    if patch.trained is not None:
        trained = _steps(patch.trained, patch.trained_at)
        layers += [
            Line(f"trained_{name}", *steps, color, 2.0, dashed=True)
            for (name, steps), color in zip(trained.items(), (PALE_BLUE, PALE_GREEN), strict=True)
        ]
        reach = max(reach, len(patch.trained) - 1)
    # The row's line is wide, the column's thin on a white one, so that both can be seen where they agree.
    along = _steps(scores, patch.place)
    layers += [
        Line("row", *along["row"], ALONG_ROW, 6.5),
        Line("between", *along["column"], PAPER, 4.0),
        Line("column", *along["column"], ALONG_COLUMN, 2.0),
    ]
    legend = [(Text("行", "row"), ALONG_ROW), (Text("列", "column"), ALONG_COLUMN)]
    at = [0.0]
    if patch.along_time is not None:
        frames = np.arange(float(len(patch.along_time)))
        layers.append(Line("time", frames, patch.along_time, ALONG_TIME, 2.0))
        legend.append((Text("时间", "time"), ALONG_TIME))
        at.append(float(patch.frame))
    layers.append(Points("here", np.array(at), np.full(len(at), scores[patch.place]), CHOSEN, 9))
    margin = 0.06 * (patch.high - patch.low)
    return Panel(
        "steps",
        box=(LEFT, LOWER, SMALL + 46, 158),
        title=Text("分数随步数", "score by steps"),
        x=Axis(Text("离它几步", "steps away"), -float(reach) - 0.3, float(reach) + 0.3, whole=True),
        y=Axis(NOTHING, patch.low - margin, patch.high + margin),
        layers=tuple(layers),
        legend=tuple(legend),
    )


def _steps(scores: np.ndarray, here: tuple[int, int]) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return steps and scores along the row of the patch, and along its column."""
    row, column = here
    at = np.arange(float(len(scores)))
    return {"row": (at - column, scores[row]), "column": (at - row, scores[:, column])}


def _edges(side: int) -> tuple[float, float, float, float]:
    return -0.5, -0.5, side - 0.5, side - 0.5


def _cuts(name: str, side: int, first: float, color: str, width: float) -> Line:
    """Return the lines between ``side`` × ``side`` patches whose outer edges begin at ``first``."""
    cuts = np.repeat(np.arange(1, side)[:, None] + first, 2, axis=1)
    ends = np.broadcast_to([first, first + side], cuts.shape)
    return strokes(name, np.concatenate([ends, cuts]), np.concatenate([cuts, ends]), color, width)


def _mark(here: tuple[int, int], width: float, dot: bool = False) -> list[Layer]:
    """Return a frame round a patch, or a ``dot`` for the same place in another frame of a video."""
    row, column = here
    if dot:
        return [Points("chosen", np.array([float(column)]), np.array([float(row)]), CHOSEN, 12)]
    sides = (column - 0.5, column + 0.5), (row - 0.5, row + 0.5)
    return [
        rectangle("halo", *sides, PAPER, width + 2.5),
        rectangle("chosen", *sides, CHOSEN, width),
    ]


def _outline(inside: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return x and y of the line between True and False in ``inside`` [side, side]; NaN between pieces."""
    pieces = [*_upright(inside), *((y0, x0, y1, x1) for x0, y0, x1, y1 in _upright(inside.T))]
    gap = math.nan
    ends = np.array([[(x0, y0), (x1, y1), (gap, gap)] for x0, y0, x1, y1 in pieces] or [[(gap, gap)]])
    x, y = ends.reshape(-1, 2).T
    return x, y


def _upright(inside: np.ndarray) -> list[Piece]:
    """Return the pieces between columns, as long as possible, so that dashes are not interrupted."""
    pieces: list[Piece] = []
    for column, row in np.argwhere((inside[:, 1:] != inside[:, :-1]).T):
        x, top, bottom = column + 0.5, row - 0.5, row + 0.5
        if pieces and pieces[-1][2:] == (x, top):
            pieces[-1] = (*pieces[-1][:3], bottom)
        else:
            pieces.append((x, top, x, bottom))
    return pieces
