"""The exercises of lesson 08."""

import math

import torch
from torch import Tensor

from posenc_lessons.encodings import rotary_frequencies, scaled_frequencies
from posenc_lessons.exercises import recurring
from posenc_lessons.exercises.exercise import CHANGED, Exercise
from posenc_lessons.exercises.reading import one_number
from posenc_lessons.exercises.solutions import longer_than_trained as solutions
from posenc_lessons.language import Text

# ---- positions squeezed into the trained range --------------------------------------------------------

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
check_squeeze = SQUEEZE

SQUEEZE.mistake(
    "方向反了：你把位置乘了 length/trained，离训练过的范围更远了。应当除。",
    "You multiplied by length/trained, and went further from what was trained: divide.",
)(
    lambda positions, trained, length: positions * max(length / trained, 1.0),
    lambda positions, trained, length: positions * (length / trained),
)
SQUEEZE.mistake(
    "取余数会让位置 trained 变回 0：相邻的两个词元忽然隔得很远。要压缩，不要绕回。",
    "The remainder sends position trained back to 0: squeeze, do not wrap round.",
)(lambda positions, trained, *_: positions % trained)
SQUEEZE.mistake(
    "你把超出的位置都当成了最后一个：后面的词元全挤在一处，分不出先后。",
    "Every position beyond became the last trained one: all later tokens share one place, in no order.",
)(
    lambda positions, trained, *_: positions.clamp(max=trained - 1),
    lambda positions, trained, *_: positions.clamp(max=trained),
)
SQUEEZE.mistake(
    "你把最后一个位置压到了 trained − 1：这里的倍数是 length/trained，两个都不减 1。",
    "You squeeze the last position to trained − 1: the factor is length/trained, with no 1 taken off either.",
)(
    lambda positions, trained, length: positions / max((length - 1) / (trained - 1), 1),
    lambda positions, trained, length: positions * (trained - 1) / (length - 1),
)
SQUEEZE.mistake(
    "取整了：每几个词元挤在同一个位置。旋转不在乎位置是不是整数，小数要留着。",
    "You rounded: several tokens share each place. A rotation does not mind fractions; keep them.",
)(
    lambda positions, trained, length: solutions.squeeze(positions, trained, length).floor(),
    lambda positions, trained, length: solutions.squeeze(positions, trained, length).round(),
)
SQUEEZE.mistake(
    "倍数就是 length/trained：题里每次都不同，可以是 1.5，不要写死，也不要取整。",
    "Your factor is fixed or rounded: it is length/trained itself, and may be 1.5.",
)(
    lambda positions, trained, length: positions / 4 if length > trained else positions,
    lambda positions, trained, length: positions / max(length // trained, 1),
    lambda positions, trained, length: positions / (length // trained),
)
recurring.unchanged(SQUEEZE)
SQUEEZE.mistake(
    "你把短文拉长了：文本比训练的还短，位置就不该动。factor 至少是 1。",
    "You stretched a short text: leave its positions alone. The factor is 1 at least.",
)(lambda positions, trained, length: positions * trained / length)


# ---- how far no angle is new --------------------------------------------------------------------------

TURN = 2 * math.pi

_SMALL = rotary_frequencies(16, 10000.0)

REACH = Exercise(
    solutions.reach,
    questions=(
        (_SMALL, _SMALL, 32),
        (_SMALL, _SMALL / 4, 32),
        (_SMALL, scaled_frequencies(16, 10000.0, "ntk", 4, 32)[0], 32),
        (rotary_frequencies(32, 500.0), rotary_frequencies(32, 3000.0), 300),
    ),
    praise=Text(
        "对。转满一圈的对不设限，其余的由限得最紧的那一对说了算。插值正好到 4 倍，NTK 连 4 倍都不到。",
        "Right. Pairs that came full circle set no limit, and of the others the tightest decides. Position "
        "interpolation goes exactly 4 times as far, NTK not even that.",
    ),
    tolerance=0.0,
    relative=1e-4,
    read=one_number,
    changed=CHANGED,
)
check_reach = REACH


def _lengths(theta: Tensor, stretched: Tensor, trained: int, free: Tensor | None = None) -> Tensor:
    """Return how far each pair goes before an angle is new [n]; without limit where ``free``."""
    free = trained * theta >= TURN if free is None else free
    return (trained * theta / stretched).masked_fill(free, math.inf)


REACH.mistake(
    "转满一圈的对也算进去了。整个圆都见过，再远也没有新角度，它不设限。",
    "Pairs that came full circle are in it too: no angle is new to them, and they set no limit.",
)(lambda theta, stretched, trained: float((trained * theta / stretched).min()))
REACH.mistake(
    "取了最松的一对。只要有一对遇到新角度就算遇到了，取最小的。",
    "That is the loosest pair. One new angle in any pair is enough: take the least.",
)(lambda theta, stretched, trained: float(_lengths(theta, stretched, trained).max()))
REACH.mistake(
    "只看了最慢的一对。NTK 把它放慢得最多，中间的对先遇到新角度。",
    "Only the slowest pair was looked at: with NTK, pairs in the middle meet new angles first.",
)(lambda theta, stretched, trained: float(_lengths(theta, stretched, trained)[-1]))
REACH.mistake(
    "比例反了：放慢的对走得更远。要 θ/θ′。",
    "The ratio is upside down: a pair that was slowed goes further. It is θ/θ′.",
)(lambda theta, stretched, n: float(_lengths(stretched, theta, n, n * theta >= TURN).min()))
REACH.mistake("漏了 2π：转一圈是 2π 弧度，不是 1 弧度。", "2π is missing: a full turn is 2π radians, not 1.")(
    lambda theta, stretched, n: float(_lengths(theta, stretched, n, n * theta >= 1).min())
)
REACH.mistake(
    "你让每一对转满一圈才停：没转满的对，训练时只见过 0 到 trained·θ 的角度。",
    "You let every pair come full circle: one that did not has seen only angles from 0 to trained·θ.",
)(
    lambda theta, stretched, trained: float((TURN / stretched)[trained * theta < TURN].min()),
    lambda theta, stretched, trained: float((TURN / stretched).min()),
    lambda theta, stretched, trained: float(TURN / stretched[-1]),
)
REACH.mistake("这是倍数，不是长度：再乘上 trained。", "That is how many times as far: multiply by trained.")(
    lambda theta, stretched, trained: solutions.reach(theta, stretched, trained) / trained
)


# ---- accuracy in the last quarter of a long text ------------------------------------------------------


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
check_beyond = BEYOND


def _mean_min_max(shares: Tensor) -> Tensor:
    return torch.stack([shares.mean(), shares.min(), shares.max()])


def _shares(right: Tensor, counts: Tensor) -> Tensor:
    """Return the accuracy of each seed [S] where ``counts`` [B, L]."""
    return right[:, counts].double().mean(dim=1)


def _late(counted: Tensor, rounded_up: bool = False) -> Tensor:
    """Return ``counted`` with only the last quarter left in it."""
    length = counted.shape[1]
    quarter = -(-length // 4) if rounded_up else length // 4
    return counted & (torch.arange(length) >= length - quarter)


def _by_sequence(right: Tensor, counted: Tensor) -> Tensor:
    """Return the accuracy of each seed in each sequence [S, B]."""
    counts = _late(counted)
    return (right & counts).double().sum(dim=2) / counts.sum(dim=1)


BEYOND.mistake(
    "前面的位置也算进去了，它们把失败盖住了。只算最后 L // 4 个。",
    "Earlier positions are in it and hide the failure. Count the last L // 4 only.",
)(lambda right, counted: _mean_min_max(_shares(right, counted)))
BEYOND.mistake(
    "最后四分之一是 L // 4 个，向下取整：L = 18 时是 4 个，你算了 5 个。",
    "The last quarter is L // 4 of them, rounded down: of 18 that is 4, and yours has 5.",
)(lambda right, counted: _mean_min_max(_shares(right, _late(counted, rounded_up=True))))
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
    "You took an accuracy for each sequence and averaged those: pool all answers of a seed.",
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
