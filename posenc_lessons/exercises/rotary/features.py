"""The exercise of lesson 05 on weights: reorder them for the other pairing."""

from collections.abc import Iterator

import torch
from torch import Tensor

from posenc_lessons.exercises import recurring
from posenc_lessons.exercises.exercise import CHANGED, Exercise
from posenc_lessons.exercises.reading import random_numbers
from posenc_lessons.exercises.solutions import rotary as solutions
from posenc_lessons.language import Text


def _weights() -> Iterator[tuple[Tensor, int]]:
    for n_heads, d_head, d_model in ((1, 6, 3), (2, 8, 16), (3, 6, 5), (4, 2, 3), (1, 4, 4)):
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
    "Your permutation goes the wrong way, from half-split to interleaved: row i should come from row 2i.",
)(lambda weight, n_heads: weight.unflatten(0, (n_heads, 2, -1)).transpose(1, 2).flatten(0, 2))
TO_HALF_SPLIT.mistake(
    "你把所有的头当成一个头来重排，行跑到别的头里去了。每个头各自重排。",
    "All heads were reordered as if they were one: reorder each head by itself.",
)(lambda weight, *_: torch.cat([weight[0::2], weight[1::2]]))
TO_HALF_SPLIT.mistake(
    "奇数行放到前面了：一对里的第一个（偶数行）要在前半，否则旋转的方向会反。",
    "Odd rows came first: the first of each pair, the even rows, belongs in the first half.",
)(lambda weight, n_heads: weight.unflatten(0, (n_heads, -1, 2)).flip(2).transpose(1, 2).flatten(0, 2))


recurring.unchanged(TO_HALF_SPLIT)


@TO_HALF_SPLIT.mistake(
    "你重排了列，列是输入。nn.Linear 的权重是 [输出, 输入]，要重排的是行。",
    "You reordered columns, which are inputs. nn.Linear keeps [outputs, inputs]: rows, then.",
)
def columns_reordered(weight: Tensor, n_heads: int) -> Tensor:
    return torch.cat([weight[:, 0::2], weight[:, 1::2]], dim=1)
