"""The exercises of lesson 05: parts of heads, their weights, attention; turns and tables have other files."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from posenc_lessons import encodings
from posenc_lessons.exercises.exercise import CHANGED, Answer, Exercise, Question
from posenc_lessons.exercises.reading import random_numbers
from posenc_lessons.exercises.rotary_tables import TABLES
from posenc_lessons.exercises.rotary_turns import (
    ROTARY_SCORE,
    ROTATE,
    TRANSPOSED,
    UNTURNED,
    angles_of,
    turned_interleaved,
)
from posenc_lessons.exercises.solutions import rotary as solutions
from posenc_lessons.language import Text

check_rotate = ROTATE.check
check_rotary_score = ROTARY_SCORE.check
check_tables = TABLES.check

# --- partial rotation -----------------------------------------------------------------------------------

ODD_WIDTH = Text(
    "要转的宽度是奇数：int({d_head} · {fraction}) = {width}，有一个特征找不到伴。往下取偶数 {even}："
    "先除以 2 取整，再乘 2。",
    "The rotated width is odd: int({d_head} · {fraction}) = {width}, and one feature has no partner. Go "
    "down to {even}: halve, drop the fraction, double.",
)
ODD: dict[str, Callable[..., int]] = {
    "d_head": lambda x, positions, fraction, base: x.shape[-1],
    "width": lambda x, positions, fraction, base: _down(x, fraction),
    "even": lambda x, positions, fraction, base: _even(x, fraction),
}


def _to_be_partly_rotated() -> Iterator[Question]:
    for shape, fraction, base in (
        ((3, 8), 0.5, 10000.0),
        ((2, 4, 16), 0.25, 100.0),
        ((3, 4), 1.0, 10000.0),
        ((3, 10), 0.5, 10000.0),
        ((2, 14), 0.5, 10000.0),
    ):
        arguments = random_numbers(*shape), torch.tensor([2, 7, 1, 5])[: shape[-2]], fraction, base
        fields = {name: work_out(*arguments) for name, work_out in ODD.items()}
        said = ODD_WIDTH.format(fraction=fraction, **fields) if fields["width"] % 2 else None
        yield Question(*arguments, otherwise=said, raising=said)


PARTIAL_ROTATE = Exercise(
    solutions.partial_rotate,
    questions=_to_be_partly_rotated,
    praise=Text(
        "对。转的宽度总是偶数，其余的特征原封不动。",
        "Right. The rotated width is always even, and the other features are left alone.",
    ),
    tolerance=1e-4,
    changed=CHANGED,
)
check_partial_rotate = PARTIAL_ROTATE.check


def _even(x: Tensor, fraction: float) -> int:
    return int(x.shape[-1] * fraction) // 2 * 2


def _down(x: Tensor, fraction: float) -> int:
    return int(x.shape[-1] * fraction)


def _turned(x: Tensor, positions: Tensor, base: float) -> Tensor:
    return turned_interleaved(x, angles_of(x, positions, base))


def _turned_padded(x: Tensor, positions: Tensor, base: float) -> Tensor:
    """The same of a width that may be odd, with a zero for the last feature's partner."""
    padded = torch.cat([x, torch.zeros_like(x[..., : x.shape[-1] % 2])], dim=-1)
    return turned_interleaved(padded, angles_of(x, positions, base))[..., : x.shape[-1]]


def _partly(
    turned: Callable[[Tensor, Tensor, float], Tensor] = _turned, width: Callable[[Tensor, float], int] = _even
) -> Answer:
    """The answer that turns so many first features so."""

    def rotate(x: Tensor, positions: Tensor, fraction: float, base: float) -> Tensor:
        n = width(x, fraction)
        return torch.cat([turned(x[..., :n], positions, base), x[..., n:]], dim=-1)

    return rotate


PARTIAL_ROTATE.mistake(TRANSPOSED)(_partly(lambda x, positions, base: _turned(x, -positions, base)))
PARTIAL_ROTATE.mistake(
    "配对错了：这里要相邻配对（2i 和 2i+1）；你用了对半配对。",
    "The wrong pairing: here neighbours belong together, 2i with 2i+1; yours is half-split.",
)(_partly(solutions.rotate))


@PARTIAL_ROTATE.mistake(
    "频率是按整个头的宽度 d_head 算的。分母应当是真正转的那部分的宽度。",
    "The frequencies are those of the whole d_head. Divide by the rotated width.",
)
def rates_of_the_head(x: Tensor, positions: Tensor, fraction: float, base: float) -> Tensor:
    width = _even(x, fraction)
    angles = angles_of(x, positions, base)[:, : width // 2]
    return torch.cat([turned_interleaved(x[..., :width], angles), x[..., width:]], dim=-1)


PARTIAL_ROTATE.mistake(
    "整个头都转了：只转前面 fraction 那一部分，其余原样留下。",
    "The whole head was rotated: rotate only the first fraction of it and leave the rest.",
)(lambda x, positions, fraction, base: _turned(x, positions, base))


@PARTIAL_ROTATE.mistake(
    "转的是后面一部分：应当转前面的，后面的原样留下。",
    "You rotated the last features: rotate the first ones and leave the last.",
)
def last_turned(x: Tensor, positions: Tensor, fraction: float, base: float) -> Tensor:
    rest = x.shape[-1] - _even(x, fraction)
    return torch.cat([x[..., :rest], _turned(x[..., rest:], positions, base)], dim=-1)


PARTIAL_ROTATE.mistake("前面那部分变成了 0。", "The first part became 0.")(
    _partly(lambda x, *_: torch.zeros_like(x))
)
PARTIAL_ROTATE.mistake(UNTURNED)(lambda x, *_: x)
PARTIAL_ROTATE.mistake(
    "d_head · fraction 是奇数时，要往下取偶数，你往上取了。",
    "When d_head · fraction is odd, go down to an even number; you went up.",
)(_partly(width=lambda x, fraction: math.ceil(x.shape[-1] * fraction / 2) * 2))
PARTIAL_ROTATE.example(ODD_WIDTH)(_partly(width=_down), _partly(_turned_padded, _down))


@PARTIAL_ROTATE.mistake(ODD_WIDTH, **ODD)
def odd_feature_lost(x: Tensor, positions: Tensor, fraction: float, base: float) -> Tensor:
    turned = solutions.partial_rotate(x, positions, fraction, base)[..., : _even(x, fraction)]
    return torch.cat([turned, x[..., _down(x, fraction) :]], dim=-1)


PARTIAL_ROTATE.right(
    lambda x, positions, fraction, base: encodings.apply_rotary(
        x, positions, base, rotary_dim=_even(x, fraction)
    )
)


# --- converting weights ---------------------------------------------------------------------------------


def _weights() -> Iterator[tuple[Tensor, int]]:
    for n_heads, d_head, d_model in ((1, 4, 3), (2, 8, 16), (3, 6, 5)):
        yield random_numbers(n_heads * d_head, d_model), n_heads


TO_HALF_SPLIT = Exercise(
    solutions.to_half_split,
    questions=_weights,
    praise=Text(
        "对。每个头各自重排：偶数行在前，奇数行在后；分数一个也不变。",
        "Right. Each head by itself, even rows before odd ones; not a score changes.",
    ),
    changed=CHANGED,
)
check_to_half_split = TO_HALF_SPLIT.check

TO_HALF_SPLIT.mistake(
    "方向反了：这个置换把对半式变成相邻式。第 i 行应当取自原来的第 2i 行。",
    "The wrong way round: this permutation turns half-split into interleaved. Row i should come from row 2i.",
)(lambda weight, n_heads: weight.unflatten(0, (n_heads, 2, -1)).transpose(1, 2).flatten(0, 2))
TO_HALF_SPLIT.mistake(
    "你把所有的头当成一个头来重排，行跑到别的头里去了。每个头各自重排。",
    "All heads were reordered as if they were one, so rows moved into other heads. Reorder each head by "
    "itself.",
)(lambda weight, *_: torch.cat([weight[0::2], weight[1::2]]))
TO_HALF_SPLIT.mistake(
    "这是首尾颠倒，不是把偶数行放前面、奇数行放后面。",
    "That is last to first, not even rows before odd ones.",
)(lambda weight, n_heads: weight.unflatten(0, (n_heads, -1)).flip(1).flatten(0, 1))
TO_HALF_SPLIT.mistake(
    "奇数行放到前面了：一对里的第一个（偶数行）要在前半，否则旋转的方向会反。",
    "Odd rows came first: the first of each pair (even rows) belongs in the first half, or the rotation runs "
    "backwards.",
)(lambda weight, n_heads: weight.unflatten(0, (n_heads, -1, 2)).flip(2).transpose(1, 2).flatten(0, 2))
TO_HALF_SPLIT.mistake("权重原样返回了。", "The weight came back unchanged.")(lambda weight, *_: weight)


@TO_HALF_SPLIT.mistake(
    "你重排了列，列是输入。nn.Linear 的权重是 [输出, 输入]，要重排的是行。",
    "You reordered columns, which are inputs. nn.Linear keeps [outputs, inputs]: rows, then.",
)
def columns_reordered(weight: Tensor, n_heads: int) -> Tensor:
    if weight.shape[0] != weight.shape[1]:
        return solutions.to_half_split(weight, n_heads)
    return solutions.to_half_split(weight.T, n_heads).T


TO_HALF_SPLIT.right(lambda weight, n_heads: encodings.convert_pairing(weight, n_heads, to="half_split"))


# --- attention over positions ---------------------------------------------------------------------------

Turn = Callable[[Tensor, Tensor], Tensor]


def _turn(x: Tensor, positions: Tensor) -> Tensor:
    """Interleaved pairs of x [..., L, d], with the base that the questions have."""
    return turned_interleaved(x, angles_of(x, positions, 100.0))


def _heads() -> Iterator[tuple[Tensor, Tensor, Tensor, Tensor, Turn]]:
    for shape, start in (((2, 5, 3, 4), 7), ((1, 4, 1, 8), 0), ((2, 4, 4, 6), 30)):
        query, key, value = 2 * random_numbers(3, *shape)
        yield query, key, value, torch.arange(start, start + shape[1]), _turn


ATTEND = Exercise(
    solutions.attend,
    questions=_heads,
    praise=Text(
        "对。值也转，输出转回去：每个值只带着相对位置 n−m 到达，两处的位置一起平移，输出不变。",
        "Right. Values rotated and the output turned back: each value arrives with its relative position n−m "
        "alone, and a common shift of all positions changes nothing.",
    ),
    tolerance=1e-4,
    call=lambda query, key, value, positions, turn: f"attend(q, k, v {list(query.shape)}, positions)",
)
check_attend = ATTEND.check


Weigh = Callable[[Tensor, int], Tensor]
Mix = Callable[[Tensor, Tensor, Tensor, Turn], Tensor]


def _attention(
    weigh: Weigh = lambda scores, d: scores.softmax(dim=-1),
    mix: Mix = lambda weights, v, positions, turn: turn(weights @ turn(v, positions), -positions),
) -> Answer:
    """The attention with weights ``weigh(q·k/√d, d)``; ``mix`` gets them [B, H, L, L] and v [B, H, L, d]."""

    def attend(query: Tensor, key: Tensor, value: Tensor, positions: Tensor, turn: Turn) -> Tensor:
        q, k = (turn(x.transpose(1, 2), positions) for x in (query, key))
        weights = weigh(q @ k.mT / math.sqrt(query.shape[-1]), query.shape[-1])
        return mix(weights, value.transpose(1, 2), positions, turn).transpose(1, 2)

    return attend


@ATTEND.mistake(
    "注意力跑到头那一维上去了：[B, L, H, d] 里倒数第二维是头，不是位置。先 transpose(1, 2)。",
    "Attention runs over the head axis: in [B, L, H, d] the last axis but one is heads, not positions. "
    "transpose(1, 2) first.",
)
def over_the_heads(query: Tensor, key: Tensor, value: Tensor, positions: Tensor, turn: Turn) -> Tensor:
    q, k, v = (turn(x.transpose(1, 2), positions).transpose(1, 2) for x in (query, key, value))
    out = torch.nn.functional.scaled_dot_product_attention(q, k, v)
    return turn(out.transpose(1, 2), -positions).transpose(1, 2)


ATTEND.mistake(
    "值没有转，输出也没有转回：这是普通的 RoPE。这里值也要转。",
    "Values are not rotated and the output is not turned back: that is ordinary RoPE. Here they are.",
)(_attention(mix=lambda weights, v, positions, turn: weights @ v))
ATTEND.mistake(
    "值转了，输出没有转回去：输出里留着绝对位置。用查询的位置往回转，turn(out, -positions)。",
    "Values are rotated, but the output is not turned back and keeps absolute positions. Turn it back by the "
    "query's position, turn(out, -positions).",
)(_attention(mix=lambda weights, v, positions, turn: weights @ turn(v, positions)))
ATTEND.mistake(
    "输出又往前转了一次，应当往回转：-positions。",
    "The output was rotated forward once more; it goes back: -positions.",
)(_attention(mix=lambda weights, v, positions, turn: turn(weights @ turn(v, positions), positions)))


@ATTEND.mistake("查询和键没有转。", "Queries and keys are not rotated.")
def scores_unturned(query: Tensor, key: Tensor, value: Tensor, positions: Tensor, turn: Turn) -> Tensor:
    q, k = (turn(x.transpose(1, 2), -positions).transpose(1, 2) for x in (query, key))
    return solutions.attend(q, k, value, positions, turn)


@ATTEND.mistake(
    "位置是从 0 数的：用传进来的 positions，它们不一定从 0 开始。",
    "The positions were counted from 0: use the positions handed in, which need not start there.",
)
def counted_from_0(query: Tensor, key: Tensor, value: Tensor, positions: Tensor, turn: Turn) -> Tensor:
    out = solutions.attend(query, key, value, torch.arange(query.shape[1]), turn).transpose(1, 2)
    return turn(out, torch.arange(query.shape[1]) - positions).transpose(1, 2)


ATTEND.mistake("忘了除以 √d_head。", "The division by √d_head is missing.")(
    _attention(lambda scores, d: (scores * math.sqrt(d)).softmax(dim=-1))
)
ATTEND.mistake("你除以的是 d_head，应当除以它的平方根。", "You divide by d_head; divide by its square root.")(
    _attention(lambda scores, d: (scores / math.sqrt(d)).softmax(dim=-1))
)
ATTEND.mistake(
    "softmax 做错了方向：应当对键归一化，dim=-1。",
    "softmax over the wrong axis: normalise over the keys, dim=-1.",
)(_attention(lambda scores, d: scores.softmax(dim=-2)))
ATTEND.mistake("少了 softmax。", "The softmax is missing.")(_attention(lambda scores, d: scores))
ATTEND.mistake("这就是 v 自己：每个词元只看了自己。", "That is v itself: each token saw only itself.")(
    lambda query, key, value, *_: value
)
ATTEND.mistake(
    "形状是 {shape}：头还在位置前面，最后要再 transpose(1, 2) 换回来。",
    "The shape is {shape}: heads still stand before positions. transpose(1, 2) back at the end.",
)(lambda *given: solutions.attend(*given).transpose(1, 2))


def _rotated_by_the_difference(weights: Tensor, v: Tensor, positions: Tensor, turn: Turn) -> Tensor:
    """Query by query, every value rotated by n − m."""
    rows = [weights[:, :, [m]] @ turn(v, positions - positions[m]) for m in range(len(positions))]
    return torch.cat(rows, dim=2)


ATTEND.right(_attention(mix=_rotated_by_the_difference))
