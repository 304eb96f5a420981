"""Four exercises of lesson 10 about features: which of them rotate, two scales, absorption, what is seen."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from posenc_lessons.encodings import apply_rotary
from posenc_lessons.exercises.exercise import CHANGED, Answer, Exercise
from posenc_lessons.exercises.reading import random_numbers
from posenc_lessons.exercises.solutions import not_every_layer as solutions
from posenc_lessons.exercises.verdict import Wrong
from posenc_lessons.language import Text

# ---- proportional rotation ------------------------------------------------------------------------

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
    "You divided by the width that rotates: that is partial rotation, which squeezes the whole spectrum into "
    "a few pairs. Divide by the width of the whole head, d_head.",
)(lambda d_head, base, share: _with_zeros(_theta(int(share * d_head), base, int(share * d_head)), d_head))
PROPORTIONAL.mistake(
    "不旋转的几对没有了：它们还在，频率是 0，共 {pairs} 个。",
    "The pairs that do not rotate are gone: they are still there, with frequency 0, {pairs} numbers in all.",
    pairs=lambda d_head, *_: d_head // 2,
)(lambda d_head, base, share: _theta(int(share * d_head), base, d_head))
PROPORTIONAL.mistake(
    "停住的应当是慢的那几对，你停住了快的。", "The slow pairs stand still; yours stops the fast ones."
)(
    lambda d_head, base, share: _theta(d_head, base, d_head).where(
        torch.arange(d_head // 2) >= int((1 - share) * d_head / 2), 0.0
    )
)
PROPORTIONAL.mistake(
    "旋转的对数不对：d_head 个特征是 d_head/2 对，其中 share 这么多旋转。",
    "The wrong number of pairs: d_head features are d_head/2 pairs, a share of which rotates.",
)(
    lambda d_head, base, share: _with_zeros(_theta(d_head, base, d_head)[: int(share * d_head / 4)], d_head),
    lambda d_head, base, share: _with_zeros(_theta(d_head, base, d_head)[: int(share * d_head)], d_head),
)
PROPORTIONAL.mistake(
    "所有的对都在旋转：慢的几对，频率要是 0。", "All pairs rotate: the slow ones should have frequency 0."
)(lambda d_head, base, share: _theta(d_head, base, d_head))
PROPORTIONAL.mistake(
    "不旋转的频率是 0，不是 1：频率 1 是转得最快的那一对。",
    "The frequency of what does not rotate is 0, not 1: frequency 1 is the fastest pair.",
)(
    lambda d_head, base, share: solutions.proportional(d_head, base, share).where(
        solutions.proportional(d_head, base, share) > 0, 1.0
    )
)


# ---- the two scales of YaRN in DeepSeek -----------------------------------------------------------


def _two_numbers(value: Any, call: str) -> Tensor:
    """Return a pair of numbers, or a tensor with two, as a float64 tensor [2]."""
    listed = value.tolist() if isinstance(value, Tensor) else value
    if not isinstance(listed, list | tuple) or len(listed) != 2:
        raise Wrong(f"{call} 应当返回两个数。", f"{call} should return two numbers.")
    return torch.tensor([float(number) for number in listed], dtype=torch.float64)


TWO_SCALES = Exercise(
    solutions.two_scales,
    questions=((40.0, 1.0, 1.0), (40.0, 0.707, 0.707), (40.0, 1.0, 0.5), (1.0, 1.0, 0.5), (0.5, 1.0, 0.5)),
    praise=Text(
        "对。两个系数，乘在两处：比值乘余弦和正弦，只管旋转的那一段；平方乘全部分数。",
        "Right. Two factors for two places: the ratio on cosines and sines, for the rotated part only; the "
        "square on all of the score.",
    ),
    read=_two_numbers,
    tolerance=1e-6,
    call=lambda factor, mscale, mscale_all_dim: f"two_scales({factor:g}, {mscale:g}, {mscale_all_dim:g})",
)


def _scale(factor: float, m: float) -> float:
    return 0.1 * m * math.log(factor) + 1 if factor > 1 else 1.0


def _by_logarithm(log: Callable[[float], float]) -> Answer:
    """Return the answer with another logarithm of the factor."""
    return lambda f, m, a: ((0.1 * m * log(f) + 1) / (0.1 * a * log(f) + 1), (0.1 * a * log(f) + 1) ** 2)


TWO_SCALES.mistake(
    "忘了平方：查询和键各乘一次，分数就是平方。",
    "The square is missing: queries and keys are each multiplied once, so a score twice.",
)(lambda f, m, a: (_scale(f, m) / _scale(f, a), _scale(f, a)))
TWO_SCALES.mistake(
    "两个位置对调了：先是余弦和正弦上的比值，再是分数上的平方。",
    "The two are exchanged: first the ratio on cosines and sines, then the square on the scores.",
)(lambda f, m, a: (_scale(f, a) ** 2, _scale(f, m) / _scale(f, a)))
TWO_SCALES.mistake(
    "平方里用的是 mscale_all_dim，不是 mscale。", "The square is that of mscale_all_dim, not of mscale."
)(lambda f, m, a: (_scale(f, m) / _scale(f, a), _scale(f, m) ** 2))
TWO_SCALES.mistake(
    "余弦和正弦上是比值：除以 mscale_all_dim 的那个。",
    "On cosines and sines it is a ratio: divide by the one of mscale_all_dim.",
)(lambda f, m, a: (_scale(f, m), _scale(f, a) ** 2))
TWO_SCALES.mistake(
    "两处乘了同一个数：分数上的系数漏了，或者重复了。",
    "Both places have the same factor: that of the scores is left out, or put in twice.",
)(
    lambda f, m, a: (_scale(f, m) / _scale(f, a), _scale(f, m) / _scale(f, a)),
    lambda f, m, a: (_scale(f, a) ** 2, _scale(f, a) ** 2),
)
TWO_SCALES.mistake(
    "factor 不大于 1 时没有拉长，两个系数都是 1；ln 会给出小于 1 的数。",
    "With a factor of at most 1 nothing is stretched and both are 1; the logarithm would give less.",
)(_by_logarithm(math.log))
TWO_SCALES.mistake("对数的底不对：这里是自然对数 ln。", "Another logarithm: it is the natural one, ln.")(
    _by_logarithm(lambda f: math.log10(max(f, 1))), _by_logarithm(lambda f: math.log2(max(f, 1)))
)

# ---- absorption -----------------------------------------------------------------------------------

ABSORB = Exercise(
    solutions.absorb,
    questions=(
        # d_head = d_latent hides a transpose
        (random_numbers(2, 5, seed=2), random_numbers(2, 5, 5, seed=3)),
        (random_numbers(3, 4), random_numbers(3, 4, 6, seed=1)),
        (random_numbers(1, 4, seed=4), random_numbers(1, 4, 2, seed=5)),
    ),
    praise=Text(
        "对。qᵀ(W_k c) = (W_kᵀ q)ᵀ c：键不用造，缓存里只要 c。",
        "Right. qᵀ(W_k c) = (W_kᵀ q)ᵀ c: no key is made, and the cache needs only c.",
    ),
    changed=CHANGED,
)

ABSORB.mistake(
    "矩阵乘在了另一边：要 W_kᵀ q。宽度相等时形状看不出来。",
    "The matrix is on the other side: it is W_kᵀ q. Where the widths are equal the shape does not tell.",
)(lambda query, w_key: (w_key @ query[:, :, None])[..., 0])
ABSORB.mistake(
    "各个头加起来了：每个头有自己的 W_k，也就有自己的查询。",
    "The heads are added up: each has its own W_k, and so its own query.",
)(
    lambda query, w_key: torch.einsum("hd,hdc->c", query, w_key),
    lambda query, w_key: torch.einsum("hd,hdc->c", query, w_key).expand(len(query), -1),
)
ABSORB.mistake("所有的头都用了第一个头的 W_k。", "All heads use the first one's W_k.")(
    lambda query, w_key: query @ w_key[0]
)
ABSORB.mistake(
    "多除了一个平方根：缩放是分数的事，而且仍按原来的头宽。",
    "A square root too many: scaling belongs to the scores, and by the width of the head as it was.",
)(
    lambda query, w_key: solutions.absorb(query, w_key) / math.sqrt(w_key.shape[2]),
    lambda query, w_key: solutions.absorb(query, w_key) / math.sqrt(w_key.shape[1]),
)
ABSORB.mistake(
    "你没有吸收 W_k：返回的就是原来的查询。", "W_k is not absorbed: those are the queries as they were."
)(lambda query, w_key: query)

# ---- absolute, relative or blind ------------------------------------------------------------------

Layer = Callable[[Tensor], Tensor]


def _layer(places: str, causal: bool = True) -> Layer:
    """Return a layer that rotates queries, keys, values (Q, K, V), and the output back (O)."""
    q, k, v = random_numbers(3, 5, 8, seed=6)

    def attend(positions: Tensor) -> Tensor:
        turned = {
            name: apply_rotary(x, positions) if name in places else x
            for name, x in zip("QKV", (q, k, v), strict=True)
        }
        scores = turned["Q"] @ turned["K"].T / math.sqrt(8)
        if causal:
            scores = scores.masked_fill(~torch.ones(5, 5).tril().bool(), -math.inf)
        out = scores.softmax(dim=-1) @ turned["V"]
        return apply_rotary(out, -positions) if "O" in places else out

    return attend


def _sharper(positions: Tensor) -> Tensor:
    """Return the output of a layer without rotation whose queries grow with position, as by a temperature."""
    q, k, v = random_numbers(3, 5, 8, seed=6)
    scores = q @ k.T * (1 + positions[:, None]).double().log()
    return scores.float().softmax(dim=-1) @ v


def _alibi(positions: Tensor) -> Tensor:
    q, k, v = random_numbers(3, 5, 8, seed=6)
    return (q @ k.T - 0.5 * (positions[:, None] - positions).abs()).softmax(dim=-1) @ v


KINDS = ("absolute", "relative", "blind")


def _kind(value: Any, call: str) -> str:
    if value not in KINDS:
        raise Wrong(
            f'{call} 应当返回 "absolute"、"relative" 或 "blind"，你返回的是 {value!r:.60}。',
            f'{call} should return "absolute", "relative" or "blind"; yours returned {value!r:.60}.',
        )
    return str(value)


_PLACES = torch.arange(5)
KIND_OF = Exercise(
    solutions.kind_of,
    questions=(
        (_layer(""), _PLACES),
        (_layer("Q"), _PLACES),
        (_alibi, _PLACES),
        (_layer("QK"), _PLACES),
        (_layer("VO"), _PLACES),
        (_layer("QKV"), _PLACES),
        (_layer("O"), _PLACES),
        (_layer("QKVO", causal=False), _PLACES),
        (_sharper, _PLACES),
        (_layer("QK"), _PLACES + 3000),  # rounding errors are larger out here
    ),
    praise=Text(
        "对。一起移动看它是不是绝对的，拉开距离看它到底看不看位置。",
        "Right. A common shift tells whether it is absolute, larger distances whether it reads positions at "
        "all.",
    ),
    read=_kind,
    widened=False,
    call=lambda attend, positions: f"kind_of(attend, {positions.tolist()})",
    otherwise=Text(
        "{call} 应当是 {wanted}，你的是 {yours}。", "{call} should be {wanted}; yours is {yours}."
    ),
)


def _telling(shift: Callable[[Tensor], Tensor], spread: Callable[[Tensor], Tensor], atol: float) -> Answer:
    """Return the answer that compares outputs at shifted and at spread positions with the usual one."""

    def kind(attend: Layer, positions: Tensor) -> str:
        usual = attend(positions)

        def changed(others: Tensor) -> bool:
            return bool((attend(others) - usual).abs().max() > atol)

        return (
            "absolute" if changed(shift(positions)) else "relative" if changed(spread(positions)) else "blind"
        )

    return kind


KIND_OF.mistake(
    "一起移动不变，也可能是根本不看位置：再把距离拉开，看它变不变。",
    "Unchanged by a common shift may also mean that positions are not read at all: make distances larger "
    "and see whether it changes.",
)(lambda *given: {"absolute": "absolute"}.get(solutions.kind_of(*given), "relative"))
KIND_OF.mistake(
    "你要求每一位都相等：旋转算出来总有一点舍入误差。留一点余地，比如 1e-4。",
    "Yours wants every digit equal, but rotations have rounding errors. Leave a margin, 1e-4 say.",
)(_telling(lambda p: p + 7, lambda p: 2 * p, 0.0))
KIND_OF.mistake(
    "拉开距离会变，并不就是绝对的：相对编码也会变。先一起移动。",
    "A change with larger distances does not make it absolute: a relative one changes too. Shift all "
    "together first.",
)(_telling(lambda p: 2 * p, lambda p: p + 7, 1e-4))
KIND_OF.mistake(
    "绝对和相对的名字对调了：一起移动会变的，是绝对的。",
    "The names are exchanged: what a common shift changes is absolute.",
)(lambda *given: {"absolute": "relative", "relative": "absolute"}.get(solutions.kind_of(*given), "blind"))
KIND_OF.mistake(
    "只比了第一个词元：它只看得见自己，看不出什么。比全部。",
    "Only the first token was compared: it sees only itself, which tells little. Compare them all.",
)(lambda attend, positions: solutions.kind_of(lambda p: attend(p)[:1], positions))
