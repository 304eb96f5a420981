"""The exercise of lesson 07 on add & norm."""

from __future__ import annotations

from torch import Tensor
from torch.nn import functional as F

from posenc_lessons.exercises.exercise import CHANGED, Exercise
from posenc_lessons.exercises.reading import random_numbers
from posenc_lessons.exercises.solutions import transformer as solutions
from posenc_lessons.language import Text


def _questions() -> list[tuple[Tensor, Tensor, Tensor, Tensor, float]]:
    questions = []
    for seed, shape in enumerate(((2, 3, 4), (3, 5, 8), (2, 4, 6))):
        x, y = random_numbers(*shape, seed=seed), random_numbers(*shape, seed=seed + 10)
        gain, shift = random_numbers(shape[-1], seed=seed + 20), random_numbers(shape[-1], seed=seed + 30)
        if seed == 1:  # features that hardly differ show where eps stands
            y[0, 1] = 1e-3 * y[0, 1] - x[0, 1]
        if seed == 2:  # and features that do not differ at all, whether it is there
            x[1, 0], y[1, 0] = 1, 2  # whole numbers, so that the sum is 3 to the last bit
        questions.append((x, y, gain, shift, 1e-5))
    return questions


ADD_AND_NORM = Exercise(
    solutions.add_and_norm,
    questions=_questions,
    praise=Text(
        "对。先相加，再逐个词元归一化；别的词元怎么变，都与它无关。",
        "Right. Add first, then normalise each token by itself; whatever the others do is none of its "
        "business.",
    ),
    tolerance=1e-4,
    changed=CHANGED,
)


def _centred(x: Tensor) -> Tensor:
    return x - x.mean(dim=-1, keepdim=True)


def _variance(x: Tensor, correction: int = 0) -> Tensor:
    return x.var(dim=-1, keepdim=True, correction=correction)


def _normal(x: Tensor, eps: float, dims: tuple[int, ...] = (-1,)) -> Tensor:
    deviation = (x.var(dim=dims, keepdim=True, correction=0) + eps).sqrt()
    return (x - x.mean(dim=dims, keepdim=True)) / deviation


ADD_AND_NORM.mistake(
    "你在 [L, d] 上归一化：每个词元的结果都取决于别的词元，未来会漏进来，长度也固定了。只在"
    "最后一维上归一化，dim=-1。",
    "You normalise over [L, d]: every token's result depends on all the others, the future leaks in, and the "
    "length is frozen. Normalise over only the last axis, dim=-1.",
)(lambda x, y, gain, shift, eps: _normal(x + y, eps, (-2, -1)) * gain + shift)
ADD_AND_NORM.mistake(
    "你在长度那一维上归一化了，把同一个特征在各个词元之间比。应当是 dim=-1，一个词元一份。",
    "You normalise along the length, comparing one feature among tokens. It is dim=-1, each token by itself.",
)(lambda x, y, gain, shift, eps: _normal(x + y, eps, (-2,)) * gain + shift)
ADD_AND_NORM.mistake(
    "你在批量那一维上归一化了，那是批归一化。应当是 dim=-1。",
    "You normalise over the batch, which is batch normalisation. It is dim=-1.",
)(lambda x, y, gain, shift, eps: _normal(x + y, eps, (0,)) * gain + shift)
ADD_AND_NORM.mistake(
    "漏了一个：要归一化的是残差连接的和 x + y。",
    "One of the two is missing: normalise the residual sum, x + y.",
)(
    lambda x, y, gain, shift, eps: _normal(y, eps) * gain + shift,
    lambda x, y, gain, shift, eps: _normal(x, eps) * gain + shift,
)
ADD_AND_NORM.mistake(
    "次序反了：post-norm 的壳先相加，再归一化它们的和；你归一化了其中一个，把另一个加在外面。",
    "In the wrong order: the shell of post-norm adds first and normalises the sum; yours normalises one of "
    "them and adds the other outside.",
)(
    lambda x, y, gain, shift, eps: x + _normal(y, eps) * gain + shift,
    lambda x, y, gain, shift, eps: _normal(x, eps) * gain + shift + y,
)
ADD_AND_NORM.mistake(
    "gain 和 shift 没有都用上：归一化以后先乘 gain，再加 shift。",
    "gain and shift are not both used: after the normalisation multiply by gain, then add shift.",
)(
    lambda x, y, gain, shift, eps: _normal(x + y, eps),
    lambda x, y, gain, shift, eps: _normal(x + y, eps) * gain,
    lambda x, y, gain, shift, eps: _normal(x + y, eps) + shift,
)
ADD_AND_NORM.mistake(
    "gain 和 shift 用错了：先乘 gain 本身（不是 1 + gain），再加 shift。",
    "gain and shift are used wrongly: multiply by gain itself, not by 1 + gain, and add shift afterwards.",
)(
    lambda x, y, gain, shift, eps: _normal(x + y, eps) * shift + gain,
    lambda x, y, gain, shift, eps: _normal(x + y, eps) * (1 + gain) + shift,
    lambda x, y, gain, shift, eps: (_normal(x + y, eps) + shift) * gain,
)
ADD_AND_NORM.mistake(
    "方差要除以 d，你除以了 d − 1：torch 的 std 和 var 默认除以 d − 1，写 unbiased=False。",
    "The variance is divided by d, yours by d − 1: torch's std and var do that unless told unbiased=False.",
)(
    lambda x, y, gain, shift, eps: _centred(x + y) / (_variance(x + y, 1) + eps).sqrt() * gain + shift,
    lambda x, y, gain, shift, eps: _centred(x + y) / (_variance(x + y, 1).sqrt() + eps) * gain + shift,
)
ADD_AND_NORM.mistake(
    "除以的是方差，应为标准差：开根号。", "You divide by the variance; take its square root."
)(lambda x, y, gain, shift, eps: _centred(x + y) / (_variance(x + y) + eps) * gain + shift)
ADD_AND_NORM.mistake(
    "没有减去均值（RMSNorm 也不减，可这里要的是层归一化）。",
    "The mean is not subtracted. (RMSNorm does without, but layer normalisation is asked for here.)",
)(
    lambda x, y, gain, shift, eps: F.rms_norm(x + y, x.shape[-1:], eps=eps) * gain + shift,
    lambda x, y, gain, shift, eps: (x + y) / (_variance(x + y) + eps).sqrt() * gain + shift,
)
ADD_AND_NORM.mistake("没有除以标准差。", "It is not divided by the standard deviation.")(
    lambda x, y, gain, shift, *_: _centred(x + y) * gain + shift
)
ADD_AND_NORM.mistake(
    "根号里少了 eps：特征差别很小时结果不对，全都一样时方差是 0，得到 NaN。",
    "eps is missing under the root: features that hardly differ come out wrong, and where all are equal the "
    "variance is 0 and gives NaN.",
)(lambda x, y, gain, shift, *_: _normal(x + y, 0.0) * gain + shift)
ADD_AND_NORM.mistake(
    "eps 要放在根号里面：√(方差 + eps)；特征差别很小时，两种写法差得多。",
    "eps belongs under the root, √(variance + eps); where features hardly differ, the two forms do.",
)(lambda x, y, gain, shift, eps: _centred(x + y) / (_variance(x + y).sqrt() + eps) * gain + shift)
