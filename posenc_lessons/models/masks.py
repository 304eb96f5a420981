"""Who may look at whom, and where each token stands.

A ``mask`` is bool, for each query and key: True = may look (PyTorch's own MultiheadAttention means the
opposite). ``real`` is bool [B, L], for each token: True = a token, False = padding.
"""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_lessons.encodings.arguments import present_device, whole_number
from posenc_lessons.encodings.positions import counted_positions, known_positions, positions_of, summary_of


def causal_mask(length: int, device: torch.device | str | None = None) -> Tensor:
    """The mask [length, length] with which a token sees itself and what came before.

    With a cache the queries are fewer than the keys; then write
    ``key_positions <= query_positions[:, None]``, which is this mask when the positions are 0 … length−1.
    """
    length = whole_number("length", length, 1)
    return causal_rows(length, length, present_device(device))


def causal_rows(n_queries: int, n_keys: int, device: torch.device) -> Tensor:
    """The last ``n_queries`` rows of the causal mask of ``n_keys`` tokens: [n_queries, n_keys]."""
    return torch.ones(n_queries, n_keys, dtype=torch.bool, device=device).tril(n_keys - n_queries)


def positions_for(name: str, positions: Tensor | None, x: Tensor, kept: Tensor | None = None) -> Tensor:
    """``positions`` [L] or [B, L] of tokens ``x`` [B, L, …]; for None 0, 1, … or on from the last ``kept``.

    Raises:
        ValueError: positions that do not fit ``x``.
    """
    length = x.shape[1]
    if positions is not None:
        return known_positions(positions_of(name, positions, x.shape[0], length, x.device))
    if kept is None:
        return counted_positions(0, length, x.device)
    counted = kept.ndim == 1 and not (kept.is_floating_point() or torch.compiler.is_compiling())
    if counted and summary_of(kept).in_order:
        return counted_positions(int(summary_of(kept).last) + 1, length, x.device)
    return known_positions(kept[..., -1:] + torch.arange(1, length + 1, device=x.device))


def positions_among_real(real: Tensor) -> Tensor:
    """How many real tokens come before each, [B, L]: padding takes no position, wherever it stands."""
    return (real.cumsum(dim=-1) - 1).clamp_(min=0)


def padding_mask(real: Tensor) -> Tensor:
    """The mask [B, 1, 1, L] that hides padding from everyone.

    A sequence of nothing but padding may look at itself: what comes out is nobody's, but it is a number.
    """
    return (real | ~real.any(dim=-1, keepdim=True))[:, None, None, :]


def mask_of_stack(
    mask: Tensor | None, real: Tensor | None, n_new: int, n_keys: int, causal: bool, device: torch.device
) -> Tensor | None:
    """One mask from all that is said about the last ``n_new`` of ``n_keys`` tokens; None if nothing is said.

    Every token may look at itself, whatever is said: so each has something to look at, padding in front too.

    Args:
        mask: broadcastable to [B, H, n_new, n_keys], with four axes.
        real: [B, n_keys].
        causal: nothing later is seen. Where nothing else is said, this is left to attention.
    """
    if mask is None and real is None:
        return None
    if mask is None and real is not None and not causal:
        return padding_mask(real)
    earlier = causal_rows(n_new, n_keys, device)
    itself = earlier.triu(n_keys - n_new)
    seen = earlier if causal else torch.ones_like(earlier)
    if real is not None:
        seen = seen & real[:, None, None, :]
    if mask is not None:
        seen = seen & mask
    return seen | itself
