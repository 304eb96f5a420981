"""Masks (who may look at whom) and positions (where each token stands).

A ``mask`` is bool, for each query and key: True = may look (PyTorch's own MultiheadAttention means the
opposite). ``real`` is bool [B, L], for each token: True = a token, False = padding.
"""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_lessons.encodings.arguments import present_device, whole_number
from posenc_lessons.encodings.doors import PositionEncoding, check_countable
from posenc_lessons.encodings.known import hides_numbers
from posenc_lessons.encodings.positions import (
    Located,
    Positions,
    counted_positions,
    known_positions,
    places_in,
    positions_of,
    summary_of,
)


def causal_mask(
    length: int, device: torch.device | str | None = None, *, window: int | None = None
) -> Tensor:
    """Return the mask [length, length] with which a token sees itself and earlier tokens.

    With a cache there are fewer queries than keys. Then write ``key_positions <= query_positions[:, None]``;
    for all positions 0 … length−1 that is this mask.

    Args:
        window: a token sees only the last ``window`` tokens, including itself (a sliding window; Beltagy et
            al. 2020, "Longformer", arXiv 2004.05150, §3.1). None: all earlier tokens.

    Raises:
        ValueError: ``length`` or ``window`` below 1, a device that is not there.

    >>> causal_mask(3)
    tensor([[ True, False, False],
            [ True,  True, False],
            [ True,  True,  True]])
    >>> causal_mask(3, window=2)
    tensor([[ True, False, False],
            [ True,  True, False],
            [False,  True,  True]])
    """
    length = whole_number("length", length, 1)
    window = None if window is None else whole_number("window", window, 1)
    return causal_rows(length, length, present_device(device), window)


def causal_rows(n_queries: int, n_keys: int, device: torch.device, window: int | None = None) -> Tensor:
    """Return the last ``n_queries`` rows of the causal mask of ``n_keys`` tokens: [n_queries, n_keys]."""
    before = n_keys - n_queries
    rows = torch.ones(n_queries, n_keys, dtype=torch.bool, device=device).tril(before)
    return rows if window is None else rows.triu(before - window + 1)


def positions_for(
    name: str,
    positions: Positions | None,
    x: Tensor,
    axes: int,
    kept: Positions | None = None,
    real: Tensor | None = None,
) -> Positions:
    """Return the given positions of tokens ``x`` [B, L, …], or count them from 0 or after those in ``kept``.

    For encodings that read one coordinate, the result is [L] or [B, L]. For several ``axes`` it is
    ``Located``: the given coordinates, [L, axes] or [B, L, axes], and counted places. Tokens without
    coordinates are taken for text: the same number on all axes, counted from the largest one in ``kept``.

    Args:
        real: bool [B, Lk], False at padding, for all tokens, including those in ``kept``; padding is not
            counted.

    Raises:
        ValueError: positions that do not fit ``x``.
    """
    if isinstance(positions, Located):  # from a stack, which has checked them
        return positions if axes > 1 else positions.places
    if axes == 1 and positions is not None:
        return _checked(name, positions, x, axes)
    places = _counted(None if kept is None else places_in(kept), x, real)
    if axes == 1:
        return places
    if positions is not None:
        return Located(_checked(name, positions, x, axes), places)
    largest = kept.coordinates.amax(dim=-1).cummax(dim=-1).values if isinstance(kept, Located) else kept
    text = _counted(largest, x, real)
    return Located(known_positions(text[..., None].expand(*text.shape, axes)), places)


def positions_read(
    name: str,
    positions: Positions | None,
    x: Tensor,
    encoding: PositionEncoding,
    kept: Positions | None = None,
) -> Positions:
    """Return ``positions_for`` an attention with ``encoding``; ValueError if it needs some and has none."""
    if positions is None:
        check_countable(encoding)
    return positions_for(name, positions, x, encoding.axes, kept)


def _checked(name: str, positions: Tensor, x: Tensor, axes: int) -> Tensor:
    """Return ``positions``, checked, as known positions."""
    known = known_positions(positions) if isinstance(positions, Tensor) else positions
    return positions_of(name, known, x.shape[0], x.shape[1], x.device, axes)


def _counted(kept: Tensor | None, x: Tensor, real: Tensor | None) -> Tensor:
    """Count positions of ``real`` tokens among ``x`` [B, L, …], after those in ``kept``: [L] or [B, L]."""
    length = x.shape[1]
    if real is not None:
        n_before = real.shape[1] - length
        positions = positions_among_real(real)[:, n_before:]  # [B, L]
        if kept is not None:  # counted from the last real token kept, even if earlier ones were forgotten
            before = real[:, :n_before]
            last = kept.expand_as(before).masked_fill(~before, -1).amax(dim=-1)  # [B]
            positions = positions + (last + 1 - before.sum(dim=-1))[:, None]
        return known_positions(positions)
    if kept is None:
        return counted_positions(0, length, x.device)
    counted = kept.ndim == 1 and not (kept.is_floating_point() or hides_numbers(kept))
    if counted and summary_of(kept).in_order:
        return counted_positions(int(summary_of(kept).last) + 1, length, x.device)
    return known_positions(kept[..., -1:] + torch.arange(1, length + 1, device=x.device))


def positions_among_real(real: Tensor) -> Tensor:
    """Return positions [B, L] that count real tokens only: padding takes no position."""
    return (real.cumsum(dim=-1) - 1).clamp_(min=0)


def padding_mask(real: Tensor) -> Tensor:
    """Return the mask [B, 1, 1, L] that hides padding from everyone.

    A sequence of only padding may look at itself, so that its output, which nobody uses, is finite.
    """
    return (real | ~real.any(dim=-1, keepdim=True))[:, None, None, :]


def rows_in_window(window: int, real: Tensor | None, n_new: int, n_keys: int, device: torch.device) -> Tensor:
    """Return which of ``n_keys`` tokens are fewer than ``window`` away from each of the last ``n_new``.

    Returns:
        [n_new, n_keys]; with ``real`` [B, n_keys] only real tokens count, [B, 1, n_new, n_keys].
    """
    if real is None:
        places = torch.arange(n_keys, device=device)
        return (places[n_keys - n_new :, None] - places).abs() < window
    places = real.cumsum(dim=-1)  # [B, n_keys]
    return ((places[:, n_keys - n_new :, None] - places[:, None]).abs() < window)[:, None]


def mask_of_stack(
    mask: Tensor | None,
    real: Tensor | None,
    n_new: int,
    n_keys: int,
    causal: bool,
    device: torch.device,
    window: int | None = None,
) -> Tensor | None:
    """Combine the masks of the last ``n_new`` of ``n_keys`` tokens; None if only ``causal`` hides tokens.

    Every token may always look at itself, so that padding on the left has something to look at, too.

    Args:
        mask: broadcastable to [B, H, n_new, n_keys], with four axes.
        real: [B, n_keys].
        causal: hide later tokens. Without ``mask``, ``real`` and ``window``, attention does this itself.
        window: hide tokens that are at least ``window`` real tokens away.
    """
    if window is not None and not torch.compiler.is_compiling() and n_keys <= window:
        window = None  # nothing is so far away
    if mask is None and real is None and window is None:
        return None
    if mask is None and real is not None and window is None and not causal:
        return padding_mask(real)
    earlier = causal_rows(n_new, n_keys, device)
    itself = earlier.triu(n_keys - n_new)
    seen = earlier if causal else torch.ones_like(earlier)
    if real is not None:
        seen = seen & real[:, None, None, :]
    if window is not None:
        seen = seen & rows_in_window(window, real, n_new, n_keys, device)
    if mask is not None:
        seen = seen & mask
    seen = seen | itself
    return seen if seen.ndim == 4 else seen[None, None]
