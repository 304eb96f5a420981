"""Turn pairs of features on a CPU: in parts small enough that unfinished work stays in the cache.

The numbers are those of the plain forms in ``turning.py``. Written straight into the result, a few parts at a
time, they take half the time or less, and no memory beside the result's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from posenc_lessons.encodings.pairing import Pairing

PART = 1 << 19  # numbers in a part: 2 MB of float32

# Turn a part of x into the same part of the result, by the tables that go with it.
Into = Callable[..., None]


class TurnedInParts(torch.autograd.Function):
    """``apply(x, cos, sin, pairing)``: see ``turn_pairs``; ``cos`` and ``sin`` broadcast over x, and get no
    gradient. The gradient of a rotation is the rotation back."""

    @staticmethod
    def forward(x: Tensor, cos: Tensor, sin: Tensor, pairing: Pairing) -> Tensor:
        width = 2 * cos.shape[-1]
        out = torch.empty_like(x)
        if width < x.shape[-1]:
            out[..., width:] = x[..., width:]
        into: Into
        if pairing == "interleaved":
            into, tables = _neighbours_into, [torch.complex(cos, sin)]
        else:
            into, tables = _halves_into, [torch.cat([cos, cos], dim=-1), torch.cat([-sin, sin], dim=-1)]
        tables = [table.expand(*x.shape[:-1], -1) for table in tables]
        _turn_parts(into, out[..., :width], x[..., :width], *tables)
        return out

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
        _, cos, sin, ctx.pairing = inputs
        ctx.save_for_backward(cos, sin)
        ctx.save_for_forward(cos, sin)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None, None, None]:
        cos, sin = ctx.saved_tensors
        return TurnedInParts.apply(gradient, cos, -sin, ctx.pairing), None, None, None

    @staticmethod
    def jvp(ctx: Any, tangent: Tensor, *none: None) -> Tensor:
        cos, sin = ctx.saved_tensors
        return TurnedInParts.apply(tangent, cos, sin, ctx.pairing)

    @staticmethod
    def vmap(
        info: Any, in_dims: tuple[int | None, ...], x: Tensor, cos: Tensor, sin: Tensor, pairing: Pairing
    ) -> tuple[Tensor, int]:
        x, cos, sin = (
            given.expand(info.batch_size, *given.shape) if axis is None else given.movedim(axis, 0)
            for given, axis in zip((x, cos, sin), in_dims, strict=False)
        )
        middle = (1,) * (x.ndim - cos.ndim)  # axes that the tables lack
        cos, sin = (table.reshape(len(table), *middle, *table.shape[1:]) for table in (cos, sin))
        return TurnedInParts.apply(x, cos, sin, pairing), 0


def _turn_parts(into: Into, out: Tensor, *given: Tensor) -> None:
    """Cut ``out`` and what is ``given`` along the axis outermost in memory, until the parts are small."""
    axis = max(range(out.ndim - 1), key=lambda axis: (out.shape[axis] > 1) * out.stride(axis))
    if out.numel() <= PART or out.shape[axis] == 1:
        return into(out, *given)
    rows = max(1, PART * out.shape[axis] // out.numel())
    for piece in zip(*(whole.split(rows, dim=axis) for whole in (out, *given)), strict=True):
        _turn_parts(into, *piece)


def _neighbours_into(out: Tensor, x: Tensor, table: Tensor) -> None:
    wide = x.to(table.real.dtype, copy=True, memory_format=torch.contiguous_format)
    as_complex(wide).mul_(table)
    out.copy_(wide)


def _halves_into(out: Tensor, x: Tensor, cos: Tensor, sin: Tensor) -> None:
    half, wide = x.shape[-1] // 2, x.to(cos.dtype)
    turned = out if out.dtype == cos.dtype else torch.empty_like(wide)
    torch.mul(wide, cos, out=turned)
    turned[..., :half].addcmul_(wide[..., half:], sin[..., :half])
    turned[..., half:].addcmul_(wide[..., :half], sin[..., half:])
    if turned is not out:
        out.copy_(turned)


def as_complex(x: Tensor) -> Tensor:
    """Neighbours (a, b) as complex numbers a + ib: a view of ``x``, or of a copy where they lie otherwise."""
    steps, last = x.stride()[:-1], x.stride(-1)
    if last != 1 or x.storage_offset() % 2 or any(step % 2 for step in steps):
        x = x.contiguous()
    return torch.view_as_complex(x.unflatten(-1, (-1, 2)))
