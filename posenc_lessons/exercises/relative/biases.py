"""Exercises of lesson 04 on biases that depend on distance only: T5's buckets, ALiBi's slopes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from posenc_lessons.exercises.exercise import CHANGED, Answer, Exercise
from posenc_lessons.exercises.reading import can_index
from posenc_lessons.exercises.solutions import relative as solutions
from posenc_lessons.language import Text

BEGINS = Text(
    "n_buckets = {n_buckets}、max_distance = {max_distance} 时，{step} 步正好是 {wanted} 号桶的第一步，你把它"
    "算进了 {yours} 号桶的末尾。对数恰好是整数时，浮点数可能差一丁点：先加 1e-9 再 floor；或者取整"
    "的方向反了。",
    "With n_buckets = {n_buckets} and max_distance = {max_distance}, {step} steps begin bucket {wanted}; "
    "yours ends bucket {yours} with them. Where the logarithm is a whole number, floating point may fall a "
    "hair short: add 1e-9 before floor; or the rounding goes the wrong way.",
)

# ---- 4 · T5's buckets -------------------------------------------------------------------------------------


def _steps() -> Iterator[tuple[Tensor, int, int]]:
    """Ask all steps up to twice the last edge. In the first two and the last, whole steps begin a bucket."""
    for n_buckets, max_distance in ((16, 128), (8, 64), (32, 128), (8, 20), (9, 50), (32, 256)):
        yield torch.arange(2 * max_distance), n_buckets, max_distance


def _by_logarithm(steps: Tensor, n_buckets: int, max_distance: int) -> Tensor:
    """Return the bucket within the far half, not yet rounded; negative in the near half."""
    exact = n_buckets // 2
    return (
        (steps.clamp(min=1).double() / exact).log2() / math.log2(max_distance / exact) * (n_buckets - exact)
    )


def _bucket_of_the_step(
    value: Tensor, right: Tensor, steps: Tensor, n_buckets: int, max_distance: int
) -> Text:
    at = int((value != right).nonzero()[0])
    step, begins = int(steps[at]), at > 0 and bool(right[at] == right[at - 1] + 1)
    if begins and value[at] == right[at] - 1 and step >= n_buckets // 2:
        fields = {"step": step, "n_buckets": n_buckets, "max_distance": max_distance}
        return BEGINS.format(wanted=int(right[at]), yours=int(value[at]), **fields)
    return Text(
        f"n_buckets = {n_buckets}、max_distance = {max_distance} 时，往回 {step} 步应当在 {{wanted}} 号桶，"
        f"你的是 {{yours}}。",
        f"With n_buckets = {n_buckets} and max_distance = {max_distance}, {step} steps back belong in bucket "
        f"{{wanted}}; yours says {{yours}}.",
    )


BUCKET = Exercise(
    solutions.bucket,
    questions=_steps,
    praise=Text(
        "对。近处一步一个桶，远处按对数变宽，最后一个桶收下所有更远的。",
        "Right. A bucket for each step nearby, wider ones by the logarithm further off, and the last takes "
        "all the rest.",
    ),
    tolerance=0.0,
    changed=CHANGED,
    otherwise=_bucket_of_the_step,
)
BUCKET.probe(can_index(torch.arange(4), 8, 20))


def _far(bucket: Callable[[Tensor, int, int], Tensor]) -> Answer:
    """Return the answer that is right in the near half and ``bucket(…)`` beyond."""

    def buckets(steps: Tensor, n_buckets: int, max_distance: int) -> Tensor:
        far = bucket(steps, n_buckets, max_distance).long()
        return torch.where(steps < n_buckets // 2, steps, far).clamp(max=n_buckets - 1)

    return buckets


@BUCKET.mistake(
    "没有封顶：max_distance 以外的步数应当都在最后一个桶 {last}。",
    "No ceiling: steps from max_distance on all belong in the last bucket, {last}.",
    last=lambda steps, n_buckets, max_distance: n_buckets - 1,
)
def buckets_without_a_ceiling(steps: Tensor, n_buckets: int, max_distance: int) -> Tensor:
    far = n_buckets // 2 + _by_logarithm(steps, n_buckets, max_distance).floor()
    return torch.where(steps < n_buckets // 2, steps, far.long())


BUCKET.mistake(
    "封顶差 1：最后一个桶是 {last}，不是 {n_buckets}。",
    "The ceiling is off by one: the last bucket is {last}, not {n_buckets}.",
    last=lambda steps, n_buckets, max_distance: n_buckets - 1,
)(lambda *given: buckets_without_a_ceiling(*given).clamp(max=given[1]))
BUCKET.mistake(
    "远处那一半漏加了 n_buckets // 2，和近处的桶撞了号。",
    "The far half lacks its n_buckets // 2 and runs into the near buckets.",
)(_far(_by_logarithm))
BUCKET.mistake("要向下取整 floor，你用了四舍五入。", "Round down (floor); yours rounds to the nearest.")(
    _far(lambda steps, n, most: n // 2 + _by_logarithm(steps, n, most).round())
)
BUCKET.mistake("要向下取整 floor，你用了向上取整。", "Round down (floor); yours rounds up.")(
    _far(lambda steps, n, most: n // 2 + _by_logarithm(steps, n, most).ceil())
)
BUCKET.mistake(
    "对数要从 n_buckets // 2 算起：log(n / exact) / log(max_distance / exact)。",
    "The logarithm starts at n_buckets // 2: log(n / exact) / log(max_distance / exact).",
)(_far(lambda steps, n, most: n // 2 + steps.clamp(min=1).double().log() / math.log(most) * (n - n // 2)))
BUCKET.mistake(
    "远处那一半你按距离均分了，要按距离的对数均分。",
    "You share out the far half evenly by distance; it goes by the logarithm of distance.",
)(_far(lambda steps, n, most: n // 2 + (steps - n // 2) * (n - n // 2) // (most - n // 2)))
BUCKET.mistake(
    "这只是截断，还没有按对数变宽的那一半。",
    "Plain clipping: the half that widens by the logarithm is missing.",
)(lambda steps, n_buckets, *_: steps.clamp(max=n_buckets - 1))
BUCKET.mistake(
    "近处也取了对数；步数小于 n_buckets // 2 时，桶号就是步数。",
    "The near half has been through the logarithm as well; below n_buckets // 2 the bucket is the number of "
    "steps.",
)(lambda steps, n, most: (n // 2 + _by_logarithm(steps, n, most)).floor().clamp(0, n - 1))


# ---- 5 · ALiBi's slopes -----------------------------------------------------------------------------------

SLOPES = Exercise(
    solutions.slopes,
    questions=((8,), (4,), (16,), (1,), (2,), (3,), (12,), (6,), (20,)),
    praise=Text(
        "对。头数是 2 的幂时是等比数列，不是的时候也和论文的代码一致。",
        "Right. A geometric sequence for powers of two, and for other head counts what the paper's code "
        "gives.",
    ),
    tolerance=1e-6,
)


def _smaller(n_heads: int) -> int:
    """Return the largest power of two up to ``n_heads``."""
    return 2 ** (n_heads.bit_length() - 1)


SIZES = {
    "smaller": _smaller,
    "larger": lambda n_heads: 2 * _smaller(n_heads),
    "extra": lambda n_heads: n_heads - _smaller(n_heads),
}


def _with_extra(n_heads: int, choose: Callable[[Tensor], Tensor]) -> Tensor:
    """Return the slopes for the smaller power of two, then as many of those for the larger as are missing."""
    smaller = _smaller(n_heads)
    extra = choose(slopes_by_formula(2 * smaller))[: n_heads - smaller]
    return torch.cat([slopes_by_formula(smaller), extra])


SLOPES.mistake(
    "指数从 0 开始了：第一个头的斜率应当是 2^(−8/n)，不是 1。头从 1 数起。",
    "The exponent starts at 0: the first head's slope is 2^(−8/n), not 1. Count heads from 1.",
)(lambda n_heads: 2.0 ** (-8 * torch.arange(n_heads) / n_heads))
SLOPES.mistake("底数是 2，你用了 e。", "The base is 2; yours is e.")(
    lambda n_heads: torch.exp(-8 * torch.arange(1, n_heads + 1) / n_heads)
)
SLOPES.mistake(
    "这是等差数列，要的是等比：每个头是前一个乘以 2^(−8/n)。",
    "That is an arithmetic sequence; a geometric one is wanted: each head's is the one before times "
    "2^(−8/n).",
)(lambda n_heads: torch.arange(1, n_heads + 1) / n_heads)
SLOPES.mistake(
    "比值 1/2 只对 8 个头成立；n 个头的比值是 2^(−8/n)。",
    "A ratio of 1/2 is right for 8 heads only; for n heads it is 2^(−8/n).",
)(lambda n_heads: 2.0 ** -torch.arange(1, n_heads + 1).double())
SLOPES.mistake("次序反了：第一个头最陡。", "In reverse: the first head is the steepest.")(
    lambda n_heads: solutions.slopes(n_heads).flip(0)
)
SLOPES.mistake("斜率是正数，减号写在分数里。", "Slopes are positive; the minus is in the score.")(
    lambda n_heads: -solutions.slopes(n_heads)
)


@SLOPES.mistake(
    "{n_heads} 不是 2 的幂：先取 {smaller} 个头的斜率，再从 {larger} 个头的里面每隔一个取一个。",
    "{n_heads} is not a power of two: take the slopes for {smaller} heads, then every second one of those "
    "for {larger}.",
    **SIZES,
)
def slopes_by_formula(n_heads: int) -> Tensor:
    return 2.0 ** (-8 * torch.arange(1, n_heads + 1) / n_heads)


SLOPES.mistake(
    "后 {extra} 个要从 {larger} 个头的斜率里每隔一个取一个（0, 2, 4, …），你取的是连续的。",
    "The last {extra} are every second one (0, 2, 4, …) of the slopes for {larger} heads; yours follow each "
    "other.",
    **SIZES,
)(lambda n_heads: _with_extra(n_heads, lambda larger: larger))
SLOPES.mistake(
    "每隔一个取一个，要从第 0 个取起；你从第 1 个取起，和前面的斜率重复了。",
    "Every second one starts from number 0; yours starts from 1 and repeats slopes there already.",
)(lambda n_heads: _with_extra(n_heads, lambda larger: larger[1::2]))
SLOPES.mistake(
    "你直接截了 {larger} 个头的前 {n_heads} 个。",
    "You cut off the first {n_heads} of the slopes for {larger} heads.",
    **SIZES,
)(lambda n_heads: slopes_by_formula(1 << (n_heads - 1).bit_length())[:n_heads])
SLOPES.mistake(
    "数都对，但重新排了序；论文的代码把多出来的接在后面，和公开的权重配套的是那个次序。",
    "The right numbers, but sorted; the paper's code puts the extra ones at the end, and published weights "
    "go with that order.",
)(lambda n_heads: solutions.slopes(n_heads).sort(descending=True).values)
