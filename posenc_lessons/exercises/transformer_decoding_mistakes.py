"""What the usual mistakes of lesson 07's exercises on decoding return, and what to say to each."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from posenc_lessons.exercises.reading import Suspect
from posenc_lessons.exercises.transformer_mistakes import ShapeName
from posenc_lessons.language import Text

Step = Callable[[Tensor, Tensor, Tensor, Any], tuple[Tensor, Any]]


# ---- 5 · one step with the cache --------------------------------------------------------------------------


def step_suspects(query: Tensor, key: Tensor, value: Tensor) -> list[Suspect]:
    """What the usual mistakes give when they take [B, h, T, d_head] token by token."""
    suspects = []
    for step, name in _STEPS:
        outputs: list[Tensor] = []
        cache: Any = None
        for t in range(query.shape[2]):
            one = slice(t, t + 1)
            output, cache = step(query[:, :, one], key[:, :, one], value[:, :, one], cache)
            outputs.append(output)
        suspects.append((torch.cat(outputs, dim=2), name))
    return suspects


def grown_axes(batch: int, n_heads: int, seen: int, d_head: int) -> list[ShapeName]:
    """Shapes of an output when keys and values were put together along the wrong axis."""
    wrong_axis = Text(
        "新的键和值接错了方向：缓存是 [B, h, t, d_head]，要沿长度那一维接，dim=2。",
        "New keys and values are joined on along the wrong axis: the cache is [B, h, t, d_head] and grows "
        "along its length, dim=2.",
    )
    return [
        ((batch * seen, n_heads, 1, d_head), wrong_axis),
        ((batch, n_heads * seen, 1, d_head), wrong_axis),
        (
            (batch, n_heads, seen, d_head),
            Text(
                "输出里只要新词元那一行，[B, h, 1, d_head]。旧词元的输出早就算过了。",
                "Only the new token's row is wanted, [B, h, 1, d_head]. The old ones' outputs were worked "
                "out long ago.",
            ),
        ),
    ]


def _attend(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    return F.softmax(query @ key.mT / math.sqrt(query.shape[-1]), dim=-1) @ value


def _longer(cache: Any, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
    if cache is None:
        return key, value
    return torch.cat([cache[0], key], dim=2), torch.cat([cache[1], value], dim=2)


def _forgets(q: Tensor, k: Tensor, v: Tensor, cache: Any) -> tuple[Tensor, Any]:
    return _attend(q, k, v), (k, v)


def _keeps_the_first(q: Tensor, k: Tensor, v: Tensor, cache: Any) -> tuple[Tensor, Any]:
    keys, values = _longer(cache, k, v)
    return _attend(q, keys, values), (k, v) if cache is None else cache


def _keeps_the_last(q: Tensor, k: Tensor, v: Tensor, cache: Any) -> tuple[Tensor, Any]:
    return _attend(q, *_longer(cache, k, v)), (k, v)


def _blind_to_itself(q: Tensor, k: Tensor, v: Tensor, cache: Any) -> tuple[Tensor, Any]:
    return _attend(q, *((k, v) if cache is None else cache)), _longer(cache, k, v)


def _triangle_of_one_row(q: Tensor, k: Tensor, v: Tensor, cache: Any) -> tuple[Tensor, Any]:
    keys, values = _longer(cache, k, v)
    return _attend(q, keys[..., :1, :], values[..., :1, :]), (keys, values)


def _over_queries(q: Tensor, k: Tensor, v: Tensor, cache: Any) -> tuple[Tensor, Any]:
    keys, values = _longer(cache, k, v)
    return values.sum(dim=2, keepdim=True), (keys, values)


def _not_divided(q: Tensor, k: Tensor, v: Tensor, cache: Any) -> tuple[Tensor, Any]:
    return _attend(q * math.sqrt(q.shape[-1]), *_longer(cache, k, v)), _longer(cache, k, v)


def _divided_by_d(q: Tensor, k: Tensor, v: Tensor, cache: Any) -> tuple[Tensor, Any]:
    return _attend(q / math.sqrt(q.shape[-1]), *_longer(cache, k, v)), _longer(cache, k, v)


def _keys_as_values(q: Tensor, k: Tensor, v: Tensor, cache: Any) -> tuple[Tensor, Any]:
    keys, _ = _longer(cache, k, v)
    return _attend(q, keys, keys), (keys, keys)


def _keys_in_front(q: Tensor, k: Tensor, v: Tensor, cache: Any) -> tuple[Tensor, Any]:
    keys = k if cache is None else torch.cat([k, cache[0]], dim=2)
    _, values = _longer(cache, k, v)
    return _attend(q, keys, values), (keys, values)


_STEPS: tuple[tuple[Step, Text], ...] = (
    (
        _forgets,
        Text(
            "缓存没有用上：新词元只看见自己，权重是 1，输出就是它自己的值。",
            "The cache is not used: the new token sees itself alone, with weight 1, and the output is its "
            "own value.",
        ),
    ),
    (
        _keeps_the_first,
        Text(
            "返回的缓存没有变长：把新的键和值接上去，连同它们一起返回。",
            "The cache you return has not grown: join the new key and value on and return them with it.",
        ),
    ),
    (
        _keeps_the_last,
        Text(
            "返回的缓存里只有这一个词元，前面的丢了。",
            "The cache you return holds this token alone; those before are lost.",
        ),
    ),
    (
        _blind_to_itself,
        Text(
            "新词元没有看自己：先把它的键和值接上去，再算注意力。",
            "The new token does not see itself: join its key and value on first, then attend.",
        ),
    ),
    (
        _triangle_of_one_row,
        Text(
            "你给这一行套了因果掩码的第 0 行，只看得见第一个键。新词元在最后，全都看得见，不需要掩码"
            "（scaled_dot_product_attention 的 is_causal=True 也有这个陷阱）。",
            "You put row 0 of the causal mask on this row, and it sees the first key only. The new token "
            "stands last and may see them all, with no mask (is_causal=True of scaled_dot_product_attention "
            "is the same trap).",
        ),
    ),
    (
        _over_queries,
        Text(
            "softmax 做在查询那一维上，那里只有 1 个，权重全是 1。要 dim=-1。",
            "softmax runs over the queries, of which there is 1, so every weight is 1. It is dim=-1.",
        ),
    ),
    (_not_divided, Text("忘了除以 √d_head。", "The division by √d_head is missing.")),
    (_divided_by_d, Text("除以的是 d_head，应为 √d_head。", "You divide by d_head; √d_head it is.")),
    (_keys_as_values, Text("你把键当成了值。", "You use the keys for values.")),
    (
        _keys_in_front,
        Text(
            "键接在前面，值接在后面，对不上号了。都接在后面。",
            "Keys are joined on in front and values behind, so they no longer match. Both go behind.",
        ),
    ),
)


# ---- 6 · greedy decoding ----------------------------------------------------------------------------------


def greedy_suspects(
    script: list[int], start: int, end: int, max_len: int, lost: int, unlikely: int
) -> list[tuple[list[int], Text]]:
    """Tokens as the usual mistakes choose them, from a model that says ``script`` and then ``end``."""
    right = script[:max_len]
    ended = len(script) < max_len  # at max_len nobody asks for another token
    first_again = [script[0] if script else end] * max_len
    fed_last_alone = (right[:1] + [lost] * max_len)[:max_len] if script else []
    suspects = [
        ([start, *right], Text("结果里不要起始词元。", "Leave the start token out of the result.")),
        (
            right[:-1] if right else [],
            Text("少了一个词元：max_len 个都可以用满。", "One token short: all max_len of them may be used."),
        ),
        (
            first_again,
            Text(
                "你总是读第 0 个位置的 logits。下一个词元在最后一个位置：[0, -1]。",
                "You always read the logits of position 0. The next token is said at the last one: [0, -1].",
            ),
        ),
        ([unlikely] * max_len, Text("你取了最小的 logit，要最大的：argmax。", "The smallest logit: argmax.")),
        (
            fed_last_alone,
            Text(
                "你每次只把最后一个词元交给模型，它忘了前面的。这里没有缓存，要把全部词元交给它。",
                "You hand the model the last token alone, and it forgets those before. There is no cache "
                "here: hand over all tokens.",
            ),
        ),
    ]
    if ended:
        suspects += [
            ([*right, end], Text("结果里不要终止词元。", "Leave the end token out of the result.")),
            (
                [*script, end, *[lost] * max_len][:max_len],
                Text("模型说了终止词元，你没有停下来。", "The model said the end token, and you went on."),
            ),
            ([start, *right, end], Text("起始和终止词元都不要。", "Leave out both the start and the end.")),
        ]
    else:
        suspects += [
            (
                [*script, end][: max_len + 1],
                Text("多了一个词元：至多 max_len 个。", "One token too many: max_len at most."),
            ),
        ]
    return [(tokens, name) for tokens, name in suspects if tokens != right]
