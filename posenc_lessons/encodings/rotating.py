"""Rotate pairs of features by given cosines and sines: the arithmetic of rotary embedding, made fast."""

import torch
from torch import Tensor

from posenc_lessons.encodings.pairing import Pairing, check_pairing
from posenc_lessons.encodings.positions import positions_of
from posenc_lessons.encodings.rotating_in_parts import RotatedInParts, as_complex, better_in_parts
from posenc_lessons.language import BilingualValueError


def turn_pairs(x: Tensor, cos: Tensor, sin: Tensor, pairing: Pairing) -> Tensor:
    """Rotate the first 2n features of ``x`` [B, …, L, d_head] by angles given as ``cos`` and ``sin``.

    (a, b) becomes (a cos − b sin, a sin + b cos): anticlockwise. Scaled cosines and sines scale the result.
    Gradients reach ``cos`` and ``sin`` as well as ``x``.

    Args:
        x: queries or keys; features past 2n stay as they are.
        cos, sin: [L, n], or [B, L, n] with a row for each sequence, in the precision to compute in.
        pairing: which features make a pair.

    Returns:
        A tensor of the shape, dtype and device of ``x``.

    Raises:
        ValueError: an unknown pairing.

    >>> angles = torch.tensor([[0.0], [torch.pi / 2]])  # [L, n]: two tokens, one pair
    >>> turn_pairs(torch.tensor([[1.0, 0.0], [1.0, 0.0]]), angles.cos(), angles.sin(), "interleaved").round()
    tensor([[1., 0.],
            [-0., 1.]])
    """
    check_pairing("pairing", pairing)
    return rotate_by(x, rotation_tables(cos, sin, pairing), pairing)


def rotation_tables(cos: Tensor, sin: Tensor, pairing: Pairing) -> tuple[Tensor, ...]:
    """Return ``cos`` and ``sin`` [B, L, n] or [L, n] in the form that ``rotate_by`` multiplies by.

    Half-split: (cos, cos) and (−sin, sin), [L, 2n] each. Interleaved: cos + i·sin [L, n], because two
    neighbours in memory are a complex number, and one multiplication rotates it. Compilers and Apple's GPU
    are faster with separate cosines and sines.
    """
    if pairing == "half_split":
        return torch.cat((cos, cos), dim=-1), torch.cat((-sin, sin), dim=-1)
    if torch.compiler.is_compiling() or cos.device.type not in ("cpu", "cuda"):
        return cos, sin
    return (torch.complex(cos, sin),)


def tables_for(x: Tensor, angles: Tensor, pairing: Pairing, scale: float = 1.0) -> tuple[Tensor, ...]:
    """Return ``rotation_tables`` of ``angles``, float64 [L, n] or [B, L, n], rounded once for ``x``."""
    if x.ndim == 2 and angles.ndim == 3:  # [1, L, n] for a single sequence [L, d_head]
        angles = angles[0]
    wide = working_precision(x)
    waves = (angles.cos(), angles.sin())
    cos, sin = ((wave if scale == 1 else scale * wave).to(wide).to(x.device) for wave in waves)
    return rotation_tables(cos, sin, pairing)


def rotate_by(x: Tensor, tables: tuple[Tensor, ...], pairing: Pairing) -> Tensor:
    """Rotate ``x`` [B, …, L, d_head] as ``turn_pairs`` does, by ``rotation_tables(…)`` and without checks."""
    width = tables[0].shape[-1] * (2 if pairing == "interleaved" else 1)  # 2n
    if tables[0].ndim == 3:  # [B, L, n]: the same for every head, so [B, 1, L, n]
        tables = tuple(table[(slice(None),) + (None,) * (x.ndim - 3)] for table in tables)
    bare = tables[0].is_complex() and x.dtype == tables[0].real.dtype and width == x.shape[-1]
    if not bare and better_in_parts(x, tables):
        return RotatedInParts.apply(x, *tables)
    rotated = _rotate(x[..., :width], tables, pairing).to(x.dtype)  # [B, …, L, 2n]
    return rotated if width == x.shape[-1] else torch.cat((rotated, x[..., width:]), dim=-1)


def _rotate(x: Tensor, tables: tuple[Tensor, ...], pairing: Pairing) -> Tensor:
    """Return ``x`` [B, …, L, 2n] rotated, in the precision of the tables."""
    if pairing == "half_split":
        cos, sin = tables  # [L, 2n]
        x = x.to(cos.dtype)
        swapped = x.roll(x.shape[-1] // 2, dims=-1)  # (a, b) → (b, a), [B, …, L, 2n]
        return torch.addcmul(x * cos, swapped, sin)
    if len(tables) == 1:
        (factors,) = tables  # complex [L, n]
        rotated = as_complex(x.to(factors.real.dtype)) * factors  # complex [B, …, L, n]
        return torch.view_as_real(rotated).flatten(-2)  # [B, …, L, n, 2] → [B, …, L, 2n]
    cos, sin = tables  # [L, n]
    first, second = x.to(cos.dtype).unflatten(-1, (-1, 2)).unbind(-1)  # [B, …, L, n] each
    both = (torch.addcmul(first * cos, second, sin, value=-1), torch.addcmul(second * cos, first, sin))
    return torch.stack(both, dim=-1).flatten(-2)


def check_width(x: Tensor, d_head: int) -> None:
    """Raise ValueError unless the heads ``x`` [B, H, L, d_head] have ``d_head`` features."""
    if x.shape[-1] != d_head:
        raise BilingualValueError(
            f"这里的 d_head 是 {d_head}，而头有 {x.shape[-1]} 个特征",
            f"d_head is {d_head} here, but the heads have {x.shape[-1]} features",
        )


def fitting_positions(positions: Tensor, x: Tensor, axes: int = 1) -> Tensor:
    """Return ``positions`` if their shape fits ``x`` [B, …, L, d_head]; ValueError otherwise.

    They are [L] or [B, L]; for several ``axes``, [L, axes] or [B, L, axes].
    """
    if not x.is_floating_point() or x.ndim < 2:
        raise BilingualValueError(
            f"x 必须是浮点张量，形状 [..., L, d_head]，收到 {x.dtype} {list(x.shape)}",
            f"x must be floating, of shape [..., L, d_head]; got {x.dtype} {list(x.shape)}",
        )
    batch = x.shape[0] if x.ndim > 2 else 1
    return positions_of("positions", positions, batch, x.shape[-2], x.device, axes)


def working_precision(x: Tensor) -> torch.dtype:
    """Return the dtype in which ``x`` is rotated: its own, float32 for half precisions."""
    return torch.promote_types(x.dtype, torch.float32)
