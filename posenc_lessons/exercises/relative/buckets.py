"""The exercise of lesson 04 on T5's buckets."""

import math
from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from posenc_lessons.exercises.exercise import CHANGED, WRONG_VALUE, Answer, Exercise
from posenc_lessons.exercises.reading import can_index
from posenc_lessons.exercises.solutions import relative as solutions
from posenc_lessons.language import Text

BEGINS = Text(
    "一个桶的第一步，你算进了前一个桶的末尾：浮点数可能差一丁点，先加 1e-9 再 floor。",
    "The first step of a bucket is at the end of the one before: add 1e-9 before floor.",
)


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
    step, along = int(steps[at]), float(_by_logarithm(steps[at], n_buckets, max_distance))
    # Floating point can be to blame only where the logarithm is a whole number.
    if value[at] == right[at] - 1 and step >= n_buckets // 2 and abs(along - round(along)) < 1e-6:
        return BEGINS
    return WRONG_VALUE


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


def _logarithm(of: Tensor) -> Tensor:
    return of.clamp(min=1e-9).double().log()


def buckets_without_a_ceiling(steps: Tensor, n_buckets: int, max_distance: int) -> Tensor:
    """Return a number past the last bucket for steps from ``max_distance`` on."""
    far = n_buckets // 2 + _by_logarithm(steps, n_buckets, max_distance).floor()
    return torch.where(steps < n_buckets // 2, steps, far.long())


BUCKET.mistake(
    "没有封顶：从 max_distance 起，步数应当都在最后一个桶，n_buckets − 1。",
    "A ceiling is missing: steps from max_distance on all belong in the last bucket, n_buckets − 1.",
)(
    buckets_without_a_ceiling,
    lambda steps, n, most: buckets_without_a_ceiling(steps.clamp(max=most), n, most),
)
BUCKET.mistake(
    "远处那一半漏加了 n_buckets // 2，和近处的桶撞了号。",
    "The far half lacks its n_buckets // 2 and runs into the near buckets.",
)(_far(_by_logarithm))
BUCKET.mistake(
    "要向下取整 floor，不是四舍五入，也不是向上取整。", "Round down (floor), not to the nearest and not up."
)(
    _far(lambda steps, n, most: n // 2 + _by_logarithm(steps, n, most).round()),
    _far(lambda steps, n, most: n // 2 + _by_logarithm(steps, n, most).ceil()),
)
BUCKET.mistake(
    "远处那一半的对数不对：log(n / exact) / log(max_distance / exact)，再乘 n_buckets − exact。",
    "The far half has another logarithm: log(n / exact) / log(max_distance / exact) · (n_buckets − exact).",
)(
    _far(lambda steps, n, most: n // 2 + _logarithm(steps) / math.log(most) * (n - n // 2)),
    _far(lambda steps, n, most: n // 2 + _logarithm(steps / (n // 2))),
    _far(lambda steps, n, most: n // 2 + _by_logarithm(steps, n, most) / (n - n // 2)),
    _far(lambda steps, n, most: n // 2 + _by_logarithm(steps, n, most) / (n - n // 2) * n),
    _far(lambda steps, n, most: n // 2 + _logarithm(steps / (n // 2)) / math.log(most) * (n - n // 2)),
    _far(lambda steps, n, most: n // 2 + _logarithm(steps) / math.log(most / (n // 2)) * (n - n // 2)),
)
BUCKET.mistake(
    "远处那一半你按距离均分了，要按距离的对数均分。",
    "You share out the far half evenly by distance; it goes by the logarithm of distance.",
)(_far(lambda steps, n, most: n // 2 + (steps - n // 2) * (n - n // 2) // (most - n // 2)))
BUCKET.mistake(
    "近处也取了对数；步数小于 n_buckets // 2 时，桶号就是步数。",
    "The near half went through the logarithm: below n_buckets // 2 the bucket is the number of steps.",
)(lambda steps, n, most: (n // 2 + _by_logarithm(steps, n, most)).floor().clamp(0, n - 1))
