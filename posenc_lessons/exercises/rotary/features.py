"""Two exercises of lesson 05: rotate a part of each head, and reorder weights for the other pairing."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from posenc_lessons.exercises import recurring
from posenc_lessons.exercises.exercise import CHANGED, Answer, Exercise, Question
from posenc_lessons.exercises.reading import random_numbers
from posenc_lessons.exercises.rotary.rotation import TRANSPOSED, angles_of
from posenc_lessons.exercises.rotating import rotated_in_halves, rotated_interleaved
from posenc_lessons.exercises.solutions import rotary as solutions
from posenc_lessons.language import Text

# --- partial rotation -----------------------------------------------------------------------------------

ODD_WIDTH = Text(
    "要转的宽度 int(d_head · fraction) 是奇数，有一个特征找不到伴。往下取偶数：先除以 2 取整，再乘 2。",
    "The rotated width int(d_head · fraction) is odd, and one feature has no partner. Go down to an even "
    "number: halve, drop the fraction, double.",
)


def _to_be_partly_rotated() -> Iterator[Question]:
    for shape, fraction, base in (
        ((3, 8), 0.5, 100.0),
        ((2, 4, 16), 0.25, 10000.0),
        ((3, 4), 1.0, 10000.0),
        ((3, 10), 0.5, 10000.0),
        ((2, 14), 0.5, 10000.0),
    ):
        arguments = random_numbers(*shape), torch.tensor([2, 7, 1, 5])[: shape[-2]], fraction, base
        message = ODD_WIDTH if _down(arguments[0], fraction) % 2 else None
        yield Question(*arguments, otherwise=message, raising=message)


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


def _even(x: Tensor, fraction: float) -> int:
    return int(x.shape[-1] * fraction) // 2 * 2


def _down(x: Tensor, fraction: float) -> int:
    return int(x.shape[-1] * fraction)


def _rotated(x: Tensor, positions: Tensor, base: float) -> Tensor:
    return rotated_interleaved(x, angles_of(x, positions, base))


def _partly(
    rotated: Callable[[Tensor, Tensor, float], Tensor] = _rotated,
    width: Callable[[Tensor, float], int] = _even,
) -> Answer:
    """Return the answer that rotates the first ``width`` features by ``rotated``."""

    def rotate(x: Tensor, positions: Tensor, fraction: float, base: float) -> Tensor:
        n = width(x, fraction)
        return torch.cat([rotated(x[..., :n], positions, base), x[..., n:]], dim=-1)

    return rotate


PARTIAL_ROTATE.mistake(TRANSPOSED)(_partly(lambda x, positions, base: _rotated(x, -positions, base)))
PARTIAL_ROTATE.mistake(recurring.HALVES_PAIRED)(
    _partly(lambda x, positions, base: rotated_in_halves(x, angles_of(x, positions, base)))
)


@PARTIAL_ROTATE.mistake(
    "频率是按整个头的宽度 d_head 算的。分母应当是真正转的那部分的宽度。",
    "The frequencies are those of the whole d_head. Divide by the rotated width.",
)
def rates_of_the_head(x: Tensor, positions: Tensor, fraction: float, base: float) -> Tensor:
    width = _even(x, fraction)
    angles = angles_of(x, positions, base)[:, : width // 2]
    return torch.cat([rotated_interleaved(x[..., :width], angles), x[..., width:]], dim=-1)


PARTIAL_ROTATE.mistake(
    "整个头都转了：只转前面 fraction 那一部分，其余原样留下。",
    "The whole head was rotated: rotate only the first fraction of it and leave the rest.",
)(lambda x, positions, fraction, base: _rotated(x, positions, base))


@PARTIAL_ROTATE.mistake(
    "转的是后面一部分：应当转前面的，后面的原样留下。",
    "You rotated the last features: rotate the first ones and leave the last.",
)
def last_rotated(x: Tensor, positions: Tensor, fraction: float, base: float) -> Tensor:
    rest = x.shape[-1] - _even(x, fraction)
    return torch.cat([x[..., :rest], _rotated(x[..., rest:], positions, base)], dim=-1)


recurring.positions_not_used(PARTIAL_ROTATE, 1)
recurring.base_fixed(PARTIAL_ROTATE)
recurring.unchanged(PARTIAL_ROTATE)
PARTIAL_ROTATE.mistake(
    "d_head · fraction 是奇数时，要往下取偶数，你往上取了。",
    "When d_head · fraction is odd, go down to an even number; you went up.",
)(_partly(width=lambda x, fraction: math.ceil(x.shape[-1] * fraction / 2) * 2))


@PARTIAL_ROTATE.mistake(ODD_WIDTH)
def odd_feature_lost(x: Tensor, positions: Tensor, fraction: float, base: float) -> Tensor:
    rotated = solutions.partial_rotate(x, positions, fraction, base)[..., : _even(x, fraction)]
    return torch.cat([rotated, x[..., _down(x, fraction) :]], dim=-1)


# --- converting weights ---------------------------------------------------------------------------------


def _weights() -> Iterator[tuple[Tensor, int]]:
    for n_heads, d_head, d_model in ((1, 12, 12), (2, 8, 16), (3, 6, 5), (4, 2, 3), (1, 4, 4)):
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


recurring.unchanged(TO_HALF_SPLIT)


@TO_HALF_SPLIT.mistake(
    "你重排了列，列是输入。nn.Linear 的权重是 [输出, 输入]，要重排的是行。",
    "You reordered columns, which are inputs. nn.Linear keeps [outputs, inputs]: rows, then.",
)
def columns_reordered(weight: Tensor, n_heads: int) -> Tensor:
    return torch.cat([weight[:, 0::2], weight[:, 1::2]], dim=1)
