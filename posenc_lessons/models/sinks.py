"""Attention sinks: a place where a softmax may put weight that nobody needs, and texts that go on for ever.

Source: Xiao et al. 2023, "Efficient Streaming Language Models with Attention Sinks", arXiv 2309.17453, §3
(why a softmax wants such a place, and a cache that keeps the first tokens); the learned sink,
OpenAI 2025, gpt-oss, released code (``sinks``).
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from posenc_lessons.encodings import PositionEncoding, RotaryEncoding
from posenc_lessons.encodings.arguments import whole_number
from posenc_lessons.encodings.positions import known_positions
from posenc_lessons.language import BilingualValueError
from posenc_lessons.models.attention import MultiHeadAttention
from posenc_lessons.models.cache import Cache
from posenc_lessons.models.transformer import DecoderOnly


class SinkAttention(MultiHeadAttention):
    """``MultiHeadAttention`` with a learned sink: a_ij = exp(s_ij) / (exp(b) + Σ_j exp(s_ij)).

    ``sink`` [n_heads] holds b, which competes with the scores and is then dropped, so that a row of weights
    may sum to less than 1. The arguments are those of ``MultiHeadAttention``.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.sink = nn.Parameter(torch.zeros(self.n_heads))

    def _weigh(self, scores: Tensor) -> Tensor:
        sink = self.sink.to(scores.dtype)[:, None, None].expand(*scores.shape[:-1], 1)  # [B, H, Lq, 1]
        return torch.cat((scores, sink), dim=-1).softmax(dim=-1)[..., :-1]

    def _fused(self, *arguments: Any) -> tuple[Tensor, Tensor | None]:
        """PyTorch's kernel knows no sink: step by step instead."""
        heads, _ = self._explicit(*arguments)
        return heads, None


def forget_middle(model: DecoderOnly, cache: Cache, first: int, latest: int, renumber: bool = True) -> None:
    """Keep the ``first`` and the ``latest`` tokens of ``cache``, in place, and count them anew from 0 (§3.2).

    A kept key was turned by its old position; turning it by (new − old) more makes it one turned by its new
    position, since rotations by the same frequencies add up. With ``renumber=False`` every key stays as it
    was turned, and positions go on growing with the text.

    Args:
        model: the one that the cache belongs to, whose attention has ``RotaryEncoding``.
        cache: a short one, of at most first + latest tokens, stays as it is.
        first, latest: how many tokens to keep at either end, 0 or more and 1 or more.
        renumber: whether to count anew.

    Raises:
        ValueError: an encoding whose old keys cannot be brought to new positions by a turn alone: door 1,
            whose positions are in keys and values alike, or a rotation that also lengthens (YaRN).
    """
    first, latest = whole_number("first", first, 0), whole_number("latest", latest, 1)
    positions = cache.positions
    if positions is None or cache.length <= first + latest:
        return
    kept = torch.cat((torch.arange(first), torch.arange(cache.length - latest, cache.length)))
    old = positions[..., kept.to(positions.device)]
    new = torch.arange(len(kept), device=old.device).expand(old.shape) if renumber else old
    new = known_positions(new)
    for attention, memory in zip(model.attentions, cache.self_attention, strict=True):
        encoding = attention.encoding
        if renumber and not _turns_alone(encoding):
            name = type(encoding).__name__
            raise BilingualValueError(
                f"{name} 的旧键不能靠再转一个角度换到新位置，请用 renumber=False，或者重新计算",
                f"old keys of {name} cannot be brought to new positions by turning them further: "
                f"use renumber=False, or work them out again",
            )
        assert memory.keys is not None and memory.values is not None
        keys = memory.keys[:, :, kept]  # [B, H, n, d_head]
        memory.keys = encoding.turn(keys, new - old, "key") if renumber else keys
        memory.values, memory.positions = memory.values[:, :, kept], new
    cache.length = len(kept)
    cache.real = None if cache.real is None else cache.real[:, kept]


def _turns_alone(encoding: PositionEncoding) -> bool:
    """Whether what ``turn`` does twice is what it does once by the sum: no lengthening, no other door."""
    return isinstance(encoding, RotaryEncoding) and (
        encoding.extension is None or (encoding.extension.scale == 1.0 and encoding.allows_cache)
    )
