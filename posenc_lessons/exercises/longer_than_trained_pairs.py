"""The exercises of lesson 08 on pairs: which come full circle in training, and which are slowed down."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from posenc_lessons.encodings import ContextExtension, rotary_frequencies
from posenc_lessons.exercises.exercise import CHANGED, Answer, Exercise
from posenc_lessons.exercises.reading import numbers, same_shape
from posenc_lessons.exercises.solutions import longer_than_trained as solutions
from posenc_lessons.exercises.verdict import Wrong
from posenc_lessons.language import Text

# ---- 3 · pairs that do not come full circle -----------------------------------------------------------

# Such lengths that it makes no difference whether L or L − 1 positions are counted. Several mistakes may
# agree on a few booleans, so all are asked at once and a name is given when it explains every answer.
ROTATIONS = ((16, 10000.0, 32), (64, 10000.0, 2048), (8, 100.0, 5), (12, 500.0, 300))

BOOLEANS = Text(
    "{call} 要一个布尔张量，一对一个 True 或 False，你返回的是 {dtype}。",
    "{call} wants a tensor of booleans, True or False for each pair; yours is {dtype}.",
)
FULL_CIRCLE = Text(
    "{call}：第 {pair} 对转得满一圈，你说的相反。",
    "{call}: pair {pair} does come full circle; yours says otherwise.",
)
NOT_FULL_CIRCLE = Text(
    "{call}：第 {pair} 对转不满一圈，你说的相反。",
    "{call}: pair {pair} does not come full circle; yours says otherwise.",
)


def _all_rotations(answer: Answer) -> Tensor:
    return torch.cat([_booleans(answer, *rotation) for rotation in ROTATIONS])


def _booleans(answer: Answer, d: int, base: float, trained: int) -> Tensor:
    """The answer as booleans [d/2]; 0 and 1 will do."""
    call = f"unfinished({d}, {base:g}, {trained})"
    answered = answer(d, base, trained)
    value = numbers(answered, call)
    if not bool(((value == 0) | (value == 1)).all()):
        raise Wrong.saying(BOOLEANS, call=call, dtype=answered.dtype)
    same_shape(value, (d // 2,), call)
    return value


def _first_wrong_pair(value: Tensor, right: Tensor) -> Text:
    place = int((value != right).nonzero()[0])
    pairs = [(rotation, pair) for rotation in ROTATIONS for pair in range(rotation[0] // 2)]
    (d, base, trained), pair = pairs[place]
    said = NOT_FULL_CIRCLE if right[place] else FULL_CIRCLE
    return said.format(call=f"unfinished({d}, {base:g}, {trained})", pair=pair)


UNFINISHED = Exercise(
    solutions.unfinished,
    questions=((),),
    praise=Text(
        "对。这些对在训练里没有转满一圈，再长就会遇到新的角度。",
        "Right. These pairs never came full circle in training: any longer, and they meet new angles.",
    ),
    pose=_all_rotations,
    otherwise=_first_wrong_pair,
)
check_unfinished = UNFINISHED.check


def _radians(d: int, base: float, trained: int) -> Tensor:
    """How far each pair turns in ``trained`` positions, [d/2]."""
    return trained * rotary_frequencies(d, base)


@UNFINISHED.mistake(
    "反了：你标出的是转满一圈的。要转不满的。",
    "The other way round: those do come full circle. Wanted are those that do not.",
)
def finished(d: int, base: float, trained: int) -> Tensor:
    return ~solutions.unfinished(d, base, trained)


@UNFINISHED.mistake(
    "少了 2π：trained · θ 是弧度，一圈是 2π 弧度，不是 1。",
    "2π is missing: trained · θ is in radians, and a turn is 2π of them, not 1.",
)
def less_than_one_radian(d: int, base: float, trained: int) -> Tensor:
    return _radians(d, base, trained) < 1


@UNFINISHED.mistake("一圈是 2π，你只要求了半圈。", "A turn is 2π; you asked for half of one.")
def less_than_half_a_turn(d: int, base: float, trained: int) -> Tensor:
    return _radians(d, base, trained) < math.pi


@UNFINISHED.mistake("θ 是弧度：一圈是 2π，不是 360。", "θ is in radians: a turn is 2π, not 360.")
def in_degrees(d: int, base: float, trained: int) -> Tensor:
    return _radians(d, base, trained) < 360


@UNFINISHED.mistake("指数里用了 i/d，应当是 2i/d。", "The exponent is i/d where it should be 2i/d.")
def i_over_d(d: int, base: float, trained: int) -> Tensor:
    return solutions.unfinished(d, math.sqrt(base), trained)


@UNFINISHED.mistake(
    "θ 的指数少了负号：θ_i = base^(−2i/d)，越往后越慢。",
    "θ lost its minus sign: θ_i = base^(−2i/d), slower and slower.",
)
def faster_and_faster(d: int, base: float, trained: int) -> Tensor:
    return solutions.unfinished(d, 1 / base, trained)


@UNFINISHED.mistake(
    "底数写死成了 10000：请用传进来的 base。", "The base is fixed at 10000: use the base that was passed in."
)
def always_ten_thousand(d: int, base: float, trained: int) -> Tensor:
    return solutions.unfinished(d, 10000.0, trained)


@UNFINISHED.example(BOOLEANS)
def turns(d: int, base: float, trained: int) -> Tensor:
    return _radians(d, base, trained) / (2 * math.pi)


@UNFINISHED.example(NOT_FULL_CIRCLE)
def from_pair_four_on(d: int, base: float, trained: int) -> Tensor:
    return torch.arange(d // 2) > 3


@UNFINISHED.example(FULL_CIRCLE)
def every_pair(d: int, base: float, trained: int) -> Tensor:
    return torch.ones(d // 2, dtype=torch.bool)


@UNFINISHED.right
def by_wavelengths(d: int, base: float, trained: int) -> Tensor:
    return 2 * math.pi / rotary_frequencies(d, base) > trained


@UNFINISHED.right
def by_the_largest_distance(d: int, base: float, trained: int) -> Tensor:
    return (trained - 1) * rotary_frequencies(d, base).float() < 2 * math.pi


# ---- 4 · by parts -------------------------------------------------------------------------------------

ABRUPT = Text(
    "中间少了过渡：slow 和 fast 之间要按圈数线性地混合。",
    "There is no way between: from slow to fast, mix in proportion to the turns.",
)


BY_PARTS = Exercise(
    solutions.by_parts,
    questions=(
        (rotary_frequencies(16, 10000.0), 4.0, 32, 1.0, 4.0),
        (rotary_frequencies(64, 10000.0), 4.0, 2048, 1.0, 32.0),
        (rotary_frequencies(32, 500.0), 8.0, 300, 0.5, 10.0),
    ),
    praise=Text(
        "对。快的不动，慢的除以 factor，中间平滑过渡。slow=1、fast=4 就是 Llama 3.1 用的办法。",
        "Right. Fast pairs stay, slow ones are divided by factor, with a smooth way between. With slow=1 and "
        "fast=4 it is what Llama 3.1 does.",
    ),
    tolerance=0.0,
    relative=1e-4,  # frequencies fall over four orders of magnitude
    changed=CHANGED,
)
check_by_parts = BY_PARTS.check


def _turns(theta: Tensor, trained: int) -> Tensor:
    return trained * theta / (2 * math.pi)


def _share(theta: Tensor, trained: int, slow: float, fast: float) -> Tensor:
    return (_turns(theta, trained) - slow) / (fast - slow)


def _mixed(kept: Tensor, theta: Tensor, factor: float) -> Tensor:
    return kept * theta + (1 - kept) * theta / factor


@BY_PARTS.mistake(
    "反了：转得多的对应当保留，转得少的才除以 factor。",
    "The wrong way round: keep pairs that turn often, divide those that hardly turn.",
)
def fast_ones_divided(theta: Tensor, factor: float, trained: int, slow: float, fast: float) -> Tensor:
    return _mixed(1 - _share(theta, trained, slow, fast).clamp(0, 1), theta, factor)


@BY_PARTS.mistake(
    "忘了把份额夹在 0 和 1 之间：两头的对被推过了头。",
    "The share is not kept between 0 and 1: the pairs at either end are pushed too far.",
)
def share_not_clamped(theta: Tensor, factor: float, trained: int, slow: float, fast: float) -> Tensor:
    return _mixed(_share(theta, trained, slow, fast), theta, factor)


@BY_PARTS.mistake(
    "少了 2π：圈数是 trained · θ / 2π。", "2π is missing: the number of turns is trained · θ / 2π."
)
def radians_for_turns(theta: Tensor, factor: float, trained: int, slow: float, fast: float) -> Tensor:
    return _mixed(_share(2 * math.pi * theta, trained, slow, fast).clamp(0, 1), theta, factor)


@BY_PARTS.mistake(
    "你混合的是波长。论文混合的是频率：γ·θ + (1−γ)·θ/factor。",
    "You mixed wavelengths. The paper mixes frequencies: γ·θ + (1−γ)·θ/factor.",
)
def wavelengths_mixed(theta: Tensor, factor: float, trained: int, slow: float, fast: float) -> Tensor:
    return 1 / _mixed(_share(theta, trained, slow, fast).clamp(0, 1), 1 / theta, 1 / factor)


@BY_PARTS.mistake(
    "慢的对乘了 factor，转得更快了。要除。", "Slow pairs were multiplied by factor and turn faster. Divide."
)
def slow_ones_faster(theta: Tensor, factor: float, trained: int, slow: float, fast: float) -> Tensor:
    return solutions.by_parts(theta, 1 / factor, trained, slow, fast)


@BY_PARTS.mistake(ABRUPT)
def switched_half_way(theta: Tensor, factor: float, trained: int, slow: float, fast: float) -> Tensor:
    return torch.where(_share(theta, trained, slow, fast) >= 0.5, theta, theta / factor)


@BY_PARTS.mistake(ABRUPT)
def switched_at_slow(theta: Tensor, factor: float, trained: int, slow: float, fast: float) -> Tensor:
    return torch.where(_turns(theta, trained) > slow, theta, theta / factor)


@BY_PARTS.mistake(ABRUPT)
def switched_at_fast(theta: Tensor, factor: float, trained: int, slow: float, fast: float) -> Tensor:
    return torch.where(_turns(theta, trained) >= fast, theta, theta / factor)


@BY_PARTS.mistake(
    "所有的对都除了 factor：那是位置插值。这里快的对要保留。",
    "Every pair was divided by factor: position interpolation. Here fast pairs are kept.",
)
def every_pair_divided(theta: Tensor, factor: float, trained: int, slow: float, fast: float) -> Tensor:
    return theta / factor


@BY_PARTS.mistake("theta 原样返回了。", "theta came back unchanged.")
def no_pair_divided(theta: Tensor, factor: float, trained: int, slow: float, fast: float) -> Tensor:
    return theta


@BY_PARTS.mistake("这是份额 γ，还要用它去混合频率。", "That is γ; now mix the frequencies with it.")
def share_alone(theta: Tensor, factor: float, trained: int, slow: float, fast: float) -> Tensor:
    return _share(theta, trained, slow, fast).clamp(0, 1)


@BY_PARTS.example(CHANGED)
def mixed_in_place(theta: Tensor, factor: float, trained: int, slow: float, fast: float) -> Tensor:
    return theta.copy_(solutions.by_parts(theta, factor, trained, slow, fast))


@BY_PARTS.right
def from_the_package(theta: Tensor, factor: float, trained: int, slow: float, fast: float) -> Tensor:
    base = float(theta[1] / theta[0]) ** -len(theta)
    extension = ContextExtension("parts", factor, trained, slow=slow, fast=fast)
    return extension.frequencies(2 * len(theta), base)[0].float()
