"""The exercise of lesson 10 about features: which pairs of a head rotate."""

import torch
from torch import Tensor

from posenc_lessons.exercises import recurring
from posenc_lessons.exercises.exercise import Exercise
from posenc_lessons.exercises.solutions import not_every_layer as solutions
from posenc_lessons.language import Text

PROPORTIONAL = Exercise(
    solutions.proportional,
    questions=((16, 10000.0, 0.25), (512, 1000000.0, 0.25), (8, 100.0, 1.0), (32, 10000.0, 0.75)),
    praise=Text(
        "对。快的几对频率不变，慢的停住；指数里除的仍是整个头的宽度。",
        "Right. The fast pairs keep their frequencies, the slow ones stand still; the exponent is still "
        "divided by the width of the whole head.",
    ),
    tolerance=1e-7,
    relative=1e-4,
)


def _theta(width: int, base: float, divided_by: int) -> Tensor:
    return base ** (-torch.arange(0, width, 2, dtype=torch.float64) / divided_by)


def _with_zeros(theta: Tensor, d_head: int) -> Tensor:
    return torch.cat([theta, torch.zeros(d_head // 2 - len(theta), dtype=torch.float64)])


PROPORTIONAL.mistake(
    "你除以了旋转的那部分的宽度：那是部分旋转，整条谱挤进了几对里。要除以整个头的宽度 d_head。",
    "You divided by the width that rotates: divide by the width of the whole head, d_head.",
)(lambda d_head, base, share: _with_zeros(_theta(int(share * d_head), base, int(share * d_head)), d_head))
PROPORTIONAL.mistake(
    "不旋转的几对没有了：它们还在，频率是 0，一共 d_head / 2 个。",
    "The pairs that do not rotate are gone: they are still there, with frequency 0, d_head / 2 in all.",
)(lambda d_head, base, share: _theta(int(share * d_head), base, d_head))
PROPORTIONAL.mistake(
    "你停住了快的几对：应当停住的是慢的。", "You stop the fast pairs: the slow ones should stand still."
)(
    lambda d_head, base, share: _theta(d_head, base, d_head).where(
        torch.arange(d_head // 2) >= int((1 - share) * d_head / 2), 0.0
    )
)
PROPORTIONAL.mistake(
    "旋转的对数不对：d_head 个特征是 d_head/2 对，其中 share 这么多旋转。",
    "The number of pairs is wrong: d_head features are d_head/2 pairs, a share of which rotates.",
)(
    lambda d_head, base, share: _with_zeros(_theta(d_head, base, d_head)[: int(share * d_head / 4)], d_head),
    lambda d_head, base, share: _with_zeros(_theta(d_head, base, d_head)[: int(share * d_head)], d_head),
)
recurring.wrong_bases(PROPORTIONAL, 1)
PROPORTIONAL.mistake(
    "慢的几对不旋转，频率要是 0（频率 1 是转得最快的那一对）。",
    "The slow pairs do not rotate: their frequency should be 0 (frequency 1 is that of the fastest pair).",
)(
    lambda d_head, base, share: _theta(d_head, base, d_head),
    lambda *given: solutions.proportional(*given).where(solutions.proportional(*given) > 0, 1.0),
)
