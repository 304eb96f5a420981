"""Hand out to each key what belongs to its distance, and collect from all keys by distance.

The two are each other's gradient. With n keys and 2k + 1 distances, neither builds anything larger than what
has one number per query and key.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor


def hand_out(numbers: Tensor, distances: Tensor, clip: int) -> Tensor:
    """[..., Lq, 2k+1] → [..., Lq, Lk]: each query's number for the distance of each key.

    ``distances`` are int64, broadcastable to the result; beyond ±``clip`` = ±k they count as ±k, and distance
    −k has the first number.
    """
    return _HandedOut.apply(numbers, distances, clip)


def collect(weights: Tensor, distances: Tensor, clip: int) -> Tensor:
    """[..., Lq, Lk] → [..., Lq, 2k+1]: for each query the sum of its weights at each distance."""
    return _Collected.apply(weights, distances, clip)


class _HandedOut(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(numbers: Tensor, distances: Tensor, clip: int) -> Tensor:
        shape = (*numbers.shape[:-1], distances.shape[-1])
        return numbers.gather(-1, _rows(distances, clip).expand(shape))

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Tensor, Tensor, int], output: Tensor) -> None:
        _remember(ctx, inputs)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None, None]:
        return _Collected.apply(gradient, *ctx.saved_tensors, ctx.clip), None, None

    @staticmethod
    def jvp(ctx: Any, tangent: Tensor, *none: None) -> Tensor:
        return _HandedOut.apply(tangent, *ctx.saved_tensors, ctx.clip)


class _Collected(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(weights: Tensor, distances: Tensor, clip: int) -> Tensor:
        wide = weights.to(torch.promote_types(weights.dtype, torch.float32))  # a sum over many keys
        on_cpu = weights.device.type == "cpu" and not torch.compiler.is_compiling()
        if on_cpu and (distances.diff(dim=-1) == 1).all():
            return _sums_over_neighbours(wide, distances, clip).to(weights.dtype)
        sums = wide.new_zeros(*wide.shape[:-1], 2 * clip + 1)
        rows = _rows(distances, clip).expand(wide.shape)
        return sums.scatter_add(-1, rows, wide).to(weights.dtype)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Tensor, Tensor, int], output: Tensor) -> None:
        _remember(ctx, inputs)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None, None]:
        return _HandedOut.apply(gradient, *ctx.saved_tensors, ctx.clip), None, None

    @staticmethod
    def jvp(ctx: Any, tangent: Tensor, *none: None) -> Tensor:
        return _Collected.apply(tangent, *ctx.saved_tensors, ctx.clip)


def _sums_over_neighbours(weights: Tensor, distances: Tensor, clip: int) -> Tensor:
    """``collect`` for keys at consecutive positions: half the time of adding weights one by one.

    Then each distance within ±k belongs to one key, which is picked out, and only the two ends are sums.
    """
    keys = torch.arange(1 - clip, clip) - distances[..., :1]
    there = (keys >= 0) & (keys < weights.shape[-1])
    keys = keys.clamp(0, weights.shape[-1] - 1).expand(*weights.shape[:-1], -1)
    within = weights.gather(-1, keys) * there
    ends = torch.stack((distances <= -clip, distances >= clip), dim=-1).to(weights.dtype)
    sums = torch.einsum("...ij,...ijr->...ir", weights, ends)
    return torch.cat((sums[..., :1], within, sums[..., 1:]), dim=-1)


def _rows(distances: Tensor, clip: int) -> Tensor:
    return distances.clamp(-clip, clip) + clip


def _remember(ctx: Any, inputs: tuple[Tensor, Tensor, int]) -> None:
    _, distances, ctx.clip = inputs
    ctx.save_for_backward(distances)
    ctx.save_for_forward(distances)
