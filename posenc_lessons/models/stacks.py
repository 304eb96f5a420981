"""Layers stacked into an encoder and a decoder, with any encoding of the course.

Source: Vaswani et al. 2017, "Attention Is All You Need", §3.1.
"""

from __future__ import annotations

import copy
from typing import NamedTuple

from torch import Tensor, nn

from posenc_lessons.encodings import PositionEncoding, Together
from posenc_lessons.encodings.arguments import flag, whole_number
from posenc_lessons.language import BilingualValueError
from posenc_lessons.models.attention import MultiHeadAttention
from posenc_lessons.models.blocks import DecoderLayer, EncoderLayer
from posenc_lessons.models.cache import Cache
from posenc_lessons.models.checks import check_real, check_vectors, known_to_hide_no_row, mask_of_four_axes
from posenc_lessons.models.masks import mask_of_stack, padding_mask, positions_among_real, positions_for
from posenc_lessons.models.registry import encoding_named


class AttentionWeights(NamedTuple):
    """The attention weights of every head of every layer, one tensor per layer, the lowest first.

    ``encoder``: [B, H, S, S]. ``decoder``: [B, H, T, Tk], Tk counting what a cache holds. ``cross``, of the
    target on the source: [B, H, T, S]. A list is empty where there are no such layers.
    """

    encoder: list[Tensor]
    decoder: list[Tensor]
    cross: list[Tensor]


class _Stack(nn.Module):
    """What an encoder and a decoder share: an encoding below, layers, and a norm above if ``norm_first``."""

    def __init__(
        self,
        kind: type[EncoderLayer],
        causal: bool,
        d_model: int,
        n_heads: int,
        n_layers: int,
        encoding: str | PositionEncoding,
        max_len: int,
        d_feed: int | None,
        dropout: float,
        norm_first: bool,
    ) -> None:
        super().__init__()
        self.d_model, self.n_heads = d_model, n_heads
        self.encoding, inside = _encodings_for(encoding, n_layers, d_model, n_heads, max_len, causal)
        self.layers = nn.ModuleList(
            kind(d_model, n_heads, own, d_feed, dropout, norm_first) for own in inside
        )
        self.norm = nn.LayerNorm(d_model) if norm_first else nn.Identity()
        self.dropout = nn.Dropout(dropout)

    @property
    def attentions(self) -> list[MultiHeadAttention]:
        """The self-attention of each layer, the lowest first."""
        return [layer.attention for layer in self.layers]  # type: ignore[misc]  # a ModuleList forgets its type


class TransformerEncoder(_Stack):
    """``n_layers`` encoder layers: every token looks at every real one.

    Args:
        d_model, n_heads, n_layers: width, heads of each layer, layers.
        encoding: a name (see ``encoding_named``) or a PositionEncoding, which then serves as a pattern: the
            stack makes copies and leaves it as it is. Door 1 is applied once, below the first layer; doors 2
            to 4 are inside attention, and each layer has a copy with parameters of its own. An encoding
            without parameters, or with door 1 beside others, is one object for the whole stack. (For one
            table in all layers, as T5 has, set the ``encoding`` of all ``attentions`` to the same object.)
        max_len: the longest sequence, for the encodings that have to know; see ``encoding_named``.
        d_feed: width inside the feed-forward; 4 · d_model for None.
        dropout: see ``EncoderLayer``; also on what enters the first layer.
        norm_first: True: norm before each sublayer, and one more at the very end. False: after each sum.
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        n_layers: int,
        encoding: str | PositionEncoding = "none",
        max_len: int = 512,
        d_feed: int | None = None,
        dropout: float = 0.0,
        norm_first: bool = True,
    ) -> None:
        sizes = (d_model, n_heads, n_layers, encoding, max_len, d_feed, dropout, norm_first)
        super().__init__(EncoderLayer, False, *sizes)

    def forward(
        self,
        embeddings: Tensor,
        positions: Tensor | None = None,
        mask: Tensor | None = None,
        *,
        real: Tensor | None = None,
        need_weights: bool = False,
    ) -> Tensor | tuple[Tensor, list[Tensor]]:
        """embeddings [B, L, d_model] → the same shape; with ``need_weights`` also [B, H, L, L] per layer.

        Args:
            positions, mask, real: as in ``DecoderOnly.forward``, but later tokens are seen too.
        """
        check_vectors("embeddings", embeddings, self.d_model)
        if real is not None:
            check_real("real", real, embeddings)
        positions, mask = _positions_and_mask(embeddings, self.n_heads, positions, mask, real, causal=False)
        x, seen = self.dropout(self.encoding.add_to_embeddings(embeddings, positions)), []
        for layer in self.layers:
            x, weights = layer(x, mask, positions, need_weights)
            seen.append(weights)
        x = self.norm(x)
        return (x, seen) if need_weights else x


class TransformerDecoder(_Stack):
    """``n_layers`` decoder layers: a token looks at itself, at what came before it, and at a memory.

    Args:
        d_model, n_heads, n_layers, encoding, max_len, d_feed, dropout, norm_first: as ``TransformerEncoder``.
        cross_attention: False leaves out the attention to a memory, as in a language model.
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        n_layers: int,
        encoding: str | PositionEncoding = "none",
        max_len: int = 512,
        d_feed: int | None = None,
        dropout: float = 0.0,
        norm_first: bool = True,
        cross_attention: bool = True,
    ) -> None:
        kind = DecoderLayer if flag("cross_attention", cross_attention) else EncoderLayer
        sizes = (d_model, n_heads, n_layers, encoding, max_len, d_feed, dropout, norm_first)
        super().__init__(kind, True, *sizes)
        self.cross_attention = cross_attention

    def new_cache(self) -> Cache:
        """An empty cache for one batch of sequences.

        Raises:
            ValueError: the encoding changes what was worked out for earlier tokens as later ones come.
        """
        for encoding in self.modules():
            if isinstance(encoding, PositionEncoding) and not encoding.allows_cache:
                name = type(encoding).__name__
                raise BilingualValueError(
                    f"{name} 不能用缓存：有了后面的词元，前面的键也会变。请每一步都重新计算所有词元",
                    f"{name} does not allow a cache: with it, earlier keys change as later tokens come. "
                    f"Work out all tokens at every step instead",
                )
        return Cache(len(self.layers))

    def forward(
        self,
        embeddings: Tensor,
        memory: Tensor | None = None,
        positions: Tensor | None = None,
        mask: Tensor | None = None,
        cache: Cache | None = None,
        *,
        real: Tensor | None = None,
        memory_real: Tensor | None = None,
        need_weights: bool = False,
    ) -> Tensor | tuple[Tensor, AttentionWeights]:
        """embeddings [B, L, d_model] → the same shape; with ``need_weights`` also ``AttentionWeights``.

        Args:
            memory: [B, S, d_model], the encoder's output.
            positions, mask, cache, real: as in ``DecoderOnly.forward``.
            memory_real: bool [B, S], False at the memory's padding.
        """
        self._check_memory(memory, memory_real)
        check_vectors("embeddings", embeddings, self.d_model)
        if real is not None:
            check_real("real", real, embeddings)
        kept = None
        if cache is not None:
            real = cache.begin(embeddings, real, len(self.layers))
            kept = cache.positions
        positions, mask = _positions_and_mask(
            embeddings, self.n_heads, positions, mask, real, kept, causal=True
        )
        memory_mask = None if memory_real is None else known_to_hide_no_row(padding_mask(memory_real))

        x = self.dropout(self.encoding.add_to_embeddings(embeddings, positions))
        seen = AttentionWeights([], [], [])
        for n, layer in enumerate(self.layers):
            how = {"causal": mask is None, "cache": None if cache is None else cache.self_attention[n]}
            if memory is None:
                x, weights = layer(x, mask, positions, need_weights, **how)
            else:
                how["cross_cache"] = None if cache is None else cache.cross_attention[n]
                x, weights, cross = layer(x, memory, mask, memory_mask, positions, need_weights, **how)
                seen.cross.append(cross)
            seen.decoder.append(weights)
        if cache is not None:
            cache.length, cache.real = cache.length + embeddings.shape[1], real
        x = self.norm(x)
        return (x, seen) if need_weights else x

    def _check_memory(self, memory: Tensor | None, memory_real: Tensor | None) -> None:
        if self.cross_attention and memory is None:
            raise BilingualValueError(
                "必须给出 memory，即编码器的输出 [B, S, d_model]：这个解码器有交叉注意力",
                "memory must be given, the encoder's output [B, S, d_model]: this decoder has "
                "cross-attention",
            )
        if not self.cross_attention and (memory is not None or memory_real is not None):
            raise BilingualValueError(
                "给了 memory，但这个解码器没有交叉注意力（cross_attention=False）",
                "memory was given, but this decoder has no cross-attention (cross_attention=False)",
            )
        if memory is not None and memory_real is not None:
            check_real("memory_real", memory_real, memory)


def _positions_and_mask(
    embeddings: Tensor,
    n_heads: int,
    positions: Tensor | None,
    mask: Tensor | None,
    real: Tensor | None,
    kept: Tensor | None = None,
    *,
    causal: bool,
) -> tuple[Tensor, Tensor | None]:
    """Where the tokens ``embeddings`` [B, L, d_model] stand, and what they may look at, for all layers alike.

    ``real`` [B, Lk] is that of the ``kept`` tokens too, whose positions are given.
    """
    batch, n_new = embeddings.shape[:2]
    n_keys = n_new + (0 if kept is None else kept.shape[-1])
    if mask is not None:
        mask = mask_of_four_axes(mask, (batch, n_heads, n_new, n_keys), embeddings.device)
    if positions is None and real is not None:
        positions = positions_among_real(real)[:, n_keys - n_new :]
    positions = positions_for("positions", positions, embeddings, kept)
    mask = mask_of_stack(mask, real, n_new, n_keys, causal, embeddings.device)
    return positions, known_to_hide_no_row(mask)


class _WithoutDoorOne(Together):
    """Doors 2 to 4 of an encoding whose door 1 is applied at the bottom of the stack.

    The encoding itself, with its parameters, belongs to the stack: here it is only looked up, in a tuple, so
    that it is neither saved nor counted once more.
    """

    def __init__(self, whole: PositionEncoding) -> None:
        super().__init__(whole)
        del self.encodings
        self._whole = (whole,)

    @property
    def parts(self) -> tuple[PositionEncoding, ...]:
        return self._whole

    @property
    def doors(self) -> tuple[int, ...]:
        return tuple(door for door in super().doors if door != 1)

    def add_to_embeddings(self, embeddings: Tensor, positions: Tensor) -> Tensor:
        return embeddings


def _encodings_for(
    encoding: str | PositionEncoding, n_layers: int, d_model: int, n_heads: int, max_len: int, causal: bool
) -> tuple[PositionEncoding, list[PositionEncoding]]:
    """What stands below the first layer, and what each layer's attention has."""

    def fresh() -> PositionEncoding:
        if isinstance(encoding, PositionEncoding):
            return copy.deepcopy(encoding)
        return encoding_named(encoding, d_model, n_heads, max_len, causal=causal)

    n_layers, first = whole_number("n_layers", n_layers, 1), fresh()
    if first.doors == (1,):
        return first, [PositionEncoding() for _ in range(n_layers)]
    if 1 in first.doors:
        return first, [_WithoutDoorOne(first)] * n_layers
    if not any(True for _ in first.parameters()):
        return PositionEncoding(), [first] * n_layers
    return PositionEncoding(), [first, *(fresh() for _ in range(n_layers - 1))]
