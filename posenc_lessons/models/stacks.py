"""The encoder and the decoder, stacks of layers with any encoding.

Source: Vaswani et al. 2017, "Attention Is All You Need", §3.1.
"""

from __future__ import annotations

from typing import NamedTuple

from torch import Tensor, nn

from posenc_lessons.encodings import PositionEncoding
from posenc_lessons.encodings.arguments import flag, whole_number
from posenc_lessons.encodings.doors import agreed_axes, check_countable
from posenc_lessons.encodings.positions import Positions, places_in
from posenc_lessons.language import BilingualValueError
from posenc_lessons.models.attention import MultiHeadAttention
from posenc_lessons.models.blocks import DecoderLayer, EncoderLayer
from posenc_lessons.models.by_layer import (
    LayerEncodings,
    LayerWindows,
    encodings_by_layer,
    windows_by_layer,
)
from posenc_lessons.models.cache import Cache
from posenc_lessons.models.checks import check_real, check_vectors, known_to_hide_no_row, mask_of_four_axes
from posenc_lessons.models.masks import mask_of_stack, padding_mask, positions_for


class AttentionWeights(NamedTuple):
    """The attention weights of every head of every layer, one tensor per layer, the lowest first.

    ``encoder``: [B, H, S, S]. ``decoder``: [B, H, T, Tk], Tk counting what a cache holds. ``cross``, of the
    target on the source: [B, H, T, S]. A list is empty where there are no such layers.

    >>> model = Seq2Seq(7, 9, d_model=8, n_heads=2, n_layers=1)
    >>> source, target = torch.tensor([[1, 2, 3, 4]]), torch.tensor([[0, 5]])
    >>> _, weights = model(source, target, need_weights=True)
    >>> weights.cross[0].shape
    torch.Size([1, 2, 2, 4])
    """

    encoder: list[Tensor]
    decoder: list[Tensor]
    cross: list[Tensor]


class _Stack(nn.Module):
    """The common part of encoder and decoder: an encoding, layers, and a last norm if ``norm_first``."""

    def __init__(
        self,
        kind: type[EncoderLayer],
        causal: bool,
        d_model: int,
        n_heads: int,
        n_layers: int,
        encoding: LayerEncodings,
        max_len: int,
        d_feed: int | None,
        dropout: float,
        norm_first: bool,
        window: LayerWindows,
    ) -> None:
        super().__init__()
        self.d_model, self.n_heads = d_model, n_heads
        n_layers = whole_number("n_layers", n_layers, 1)
        self.windows = windows_by_layer(window, n_layers)
        self.encoding, inside = encodings_by_layer(encoding, n_layers, d_model, n_heads, max_len, causal)
        self.layers = nn.ModuleList(
            kind(d_model, n_heads, own, d_feed, dropout, norm_first) for own in inside
        )
        self.norm = nn.LayerNorm(d_model) if norm_first else nn.Identity()
        self.dropout = nn.Dropout(dropout)
        agreed_axes(self.encodings)

    def _with_door_one(self, embeddings: Tensor, positions: Positions) -> Tensor:
        """Return the input of the first layer [B, L, d_model]: positions of door 1 added, after dropout."""
        return self.dropout(self.encoding.add_to_embeddings(embeddings, self.encoding.reads(positions)))

    @property
    def encodings(self) -> list[PositionEncoding]:
        """The encoding below the first layer, then that of each layer."""
        return [self.encoding, *(attention.encoding for attention in self.attentions)]

    @property
    def axes(self) -> int:
        """How many coordinates of a token the encodings read."""
        return agreed_axes(self.encodings)

    @property
    def attentions(self) -> list[MultiHeadAttention]:
        """The self-attention of each layer, the lowest first."""
        return [layer.attention for layer in self.layers]  # type: ignore[misc]  # a ModuleList forgets its type


class TransformerEncoder(_Stack):
    """``n_layers`` encoder layers, in which every token looks at every real one.

    Args:
        d_model, n_heads, n_layers: width, heads of each layer, layers.
        encoding: a name (see ``encoding_named``) or a PositionEncoding, which the stack copies and leaves
            unchanged. Door 1 is applied once, below the first layer; doors 2 to 4 are inside attention, and
            each layer has a copy with its own parameters. An encoding without parameters, or with door 1 and
            others, is one object for the whole stack.
            Or one for each layer, the lowest first: a list of ``n_layers`` names or encodings (not of door
            1), or a function that is called with 0, 1, … ``n_layers`` − 1. The same object twice shares its
            parameters, so ``[T5RelativeBias(n_heads)] * n_layers`` is one table in all layers, as in T5.
        max_len: the longest sequence, for encodings that need it; see ``encoding_named``.
        d_feed: width inside the feed-forward; 4 · d_model for None.
        dropout: see ``EncoderLayer``; also applied to the input of the first layer.
        norm_first: True: norm before each sublayer, and one more at the end. False: norm after each sum.
        window: a token looks only at real tokens fewer than ``window`` away: itself and, on each side (in a
            decoder, before it), ``window`` − 1. None for all tokens; or a list of ``n_layers`` of these, or a
            function, as for ``encoding``.

    Encodings that read several coordinates of a token have to read as many. Beside them one that reads one
    coordinate gets the place in the sequence, and windows, caches and order always count places.

    Raises:
        ValueError: sizes that do not fit, a list of another length, an encoding of door 1 in a list,
        encodings
            that read different numbers of coordinates.

    >>> encoder = TransformerEncoder(d_model=16, n_heads=2, n_layers=3, encoding="alibi")
    >>> encoder(torch.randn(2, 5, 16)).shape
    torch.Size([2, 5, 16])

    Two layers that rotate and look at 4 tokens on each side, then one without positions that looks at all:

    >>> encoder = TransformerEncoder(16, 2, 3, ["rotary", "rotary", "none"], window=[5, 5, None])
    >>> encoder(torch.randn(2, 50, 16)).shape
    torch.Size([2, 50, 16])
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        n_layers: int,
        encoding: LayerEncodings = "none",
        max_len: int = 512,
        d_feed: int | None = None,
        dropout: float = 0.0,
        norm_first: bool = True,
        *,
        window: LayerWindows = None,
    ) -> None:
        sizes = (d_model, n_heads, n_layers, encoding, max_len, d_feed, dropout, norm_first, window)
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
        """Encode embeddings [B, L, d_model]; with ``need_weights`` also return [B, H, L, L] for each layer.

        Args:
            positions, mask, real: as in ``DecoderOnly.forward``, except that later tokens are seen too.
        """
        check_vectors("embeddings", embeddings, self.d_model)
        if real is not None:
            check_real("real", real, embeddings)
        at, masks = _positions_and_masks(embeddings, self, positions, mask, real, causal=False)
        x, seen = self._with_door_one(embeddings, at), []
        for layer, seen_by_layer in zip(self.layers, masks, strict=True):
            x, weights = layer(x, seen_by_layer, at, need_weights)
            seen.append(weights)
        x = self.norm(x)
        return (x, seen) if need_weights else x


class TransformerDecoder(_Stack):
    """``n_layers`` decoder layers: a token looks at itself, at earlier tokens, and at a memory.

    Args:
        d_model, n_heads, n_layers, encoding, max_len, d_feed, dropout, norm_first, window: as
            ``TransformerEncoder``.
        cross_attention: False leaves out the attention to a memory, as in a language model.

    >>> decoder = TransformerDecoder(d_model=16, n_heads=2, n_layers=3, encoding="rotary")
    >>> decoder(torch.randn(2, 3, 16), memory=torch.randn(2, 5, 16)).shape
    torch.Size([2, 3, 16])
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        n_layers: int,
        encoding: LayerEncodings = "none",
        max_len: int = 512,
        d_feed: int | None = None,
        dropout: float = 0.0,
        norm_first: bool = True,
        cross_attention: bool = True,
        *,
        window: LayerWindows = None,
    ) -> None:
        kind = DecoderLayer if flag("cross_attention", cross_attention) else EncoderLayer
        sizes = (d_model, n_heads, n_layers, encoding, max_len, d_feed, dropout, norm_first, window)
        super().__init__(kind, True, *sizes)
        self.cross_attention = cross_attention

    def new_cache(self) -> Cache:
        """Return an empty cache for one batch of sequences.

        Raises:
            ValueError: the encoding changes earlier keys as later tokens come.
        """
        for encoding in self.modules():
            if isinstance(encoding, PositionEncoding) and not encoding.allows_cache:
                name = type(encoding).__name__
                raise BilingualValueError(
                    f"{name} 不能用缓存：有了后面的词元，前面的键也会变。请每一步都重新计算所有词元",
                    f"{name} does not allow a cache: its earlier keys change as later tokens come. "
                    f"Compute all tokens at every step instead",
                )
        return Cache(len(self.layers), self.windows)

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
        """Decode embeddings [B, L, d_model]; with ``need_weights`` also return ``AttentionWeights``.

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
            real = cache.begin(embeddings, real, self.windows)
            kept = cache.positions
        at, masks = _positions_and_masks(embeddings, self, positions, mask, real, kept, causal=True)
        memory_mask = None if memory_real is None else known_to_hide_no_row(padding_mask(memory_real))

        x = self._with_door_one(embeddings, at)
        seen = AttentionWeights([], [], [])
        for n, (layer, own) in enumerate(zip(self.layers, masks, strict=True)):
            how = {"causal": own is None, "cache": None if cache is None else cache.self_attention[n]}
            if cache is not None and own is not None and (forgotten := cache.self_attention[n].forgotten):
                own = known_to_hide_no_row(own[..., forgotten:])
            if memory is None:
                x, weights = layer(x, own, at, need_weights, **how)
            else:
                how["cross_cache"] = None if cache is None else cache.cross_attention[n]
                x, weights, cross = layer(x, memory, own, memory_mask, at, need_weights, **how)
                seen.cross.append(cross)
            seen.decoder.append(weights)
        if cache is not None:
            cache.finish(at, real)
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


def _positions_and_masks(
    embeddings: Tensor,
    stack: _Stack,
    positions: Tensor | None,
    mask: Tensor | None,
    real: Tensor | None,
    kept: Positions | None = None,
    *,
    causal: bool,
) -> tuple[Positions, list[Tensor | None]]:
    """Return the positions of the tokens ``embeddings`` [B, L, d_model], and a mask for each layer.

    ``kept`` are the positions of the tokens in the cache, which ``real`` [B, Lk] covers too.
    """
    batch, n_new = embeddings.shape[:2]
    n_keys = n_new + (0 if kept is None else places_in(kept).shape[-1])
    if mask is not None:
        mask = mask_of_four_axes(mask, (batch, stack.n_heads, n_new, n_keys), embeddings.device)
    if positions is None:
        for encoding in stack.encodings:
            check_countable(encoding)
    located = positions_for("positions", positions, embeddings, stack.axes, kept, real)
    masks = {
        window: known_to_hide_no_row(
            mask_of_stack(mask, real, n_new, n_keys, causal, embeddings.device, window)
        )
        for window in dict.fromkeys(stack.windows)
    }
    return located, [masks[window] for window in stack.windows]
