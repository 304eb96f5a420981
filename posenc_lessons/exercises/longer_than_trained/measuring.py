"""The exercise of lesson 08 on accuracy in the last quarter of a long text."""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_lessons.exercises.exercise import CHANGED, Exercise
from posenc_lessons.exercises.solutions import longer_than_trained as solutions
from posenc_lessons.language import Text

DEVIATION = Text(
    "那是平均加减标准差。这里要真正出现过的最小和最大。",
    "That is the mean and one standard deviation either way. Wanted are the least and the largest that "
    "occurred.",
)


def _answers(seeds: int, batch: int, length: int, seed: int) -> tuple[Tensor, Tensor]:
    """Return ``right`` [S, B, L], worse towards the end, and ``counted`` [B, L], fewer in later rows."""
    generator = torch.Generator().manual_seed(seed)
    share = torch.linspace(1.0, 0.3, length)
    level = torch.linspace(0.7, 1.4, seeds)[:, None, None]
    right = torch.rand(seeds, batch, length, generator=generator) < share * level
    counted = torch.rand(batch, length, generator=generator) < torch.linspace(0.95, 0.5, batch)[:, None]
    counted[:, -1] = True  # every sequence has something to count in its last quarter
    return right, counted


BEYOND = Exercise(
    solutions.beyond,
    questions=(_answers(3, 4, 12, seed=0), _answers(5, 2, 18, seed=1), _answers(1, 6, 16, seed=2)),
    praise=Text(
        "对。只看最后四分之一，只数该数的答案，每个种子先各自平均，再看它们散得多开。",
        "Right. Only the last quarter, only answers that count, each seed averaged by itself, and then how "
        "far apart the seeds are.",
    ),
    changed=CHANGED,
)


def _mean_min_max(shares: Tensor) -> Tensor:
    return torch.stack([shares.mean(), shares.min(), shares.max()])


def _shares(right: Tensor, counts: Tensor) -> Tensor:
    """Return the accuracy of each seed [S] where ``counts`` [B, L]."""
    return right[:, counts].double().mean(dim=1)


def _late(counted: Tensor, how_many: int | None = None) -> Tensor:
    """Return ``counted`` with only the last quarter, or the last ``how_many``, left in it."""
    length = counted.shape[1]
    how_many = length // 4 if how_many is None else how_many
    return counted & (torch.arange(length) >= length - how_many)


def _by_sequence(right: Tensor, counted: Tensor) -> Tensor:
    """Return the accuracy of each seed in each sequence [S, B]."""
    counts = _late(counted)
    return (right & counts).double().sum(dim=2) / counts.sum(dim=1)


BEYOND.mistake(
    "前面的位置也算进去了，它们把失败盖住了。只算最后 L // 4 个。",
    "Earlier positions are in it and hide the failure. Count the last L // 4 only.",
)(lambda right, counted: _mean_min_max(_shares(right, counted)))
BEYOND.mistake(
    "不该数的也数了：没有答案的位置（counted 为 False）不算，前面的也不算。",
    "Answers that do not count are in it: leave out positions where counted is False, and the earlier ones.",
)(
    lambda right, counted: solutions.beyond(right, torch.ones_like(counted)),
    lambda right, *_: _mean_min_max(right.double().mean(dim=(1, 2))),
)
BEYOND.mistake(
    "分母错了：除以该数的个数，不是所有的格子。",
    "The denominator is wrong: divide by how many count, not by every cell.",
)(
    lambda right, counted: _mean_min_max((right & _late(counted)).double().mean(dim=(1, 2))),
    lambda right, counted: _mean_min_max(
        (right & _late(counted))[..., -(counted.shape[1] // 4) :].double().mean(dim=(1, 2))
    ),
)
BEYOND.mistake(
    "你先给每个句子算准确率，再平均：答案少的句子，权重就偏大了。一个种子的答案放在一起算。",
    "You took an accuracy for each sequence and averaged those, so sequences with few answers weigh too "
    "much. Pool all answers of a seed.",
)(lambda right, counted: _mean_min_max(_by_sequence(right, counted).mean(dim=1)))
BEYOND.mistake(
    "散布要看种子，不是句子：先对每个种子求平均。",
    "The spread is over seeds, not sequences: average within each seed first.",
)(lambda right, counted: _mean_min_max(_by_sequence(right, counted).mean(dim=0)))
BEYOND.mistake(
    "三个数是各个种子的平均、最小、最大，按这个次序。",
    "The three numbers are the mean, the least and the largest over the seeds, in this order.",
)(
    lambda right, counted: solutions.beyond(right, counted)[[0, 0, 0]],
    lambda right, counted: solutions.beyond(right, counted)[[1, 0, 2]],
    lambda right, counted: solutions.beyond(right, counted)[[0, 2, 1]],
)
BEYOND.mistake(
    "最后四分之一是最后 L // 4 个位置，从 L − L // 4 开始，它自己也算；你算的是另一段。",
    "The last quarter is the last L // 4 positions, from L − L // 4 on, that one included; yours is another "
    "part.",
)(
    *(
        lambda right, counted, how_many=how_many: _mean_min_max(
            _shares(right, _late(counted, how_many(counted.shape[1])))
        )
        for how_many in (
            lambda length: length // 4 - 1,
            lambda length: length // 4 + 1,
            lambda length: length // 2,
        )
    ),
)


def _around_the_mean(shares: Tensor, correction: int) -> Tensor:
    mean, deviation = shares.mean(), shares.std(correction=correction)
    return torch.stack([mean, mean - deviation, mean + deviation])


BEYOND.mistake(DEVIATION)(
    lambda right, counted: _around_the_mean(_shares(right, _late(counted)), correction=0),
    lambda right, counted: _around_the_mean(_shares(right, _late(counted)), correction=1),
)
