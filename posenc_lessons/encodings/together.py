"""Several encodings in one, each at its own doors."""

import functools
from collections.abc import Iterable

import torch
from torch import Tensor, nn

from posenc_lessons.encodings.doors import PositionEncoding, Role, Scores, agreed_axes
from posenc_lessons.encodings.positions import Located, Positions, counted_positions
from posenc_lessons.language import BilingualValueError


class Together(PositionEncoding):
    """Several encodings used as one.

    Embeddings, queries and keys go through the encodings one after another, in the given order; the terms for
    scores and values are summed. An encoding that reads the scores gets them without the others' terms.
    Encodings that read several coordinates must all read the same number of them. An encoding that reads one
    gets the place in the sequence. (In a model, places come with the positions; for a plain tensor of
    coordinates they are counted from 0.)

    Args:
        encodings: at least one; their parameters are parameters of this module.

    >>> from posenc_lessons.models import MultiHeadAttention
    >>> both = Together(RotaryEncoding(d_head=4), ALiBi(n_heads=4))
    >>> both.doors
    (2, 3)
    >>> MultiHeadAttention(d_model=16, n_heads=4, encoding=both)(torch.randn(2, 5, 16)).shape
    torch.Size([2, 5, 16])
    """

    def __init__(self, *encodings: PositionEncoding) -> None:
        super().__init__()
        parts: tuple[object, ...] = encodings
        if not parts or not all(isinstance(encoding, PositionEncoding) for encoding in parts):
            came = ", ".join(type(encoding).__name__ for encoding in parts) or "–"
            raise BilingualValueError(
                f"Together 需要一个或多个 PositionEncoding 的对象，收到 {came}",
                f"Together takes one PositionEncoding or more; got {came}",
            )
        self.encodings = nn.ModuleList(encodings)
        self.reads_scores = any(encoding.reads_scores for encoding in encodings)
        self.axes = agreed_axes(encodings)
        self.needs_positions = any(encoding.needs_positions for encoding in encodings)

    @property
    def parts(self) -> tuple[PositionEncoding, ...]:
        """The encodings, in the order given."""
        return tuple(self.encodings)  # type: ignore[arg-type]  # a ModuleList forgets its type

    @property
    def doors(self) -> tuple[int, ...]:
        """The doors of all encodings, in order."""
        return tuple(sorted({door for encoding in self.parts for door in encoding.doors}))

    @property
    def allows_cache(self) -> bool:
        """True if all encodings allow a cache."""
        return all(encoding.allows_cache for encoding in self.parts)

    def reads(self, positions: Positions) -> Tensor:
        """Return ``positions`` unchanged: each encoding reads its own part of them."""
        return positions  # type: ignore[return-value]  # the doors below take both kinds

    def _reads(self, encoding: PositionEncoding, positions: Positions) -> Tensor:
        """Return what ``encoding``, one of the parts, reads of ``positions``."""
        if self.axes > 1 and isinstance(positions, Tensor):
            places = counted_positions(0, positions.shape[-2], positions.device)
            positions = Located(positions, places)
        return encoding.reads(positions)

    def add_to_embeddings(self, embeddings: Tensor, positions: Tensor) -> Tensor:
        """Pass ``embeddings`` [B, L, d_model] through the encodings of door 1, one after another."""
        for encoding in self.parts:
            embeddings = encoding.add_to_embeddings(embeddings, self._reads(encoding, positions))
        return embeddings

    def turn(self, x: Tensor, positions: Tensor, role: Role = "query") -> Tensor:
        """Pass ``x`` [B, H, L, d_head] through the encodings of door 2, one after another."""
        for encoding in self.parts:
            x = encoding.turn(x, self._reads(encoding, positions), role)
        return x

    def score_bias(
        self, query: Tensor, key: Tensor, query_positions: Tensor, key_positions: Tensor, scores: Scores
    ) -> Tensor | None:
        """Return the sum of the encodings' biases, broadcastable to [B, H, Lq, Lk]; None for no bias."""
        biases = []
        for encoding in self.parts:
            q_at, k_at = (self._reads(encoding, at) for at in (query_positions, key_positions))
            scores_read = scores if encoding.reads_scores else None
            biases.append(encoding.score_bias(query, key, q_at, k_at, scores_read))
        return _sum(biases)

    def value_bias(self, weights: Tensor, query_positions: Tensor, key_positions: Tensor) -> Tensor | None:
        """Return the sum of what the encodings of door 4 add, [B, H, Lq, d_head]; None for nothing."""
        extras = []
        for encoding in self.parts:
            q_at, k_at = (self._reads(encoding, at) for at in (query_positions, key_positions))
            extras.append(encoding.value_bias(weights, q_at, k_at))
        return _sum(extras)


def _sum(parts: Iterable[Tensor | None]) -> Tensor | None:
    """Return the sum of the ``parts`` that are not None; None if there is none."""
    tensors = [part for part in parts if part is not None]
    return functools.reduce(torch.add, tensors) if tensors else None
