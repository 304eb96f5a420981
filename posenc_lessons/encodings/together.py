"""Several encodings at once, each at its own doors."""

from __future__ import annotations

import functools
from collections.abc import Iterable

import torch
from torch import Tensor, nn

from posenc_lessons.encodings.doors import PositionEncoding, Role, ScoreMod
from posenc_lessons.language import BilingualValueError


class Together(PositionEncoding):
    """``Together(LearnedEncoding(64, 512), ALiBi(4))``: what each lets in through a door, all comes in.

    Embeddings, queries and keys go through the encodings one after another, in the order given; what they add
    to scores and values is summed. One that reads the scores is shown them as they are without the others.

    Args:
        encodings: at least one; their parameters are parameters of this.
    """

    def __init__(self, *encodings: PositionEncoding) -> None:
        super().__init__()
        given: tuple[object, ...] = encodings
        if not given or not all(isinstance(encoding, PositionEncoding) for encoding in given):
            came = ", ".join(type(encoding).__name__ for encoding in given) or "–"
            raise BilingualValueError(
                f"Together 需要一个或多个 PositionEncoding 的对象，收到 {came}",
                f"Together takes one PositionEncoding or more; got {came}",
            )
        self.encodings = nn.ModuleList(encodings)
        self.reads_scores = any(encoding.reads_scores for encoding in encodings)

    @property
    def parts(self) -> tuple[PositionEncoding, ...]:
        """The encodings, in the order given."""
        return tuple(self.encodings)  # type: ignore[arg-type]  # a ModuleList forgets what it holds

    @property
    def doors(self) -> tuple[int, ...]:
        """The doors of all, in order."""
        return tuple(sorted({door for encoding in self.parts for door in encoding.doors}))

    @property
    def allows_cache(self) -> bool:
        """True where each of them does."""
        return all(encoding.allows_cache for encoding in self.parts)

    def add_to_embeddings(self, embeddings: Tensor, positions: Tensor) -> Tensor:
        """``embeddings`` [B, L, d_model] through the encodings of door 1, one after another."""
        for encoding in self.parts:
            embeddings = encoding.add_to_embeddings(embeddings, positions)
        return embeddings

    def turn(self, x: Tensor, positions: Tensor, role: Role = "query") -> Tensor:
        """``x`` [B, H, L, d_head] through the encodings of door 2, one after another."""
        for encoding in self.parts:
            x = encoding.turn(x, positions, role)
        return x

    def score_bias(
        self,
        query: Tensor,
        key: Tensor,
        query_positions: Tensor,
        key_positions: Tensor,
        scores: Tensor | None,
    ) -> Tensor | None:
        """The sum of what the encodings of door 3 add, broadcastable to [B, H, Lq, Lk]; None for nothing."""
        return _sum(
            encoding.score_bias(
                query, key, query_positions, key_positions, scores if encoding.reads_scores else None
            )
            for encoding in self.parts
        )

    def score_mod(
        self, query: Tensor, key: Tensor, query_positions: Tensor, key_positions: Tensor
    ) -> ScoreMod | None:
        """One after another; None where an encoding of door 3 has none."""
        biased = [encoding for encoding in self.parts if 3 in encoding.doors]
        mods = [encoding.score_mod(query, key, query_positions, key_positions) for encoding in biased]
        if not mods or None in mods:
            return None

        def with_all(score: Tensor, b: Tensor, h: Tensor, i: Tensor, j: Tensor) -> Tensor:
            for mod in mods:
                score = mod(score, b, h, i, j)  # type: ignore[misc]
            return score

        return with_all

    def value_bias(self, weights: Tensor, query_positions: Tensor, key_positions: Tensor) -> Tensor | None:
        """The sum of what the encodings of door 4 add, [B, H, Lq, d_head]; None for nothing."""
        return _sum(encoding.value_bias(weights, query_positions, key_positions) for encoding in self.parts)


def _sum(parts: Iterable[Tensor | None]) -> Tensor | None:
    """Those of ``parts`` that are there, added up; None where none is."""
    there = [part for part in parts if part is not None]
    return functools.reduce(torch.add, there) if there else None
