"""Attention sinks: a place for attention weight that no key needs, and a cache for endless texts.

Source: Xiao et al. 2023, "Efficient Streaming Language Models with Attention Sinks", arXiv 2309.17453, §3
(why a softmax needs such a place, and a cache that keeps the first tokens); the learned sink,
OpenAI 2025, gpt-oss, released code (``sinks``).
"""

from typing import Any

import torch
from torch import Tensor, nn

from posenc_lessons.encodings import PositionEncoding, RotaryEncoding, ScaledQueries, Together
from posenc_lessons.encodings.arguments import whole_number
from posenc_lessons.encodings.positions import known_positions, places_in, positions_at
from posenc_lessons.language import BilingualValueError
from posenc_lessons.models.attention import MultiHeadAttention
from posenc_lessons.models.cache import Cache
from posenc_lessons.models.transformer import DecoderOnly


class SinkAttention(MultiHeadAttention):
    """``MultiHeadAttention`` with a learned sink: a_ij = exp(s_ij) / (exp(b) + Σ_j exp(s_ij)).

    ``sink`` [n_heads] holds b, one more score in the softmax, whose weight is then dropped. So a row of
    weights sums to less than 1. The arguments are those of ``MultiHeadAttention``.

    >>> _, weights = SinkAttention(d_model=16, n_heads=2)(torch.randn(1, 3, 16), need_weights=True)
    >>> bool((weights.sum(dim=-1) < 1).all())
    True
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.sink = nn.Parameter(torch.zeros(self.n_heads))

    def _weigh(self, scores: Tensor) -> Tensor:
        sink = self.sink.to(scores.dtype)[:, None, None].expand(*scores.shape[:-1], 1)  # [B, H, Lq, 1]
        return torch.cat((scores, sink), dim=-1).softmax(dim=-1)[..., :-1]

    def _fused(self, *arguments: Any) -> tuple[Tensor, Tensor | None]:
        """Compute step by step, because PyTorch's kernel has no sink."""
        heads, _ = self._explicit(*arguments)
        return heads, None


def forget_middle(model: DecoderOnly, cache: Cache, first: int, latest: int, renumber: bool = True) -> None:
    """Keep only the ``first`` and the ``latest`` tokens of ``cache``, and number them again from 0 (§3.2).

    The cache is changed in place. A kept key was rotated by its old position; a further rotation by
    (new − old) gives the key rotated by its new position, because rotations by the same frequencies add up.
    Keys that door 2 never rotated (ALiBi, T5, Shaw, CoPE, no encoding) only get their new positions. With
    ``renumber=False`` keys and positions do not change, and positions go on growing with the text.

    Args:
        model: the model that the cache belongs to.
        cache: the cache to shorten; one of at most first + latest tokens does not change.
        first, latest: how many tokens to keep at each end, 0 or more and 1 or more. Padding on the left
            counts among the first.
        renumber: True to number the kept tokens again from 0.

    Raises:
        ValueError: an encoding whose cached keys cannot be re-rotated: one of door 1, whose positions are in
            keys and values, one of several coordinates, or a rotation that also scales (YaRN). Or a layer
            with a window has forgotten a token to keep.

    >>> import torch
    >>> model = DecoderOnly(vocab_size=9, d_model=8, n_heads=2, n_layers=2, encoding="rotary").eval()
    >>> cache = model.new_cache()
    >>> _ = model(torch.arange(9)[None], cache=cache)
    >>> forget_middle(model, cache, first=1, latest=3)
    >>> cache.positions
    tensor([0, 1, 2, 3])
    """
    first, latest = whole_number("first", first, 0), whole_number("latest", latest, 1)
    positions = cache.positions
    if positions is None or cache.length <= first + latest:
        return
    places = torch.arange(cache.length, device=places_in(positions).device)
    tokens = torch.cat((places[:first], places[-latest:]))
    old = positions_at(positions, tokens)
    if not renumber:
        cache.keep(tokens, old)
        return
    _check_renumbering(model)
    old = places_in(old)
    new = known_positions(torch.arange(len(tokens), device=old.device).expand(old.shape))
    cache.keep(tokens, new)
    for attention, memory in zip(model.attentions, cache.self_attention, strict=True):
        assert memory.keys is not None  # [B, H, n, d_head]
        memory.keys = attention.encoding.turn(memory.keys, new - old, "key")


def _check_renumbering(model: DecoderOnly) -> None:
    """Raise ValueError unless cached keys of ``model`` can be moved to other positions by rotating them."""
    for encoding in (model.decoder.encoding, *(attention.encoding for attention in model.attentions)):
        if 1 in encoding.doors or encoding.axes > 1 or not _rotations_add_up(encoding):
            name = type(encoding).__name__
            raise BilingualValueError(
                f"{name} 的缓存键不能靠再旋转一个角度换到新位置，请用 renumber=False，或者重新计算",
                f"cached keys of {name} cannot be re-rotated to new positions: "
                f"use renumber=False, or compute them again",
            )


def _rotations_add_up(encoding: PositionEncoding) -> bool:
    """Return True if ``turn`` of a key by two positions, one after the other, is ``turn`` by their sum."""
    if isinstance(encoding, Together):
        return all(map(_rotations_add_up, encoding.parts))
    if isinstance(encoding, RotaryEncoding):
        extension = encoding.extension
        return extension is None or (extension.scale == 1.0 and encoding.allows_cache)
    return 2 not in encoding.doors or isinstance(encoding, ScaledQueries)  # neither changes keys
