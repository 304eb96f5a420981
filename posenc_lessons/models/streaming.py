"""A cache that forgets its middle, so that a text may go on for ever: the first tokens and the latest stay.

Source: Xiao et al. 2023, "Efficient Streaming Language Models with Attention Sinks", arXiv 2309.17453, §3.2.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from posenc_lessons.encodings import RotaryEncoding
from posenc_lessons.encodings.arguments import whole_number
from posenc_lessons.encodings.positions import known_positions
from posenc_lessons.language import BilingualValueError
from posenc_lessons.models.cache import Cache


def forget_middle(
    layers: nn.ModuleList, cache: Cache, first: int, latest: int, renumber: bool = True
) -> None:
    """Keep the ``first`` and the ``latest`` tokens of ``cache``, in place, and count them anew from 0.

    A kept key was turned by its old position; turning it by (new − old) more makes it one turned by its new
    position, since rotations by the same frequencies add up. With ``renumber=False`` every key stays as it
    was turned, and positions go on growing with the text.

    Args:
        layers: of the model that the cache belongs to, whose attention has ``RotaryEncoding``.
        first, latest: how many tokens to keep at either end, 0 or more; both counts overlap in a short cache.

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
    layer: Any
    for layer, memory in zip(layers, cache.self_attention, strict=True):
        encoding = layer.attention.encoding
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


def _turns_alone(encoding: nn.Module) -> bool:
    """Whether what ``turn`` does twice is what it does once by the sum: no lengthening, no other door."""
    return isinstance(encoding, RotaryEncoding) and (
        encoding.extension is None or (encoding.extension.scale == 1.0 and encoding.allows_cache)
    )
