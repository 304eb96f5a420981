"""A race between encodings: accuracy against length."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from posenc_lessons.figures.colors import INK, MUTED, WRONG
from posenc_lessons.figures.encoding_looks import LOOKS
from posenc_lessons.figures.scene import Axis, End, Labels, Layer, Line, Panel, Scene
from posenc_lessons.figures.scene_parts import strokes
from posenc_lessons.figures.theme import LIGHT
from posenc_lessons.figures.ticks import Ticks
from posenc_lessons.language import Text, current

WIDTH, HEIGHT = 720, 360
CURVES_BOX = (52.0, 40.0, 530.0, 272.0)
FIRST = ("sinusoidal", "rotary", "shaw")  # curves that are always lit: they fall, sink and stay
GHOST = "#C6CBD2"  # the other curves, until one is highlighted
BEYOND = "#FBEBEE"  # the ground of lengths that were never trained
STROKES = 40  # lines that fill it

LENGTH = Text("长度（只训练到 {n}）", "length (trained up to {n})")
ACCURACY = Text("准确率", "accuracy")
GUESSING = Text("瞎猜", "guessing")
ORDER_BLIND = Text("不知先后的上限", "order-blind limit")
QUESTION = Text("{task}：文本变长，谁还做得对？", "{task}: who is right on longer texts?")
SEEN, UNSEEN = Text("训练过", "trained"), Text("没训练过", "never trained")
TOP = 1.14  # of the axis, with room for these words above the curves


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
) -> Scene:
    """Draw the curves of ``tasks[shown]`` for ``encodings``, names from ``LOOKS``.

    ``lengths`` are those tested, rising; ``train_length`` is one of them. The encoding ``highlight`` and
    those in ``FIRST`` have colours.
    """
    task = tasks[shown]
    inside = list(lengths).index(train_length)
    outcomes = [(*task.accuracy[name].mean(axis=0)[[-1, inside]].tolist(), name) for name in encodings]
    return Scene(
        WIDTH,
        HEIGHT,
        (_curves_panel(task, encodings, lengths, train_length, highlight),),
        alt=_alt(task.name, outcomes, (train_length, lengths[-1])),
    )


def _alt(task: Text, outcomes: Sequence[tuple[float, float, str]], ends: tuple[int, int]) -> Text:
    """Describe the picture; ``outcomes`` are accuracy beyond training, accuracy within, and encoding."""
    words = Text(
        "各种位置编码在“{task}”上的准确率，横轴是长度，训练过的到 {n} 为止，更长的铺了底色。",
        "Accuracy of each position encoding on “{task}” against length; lengths beyond {n} were never "
        "trained and are shaded.",
    ).format(task=task, n=ends[0])
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
    doubled = [length for length in lengths if math.log2(length / train_length).is_integer()]
    # In two languages names beside the curves take more room, and there is none for words inside the box.
    both = current() == "both"
    left, top, width, height = CURVES_BOX
    box = (left, top, width - 126.0 if both else width, height)
    layers: list[Layer] = [_ground(float(here), float(at[-1]), box[2] / float(at[-1] - at[0]))]
    parts = [(UNSEEN, here, at[-1], WRONG), (SEEN, at[0] - 0.12, here, MUTED)]
    for words, start, end, color in () if both else parts:
        middle = np.array([(start + end) / 2]), np.array([0.5 * (1.01 + TOP)])
        layers.append(Labels(words.en, *middle, (words.show(between=" "),), color, 13))
    ends: list[End] = []
    if task.chance is not None:
        layers.append(Line("guessing", at, np.full(len(at), task.chance), MUTED, 1.6, dashed=True))
        ends.append(End(GUESSING, MUTED, task.chance))
    if task.order_blind is not None:
        layers.append(Line("order_blind_line", at, task.order_blind, INK, 1.2, dashed=True))
        ends.append(End(ORDER_BLIND, INK, float(task.order_blind[-1])))
    # The highlighted curve is drawn last, and dashed curves after solid ones, which show in their gaps.
    for encoding in sorted(
        encodings, key=lambda each: (each == highlight, each in FIRST, LOOKS[each].dashed)
    ):
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
        title=task.name if both else QUESTION.format(task=task.name),
        x=Axis(LENGTH.format(n=train_length), at[0] - 0.12, at[-1], length_ticks(doubled)),
        y=Axis(ACCURACY, -0.03, TOP, tuple((tenth / 10, f"{tenth / 10}") for tenth in range(0, 11, 2))),
        layers=tuple(layers),
        ends=tuple(ends),
        legend=((UNSEEN, WRONG),) if both else (),
    )


def _ground(start: float, end: float, pixels: float) -> Line:
    """Fill the box from ``start`` to ``end`` with upright strokes; a unit of the axis is ``pixels`` wide."""
    width = 1.3 * pixels * (end - start) / STROKES
    at = np.linspace(start + width / pixels / 2, end, STROKES)
    return strokes("beyond", at[:, None], [[0.02, TOP - 0.02]], BEYOND, width)


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
