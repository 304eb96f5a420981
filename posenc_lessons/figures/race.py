"""A race between encodings: accuracy against length, or a table of all tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from posenc_lessons.figures.colors import INK, MUTED, PAPER, WRONG
from posenc_lessons.figures.encoding_looks import LOOKS
from posenc_lessons.figures.scene import Axis, End, Heatmap, Layer, Line, Panel, Scene
from posenc_lessons.figures.scene_parts import NOTHING, cell_numbers, rectangle, strokes
from posenc_lessons.figures.theme import LIGHT
from posenc_lessons.figures.ticks import Ticks
from posenc_lessons.language import Text, current

WIDTH, HEIGHT = 720, 360
CURVES_BOX = (52.0, 40.0, 530.0, 272.0)
TABLE_BOX = (140.0, 40.0, 560.0, 280.0)
FIRST = ("sinusoidal", "rotary", "shaw")  # curves that are always lit: they fall, sink and stay
GHOST = "#C6CBD2"  # the other curves, until one is highlighted
BEYOND = "#FBEBEE"  # the ground of lengths that were never trained
STROKES = 40  # lines that fill it


LENGTH = Text("长度（只训练到 {n}）", "length (trained up to {n})")
ACCURACY = Text("准确率", "accuracy")
GUESSING = Text("瞎猜", "guessing")
ORDER_BLIND = Text("不知先后的上限", "order-blind limit")
UNTRAINED = Text("没训练过的长度", "lengths never trained")


@dataclass(frozen=True)
class TaskResults:
    """The results of one task: ``accuracy`` {encoding: [n_seeds, n_lengths]}.

    ``chance`` is the accuracy of always giving the commonest answer; ``order_blind`` [n_lengths] is the best
    accuracy without knowing the order of the tokens, or None.
    """

    name: Text
    accuracy: Mapping[str, np.ndarray]
    chance: float | None = None
    order_blind: np.ndarray | None = None


def race_scene(
    tasks: Sequence[TaskResults],
    encodings: Sequence[str],
    lengths: Sequence[int],
    train_length: int,
    shown: int,
    highlight: str | None = None,
    table: bool = False,
) -> Scene:
    """Draw the curves of ``tasks[shown]``, or a table of all tasks at ``train_length`` and the last length.

    Args:
        tasks: each has a pair of columns in the table.
        encodings: names from ``LOOKS``; each has a row.
        lengths: the tested lengths, rising; ``train_length`` is one of them.
        highlight: the encoding to emphasise. It and those in ``FIRST`` have colours.
        table: whether the table is drawn in place of the curves.
    """
    means = np.full((len(encodings), 2 * len(tasks)), np.nan)
    inside = list(lengths).index(train_length)
    for column, task in enumerate(tasks):
        for row, encoding in enumerate(encodings):
            if encoding in task.accuracy:
                means[row, 2 * column : 2 * column + 2] = task.accuracy[encoding].mean(axis=0)[[inside, -1]]
    names, ends = [task.name for task in tasks], (train_length, lengths[-1])
    if table:
        panel = _table_panel(means, names, encodings, ends, shown, highlight)
    else:
        panel = _curves_panel(tasks[shown], encodings, lengths, train_length, highlight)
    return Scene(
        WIDTH,
        HEIGHT,
        (panel,),
        alt=_alt(tasks[shown], encodings, means[:, 2 * shown : 2 * shown + 2], ends),
    )


def _alt(task: TaskResults, encodings: Sequence[str], means: np.ndarray, ends: tuple[int, int]) -> Text:
    """Describe the picture: the best and the worst beyond the trained length."""
    outcomes = [
        (outside, inside, name)
        for name, (inside, outside) in zip(encodings, means, strict=True)
        if outside >= 0
    ]
    words = Text(
        "各种位置编码在“{task}”上的准确率，横轴是长度，训练过的到 {n} 为止，更长的铺了底色。",
        "Accuracy of each position encoding on “{task}” against length; lengths beyond {n} were never "
        "trained and are shaded.",
    ).format(task=task.name, n=ends[0])
    if not outcomes:
        return words
    (best, best_inside, first), (worst, worst_inside, last) = max(outcomes), min(outcomes)
    return Text(
        "{words}从 {n} 到 {far}，{first} 由 {a:.2f} 变为 {b:.2f}，{last} 由 {c:.2f} 变为 {d:.2f}。",
        "{words} From {n} to {far}, {first} goes from {a:.2f} to {b:.2f}, {last} from {c:.2f} to {d:.2f}.",
    ).format(
        **{"words": words, "n": ends[0], "far": ends[1]},
        **{"first": LOOKS[first].name, "a": best_inside, "b": best},
        **{"last": LOOKS[last].name, "c": worst_inside, "d": worst},
    )


def _curves_panel(
    task: TaskResults,
    encodings: Sequence[str],
    lengths: Sequence[int],
    train_length: int,
    highlight: str | None,
) -> Panel:
    at = np.log2(np.asarray(lengths, dtype=float))  # twice the length is one step further
    here = np.log2(train_length)
    box = _curves_box()
    trained = Line("trained", np.array([here, here]), np.array([-1.0, 2.0]), MUTED, 1, dashed=True)
    layers: list[Layer] = [_ground(float(here), float(at[-1]), box[2] / float(at[-1] - at[0])), trained]
    ends: list[End] = []
    if task.chance is not None:
        layers.append(Line("guessing", at, np.full(len(at), task.chance), MUTED, 1.6, dashed=True))
        ends.append(End(GUESSING, MUTED, task.chance))
    if task.order_blind is not None:
        layers.append(Line("order_blind_line", at, task.order_blind, INK, 1.2, dashed=True))
        ends.append(End(ORDER_BLIND, INK, float(task.order_blind[-1])))
    # The highlighted curve is drawn last, and dashed curves after solid ones, which show in their gaps.
    entrants = [encoding for encoding in encodings if encoding in task.accuracy]
    for encoding in sorted(entrants, key=lambda each: (each == highlight, each in FIRST, LOOKS[each].dashed)):
        look, accuracy, bold = LOOKS[encoding], task.accuracy[encoding], encoding == highlight
        lit = bold or encoding in FIRST
        layers += _curve(encoding, at, accuracy, look.color if lit else GHOST, bold)
        ends.append(
            End(look.name, LIGHT.legible(look.color) if lit else MUTED, float(accuracy[:, -1].mean()))
        )
    return Panel(
        "curves",
        box=box,
        hero=True,
        title=task.name,
        x=Axis(LENGTH.format(n=train_length), at[0] - 0.12, at[-1], length_ticks(lengths)),
        y=Axis(ACCURACY, -0.03, 1.03),
        layers=tuple(layers),
        ends=tuple(ends),
        legend=((UNTRAINED, WRONG),),
    )


def _ground(start: float, end: float, pixels: float) -> Line:
    """Fill the box from ``start`` to ``end`` with upright strokes; a unit of the axis is ``pixels`` wide."""
    width = 1.3 * pixels * (end - start) / STROKES
    at = np.linspace(start + width / pixels / 2, end, STROKES)
    return strokes("beyond", at[:, None], [[0.02, 1.01]], BEYOND, width)


def _curves_box() -> tuple[float, float, float, float]:
    """Return the box of the curves; it is narrower if the names beside it are in both languages."""
    left, top, width, height = CURVES_BOX
    return left, top, width - (126.0 if current() == "both" else 0.0), height


def _curve(encoding: str, at: np.ndarray, accuracy: np.ndarray, color: str, bold: bool) -> list[Layer]:
    """Draw the mean over the seeds; if ``bold``, also a stroke from the worst seed to the best."""
    mean = Line(encoding, at, accuracy.mean(axis=0), color, 3.6 if bold else 2.2, LOOKS[encoding].dashed)
    if not bold:
        return [mean]
    ends = np.stack([accuracy.min(axis=0), accuracy.max(axis=0)], axis=1)
    return [strokes(f"{encoding}_spread", at[:, None], ends, color, 3.0), mean]


def length_ticks(lengths: Sequence[int]) -> Ticks:
    """Return a tick at each length, on an axis of their logarithms to base 2."""
    return tuple((float(np.log2(length)), str(length)) for length in lengths)


def _table_panel(
    means: np.ndarray,
    tasks: Sequence[Text],
    encodings: Sequence[str],
    ends: tuple[int, int],
    shown: int,
    highlight: str | None,
) -> Panel:
    """Draw a row for each encoding, with its colour in front, and a pair of columns for each task."""
    rows, columns = means.shape
    values = np.hstack([np.full((rows, 1), np.nan), means])  # the column of colours is empty
    heatmap = Heatmap("means", values, 0.0, 1.0, "sequential")
    layers: list[Layer] = [heatmap]
    for row, encoding in enumerate(encodings):
        look, ends_at = LOOKS[encoding], np.array([-0.35, 0.4])
        layers.append(Line(f"key_{encoding}", ends_at, np.full(2, float(row)), look.color, 3, look.dashed))
    layers += cell_numbers(heatmap, lambda share: f"{100 * share:.0f}", 12)
    edges = [
        Line(f"edge_{i}", np.full(2, i + 0.5), np.array([-0.5, rows - 0.5]), PAPER, 4)
        for i in range(0, columns, 2)
    ]
    left, right = 2 * shown + 0.5, 2 * shown + 2.5
    layers += [*edges, rectangle("shown", (left, right), (-0.5, rows - 0.5), INK, 2.5)]
    if highlight is not None:
        row = list(encodings).index(highlight)
        layers.append(rectangle("highlight", (-0.5, columns + 0.5), (row - 0.5, row + 0.5), INK, 2.5))
    return Panel(
        "table",
        box=(*TABLE_BOX[:3], TABLE_BOX[3] - (110.0 if current() == "both" else 0.0)),  # for words below
        hero=True,
        title=Text("准确率 %，长度 {n} 和 {far}", "accuracy %, length {n} and {far}").format(
            n=ends[0], far=ends[1]
        ),
        x=Axis(
            NOTHING,
            -0.5,
            columns + 0.5,
            tuple((2 * i + 1.5, name.show()) for i, name in enumerate(tasks)),
        ),
        y=Axis(
            NOTHING,
            rows - 0.5,
            -0.5,
            tuple((float(row), LOOKS[name].name.show()) for row, name in enumerate(encodings)),
        ),
        layers=tuple(layers),
        words=True,
    )
