"""Two exercises of lesson 10 that test a layer: the pairing of its indexer, and how it reads positions."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import torch
from torch import Tensor

from posenc_lessons.encodings import apply_rotary
from posenc_lessons.encodings.pairing import PAIRINGS
from posenc_lessons.exercises.exercise import CHANGED, Answer, Exercise
from posenc_lessons.exercises.reading import random_numbers, yours
from posenc_lessons.exercises.solutions import not_every_layer as solutions
from posenc_lessons.exercises.verdict import Wrong
from posenc_lessons.language import Text


def _one_of(words: Sequence[str], value: Any) -> str:
    """Return an answer that is one of ``words``; raise Wrong for any other."""
    if value not in words:
        quoted = [f'"{word}"' for word in words]
        wanted = ONE_OF.format(first=", ".join(quoted[:-1]), last=quoted[-1])
        raise Wrong.saying(wanted, yours(f"{value!r:.60}"))
    return str(value)


ONE_OF = Text("应当返回 {first} 或 {last}。", "It should return {first} or {last}.")

# ---- the pairing of an indexer --------------------------------------------------------------------


def _scores(
    queries: Tensor, keys: Tensor, pairing: Any, *, at: int | None = None, relu: bool = True
) -> Tensor:
    """Return an indexer's score of each key: [L]. The queries stand at ``at``, the last place for None."""
    positions = torch.arange(len(keys))
    place = positions[-1:] if at is None else torch.tensor([at])
    turned = apply_rotary(queries[:, None], place, pairing=pairing)[:, 0]  # [H, d]
    products = turned @ apply_rotary(keys, positions, pairing=pairing).T  # [H, L]
    return (products.relu() if relu else products).sum(dim=0)


def _kept(scores: Tensor, top: int) -> set[int]:
    return set(scores.topk(min(top, len(scores))).indices.tolist())


def _question(
    pairing: Any, length: int, top: int, seed: int, *, heads: int = 3, kept: set[int] | None = None
) -> tuple[set[int], Tensor, Tensor, int]:
    """Return a question about an indexer of that ``pairing``; ``kept`` replaces what it kept."""
    queries, keys = random_numbers(heads, 8, seed=seed), random_numbers(length, 8, seed=seed + 1)
    return kept or _kept(_scores(queries, keys, pairing), top), queries, keys, top


ANSWERS = (*PAIRINGS, "cannot tell")
INDEXER_PAIRING = Exercise(
    solutions.indexer_pairing,
    questions=(
        _question("half_split", 24, 6, seed=1),
        _question("interleaved", 24, 6, seed=3),
        _question("half_split", 6, 6, seed=5),  # every key is kept
        _question("interleaved", 5, 8, seed=7),  # fewer keys than it may keep
        _question("half_split", 30, 5, seed=9, kept={0, 7, 14, 21, 28}),  # by neither pairing
        _question("half_split", 40, 20, seed=11),
        _question("interleaved", 40, 20, seed=13),
        _question("half_split", 40, 5, seed=15, heads=1),  # the best scores of one head are positive
        _question("interleaved", 40, 5, seed=17, heads=1),
        _question("half_split", 9, 2, seed=28),  # the query's position makes no difference here
        _question("interleaved", 12, 3, seed=46),
    ),
    praise=Text(
        "对。文本比 top 长，两种配对留下的键才会不同；不超过 top 时什么也测不出来。",
        "Right. Only beyond top keys do the pairings keep different ones; up to top nothing can be told.",
    ),
    read=partial(_one_of, ANSWERS),
    changed=CHANGED,
    widened=False,
    call=lambda kept, queries, keys, top: f"indexer_pairing(kept, queries, {len(keys)} keys, top={top})",
)


def _by_set(score: Callable[[Tensor, Tensor, Any], Tensor], *, last: str = "cannot tell") -> Answer:
    """Return the answer that compares sets by another ``score``; ``last`` is said where both fit."""

    def pairing(kept: set[int], queries: Tensor, keys: Tensor, top: int) -> str:
        fits = [each for each in PAIRINGS if _kept(score(queries, keys, each), top) == kept]
        return fits[0] if len(fits) == 1 else (last if fits else "cannot tell")

    return pairing


def _larger_overlap(kept: set[int], queries: Tensor, keys: Tensor, top: int) -> str:
    return max(PAIRINGS, key=lambda each: len(_kept(_scores(queries, keys, each), top) & kept))


INDEXER_PAIRING.mistake(
    "不超过 top 个键时，两种配对都留下全部的键：这样的文本分不出配对，答案是 cannot tell。",
    "With at most top keys both pairings keep them all: such a text cannot tell them apart, so the answer is "
    "cannot tell.",
)(_by_set(_scores, last="interleaved"), _by_set(_scores, last="half_split"))
INDEXER_PAIRING.mistake(
    "你取了重合较多的那一种。留下的键要完全相同才算说得通；都说不通，就是 cannot tell。",
    "You take the pairing with the larger overlap. It explains what was kept only if all keys agree; if "
    "neither does, the answer is cannot tell.",
)(_larger_overlap)
INDEXER_PAIRING.mistake(
    "两种配对的名字对调了：相邻的两个特征一对是 interleaved。",
    "The names are exchanged: neighbouring features make a pair in interleaved.",
)(
    lambda *given: {"interleaved": "half_split", "half_split": "interleaved"}.get(
        solutions.indexer_pairing(*given), "cannot tell"
    )
)
INDEXER_PAIRING.mistake(
    "查询没有旋转，或者按位置 0 旋转了：它在最后一个位置，L − 1。",
    "The query is not rotated, or rotated by position 0: it stands at the last position, L − 1.",
)(_by_set(lambda queries, keys, pairing: _scores(queries, keys, pairing, at=0)))
INDEXER_PAIRING.mistake(
    "文本比 top 长时分得出来：算出两种配对各会留下哪些键，和 kept 比。",
    "A text longer than top does tell: compute which keys each pairing would keep, and compare with kept.",
)(lambda *given: "cannot tell")
INDEXER_PAIRING.mistake(
    "漏了 ReLU：每个头的点积先取 ReLU，再相加。",
    "The ReLU is missing: each head's dot product goes through a ReLU before the sum.",
)(_by_set(lambda queries, keys, pairing: _scores(queries, keys, pairing, relu=False)))

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
    read=partial(_one_of, KINDS),
    widened=False,
    call=lambda attend, positions: f"kind_of(attend, {positions.tolist()})",
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
    "余地不对：旋转算出来总有一点舍入误差，逐位相等太严，太宽又什么变化都不算。1e-4 就够。",
    "The margin is not right: rotations have rounding errors, so every digit equal is too strict, and with "
    "too large a margin no change counts. 1e-4 is enough.",
)(*(_telling(lambda p: p + 7, lambda p: 2 * p, margin) for margin in (0.0, 10.0)))
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
    "你没有试过给所有位置加同一个数：绝对的那些会变，相对的不变。",
    "You never added one number to all positions: that changes an absolute layer and not a relative one.",
)(_telling(lambda p: p, lambda p: 2 * p, 1e-4))
KIND_OF.mistake(
    "只比了第一个词元：它只看得见自己，看不出什么。比全部。",
    "Only the first token was compared: it sees only itself, which tells little. Compare them all.",
)(lambda attend, positions: solutions.kind_of(lambda p: attend(p)[:1], positions))
