"""Exercises of lesson 01 on attention: weights, and weights under a mask."""

import math
from contextlib import nullcontext

import torch
from torch import Tensor

from posenc_lessons.exercises import recurring
from posenc_lessons.exercises.exercise import Exercise
from posenc_lessons.exercises.reading import explained, random_numbers
from posenc_lessons.exercises.solutions import why_position as solutions
from posenc_lessons.exercises.verdict import Asked
from posenc_lessons.language import Text

# ---- 1 · attention weights ----------------------------------------------------------------------------

NOT_ONE_IN_ALL = Text(
    "你的权重每一行加起来不是 1：softmax 对键做，和就是 1。",
    "Your rows do not add up to 1: after a softmax over the keys they do.",
)
OTHER_WEIGHTS = Text(
    "每行加起来是 1，但数值和 softmax(q kᵀ / √d_k) 不同。",
    "The rows add up to 1, but the numbers differ from softmax(q kᵀ / √d_k).",
)


def _what_the_rows_add_up_to(weights: Tensor, right: Tensor, query: Tensor, key: Tensor) -> Text:
    sums = weights.sum(dim=-1)
    one = torch.allclose(sums, torch.ones_like(sums), atol=1e-5)
    return OTHER_WEIGHTS if one else NOT_ONE_IN_ALL


ALL_AXES_REVERSED = Text(
    ".T 把所有的维都倒过来：这里只该对调最后两维，transpose(-2, -1)。有批量和多头时，你的函数报错。",
    ".T reverses all axes: exchange only the last two, transpose(-2, -1).",
)


def _ask_for_weights(answer: Asked, query: Tensor, key: Tensor) -> object:
    with explained("must match", ALL_AXES_REVERSED) if query.ndim > 2 else nullcontext():
        return answer(query, key)


ATTENTION_WEIGHTS = Exercise(
    solutions.attention_weights,
    questions=[
        (2 * random_numbers(*front, n_queries, d, seed=d), random_numbers(*front, n_keys, d, seed=d + 10))
        for front, n_queries, n_keys, d in (((), 3, 3, 4), ((), 3, 5, 16), ((2, 3), 4, 6, 9))
    ],
    praise=Text(
        "对了：缩放、转置、在键的方向上做 softmax，一样不差；前面带上批量和多头也成立。",
        "Right: scaled, transposed, and normalised over the keys; it also holds with batch and heads in "
        "front.",
    ),
    pose=_ask_for_weights,
    otherwise=_what_the_rows_add_up_to,
)


def _dot(query: Tensor, key: Tensor) -> Tensor:
    return query @ key.transpose(-2, -1)


def _scores(query: Tensor, key: Tensor) -> Tensor:
    return _dot(query, key) / math.sqrt(query.shape[-1])


ATTENTION_WEIGHTS.mistake(
    "忘了除以 √d_k：分数的标准差会随 d_k 变大，softmax 就越来越尖。",
    "The division by √d_k is missing: the scores spread with d_k and the softmax grows too sharp.",
)(lambda query, key: _dot(query, key).softmax(dim=-1))
ATTENTION_WEIGHTS.mistake(recurring.DIVIDED_BY_THE_WIDTH)(
    lambda query, key: (_dot(query, key) / query.shape[-1]).softmax(dim=-1)
)
ATTENTION_WEIGHTS.mistake(
    "要除以 √d_k，特征数的平方根：不是乘，√ 里也不是词元的个数。",
    "You scale by another number: divide by √d_k, the root of the number of features.",
)(
    lambda query, key: (_dot(query, key) * math.sqrt(query.shape[-1])).softmax(dim=-1),
    lambda query, key: (_dot(query, key) / math.sqrt(key.shape[-2])).softmax(dim=-1),
    lambda query, key: (_dot(query, key) / math.sqrt(query.shape[-2])).softmax(dim=-1),
)
ATTENTION_WEIGHTS.mistake(
    "softmax 做错了方向：要对键归一化，dim=-1，每一行加起来是 1。",
    "The softmax runs over the wrong axis: normalise over the keys, dim=-1, so that each row adds up to 1.",
)(
    lambda query, key: _scores(query, key).softmax(dim=-2),
    lambda query, key: _scores(query, key).softmax(dim=0),
)
ATTENTION_WEIGHTS.mistake(
    "一句话时对，前面带上批量和头就错了：dim=1 那时是头。键总在最后一维，写 dim=-1。",
    "This is right for one sentence, wrong with batch and heads in front: keys are the last axis, dim=-1.",
)(lambda query, key: _scores(query, key).softmax(dim=1))
ATTENTION_WEIGHTS.mistake(
    "还没有做 softmax：这些还是分数。", "The softmax is missing: these are still the scores."
)(lambda query, key: _scores(query, key))
ATTENTION_WEIGHTS.mistake(
    "查询和键换了位置：你算的是 k qᵀ，第 i 行变成了键 i 对各个查询的分数。行应是查询，列应是键。",
    "Query and key changed places: you compute k qᵀ. Rows are queries, columns keys.",
)(lambda query, key: solutions.attention_weights(key, query))
