"""A learned table at one step of its training: its rows, their similarity, and the accuracy at each."""

import numpy as np

from posenc_lessons.figures.axis_names import FEATURE
from posenc_lessons.figures.colors import BLUE, CHOSEN, INK, MUTED, RESULT, WRONG
from posenc_lessons.figures.scene import Axis, ColorBar, End, Heatmap, Labels, Line, Panel, Points, Scene
from posenc_lessons.language import Text

WIDTH, HEIGHT = 996, 436
STRONGEST = 0.6  # the value with the strongest colour; few numbers of a table are larger

ROW = Text("行（位置）", "row (position)")
NEVER, NO_ROWS = Text("没训练过", "never trained"), Text("表到头了", "the table has ended")


def learned_rows_scene(
    table: np.ndarray,
    similarity: np.ndarray,
    accuracy: np.ndarray,
    guessing: float,
    trained: int,
    position: int,
    shown: int,
) -> Scene:
    """Draw ``table`` [rows, d_model] as a heatmap with room for ``shown`` rows and a line below ``trained``.

    ``similarity`` [rows] is the cosine of row ``position`` with every row, NaN if that row does not exist.
    ``accuracy`` [rows] is the share of right answers at each position, NaN at positions without an answer;
    ``guessing`` is the accuracy of a guess.
    """
    return Scene(
        WIDTH,
        HEIGHT,
        (
            _table_panel(table, trained, position, shown),
            _similarity_panel(similarity, trained, position, shown),
            _accuracy_panel(accuracy, guessing, trained, position, shown),
        ),
        alt=Text(
            "可学习的表，{rows} 行、{columns} 列，训练只用到前 {trained} 行；光标在位置 {position}；"
            "这一行与其他行的相似度；每个位置的准确率。",
            "A learned table of {rows} rows and {columns} columns, of which training used the first "
            "{trained}; the cursor at position {position}; how like the others its row is; accuracy at every "
            "position.",
        ).format(rows=len(table), columns=table.shape[1], trained=trained, position=position),
    )


def _table_panel(table: np.ndarray, trained: int, position: int, shown: int) -> Panel:
    ends = (-0.5, table.shape[1] - 0.5)
    words = NEVER.show(between=" "), NO_ROWS.show(between=" ")
    middles = np.array([(trained + len(table)) / 2, (len(table) + shown) / 2]) - 0.5
    middles += np.where(np.abs(middles - position) < 3, 4.0, 0.0)  # where the cursor does not cross them
    with_room = np.pad(table, ((0, shown - len(table)), (0, 0)), constant_values=np.nan)
    return Panel(
        "table",
        box=(64, 44, 380, 344),
        title=Text("表：每行是一个位置的向量", "the table: each row is a position’s vector"),
        x=Axis(FEATURE, *ends, whole=True),
        y=Axis(ROW, shown - 0.5, -0.5, whole=True),
        layers=(
            Heatmap("rows", with_room, -STRONGEST, STRONGEST, "diverging"),
            Line("trained", np.array(ends), np.full(2, trained - 0.5), WRONG, 2, dashed=True),
            Line("end", np.array(ends), np.full(2, len(table) - 0.5), INK, 1.6),
            Line("cursor", np.array(ends), np.full(2, float(position)), CHOSEN, 2),
            Labels("names", np.full(2, sum(ends) / 2), middles, words, WRONG, 16),
        ),
        color_bar=ColorBar("diverging", -STRONGEST, STRONGEST),
    )


def _similarity_panel(similarity: np.ndarray, trained: int, position: int, shown: int) -> Panel:
    rows = np.arange(len(similarity), dtype=float)
    here = similarity[position : position + 1]
    return Panel(
        "similarity",
        box=(576, 44, 316, 136),
        title=Text("第 {row} 行和各行的相似度", "row {row} against every row").format(row=position),
        x=Axis(ROW, -0.5, shown - 0.5, whole=True),
        y=Axis(Text("余弦相似度", "cosine similarity"), -1.1, 1.1),
        layers=(
            Line("trained", np.full(2, trained - 0.5), np.array([-1.1, 1.1]), WRONG, 2, dashed=True),
            Line("curve", rows, similarity, RESULT),
            Points("self", rows[position : position + 1], here, CHOSEN),
        ),
    )


def _accuracy_panel(accuracy: np.ndarray, guessing: float, trained: int, position: int, shown: int) -> Panel:
    rows = np.arange(len(accuracy), dtype=float)
    ends = (-0.5, shown - 0.5)
    return Panel(
        "accuracy",
        box=(576, 256, 316, 132),
        title=Text("每个位置答对多少", "right answers at each position"),
        x=Axis(ROW, *ends, whole=True),
        y=Axis(Text("准确率", "accuracy"), -0.05, 1.05),
        layers=(
            Line("trained", np.full(2, trained - 0.5), np.array([-0.05, 1.05]), WRONG, 2, dashed=True),
            Line("guessing", np.array(ends), np.full(2, guessing), MUTED, 1.4, dashed=True),
            Points("accuracy", rows, accuracy, BLUE, 6),
            Points("here", rows[position : position + 1], accuracy[position : position + 1], CHOSEN, 9),
        ),
        ends=(End(Text("瞎猜", "guessing"), MUTED, guessing),),
    )
