"""Turn pairs of features by given cosines and sines: the arithmetic of rotary embedding, made fast."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from posenc_lessons.encodings.pairing import Pairing, check_pairing


def turn_pairs(x: Tensor, cos: Tensor, sin: Tensor, pairing: Pairing) -> Tensor:
    """Turn the first 2n features of ``x`` [B, …, L, d_head] by angles given as ``cos`` and ``sin``.

    (a, b) becomes (a cos − b sin, a sin + b cos): anticlockwise. Cosines and sines that were scaled scale
    the result, and gradients reach them as well as ``x``.

    Args:
        x: what to turn; features past 2n stay as they are.
        cos, sin: [L, n], or [B, L, n] with a row per sequence, in the precision to work in.
        pairing: which features belong together.

    Returns:
        The shape, dtype and device of ``x``.

    Raises:
        ValueError: an unknown pairing, or shapes that do not fit each other.
    """
    check_pairing("pairing", pairing)
    _check_tables(x, cos, sin)
    if cos.ndim == 3:  # a row per sequence, the same for every head
        cos, sin = (table[(slice(None),) + (None,) * (x.ndim - 3)] for table in (cos, sin))
    turn = _turn_neighbours if pairing == "interleaved" else _turn_halves
    fixed = not (cos.requires_grad or sin.requires_grad)
    if fixed and x.device.type == "cpu" and not torch.compiler.is_compiling():  # compiled, it fuses anyway
        return _InParts.apply(x, cos, sin, turn)
    return turn(x, cos, sin)


def _turn_neighbours(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    # Two neighbours in memory are a complex number, and turning it is one multiplication.
    wide = x[..., : 2 * cos.shape[-1]].to(cos.dtype)
    if wide.stride(-1) != 1 or wide.storage_offset() % 2 or any(step % 2 for step in wide.stride()[:-1]):
        wide = wide.contiguous()
    pairs = torch.view_as_complex(wide.unflatten(-1, (-1, 2))) * torch.complex(cos, sin)
    return _with_the_rest(torch.view_as_real(pairs).flatten(-2), x)


def _turn_halves(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    # Rolling by half the width brings each feature its partner; then one pass adds both products.
    wide = x[..., : 2 * cos.shape[-1]].to(cos.dtype)
    cos, sin = torch.cat([cos, cos], dim=-1), torch.cat([-sin, sin], dim=-1)
    return _with_the_rest(torch.addcmul(wide * cos, wide.roll(cos.shape[-1] // 2, dims=-1), sin), x)


def _with_the_rest(turned: Tensor, x: Tensor) -> Tensor:
    """``turned`` in the dtype of ``x``, followed by the features of ``x`` that do not turn."""
    width, turned = turned.shape[-1], turned.to(x.dtype)
    return turned if width == x.shape[-1] else torch.cat([turned, x[..., width:]], dim=-1)


class _InParts(torch.autograd.Function):
    """``turn(x, cos, sin)``, some positions at a time, so that unfinished work stays in the CPU's cache.

    A large tensor takes a third to a half of the time so, and no memory beside the result's. The gradient of
    a rotation is the rotation back.
    """

    generate_vmap_rule = True
    PART = 1 << 19  # numbers at a time: 2 MB of float32

    @staticmethod
    def forward(x: Tensor, cos: Tensor, sin: Tensor, turn: Callable[..., Tensor]) -> Tensor:
        rows = max(1, _InParts.PART * x.shape[-2] // max(1, x.numel()))
        if rows >= x.shape[-2]:
            return turn(x, cos, sin)
        out = torch.empty_like(x)
        for into, *part in zip(*(whole.split(rows, dim=-2) for whole in (out, x, cos, sin)), strict=True):
            into.copy_(turn(*part))
        return out

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
        _, cos, sin, ctx.turn = inputs
        ctx.save_for_backward(cos, sin)
        ctx.save_for_forward(cos, sin)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None, None, None]:
        cos, sin = ctx.saved_tensors
        return _InParts.apply(gradient, cos, -sin, ctx.turn), None, None, None

    @staticmethod
    def jvp(ctx: Any, tangent: Tensor, *none: None) -> Tensor:
        cos, sin = ctx.saved_tensors
        return _InParts.apply(tangent, cos, sin, ctx.turn)


def _check_tables(x: Tensor, cos: Tensor, sin: Tensor) -> None:
    shape, batch = tuple(cos.shape), x.shape[0] if x.ndim > 2 else 1
    places = ((x.shape[-2],), (batch, x.shape[-2]), (1, x.shape[-2])) if x.ndim > 1 else ()
    fits = len(shape) > 1 and shape[:-1] in places and 1 <= shape[-1] <= x.shape[-1] // 2
    if not fits or sin.shape != cos.shape or (len(shape) == 3 and x.ndim == 2):
        raise ValueError(
            f"cos and sin must have one shape, [L, n] or [B, L, n] with 2n ≤ d_head, beside "
            f"x [B, …, L, d_head]; got cos {list(cos.shape)}, sin {list(sin.shape)}, x {list(x.shape)}\n"
            f"cos 和 sin 必须形状相同，是 [L, n] 或 [B, L, n]，2n ≤ d_head，与 x [B, …, L, d_head] 相配；"
            f"收到 cos {list(cos.shape)}、sin {list(sin.shape)}、x {list(x.shape)}"
        )
