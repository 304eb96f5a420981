"""What decoding keeps, so that no token is worked out twice: keys and values of the tokens so far."""

from __future__ import annotations

from functools import partial

import torch
from torch import Tensor

from posenc_lessons.encodings.arguments import whole_number
from posenc_lessons.encodings.positions import (
    counted_positions,
    joined_positions,
    known_positions,
    summary_of,
    worked_out_once,
)
from posenc_lessons.language import BilingualValueError


class KeyValueCache:
    """Keys and values of one attention, for all tokens so far.

    Keys are kept as they left door 2 (turned by their positions), together with the positions, which doors 3
    and 4 ask for.

    Attributes:
        keys, values: [B, n_kv_heads, length, d_head], None while empty.
        positions: [length] or [B, length], None while empty.
        source: for cross-attention, the memory the keys were made from.
    """

    def __init__(self) -> None:
        self.keys: Tensor | None = None
        self.values: Tensor | None = None
        self.positions: Tensor | None = None
        self.source: Tensor | None = None

    @property
    def length(self) -> int:
        """How many tokens are kept."""
        return 0 if self.keys is None else self.keys.shape[2]

    def extend(self, keys: Tensor, values: Tensor, positions: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Put new tokens [B, n_kv_heads, L, d_head], at [L] or [B, L], behind the old; returns all."""
        if self.keys is not None and self.values is not None and self.positions is not None:
            _same_batch(len(self.keys), len(keys))
            keys = torch.cat((self.keys, keys), dim=2)
            values = torch.cat((self.values, values), dim=2)
            # Once for all layers, which are handed the same new positions and keep the same old ones.
            what = "behind", self.positions
            positions = worked_out_once(positions, what, partial(_behind, self.positions, positions))
        self.keys, self.values, self.positions = keys, values, positions
        return keys, values, positions

    def of_source(self, source: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Keys, values and positions made from ``source`` [B, S, d_model]; ValueError for another memory."""
        if self.keys is None or self.values is None or self.positions is None or self.source is None:
            raise BilingualValueError("缓存是空的", "the cache is empty")
        mine = self.source
        if mine is not source and not (mine.shape == source.shape and torch.equal(mine, source)):
            raise BilingualValueError(
                f"缓存是用另一份 memory 开始的，形状 {list(mine.shape)}，这一份是 {list(source.shape)}："
                f"每个源序列请用新的缓存",
                f"the cache was begun with another memory, of shape {list(mine.shape)}; this one is "
                f"{list(source.shape)}: start a new cache for each source",
            )
        return self.keys, self.values, self.positions

    def rewind(self, length: int, positions: Tensor | None = None) -> None:
        """Forget all but the first ``length`` tokens, whose positions, [length] or [B, length], go along."""
        if length == self.length:
            return
        if length == 0:
            self.keys = self.values = self.positions = None
        elif self.keys is not None and self.values is not None and self.positions is not None:
            self.keys, self.values = self.keys[:, :, :length], self.values[:, :, :length]
            self.positions = _first(self.positions, length) if positions is None else positions


class Cache:
    """What a decoder keeps between calls: a ``KeyValueCache`` per layer, and which tokens were real.

    Made by ``model.new_cache()``, one for each batch of sequences, and handed to every call.

    Attributes:
        self_attention, cross_attention: a ``KeyValueCache`` for each layer.
        length: how many tokens the decoder has seen, padding included.
        real: bool [B, length], None when there was no padding.
    """

    def __init__(self, n_layers: int) -> None:
        self.self_attention = [KeyValueCache() for _ in range(n_layers)]
        self.cross_attention = [KeyValueCache() for _ in range(n_layers)]
        self.length = 0
        self.real: Tensor | None = None

    @property
    def positions(self) -> Tensor | None:
        """[length] or [B, length], those of the tokens seen; None while there are none."""
        kept = self.self_attention[0].positions
        return None if kept is None or not self.length else _first(kept, self.length)

    def begin(self, embeddings: Tensor, real: Tensor | None, n_layers: int) -> Tensor | None:
        """Make ready for more tokens [B, L, …]; which of all tokens are real, None for all of them.

        What an interrupted call has left in some of the layers is forgotten. ValueError for another model's.
        """
        own = len(self.self_attention)
        if own != n_layers:
            raise BilingualValueError(
                f"缓存有 {own} 层，而这个模型有 {n_layers} 层：请用这个模型自己的 new_cache()",
                f"the cache is for {own} layers, and this model has {n_layers}: "
                f"take it from the model's own new_cache()",
            )
        self._rewind_layers()
        if self.self_attention[0].keys is not None:
            _same_batch(len(self.self_attention[0].keys), len(embeddings))
        if self.real is None and real is None:
            return None
        before = self.real
        if before is None:
            before = torch.ones(len(embeddings), self.length, dtype=torch.bool, device=embeddings.device)
        if real is None:
            real = torch.ones(embeddings.shape[:2], dtype=torch.bool, device=embeddings.device)
        return torch.cat((before, real), dim=1)

    def rewind(self, length: int) -> None:
        """Go back to the first ``length`` tokens, as if later ones had not been; ValueError for too many."""
        length = whole_number("length", length, 0)
        if length > self.length:
            raise BilingualValueError(
                f"length 必须是 0 到 {self.length}（缓存里有的），收到 {length}",
                f"length must be 0 to {self.length}, what the cache holds; got {length}",
            )
        self.length = length
        self.real = None if self.real is None else self.real[:, :length]
        self._rewind_layers()

    def _rewind_layers(self) -> None:
        """Back to ``length`` tokens in every layer, all with the same tensor of positions."""
        positions = self.positions
        for layer in self.self_attention:
            layer.rewind(self.length, positions)
        if not self.length:
            for layer in self.cross_attention:
                layer.rewind(0)


def _first(positions: Tensor, length: int) -> Tensor:
    """The first ``length`` of ``positions`` [L] or [B, L]."""
    if length == positions.shape[-1]:
        return positions
    counted = positions.ndim == 1 and not positions.is_floating_point()
    if counted and (summary := summary_of(positions)).consecutive:
        return counted_positions(int(summary.first), length, positions.device)
    return known_positions(positions[..., :length])


def _behind(earlier: Tensor, later: Tensor) -> Tensor:
    """Both sets of positions, [L] or [B, L], along the last axis; [1, L] counts as every row's."""
    if earlier.shape[:-1] != later.shape[:-1]:
        rows = max(len(x) for x in (earlier, later) if x.ndim == 2)
        earlier, later = earlier.expand(rows, -1), later.expand(rows, -1)
    return joined_positions(earlier, later)


def _same_batch(kept: int, new: int) -> None:
    if kept != new:
        raise BilingualValueError(
            f"缓存里的批量是 {kept}，这些词元的批量是 {new}：每个批量请用自己的缓存",
            f"the cache holds a batch of {kept}, and these tokens are a batch of {new}: "
            f"use one cache per batch",
        )
