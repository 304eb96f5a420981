"""Masks (who may look at whom) and positions (where each token stands).

A ``mask`` is bool, for each query and key: True = may look (PyTorch's own MultiheadAttention means the
opposite). ``real`` is bool [B, L], for each token: True = a token, False = padding.
"""

import torch
from torch import Tensor

from posenc_lessons.encodings.arguments import whole_number
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
        ValueError: ``length`` or ``window`` below 1.

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
    return causal_rows(length, length, torch.empty(0, device=device).device, window)


def causal_rows(n_queries: int, n_keys: int, device: torch.device, window: int | None = None) -> Tensor:
    """Return the last ``n_queries`` rows of the causal mask of ``n_keys`` tokens: [n_queries, n_keys]."""
    n_earlier = n_keys - n_queries
    rows = torch.ones(n_queries, n_keys, dtype=torch.bool, device=device).tril(n_earlier)
    return rows if window is None else rows.triu(n_earlier - window + 1)


def positions_for(
    name: str,
    positions: Positions | None,
    x: Tensor,
    axes: int,
    cached: Positions | None = None,
    real: Tensor | None = None,
) -> Positions:
    """Return the given positions of tokens ``x`` [B, L, …], or count them from 0 or after ``cached`` ones.

    For encodings that read one coordinate, the result is [L] or [B, L]. For several ``axes`` it is
    ``Located``: the given coordinates, [L, axes] or [B, L, axes], and counted places. Tokens without
    coordinates are taken for text: the same number on all axes, counted from the largest cached one.

    Args:
        real: bool [B, Lk], False at padding, for all tokens, including the cached ones; padding is not
            counted.

    Raises:
        ValueError: positions that do not fit ``x``.
    """
    if isinstance(positions, Located):  # from a stack, which has checked them
        return positions if axes > 1 else positions.places
    if axes == 1 and positions is not None:
        return _checked(name, positions, x, axes)
    places = _counted(None if cached is None else places_in(cached), x, real)
    if axes == 1:
        return places
    if positions is not None:
        return Located(_checked(name, positions, x, axes), places)
    largest = cached.coordinates.amax(dim=-1).cummax(dim=-1).values if isinstance(cached, Located) else None
    text = _counted(largest, x, real)
    return Located(known_positions(text[..., None].expand(*text.shape, axes)), places)


def positions_read(
    name: str,
    positions: Positions | None,
    x: Tensor,
    encoding: PositionEncoding,
    cached: Positions | None = None,
) -> Positions:
    """Return ``positions_for`` an attention with ``encoding``; ValueError if it needs some and has none."""
    if positions is None:
        check_countable(encoding)
    return positions_for(name, positions, x, encoding.axes, cached)


def _checked(name: str, positions: Tensor, x: Tensor, axes: int) -> Tensor:
    """Return ``positions``, checked, as known positions."""
    if isinstance(positions, Tensor):
        positions = known_positions(positions)
    return positions_of(name, positions, x.shape[0], x.shape[1], x.device, axes)


def _counted(cached: Tensor | None, x: Tensor, real: Tensor | None) -> Tensor:
    """Count positions of ``real`` tokens among ``x`` [B, L, …], after the ``cached`` ones: [L] or [B, L]."""
    length = x.shape[1]
    if real is not None:
        n_cached = real.shape[1] - length
        positions = positions_among_real(real)[:, n_cached:]  # [B, L]
        if cached is not None:  # counted from the last real cached token, even if earlier ones were forgotten
            real_cached = real[:, :n_cached]
            last = cached.expand_as(real_cached).masked_fill(~real_cached, -1).amax(dim=-1)  # [B]
            positions = positions + (last + 1 - real_cached.sum(dim=-1))[:, None]
        return known_positions(positions)
    if cached is None:
        return counted_positions(0, length, x.device)
    readable = cached.ndim == 1 and not (cached.is_floating_point() or hides_numbers(cached))
    if readable and summary_of(cached).in_order:
        return counted_positions(int(summary_of(cached).last) + 1, length, x.device)
    return known_positions(cached[..., -1:] + torch.arange(1, length + 1, device=x.device))


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
    places = torch.arange(n_keys, device=device) if real is None else real.cumsum(dim=-1)
    queries, keys = places[..., n_keys - n_new :, None], places[..., None, :]
    # Two comparisons make tensors of bools; a difference would be eight times as large.
    rows = (keys > queries - window) & (keys < queries + window)
    return rows if real is None else rows[:, None]


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
    visible = earlier if causal else torch.ones_like(earlier)
    if real is not None:
        visible = visible & real[:, None, None, :]
    if window is not None:
        visible = visible & rows_in_window(window, real, n_new, n_keys, device)
    if mask is not None:
        visible = visible & mask
    visible = visible | itself
    return visible if visible.ndim == 4 else visible[None, None]
