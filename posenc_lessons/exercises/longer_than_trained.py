"""The exercises of lesson 08: squeezed positions, accuracy past the training.

Those on pairs of features are in ``longer_than_trained_pairs``, Llama 3.1's in ``longer_than_trained_llama``.
"""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_lessons.exercises.exercise import CHANGED, Exercise
from posenc_lessons.exercises.longer_than_trained_llama import LLAMA
from posenc_lessons.exercises.longer_than_trained_pairs import LARGEST_BASE, REACH
from posenc_lessons.exercises.solutions import longer_than_trained as solutions
from posenc_lessons.language import Text

check_largest_base = LARGEST_BASE.check
check_llama_frequencies = LLAMA.check
check_reach = REACH.check

# ---- 1 · squeezed positions ---------------------------------------------------------------------------


SQUEEZE = Exercise(
    solutions.squeeze,
    questions=(
        (torch.tensor([7, 0, 11, 3]), 8, 12),
        (torch.tensor([0, 1, 2, 5, 9, 15]), 4, 16),
        (torch.arange(6), 8, 6),
        (torch.tensor([3, 7]), 8, 8),
    ),
    praise=Text(
        "对。长文压进训练过的范围，短文一动不动，而且小数留着，没有两个词元挤到一处。",
        "Right. A long text is squeezed into what was trained, a short one is left alone, and with the "
        "fractions kept no two tokens share a place.",
    ),
    changed=CHANGED,
)
check_squeeze = SQUEEZE.check

SQUEEZE.mistake(
    "方向反了：你把位置乘了 factor，离训练过的范围更远了。应当除。",
    "The wrong way round: you multiplied by the factor and went further from what was trained. Divide.",
)(lambda positions, trained, length: positions * max(length / trained, 1.0))
SQUEEZE.mistake(
    "取余数会让位置 trained 变回 0：相邻的两个词元忽然隔得很远。要压缩，不要绕回。",
    "The remainder sends position trained back to 0, and two neighbours are suddenly far apart. Squeeze, do "
    "not wrap round.",
)(lambda positions, trained, *_: positions % trained)
SQUEEZE.mistake(
    "你把超出的位置都当成了最后一个：后面的词元全挤在一处，分不出先后。",
    "You gave every position beyond the last trained one: all later tokens share one place, in no order.",
)(lambda positions, trained, *_: positions.clamp(max=trained - 1))
SQUEEZE.mistake(
    "取整了：每几个词元挤在同一个位置。旋转不在乎位置是不是整数，小数要留着。",
    "You rounded: several tokens share each place. A rotation does not mind fractions; keep them.",
)(
    lambda positions, trained, length: solutions.squeeze(positions, trained, length).floor(),
    lambda positions, trained, length: solutions.squeeze(positions, trained, length).round(),
)
SQUEEZE.mistake(
    "你让首尾对齐，除的是 (length − 1)/(trained − 1)。位置插值除以 length/trained。",
    "You matched first and last, dividing by (length − 1)/(trained − 1). Position interpolation divides by "
    "length/trained.",
)(lambda positions, trained, length: positions * min((trained - 1) / (length - 1), 1.0))
SQUEEZE.mistake(
    "倍数写死成了 4：它是 length/trained，题里每次都不同。",
    "The factor is fixed at 4: it is length/trained, another one in each question.",
)(lambda positions, trained, length: positions / 4 if length > trained else positions)
SQUEEZE.mistake(
    "你除以的是 trained。要除以倍数 length/trained。",
    "You divided by trained. Divide by the factor, length/trained.",
)(lambda positions, trained, *_: positions / trained)
SQUEEZE.mistake(
    "你做的是平移：位置差没有变，开头还变成了负数。要压缩。",
    "You shifted: the distances stay as they were, and the start became negative. Squeeze.",
)(lambda positions, trained, length: positions - max(length - trained, 0))
SQUEEZE.mistake("位置原样返回了，没有压缩。", "The positions came back unchanged.")(
    lambda positions, *_: positions
)
SQUEEZE.mistake(
    "文本比训练的还短，位置就不该动；你把它拉长了。factor 至少是 1。",
    "This text is shorter than the training: leave its positions alone. The factor is 1 at least.",
)(lambda positions, trained, length: positions * trained / length)
SQUEEZE.example(CHANGED)(
    lambda positions, trained, length: positions.copy_(solutions.squeeze(positions, trained, length))
)
SQUEEZE.right(
    lambda positions, trained, length: positions if length <= trained else positions * trained / length
)


# ---- 3 · accuracy past the training -------------------------------------------------------------------

DEVIATION = Text(
    "那是平均加减标准差。这里要真正出现过的最小和最大。",
    "That is the mean and one standard deviation either way. Wanted are the least and the largest that "
    "occurred.",
)


def _answers(seeds: int, batch: int, length: int, trained: int, seed: int) -> tuple[Tensor, Tensor, int]:
    """A question: ``right`` [S, B, L], better before ``trained``; ``counted`` [B, L], fewer in later rows."""
    generator = torch.Generator().manual_seed(seed)
    share = torch.where(torch.arange(length) < trained, 0.9, 0.35)
    level = torch.linspace(0.7, 1.4, seeds)[:, None, None]
    right = torch.rand(seeds, batch, length, generator=generator) < share * level
    counted = torch.rand(batch, length, generator=generator) < torch.linspace(0.95, 0.5, batch)[:, None]
    counted[:, -1] = True  # every sequence has something to count beyond the training
    return right, counted, trained


BEYOND = Exercise(
    solutions.beyond,
    questions=(_answers(3, 4, 12, 5, seed=0), _answers(5, 2, 9, 8, seed=1), _answers(1, 6, 10, 4, seed=2)),
    praise=Text(
        "对。只看训练没到过的位置，只数该数的答案，每个种子先各自平均，再看它们散得多开。",
        "Right. Only positions past the training, only answers that count, each seed averaged by itself, and "
        "then how far apart the seeds are.",
    ),
)
check_beyond = BEYOND.check


def _mean_min_max(shares: Tensor) -> Tensor:
    return torch.stack([shares.mean(), shares.min(), shares.max()])


def _shares(right: Tensor, counts: Tensor) -> Tensor:
    """The accuracy of each seed [S] where ``counts`` [B, L]."""
    return right[:, counts].double().mean(dim=1)


def _past(counted: Tensor, trained: int) -> Tensor:
    return counted & (torch.arange(counted.shape[1]) >= trained)


BEYOND.mistake(
    "训练过的位置也算进去了，它们把失败盖住了。只算 trained 和它后面的。",
    "Positions of the training are in it and hide the failure. Count those from trained on.",
)(lambda right, counted, *_: _mean_min_max(_shares(right, counted)))
BEYOND.mistake(
    "不该数的也数了：没有答案的位置（counted 为 False）不算。",
    "Answers that do not count are in it: leave out positions where counted is False.",
)(lambda right, counted, trained: solutions.beyond(right, torch.ones_like(counted), trained))
BEYOND.mistake(
    "所有位置都算进去了：训练过的和没有答案的都不该算。",
    "Every position is in it: neither trained ones nor those without an answer should be.",
)(lambda right, *_: _mean_min_max(right.double().mean(dim=(1, 2))))
BEYOND.mistake(
    "你算的是训练过的位置。要的是从 trained 开始的那些。",
    "Those are the positions of the training. Wanted are those from trained on.",
)(lambda right, counted, trained: _mean_min_max(_shares(right[..., :trained], counted[:, :trained])))
BEYOND.mistake(
    "分母错了：除以该数的个数，不是所有的格子。",
    "The denominator is wrong: divide by how many count, not by every cell.",
)(lambda right, counted, trained: _mean_min_max((right & _past(counted, trained)).double().mean(dim=(1, 2))))


@BEYOND.mistake(
    "散布要看种子，不是句子：先对每个种子求平均。",
    "The spread is over seeds, not sequences: average within each seed first.",
)
def spread_over_sequences(right: Tensor, counted: Tensor, trained: int) -> Tensor:
    counts = _past(counted, trained)
    return _mean_min_max((right & counts).double().mean(dim=0).sum(dim=1) / counts.sum(dim=1))


BEYOND.mistake(
    "三个数一样：先每个种子各自平均，再取平均、最小、最大。",
    "All three are the same: average each seed, then take mean, least and largest.",
)(lambda right, counted, trained: solutions.beyond(right, counted, trained)[[0, 0, 0]])
BEYOND.mistake("次序是：平均、最小、最大。", "The order is mean, least, largest.")(
    lambda right, counted, trained: solutions.beyond(right, counted, trained)[[1, 0, 2]],
    lambda right, counted, trained: solutions.beyond(right, counted, trained)[[0, 2, 1]],
)
BEYOND.mistake(
    "差了一个：训练过的是 0 到 trained − 1，位置 trained 已经是新的。",
    "Off by one: training had 0 to trained − 1, so position trained is new already.",
)(lambda right, counted, trained: solutions.beyond(right, counted, trained + 1))


def _around_the_mean(shares: Tensor, correction: int) -> Tensor:
    mean, deviation = shares.mean(), shares.std(correction=correction)
    return torch.stack([mean, mean - deviation, mean + deviation])


@BEYOND.mistake(DEVIATION)
def deviation(right: Tensor, counted: Tensor, trained: int) -> Tensor:
    return _around_the_mean(_shares(right, _past(counted, trained)), correction=0)


BEYOND.mistake(DEVIATION)(
    lambda right, counted, trained: _around_the_mean(_shares(right, _past(counted, trained)), correction=1)
)


@BEYOND.right
def seed_by_seed(right: Tensor, counted: Tensor, trained: int) -> Tensor:
    counts = counted[:, trained:]
    shares = [float(one[:, trained:][counts].sum() / counts.sum()) for one in right]
    return torch.tensor([sum(shares) / len(shares), min(shares), max(shares)])
