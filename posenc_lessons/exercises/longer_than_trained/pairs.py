"""The exercise of lesson 08 on pairs: how far no angle is new."""

from __future__ import annotations

import math

from torch import Tensor

from posenc_lessons.encodings import rotary_frequencies, scaled_frequencies
from posenc_lessons.exercises.exercise import CHANGED, Exercise
from posenc_lessons.exercises.reading import one_number
from posenc_lessons.exercises.solutions import longer_than_trained as solutions
from posenc_lessons.language import Text

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


def _lengths(theta: Tensor, stretched: Tensor, trained: int, free: Tensor | None = None) -> Tensor:
    """Return how far each pair goes before an angle is new [n]; without limit where ``free``."""
    free = trained * theta >= TURN if free is None else free
    return (trained * theta / stretched).masked_fill(free, math.inf)


REACH.mistake(
    "转满一圈的对也算进去了。整个圆都见过，再远也没有新角度，它不设限。",
    "Pairs that came full circle are in it too. They saw the whole circle, no angle is new to them, and they "
    "set no limit.",
)(lambda theta, stretched, trained: float((trained * theta / stretched).min()))
REACH.mistake(
    "取了最松的一对。只要有一对遇到新角度就算遇到了，取最小的。",
    "That is the loosest pair. One new angle in any pair is enough: take the least.",
)(lambda theta, stretched, trained: float(_lengths(theta, stretched, trained).max()))
REACH.mistake(
    "只看了最慢的一对。NTK 把它放慢得最多，中间的对先遇到新角度。",
    "Only the slowest pair was looked at. NTK slows it most of all, and pairs in the middle meet new angles "
    "first.",
)(lambda theta, stretched, trained: float(_lengths(theta, stretched, trained)[-1]))
REACH.mistake(
    "比例反了：放慢的对走得更远。要 θ/θ′。",
    "The ratio is upside down: a pair that was slowed goes further. It is θ/θ′.",
)(lambda theta, stretched, n: float(_lengths(stretched, theta, n, n * theta >= TURN).min()))
REACH.mistake("漏了 2π：转一圈是 2π 弧度，不是 1 弧度。", "2π is missing: a full turn is 2π radians, not 1.")(
    lambda theta, stretched, n: float(_lengths(theta, stretched, n, n * theta >= 1).min())
)
REACH.mistake(
    "看一对转没转满，要看训练时的频率 θ；你用了现在的 θ′。",
    "Whether a pair came full circle is for the frequencies of the training, θ; you used today's, θ′.",
)(lambda theta, stretched, n: float(_lengths(theta, stretched, n, n * stretched >= TURN).min()))
REACH.mistake("这是倍数，不是长度：再乘上 trained。", "That is how many times as far: multiply by trained.")(
    lambda theta, stretched, trained: solutions.reach(theta, stretched, trained) / trained
)
