"""The exercise of lesson 07 on decoding: one step with the cache."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from posenc_lessons.exercises import recurring
from posenc_lessons.exercises.exercise import CHANGED, Answer, Exercise
from posenc_lessons.exercises.reading import random_numbers
from posenc_lessons.exercises.solutions import transformer as solutions
from posenc_lessons.exercises.verdict import Wrong
from posenc_lessons.language import Text

Cache = Any  # keys and values so far, None at first: what an answer returns is handed to it again
Stepped = tuple[Tensor, Cache]

TWO_THINGS = Text(
    "要返回两样东西：输出和新的缓存。写成 return output, (keys, values)。",
    "Two things should be returned, the output and the new cache: return output, (keys, values).",
)


def _questions() -> list[tuple[Tensor, Tensor, Tensor]]:
    """Return texts of every length, the longest first: in a step or two mistakes may look alike."""
    questions: list[tuple[Tensor, Tensor, Tensor]] = []
    for shape in ((1, 1, 4, 3), (2, 3, 5, 4)):
        query, key, value = random_numbers(3, *shape)
        questions += [(query[:, :, :t], key[:, :, :t], value[:, :, :t]) for t in range(shape[2], 0, -1)]
    return questions


def _last_step(answer: Answer, query: Tensor, key: Tensor, value: Tensor) -> Any:
    """Hand [B, h, T, d_head] to ``answer`` token by token, and return what its last step puts out."""
    output: Any = None
    cache: Cache = None
    for t in range(query.shape[2]):
        token = {name: x[:, :, t : t + 1] for name, x in (("query", query), ("key", key), ("value", value))}
        arguments = {name: x.clone() for name, x in token.items()}
        returned = answer(*arguments.values(), cache)
        if not all(torch.equal(x, token[name]) for name, x in arguments.items()):
            raise Wrong.saying(CHANGED)
        if not isinstance(returned, tuple) or len(returned) != 2:
            raise Wrong.saying(TWO_THINGS)
        output, cache = returned
    return output


CACHED_STEP = Exercise(
    solutions.cached_step,
    questions=_questions,
    praise=Text(
        "对。一个一个来，和一次算完的因果注意力一样。",
        "Right. One by one, it equals causal attention worked out at a stroke.",
    ),
    pose=_last_step,
    call=lambda query, key, value: f"cached_step(…), t = {query.shape[2] - 1}",
)


def _attend(query: Tensor, key: Tensor, value: Tensor, dim: int = -1) -> Tensor:
    return (query @ key.mT / math.sqrt(query.shape[-1])).softmax(dim=dim) @ value


def _longer(cache: Cache, key: Tensor, value: Tensor, dim: int = 2) -> tuple[Tensor, Tensor]:
    if cache is None:
        return key, value
    return torch.cat([cache[0], key], dim=dim), torch.cat([cache[1], value], dim=dim)


CACHED_STEP.mistake(
    "缓存没有用上：新词元只看见自己，权重是 1，输出就是它自己的值。",
    "The cache is not used: the new token sees only itself, with weight 1, and the output is its own value.",
)(lambda query, key, value, *_: (_attend(query, key, value), (key, value)))
CACHED_STEP.mistake(
    "返回的缓存没有变长：把新的键和值接上去，连同它们一起返回。",
    "The cache you return has not grown: join the new key and value on and return them with it.",
)(lambda query, key, value, cache: (_attend(query, *_longer(cache, key, value)), cache or (key, value)))
CACHED_STEP.mistake(
    "返回的缓存里只有这一个词元，前面的丢了。",
    "The cache you return holds only this token; those before are lost.",
)(lambda query, key, value, cache: (_attend(query, *_longer(cache, key, value)), (key, value)))
CACHED_STEP.mistake(
    "新词元没有看自己：先把它的键和值接上去，再算注意力。",
    "The new token does not see itself: join its key and value on first, then attend.",
)(lambda query, key, value, cache: (_attend(query, *(cache or (key, value))), _longer(cache, key, value)))


def _step(attend: Callable[[Tensor, Tensor, Tensor], Tensor] = _attend, dim: int = 2) -> Answer:
    """Return a step that attends by ``attend`` to keys and values that grow along ``dim``."""

    def step(query: Tensor, key: Tensor, value: Tensor, cache: Cache) -> Stepped:
        key, value = _longer(cache, key, value, dim)
        return attend(query, key, value), (key, value)

    return step


CACHED_STEP.mistake(
    "你给这一行套了因果掩码的第 0 行，只看得见第一个键。新词元在最后，全都看得见，不需要掩码"
    "（scaled_dot_product_attention 的 is_causal=True 也有这个陷阱）。",
    "You put row 0 of the causal mask on this row, and it sees the first key only. The new token stands last "
    "and may see them all, with no mask (is_causal=True of scaled_dot_product_attention is the same trap).",
)(_step(lambda query, key, value: F.scaled_dot_product_attention(query, key, value, is_causal=True)))
CACHED_STEP.mistake(
    "softmax 做在查询那一维上，那里只有 1 个，权重全是 1。要 dim=-1。",
    "softmax runs over the queries, of which there is 1, so every weight is 1. It is dim=-1.",
)(_step(lambda query, key, value: _attend(query, key, value, dim=-2)))
CACHED_STEP.mistake(recurring.NOT_DIVIDED)(
    _step(lambda query, key, value: _attend(query * math.sqrt(query.shape[-1]), key, value))
)
CACHED_STEP.mistake(recurring.DIVIDED_BY_THE_WIDTH)(
    _step(lambda query, key, value: _attend(query / math.sqrt(query.shape[-1]), key, value))
)
CACHED_STEP.mistake("你把键当成了值。", "You use the keys for values.")(
    lambda query, key, value, cache: solutions.cached_step(query, key, key, cache)
)
CACHED_STEP.mistake(
    "键和值对调了：用键算分数，用值求加权和。",
    "Keys and values are exchanged: scores are computed with keys, the weighted sum with values.",
)(lambda query, key, value, cache: solutions.cached_step(query, value, key, cache))


@CACHED_STEP.mistake(
    "缓存里的键和值对调了：返回 (键, 值)，下一次就要按这个次序取。",
    "Keys and values of the cache are exchanged: if you return (keys, values), take them in that order next "
    "time.",
)
def exchanged_in_the_cache(query: Tensor, key: Tensor, value: Tensor, cache: Cache) -> Stepped:
    keys, values = _longer(cache, key, value)
    return _attend(query, keys, values), (values, keys)


CACHED_STEP.mistake(
    "新的键和值接错了方向：缓存是 [B, h, t, d_head]，要沿长度那一维接，dim=2。",
    "New keys and values are joined on along the wrong axis: the cache is [B, h, t, d_head] and grows along "
    "its length, dim=2.",
)(_step(dim=1), _step(dim=0))
CACHED_STEP.mistake(
    "输出里只要新词元那一行，[B, h, 1, d_head]。旧词元的输出早就算过了。",
    "Only the new token's row is wanted, [B, h, 1, d_head]. The old ones' outputs were worked out long ago.",
)(_step(lambda query, key, value: _attend(query, key, value).expand_as(value)))
