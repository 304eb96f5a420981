"""What positions may be, and the distances between them."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from posenc_lessons.encodings.arguments import present_device, whole_number
from posenc_lessons.language import BilingualValueError


def relative_distances(
    len_q: int, len_k: int, clip: int | None = None, *, device: torch.device | str | None = None
) -> Tensor:
    """How far key j is ahead of query i, D[i, j] = j − i: int64 [len_q, len_k], negative for earlier keys.

    Args:
        len_q, len_k: how many queries and keys, both counted from position 0.
        clip: distances beyond ±clip count as ±clip (Shaw et al. 2018, §3.2); None keeps them all.
        device: where the result lies.

    Raises:
        ValueError: a length or ``clip`` below 1, a device that is not there.
    """
    len_q, len_k = whole_number("len_q", len_q, 1), whole_number("len_k", len_k, 1)
    device = present_device(device)
    distances = torch.arange(len_k, device=device) - torch.arange(len_q, device=device)[:, None]
    if clip is None:
        return distances
    clip = whole_number("clip", clip, 1)
    return distances.clamp(-clip, clip)


def distances_between(query_positions: Tensor, key_positions: Tensor) -> Tensor:
    """Key position minus query position, for positions that are given: [Lq, Lk], or [B, Lq, Lk].

    Either may be [L] or [B, L]. Integers give int64, others their own floating type.
    """
    if not query_positions.is_floating_point() and not key_positions.is_floating_point():
        query_positions, key_positions = query_positions.long(), key_positions.long()
    return key_positions[..., None, :] - query_positions[..., :, None]


def real_positions(name: str, positions: Any) -> Tensor:
    """``positions`` if finite real numbers of a type that can count far enough; ValueError otherwise."""
    kind = positions.dtype if isinstance(positions, Tensor) else type(positions).__name__
    if not isinstance(positions, Tensor) or positions.dtype == torch.bool or positions.is_complex():
        raise BilingualValueError(
            f"{name} 必须是整数或实数的张量，收到 {kind}",
            f"{name} must be a tensor of integers or real numbers; got {kind}",
        )
    if positions.dtype in (torch.bfloat16, torch.float16):
        raise BilingualValueError(
            f"{name} 必须是整数、float32 或 float64，收到 {kind}："
            "较远的位置会混在一起（bfloat16 里没有 257）",
            f"{name} must be integers, float32 or float64; got {kind}, in which distant ones run together "
            f"(bfloat16 has no 257)",
        )
    if positions.is_floating_point() and not positions.isfinite().all():
        bad = positions[~positions.isfinite()][0].item()
        raise BilingualValueError(
            f"{name} 必须都是有限数，收到 {bad}",
            f"{name} must all be finite; got {bad}",
        )
    return positions


def whole_positions(name: str, positions: Any) -> Tensor:
    """``positions`` as int64; ValueError unless they are integers: a table has no row between two rows."""
    positions = real_positions(name, positions)
    if positions.is_floating_point():
        raise BilingualValueError(
            f"{name} 必须是整数，表里两行之间没有别的行，收到 {positions.dtype}",
            f"{name} must be integers, a table has no row between two rows; got {positions.dtype}",
        )
    return positions.long()


def check_heads(query: Tensor, n_heads: int) -> None:
    """ValueError unless ``query`` [B, H, L, d_head] has ``n_heads`` heads."""
    if query.ndim != 4 or query.shape[1] != n_heads:
        raise BilingualValueError(
            f"query 的形状必须是 [B, {n_heads}, L, d_head]，因为这里 n_heads={n_heads}，"
            f"收到 {list(query.shape)}",
            f"query must have shape [B, {n_heads}, L, d_head], for n_heads={n_heads} here; "
            f"got {list(query.shape)}",
        )
