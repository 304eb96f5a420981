"""Three exercises of lesson 09: keys of a sliding cache, a learned sink, the base in a configuration."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from posenc_lessons.exercises.exercise import CHANGED, Answer, Exercise, Question
from posenc_lessons.exercises.reading import one_number, random_numbers
from posenc_lessons.exercises.solutions import whose_position as solutions
from posenc_lessons.language import Text

# ---- how much further kept keys are turned --------------------------------------------------------

TURN_FURTHER = Exercise(
    solutions.turn_further,
    questions=(
        (torch.tensor([3, 7, 8, 9, 10, 11, 12]), 2, 3),  # positions that do not begin at 0
        (torch.arange(8), 1, 4),
        (torch.arange(10), 2, 3),
        (torch.tensor([0, 4, 5, 6, 7, 8]), 1, 4),
        (torch.arange(6), 0, 3),
        (torch.arange(3), 1, 2),
    ),
    praise=Text(
        "对。再转“新减旧”这么多：开头的不动，后面的往回转。",
        "Right. Turn on by new minus old: the first stay, the later ones are turned back.",
    ),
    changed=CHANGED,
)

TURN_FURTHER.mistake(
    "符号反了：旧位置大，新位置小，要往回转，是负数。",
    "The wrong sign: old positions are larger than new ones, so it is a turn back, a negative number.",
)(lambda positions, first, latest: -solutions.turn_further(positions, first, latest))
TURN_FURTHER.mistake(
    "你给的是新位置本身。键已经按旧位置转过了，只要再转两者之差。",
    "Those are the new positions themselves. The keys have been turned by the old ones: only the difference "
    "is left to do.",
)(lambda positions, first, latest: torch.arange(first + latest))
TURN_FURTHER.mistake(
    "一点没转：旧键还停在旧位置上，和新的计数对不上。",
    "Nothing is turned: the old keys stay where they were and do not fit the new count.",
)(lambda positions, first, latest: torch.zeros(first + latest, dtype=torch.long))
TURN_FURTHER.mistake(
    "开头那几个也转了：它们的位置没有变，应当是 0。",
    "The first ones are turned as well: their positions have not changed, so 0.",
)(lambda *given: solutions.turn_further(*given)[-1:].expand(given[1] + given[2]))
TURN_FURTHER.mistake(
    "后面的键又从 0 数了，和开头留下的撞在一起。它们接在开头的后面。",
    "The later keys were counted from 0 and collide with the first ones. They come after those.",
)(
    lambda positions, first, latest: (
        solutions.turn_further(positions, first, latest) - first * (torch.arange(first + latest) >= first)
    )
)
TURN_FURTHER.mistake(
    "留下的是最前面的 first + latest 个：应当是开头 first 个，和最近 latest 个。",
    "Yours keeps the first first + latest of them: keep the first and the latest.",
)(lambda positions, first, latest: torch.arange(first + latest) - positions[: first + latest])
TURN_FURTHER.mistake(
    "你按扔掉了几个来转。要看每个键现在在哪里：positions 也许早就编过号，也不一定从 0 开始。",
    "You rotate by how many were dropped. It depends on where each key stands now: positions may have been "
    "counted again before, and need not begin at 0.",
)(
    lambda positions, first, latest: torch.cat(
        [torch.zeros(first), torch.full((latest,), float(first + latest - len(positions)))]
    )
)


# ---- a learned sink -------------------------------------------------------------------------------

OVERFLOWS = Text(
    "分数大到 200 时出了 NaN：float32 的 e^200 是无穷大。让 softmax 来做，或者先减去最大的分数。",
    "At scores of 200 there is NaN: in float32 e^200 is infinite. Leave it to softmax, or subtract the "
    "largest score first.",
)

WITH_SINK = Exercise(
    solutions.with_sink,
    questions=(
        (random_numbers(2, 3, 4), torch.tensor([0.5, -1.0])),
        (random_numbers(1, 2, 5, seed=1), torch.tensor([2.0])),
        (torch.zeros(2, 1, 3), torch.tensor([0.0, 3.0])),
        Question(200 + random_numbers(1, 2, 3), torch.tensor([200.0]), otherwise=OVERFLOWS),
    ),
    praise=Text(
        "对。汇参加 softmax，拿走自己那一份，然后被丢掉；每行的和小于 1。",
        "Right. The sink takes part in the softmax, takes its share and is dropped; each row sums to less "
        "than 1.",
    ),
    changed=CHANGED,
)


def _with_column(scores: Tensor, sink: Tensor) -> Tensor:
    """Return the weights [H, Lq, Lk + 1], the sink's in the last column."""
    column = sink[:, None, None].expand(*scores.shape[:-1], 1)
    return torch.cat([scores, column], dim=-1).softmax(dim=-1)


def _shares(exponentials: Tensor, more: Tensor | int) -> Tensor:
    """Return each one's share of its row's sum with ``more`` in it."""
    return exponentials / (exponentials.sum(dim=-1, keepdim=True) + more)


WITH_SINK.mistake("没有汇：每行的和还是 1。", "There is no sink: each row still sums to 1.")(
    lambda scores, *_: scores.softmax(dim=-1)
)
WITH_SINK.mistake(
    "汇那一列还在。丢掉它，也就是最后一列。", "The sink's column is still there. Drop it: it is the last."
)(_with_column)
WITH_SINK.mistake(
    "b 要先取指数再进分母：它是一个分数，不是权重。",
    "Take b's exponential before it goes into the denominator: it is a score, not a weight.",
)(lambda scores, sink: _shares(scores.exp(), sink[:, None, None]))
WITH_SINK.mistake(
    "b 的符号反了：每个分数都加 b，而汇的分数是 0，等于汇的分数是 −b。要让 b 自己做汇的分数。",
    "The wrong sign: b is added to every score and the sink's own is 0, which is a sink of −b. Let b be the "
    "sink's score.",
)(lambda scores, sink: _shares((scores + sink[:, None, None]).exp(), 1))
WITH_SINK.mistake(
    "头和头的 b 弄混了：第 h 个头用 sink[h]。", "The heads' sinks are mixed up: head h uses sink[h]."
)(lambda scores, sink: solutions.with_sink(scores, sink.flip(0)))
WITH_SINK.mistake(
    "b 没有用上：你在分母里加了 1，那是 b = 0 的汇。",
    "b was not used: 1 in the denominator is a sink of b = 0.",
)(lambda scores, *_: _shares(scores.exp(), 1))
WITH_SINK.mistake(
    "丢错了一列：要丢的是汇那一列，你丢的是第一个键的。",
    "The wrong column was dropped: drop the sink's; yours drops the first key's.",
)(lambda scores, sink: _with_column(scores, sink)[..., 1:])


# ---- the base in a configuration ------------------------------------------------------------------

READ_BASE = Exercise(
    solutions.read_base,
    questions=(
        ({"model_type": "llama", "rope_theta": 500000.0},),
        ({"model_type": "llama", "rope_parameters": {"rope_type": "default", "rope_theta": 1000000.0}},),
        ({"model_type": "llama", "hidden_size": 64},),
        ({"rope_theta": 10000.0, "rope_parameters": {"rope_theta": 500000.0}},),
        ({"rope_theta": 20000.0, "rope_parameters": {"rope_theta": 20000.0}},),
        ({"rope_theta": 70000.0, "rope_parameters": {"rope_type": "default"}},),
    ),
    praise=Text(
        "对。两种写法都认；没写、或者自相矛盾，就说不知道，绝不猜。",
        "Right. Both styles are read; where nothing is said, or two things, it is unknown, and nothing is "
        "guessed.",
    ),
    read=one_number,
    relative=1e-6,
    nothing=Text(
        "{call} 返回了 None。不知道的时候，这里说好返回 math.nan。",
        "{call} returned None. What stands for “unknown” here is math.nan.",
    ),
)


def _reading(choose: Callable[[list[float], list[float]], float]) -> Answer:
    """Return the answer that chooses from what the old and the new style say, lists of at most one number."""

    def read(config: dict[str, Any]) -> float:
        styles = (config, config.get("rope_parameters", {}))
        old, new = ([style["rope_theta"]] if "rope_theta" in style else [] for style in styles)
        return float(choose(old, new))

    return read


READ_BASE.mistake(
    "没写的时候，你悄悄用了 10000。这正是让人查了几个星期的那个错误：返回 nan。",
    "Where it is not said you quietly took 10000, the very mistake that took others weeks to find. Return "
    "nan.",
)(_reading(lambda old, new: math.nan if len({*old, *new}) > 1 else [*old, *new, 10000.0][0]))
READ_BASE.mistake(
    "两处写得不一样，你挑了一个。自相矛盾时返回 nan。",
    "The two places disagree and you chose one. Where they contradict each other, return nan.",
)(_reading(lambda old, new: [*new, *old, math.nan][0]))
READ_BASE.mistake(
    "只读了旧写法。新写法在 rope_parameters 里面。",
    "Only the old style is read. In the new one it is inside rope_parameters.",
)(_reading(lambda old, new: [*old, math.nan][0]))
READ_BASE.mistake(
    "只读了新写法。旧写法是顶层的 rope_theta。",
    "Only the new style is read. In the old one it is rope_theta at the top level.",
)(_reading(lambda old, new: [*new, math.nan][0]))
READ_BASE.mistake(
    "两处一样时，你却说不知道。一样就不矛盾。",
    "Where both places say the same you say unknown. The same twice is no contradiction.",
)(_reading(lambda old, new: math.nan if old and new else [*old, *new, math.nan][0]))
