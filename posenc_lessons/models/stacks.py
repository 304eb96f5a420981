"""The encoder and the decoder, stacks of layers with any encoding.

Source: Vaswani et al. 2017, "Attention Is All You Need", §3.1.
"""

from typing import Any, NamedTuple, Unpack

from torch import Tensor, nn

from posenc_lessons.encodings import PositionEncoding
from posenc_lessons.encodings.arguments import whole_number
from posenc_lessons.encodings.doors import agreed_axes, check_countable
from posenc_lessons.encodings.positions import Positions, places_in
from posenc_lessons.language import BilingualValueError
from posenc_lessons.models.attention import MultiHeadAttention
from posenc_lessons.models.blocks import DecoderLayer, EncoderLayer
from posenc_lessons.models.by_layer import encodings_by_layer, windows_by_layer
from posenc_lessons.models.cache import Cache
from posenc_lessons.models.checks import check_real, check_vectors, known_to_hide_no_row, mask_of_four_axes
from posenc_lessons.models.masks import mask_of_stack, padding_mask, positions_for
from posenc_lessons.models.registry import encoding_named
from posenc_lessons.models.settings import LayerEncodings, LayerOptions


class AttentionWeights(NamedTuple):
    """The attention weights of every head of every layer, one tensor per layer, the lowest first.

    ``encoder``: [B, H, S, S]. ``decoder``: [B, H, T, Tk], where Tk counts a cache's tokens too. ``cross``,
    from target to source: [B, H, T, S]. A list is empty if there are no such layers.

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

    causal = False  # whether a token sees only itself and earlier ones

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        n_layers: int,
        encoding: LayerEncodings = "none",
        max_len: int = 512,
        *,
        kind: type[EncoderLayer] = EncoderLayer,
        **options: Unpack[LayerOptions],
    ) -> None:
        super().__init__()
        self.d_model, self.n_heads = d_model, n_heads
        whole_number("n_layers", n_layers, 1)
        self.windows = windows_by_layer(options.get("window"), n_layers)

        def named(name: str) -> PositionEncoding:
            return encoding_named(name, d_model, n_heads, max_len, causal=self.causal)

        self.encoding, inside = encodings_by_layer(encoding, n_layers, named)
        of_layer: dict[str, Any] = {name: value for name, value in options.items() if name != "window"}
        layers = [kind(d_model, n_heads, encoding, **of_layer) for encoding in inside]
        self.layers = nn.ModuleList(layers)
        self.norm = nn.LayerNorm(d_model) if layers[0].norm_first else nn.Identity()
        self.dropout = nn.Dropout(layers[0].dropout.p)
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
        encoding: a name (see ``encoding_named``) or a PositionEncoding, which the stack copies and does not
            change. Door 1 is applied once, below the first layer; doors 2 to 4 are inside attention, and
            each layer has a copy with its own parameters. An encoding without parameters, or with door 1 and
            others, is one object for the whole stack.
            Or one for each layer, the lowest first: a list of ``n_layers`` names or encodings (not of door
            1). Layers with the same object share its parameters, so ``[T5RelativeBias(n_heads)] * n_layers``
            is one table in all layers, as in T5.
        max_len: the longest sequence, for encodings that need it; see ``encoding_named``.
        options: d_feed, dropout, norm_first, window; see ``LayerOptions``.

    Encodings that read several coordinates must all read the same number of them. An encoding that reads one
    gets the place in the sequence; windows, caches and causal order always count places.

    Raises:
        ValueError: sizes that do not fit, a list of another length, an encoding of door 1 in a list, or
            encodings that read different numbers of coordinates.

    >>> encoder = TransformerEncoder(d_model=16, n_heads=2, n_layers=3, encoding="alibi")
    >>> encoder(torch.randn(2, 5, 16)).shape
    torch.Size([2, 5, 16])

    Two layers that rotate and look at 4 tokens on each side, then one without positions that looks at all:

    >>> encoder = TransformerEncoder(16, 2, 3, ["rotary", "rotary", "none"], window=[5, 5, None])
    >>> encoder(torch.randn(2, 50, 16)).shape
    torch.Size([2, 50, 16])
    """

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
            positions, mask, real: as in ``DecoderOnly.forward``, but later tokens are seen too.
        """
        check_vectors("embeddings", embeddings, self.d_model)
        if real is not None:
            check_real("real", real, embeddings)
        places, masks = _positions_and_masks(embeddings, self, positions, mask, real)
        x, all_weights = self._with_door_one(embeddings, places), []
        for layer, mask_of_layer in zip(self.layers, masks, strict=True):
            x, weights = layer(x, mask_of_layer, places, need_weights)
            all_weights.append(weights)
        x = self.norm(x)
        return (x, all_weights) if need_weights else x


class TransformerDecoder(_Stack):
    """``n_layers`` decoder layers: a token looks at itself, at earlier tokens, and at a memory.

    Args:
        d_model, n_heads, n_layers, encoding, max_len, options: as for ``TransformerEncoder``.
        cross_attention: False leaves out the attention to a memory, as in a language model.

    >>> decoder = TransformerDecoder(d_model=16, n_heads=2, n_layers=3, encoding="rotary")
    >>> decoder(torch.randn(2, 3, 16), memory=torch.randn(2, 5, 16)).shape
    torch.Size([2, 3, 16])
    """

    causal = True

    def __init__(self, *arguments: Any, cross_attention: bool = True, **named: Any) -> None:
        kind = DecoderLayer if cross_attention else EncoderLayer
        super().__init__(*arguments, kind=kind, **named)
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
        cached = None
        if cache is not None:
            real = cache.begin(embeddings, real, self.windows)
            cached = cache.positions
        places, masks = _positions_and_masks(embeddings, self, positions, mask, real, cached)
        memory_mask = None if memory_real is None else known_to_hide_no_row(padding_mask(memory_real))

        x = self._with_door_one(embeddings, places)
        all_weights = AttentionWeights([], [], [])
        for n, (layer, mask_of_layer) in enumerate(zip(self.layers, masks, strict=True)):
            options: dict[str, Any] = {"causal": mask_of_layer is None}
            if cache is not None:
                options["cache"] = cache.self_attention[n]
                if mask_of_layer is not None and (forgotten := cache.self_attention[n].forgotten):
                    mask_of_layer = known_to_hide_no_row(mask_of_layer[..., forgotten:])
            if memory is None:
                x, weights = layer(x, mask_of_layer, places, need_weights, **options)
            else:
                options["cross_cache"] = None if cache is None else cache.cross_attention[n]
                inputs = (x, memory, mask_of_layer, memory_mask, places, need_weights)
                x, weights, cross_weights = layer(*inputs, **options)
                all_weights.cross.append(cross_weights)
            all_weights.decoder.append(weights)
        if cache is not None:
            cache.finish(places, real)
        x = self.norm(x)
        return (x, all_weights) if need_weights else x

    def _check_memory(self, memory: Tensor | None, memory_real: Tensor | None) -> None:
        if self.cross_attention is (memory is None):
            raise BilingualValueError(
                "有交叉注意力的解码器需要 memory，即编码器的输出 [B, S, d_model]；没有的不接受 memory",
                "a decoder with cross-attention needs memory, the encoder's output [B, S, d_model]; "
                "one without takes none",
            )
        if memory is not None and memory_real is not None:
            check_real("memory_real", memory_real, memory)


def _positions_and_masks(
    embeddings: Tensor,
    stack: _Stack,
    positions: Tensor | None,
    mask: Tensor | None,
    real: Tensor | None,
    cached: Positions | None = None,
) -> tuple[Positions, list[Tensor | None]]:
    """Return the positions of the tokens ``embeddings`` [B, L, d_model], and a mask for each layer.

    ``cached`` are the positions of the tokens in the cache. ``real`` [B, Lk] covers these and the new ones.
    """
    batch, n_new = embeddings.shape[:2]
    n_keys = n_new + (0 if cached is None else places_in(cached).shape[-1])
    if mask is not None:
        mask = mask_of_four_axes(mask, (batch, stack.n_heads, n_new, n_keys))
    if positions is None:
        for encoding in stack.encodings:
            check_countable(encoding)
    located = positions_for("positions", positions, embeddings, stack.axes, cached, real)
    masks = {
        window: known_to_hide_no_row(
            mask_of_stack(mask, real, n_new, n_keys, stack.causal, embeddings.device, window)
        )
        for window in dict.fromkeys(stack.windows)
    }
    return located, [masks[window] for window in stack.windows]
