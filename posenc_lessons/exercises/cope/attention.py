"""The exercise of lesson 06 on the whole attention with CoPE."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from posenc_lessons.exercises import recurring
from posenc_lessons.exercises.cope import counting
from posenc_lessons.exercises.cope.table import SWAPPED, interpolate, swapped
from posenc_lessons.exercises.exercise import CHANGED, Answer, Exercise, Question
from posenc_lessons.exercises.reading import random_numbers
from posenc_lessons.exercises.solutions import cope as solutions
from posenc_lessons.language import Text


def _question(shape: tuple[int, ...], rows: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    query, key, value = 1.5 * random_numbers(3, *shape, seed=rows)
    return query, key, value, random_numbers(rows, shape[-1], seed=1)


MASKED_LATE = Text(
    "掩码乘在了 softmax 之后：后面的键分数一大，看得见的权重全下溢成 0，归一就是 0/0。先填 −∞。",
    "The mask is multiplied in after the softmax: once a later key has a large score, all visible weights "
    "underflow to 0, and renormalising is 0/0. Fill in −∞ first, then softmax.",
)


def _with_a_large_score_ahead() -> tuple[Tensor, Tensor, Tensor, Tensor]:
    query, key, value, table = _question((5, 4), 6)
    key[-1] = 300 * query[0]
    return query, key, value, table


COPE_ATTENTION = Exercise(
    solutions.cope_attention,
    questions=(
        _question((5, 4), 6),
        _question((2, 3, 6, 8), 7),
        Question(*_question((6, 4), 3), raising=counting.NO_CLAMP),
        Question(*_with_a_large_score_ahead(), otherwise=MASKED_LATE),
        _question((1, 4), 3),
    ),
    praise=Text(
        "对。掩码、门控、计数、封顶、插值，一步不差；改动后面的词元，前面的输出不变。",
        "Right. Mask, gates, count, clamp, interpolation, every step in its place; change later tokens, and "
        "earlier outputs stay.",
    ),
    tolerance=1e-4,
    call=lambda q, k, v, table: f"cope_attention(q, k, v {list(q.shape)}, table {list(table.shape)})",
    changed=CHANGED,
)
Positions = Callable[[Tensor, Tensor, float], Tensor]
Weigh = Callable[[Tensor, Tensor, float], Tensor]


def _causal(scores: Tensor) -> Tensor:
    return torch.ones(scores.shape[-2:], dtype=torch.bool).tril()


def _weights(scores: Tensor) -> Tensor:
    return scores.masked_fill(~_causal(scores), -math.inf).softmax(dim=-1)


def _attention(
    weigh: Weigh = lambda products, bias, root: _weights((products + bias) / root),
    positions: Positions = solutions.positions,
    between: Callable[[Tensor, Tensor], Tensor] = interpolate,
) -> Answer:
    """Return the attention with weights ``weigh(q·k, z[p], √d)``, of [..., L, L] not yet divided."""

    def attention(query: Tensor, key: Tensor, value: Tensor, table: Tensor) -> Tensor:
        products, root = query @ key.mT, math.sqrt(query.shape[-1])
        p = positions(products / root, _causal(products), len(table) - 1)
        return weigh(products, between(query @ table.T, p), root) @ value

    return attention


def _weights_of_all(products: Tensor, bias: Tensor, root: float) -> Tensor:
    return ((products + bias) / root).softmax(dim=-1)


for message, counted in (
    (counting.GATES_FIRST, counting.gates_before_mask),
    (counting.DIRECTION, counting.up_to_the_key),
    (counting.KEY_LEFT_OUT, counting.key_left_out),
    (counting.QUERY_LEFT_OUT, counting.query_left_out),
    (counting.TOKENS_COUNTED, counting.tokens_counted),
    (counting.ROUNDED, counting.rounded),
):
    COPE_ATTENTION.mistake(message)(_attention(positions=counted))
COPE_ATTENTION.mistake(SWAPPED)(_attention(between=swapped))


@COPE_ATTENTION.mistake(
    "门控用了没有除以 √d 的 q·k，那是论文的公式；公开的代码除了。",
    "The gates are made from q·k not divided by √d, as in the paper's formula; the released code divides it.",
)
def gates_of_products(query: Tensor, key: Tensor, value: Tensor, table: Tensor) -> Any:
    root = math.sqrt(query.shape[-1])
    undivided = _attention(positions=lambda s, mask, most: solutions.positions(s * root, mask, most))
    return undivided(query, key, value, table)


COPE_ATTENTION.mistake(
    "只有 q·k 除以了 √d，那是论文代码清单的写法；公开的代码把两项都除。",
    "Only q·k is divided by √d, which is the paper's listing; the released code divides both terms.",
)(_attention(lambda products, bias, root: _weights(products / root + bias)))
COPE_ATTENTION.mistake(recurring.POSITION_DIVIDED)(
    _attention(lambda products, bias, root: _weights(products + bias / root))
)
COPE_ATTENTION.mistake(recurring.NOT_DIVIDED)(
    _attention(lambda products, bias, root: _weights(products + bias))
)
COPE_ATTENTION.mistake(recurring.TABLE_NOT_USED)(
    lambda query, key, value, table: solutions.cope_attention(query, key, value, torch.zeros_like(table))
)
COPE_ATTENTION.mistake(
    "z[p] 加晚了：要加在 softmax 之前。", "z[p] comes too late: add it before the softmax."
)(
    _attention(lambda products, bias, root: _weights(products / root) + (bias / root).tril()),
    _attention(lambda products, bias, root: _weights(products / root) + bias.tril()),
)
COPE_ATTENTION.mistake("没有因果掩码：查询看到了后面的键。", "No causal mask: queries see later keys.")(
    _attention(
        _weights_of_all, lambda scores, mask, most: solutions.positions(scores, torch.ones_like(mask), most)
    )
)
COPE_ATTENTION.mistake(
    "门控用了掩码，softmax 却没有：查询看到了后面的键。",
    "The gates are masked, the softmax is not: queries see later keys.",
)(_attention(_weights_of_all))
