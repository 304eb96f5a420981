"""The exercise of lesson 10 that tests a layer: the pairing of its indexer."""

from collections.abc import Callable
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

ANSWERS = (*PAIRINGS, "cannot tell")


def _one_of_the_words(value: Any) -> str:
    """Return an answer that is one of ``ANSWERS``; raise Wrong for any other."""
    if value not in ANSWERS:
        quoted = [f'"{word}"' for word in ANSWERS]
        wanted = Text(
            f"应当返回{'、'.join(quoted[:-1])}或{quoted[-1]}。",
            f"It should return {', '.join(quoted[:-1])} or {quoted[-1]}.",
        )
        raise Wrong.saying(wanted, yours(f"{value!r:.60}"))
    return str(value)


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
    read=_one_of_the_words,
    changed=CHANGED,
    widened=False,
)


def _by_set(score: Callable[[Tensor, Tensor, Any], Tensor], *, last: str = "cannot tell") -> Answer:
    """Return the answer that compares sets by another ``score``; ``last`` is said where both fit."""

    def pairing(kept: set[int], queries: Tensor, keys: Tensor, top: int) -> str:
        fits = [each for each in PAIRINGS if _kept(score(queries, keys, each), top) == kept]
        return fits[0] if len(fits) == 1 else (last if fits else "cannot tell")

    return pairing


def _fits(pairing: Any, kept: set[int], queries: Tensor, keys: Tensor, top: int) -> bool:
    return _kept(_scores(queries, keys, pairing), top) == kept


def _larger_overlap(kept: set[int], queries: Tensor, keys: Tensor, top: int) -> str:
    return max(PAIRINGS, key=lambda each: len(_kept(_scores(queries, keys, each), top) & kept))


INDEXER_PAIRING.mistake(
    "不超过 top 个键时，两种配对都留下全部的键：这样的文本分不出配对，答案是 cannot tell。",
    "With at most top keys both pairings keep them all: the answer is cannot tell.",
)(
    _by_set(_scores, last="interleaved"),
    _by_set(_scores, last="half_split"),
    lambda *given: "interleaved" if _fits("interleaved", *given) else "half_split",
    lambda *given: "half_split" if _fits("half_split", *given) else "interleaved",
)
INDEXER_PAIRING.mistake(
    "你取了重合较多的那一种。留下的键要完全相同才算说得通；都说不通，就是 cannot tell。",
    "You take the pairing with the larger overlap: all keys must agree, and else it is cannot tell.",
)(_larger_overlap)
INDEXER_PAIRING.mistake(
    "查询没有旋转，或者转的不是它的位置：它在最后一个位置，L − 1（不是 0，也不是 L）。",
    "The query is not rotated, or by another position than its own, the last, which is L − 1, not 0 or L.",
)(
    _by_set(lambda queries, keys, pairing: _scores(queries, keys, pairing, at=0)),
    _by_set(lambda queries, keys, pairing: _scores(queries, keys, pairing, at=len(keys))),
)
INDEXER_PAIRING.mistake(
    "漏了 ReLU：每个头的点积先取 ReLU，再相加。",
    "The ReLU is missing: each head's dot product goes through a ReLU before the sum.",
)(_by_set(lambda queries, keys, pairing: _scores(queries, keys, pairing, relu=False)))
