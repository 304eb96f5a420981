"""Caches for decoding: keys and values of the tokens so far, so that no token is computed twice."""

from collections.abc import Sequence

import torch
from torch import Tensor

from posenc_lessons.encodings.positions import Positions, joined, places_in, positions_at
from posenc_lessons.language import BilingualValueError


class KeyValueCache:
    """Keys and values of one attention, for all tokens so far.

    Keys are kept after door 2 (rotated by their positions), together with their positions, which doors 3 and
    4 need.

    Attributes:
        keys, values: [B, n_kv_heads, length, d_head], None while empty.
        positions: [length] or [B, length], None while empty.
        forgotten: how many earlier tokens are no longer kept, because no window reaches them (see ``Cache``).
        source: for cross-attention, the memory that the keys were made from.

    >>> attention, cache = MultiHeadAttention(d_model=16, n_heads=2), KeyValueCache()
    >>> _ = attention(torch.randn(1, 3, 16), causal=True, cache=cache)
    >>> _ = attention(torch.randn(1, 1, 16), causal=True, cache=cache)  # looks at all 4 tokens
    >>> cache.length, cache.keys.shape
    (4, torch.Size([1, 2, 4, 8]))
    """

    def __init__(self) -> None:
        self.keys: Tensor | None = None
        self.values: Tensor | None = None
        self.positions: Positions | None = None
        self.source: Tensor | None = None
        self.forgotten = 0

    @property
    def length(self) -> int:
        """The number of tokens that are kept."""
        return 0 if self.keys is None else self.keys.shape[2]

    @property
    def numbers_per_token(self) -> int:
        """How many numbers are kept for each token of each sequence; 0 while empty."""
        if self.keys is None or self.values is None:
            return 0
        return sum(tensor.shape[1] * tensor.shape[3] for tensor in (self.keys, self.values))

    def extend(self, keys: Tensor, values: Tensor, positions: Positions) -> tuple[Tensor, Tensor, Positions]:
        """Append keys and values [B, n_kv_heads, L, d_head] at positions [L] or [B, L]; return all so far."""
        if self.keys is not None and self.values is not None and self.positions is not None:
            _same_batch(len(self.keys), len(keys))
            keys = torch.cat((self.keys, keys), dim=2)
            values = torch.cat((self.values, values), dim=2)
            positions = joined(self.positions, positions)
        self.keys, self.values, self.positions = keys, values, positions
        return keys, values, positions

    def of_source(self, source: Tensor) -> tuple[Tensor, Tensor, Positions]:
        """Return keys, values and positions of ``source`` [B, S, d_model]; ValueError for another memory."""
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

    def keep(self, places: Tensor | slice, positions: Positions) -> None:
        """Keep only the tokens at ``places`` among those here, and their ``positions``."""
        if self.keys is not None and self.values is not None:
            self.keys, self.values = self.keys[:, :, places], self.values[:, :, places]
            self.positions = positions


class Cache:
    """The cache of a decoder: a ``KeyValueCache`` for each layer, and which tokens are real.

    Decode under ``torch.no_grad()``, as ``generate`` does: the cache then holds no graph of earlier steps,
    and ``copy.deepcopy`` of it works.

    ``model.new_cache()`` makes one for each batch of sequences; pass it to every call. A layer with a window
    of w keeps the last w keys. (With padding it may keep more, so that each sequence has its last w real
    ones.)

    Attributes:
        self_attention, cross_attention: a ``KeyValueCache`` for each layer.
        windows: the window of each layer, None if it looks at all tokens.
        length: how many tokens the decoder has seen, padding included.
        positions: of all tokens seen, [length] or [B, length], or, if the encodings read several coordinates,
            ``coordinates`` and ``places``; None while the cache is empty.
        real: bool [B, length], None without padding.

    >>> model = DecoderOnly(vocab_size=9, d_model=8, n_heads=2, n_layers=2, encoding="rotary").eval()
    >>> tokens, cache = torch.tensor([[3, 1, 4, 1, 5]]), model.new_cache()
    >>> _ = model(tokens[:, :4], cache=cache)
    >>> torch.allclose(model(tokens[:, 4:], cache=cache), model(tokens)[:, 4:], atol=1e-6)
    True
    """

    def __init__(self, n_layers: int, windows: Sequence[int | None] | None = None) -> None:
        self.self_attention = [KeyValueCache() for _ in range(n_layers)]
        self.cross_attention = [KeyValueCache() for _ in range(n_layers)]
        self.windows = [None] * n_layers if windows is None else list(windows)
        self.positions: Positions | None = None
        self.real: Tensor | None = None

    @property
    def length(self) -> int:
        """How many tokens the decoder has seen, padding included."""
        return 0 if self.positions is None else places_in(self.positions).shape[-1]

    def begin(self, embeddings: Tensor, real: Tensor | None, windows: Sequence[int | None]) -> Tensor | None:
        """Prepare for more tokens [B, L, …]; return which of all tokens are real, None for all of them.

        Tokens that an interrupted call left in some layers are removed. ValueError for the cache of another
        model, whose layers have other ``windows``.
        """
        if self.windows != list(windows):
            raise BilingualValueError(
                f"缓存各层的窗口是 {self.windows}，而这个模型是 {list(windows)}：请用它自己的 new_cache()",
                f"the windows of the cache's layers are {self.windows}, and this model's {list(windows)}: "
                f"take a cache from the model's own new_cache()",
            )
        self._drop_unfinished()
        if self.self_attention[0].keys is not None:
            _same_batch(len(self.self_attention[0].keys), len(embeddings))
        if self.real is None and real is None:
            return None
        earlier = self.real
        if earlier is None:
            earlier = torch.ones(len(embeddings), self.length, dtype=torch.bool, device=embeddings.device)
        if real is None:
            real = torch.ones(embeddings.shape[:2], dtype=torch.bool, device=embeddings.device)
        return torch.cat((earlier, real), dim=1)

    def finish(self, positions: Positions, real: Tensor | None) -> None:
        """Record new tokens at ``positions`` [L] or [B, L] after all layers have appended them.

        ``real`` covers all tokens seen. Layers with a window then forget the keys that no later token sees.
        """
        self.positions = positions if self.positions is None else joined(self.positions, positions)
        self.real = real
        for window in {window for window in self.windows if window is not None}:
            pairs = zip(self.windows, self.self_attention, strict=True)
            layers = [layer for window_of_layer, layer in pairs if window_of_layer == window]
            start = self._start_of(window)
            if start <= layers[0].forgotten:
                continue
            positions = _from(self.positions, start)
            for layer in layers:
                layer.keep(slice(start - layer.forgotten, None), positions)
                layer.forgotten = start

    def _start_of(self, window: int) -> int:
        """Return the place of the first key that a layer with ``window`` keeps."""
        if self.real is None:
            return max(self.length - window, 0)
        count = self.real.cumsum(dim=-1)  # [B, length]
        in_window = (self.real & (count > count[:, -1:] - window)).any(dim=0)  # [length]
        return int(in_window.int().argmax())

    def keep(self, places: Tensor, positions: Positions) -> None:
        """Keep only the tokens at ``places`` [n], in order, in every layer, and their ``positions``.

        Raises:
            ValueError: a layer with a window has forgotten one of them.
        """
        most = max(layer.forgotten for layer in self.self_attention)
        if most and int(places[0]) < most:
            raise BilingualValueError(
                f"有窗口的层已经忘掉了前 {most} 个词元的键，缓存里没有第 {int(places[0])} 个可以保留："
                f"请在窗口装满之前调用，或者用新的缓存重新计算",
                f"layers with a window have forgotten the keys of the first {most} tokens, so token "
                f"{int(places[0])} cannot be kept: call this before a window is full, or compute again, "
                f"with a new cache",
            )
        for layer in self.self_attention:
            layer.keep(places - layer.forgotten, positions)
            layer.forgotten = 0
        self.positions = positions
        self.real = None if self.real is None else self.real[:, places]

    def _drop_unfinished(self) -> None:
        """Remove the tokens that an interrupted call left in some layers."""
        if self.positions is None:
            self.self_attention = [KeyValueCache() for _ in self.windows]
            self.cross_attention = [KeyValueCache() for _ in self.windows]
            return
        for layer in self.self_attention:
            count = self.length - layer.forgotten
            if layer.length > count:
                layer.keep(slice(count), _from(self.positions, layer.forgotten))


def _from(positions: Positions, start: int) -> Positions:
    """Return ``positions`` without those of the first ``start`` tokens."""
    return positions_at(positions, slice(start, places_in(positions).shape[-1]))


def _same_batch(cached: int, new: int) -> None:
    if cached != new:
        raise BilingualValueError(
            f"缓存里的批量是 {cached}，这些词元的批量是 {new}：每个批量请用自己的缓存",
            f"the cache holds a batch of {cached}, and these tokens are a batch of {new}: "
            f"use one cache per batch",
        )
