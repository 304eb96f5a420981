"""Turn pairs of features by given cosines and sines: the arithmetic of rotary embedding, made fast."""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_lessons.encodings.pairing import Pairing, check_pairing
from posenc_lessons.encodings.turning_in_parts import TurnedInParts, as_complex
from posenc_lessons.language import BilingualValueError


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
    if x.device.type != "cpu" or torch.compiler.is_compiling():  # compiled, the plain form is fast as well
        return _turn_plainly(x, cos, sin, pairing)
    if pairing == "interleaved" and x.dtype == cos.dtype and 2 * cos.shape[-1] == x.shape[-1]:
        # Two neighbours in memory are a complex number, and turning it is one multiplication.
        return torch.view_as_real(as_complex(x) * torch.complex(cos, sin)).flatten(-2)
    if cos.requires_grad or sin.requires_grad:
        return _turn_plainly(x, cos, sin, pairing)
    return TurnedInParts.apply(x, cos, sin, pairing)


def _turn_plainly(x: Tensor, cos: Tensor, sin: Tensor, pairing: Pairing) -> Tensor:
    width = 2 * cos.shape[-1]
    each_pair = -1 if pairing == "interleaved" else -2  # the axis along which the two of a pair lie
    sizes = (-1, 2) if pairing == "interleaved" else (2, -1)
    first, second = x[..., :width].to(cos.dtype).unflatten(-1, sizes).unbind(each_pair)
    both = (
        torch.addcmul(first * cos, second, sin, value=-1),
        torch.addcmul(second * cos, first, sin),
    )
    turned = torch.stack(both, dim=each_pair).flatten(-2).to(x.dtype)
    return turned if width == x.shape[-1] else torch.cat([turned, x[..., width:]], dim=-1)


def _check_tables(x: Tensor, cos: Tensor, sin: Tensor) -> None:
    shape, batch = tuple(cos.shape), x.shape[0] if x.ndim > 2 else 1
    places = ((x.shape[-2],), (batch, x.shape[-2]), (1, x.shape[-2])) if x.ndim > 1 else ()
    fits = len(shape) > 1 and shape[:-1] in places and 1 <= shape[-1] <= x.shape[-1] // 2
    if not fits or sin.shape != cos.shape or (len(shape) == 3 and x.ndim == 2):
        raise BilingualValueError(
            f"cos 和 sin 必须形状相同，是 [L, n] 或 [B, L, n]，2n ≤ d_head，与 x [B, …, L, d_head] 相配；"
            f"收到 cos {list(cos.shape)}、sin {list(sin.shape)}、x {list(x.shape)}",
            f"cos and sin must have one shape, [L, n] or [B, L, n] with 2n ≤ d_head, beside "
            f"x [B, …, L, d_head]; got cos {list(cos.shape)}, sin {list(sin.shape)}, x {list(x.shape)}",
        )
