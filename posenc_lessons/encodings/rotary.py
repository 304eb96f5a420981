"""Rotary position embedding, RoPE: turn queries and keys (Su et al. 2021, "RoFormer", §3.2 and §3.4).

Features are taken two by two, and pair i of the token at position m is turned by the angle m·θ_i, with
θ_i = base^(−2i/d). A query turned by m and a key turned by n have a dot product that knows n − m alone.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from posenc_lessons.encodings.arguments import base_above_one, float64_device, whole_number
from posenc_lessons.encodings.context_extension import ContextExtension, check_extension
from posenc_lessons.encodings.doors import PositionEncoding, Role
from posenc_lessons.encodings.pairing import (
    Pairing,
    check_pairing,
    pair_indices,
    rotary_frequencies,
    rotary_width,
)
from posenc_lessons.encodings.positions import positions_of, real_positions, summary_of, worked_out_once
from posenc_lessons.encodings.turning import turn_by, turn_tables
from posenc_lessons.language import BilingualValueError


def rotary_angles(
    positions: Tensor, rotary_dim: int, base: float = 10000.0, turning_pairs: int | None = None
) -> Tensor:
    """m·θ_i in radians for each position m: float64 [*positions.shape, rotary_dim/2].

    float64, because at position 10⁶ a float32 angle is only known to 0.06 radians, and in bfloat16 the
    positions themselves run together beyond 256. The angles lie where ``positions`` do (on the CPU for MPS,
    which has no float64). All but the fastest ``turning_pairs`` of the θ_i become 0.

    Raises:
        ValueError: positions that are bool, complex, half precision or not finite; bad ``rotary_dim``, base,
            ``turning_pairs``.
    """
    positions = real_positions("positions", positions)
    return _angles(positions, rotary_dim, base, None, _turning(turning_pairs, rotary_dim))


def _angles(
    positions: Tensor,
    rotary_dim: int,
    base: float,
    extension: ContextExtension | None,
    turning_pairs: int | None,
) -> Tensor:
    """``rotary_angles`` of positions that were checked; an ``extension`` has frequencies of its own."""
    if extension is None:
        frequencies = rotary_frequencies(rotary_dim, base)  # [rotary_dim/2]
    else:
        frequencies, _ = _fixed(extension, positions).frequencies(rotary_dim, base)
    if turning_pairs is not None:
        turning = torch.arange(len(frequencies), device="cpu") < turning_pairs
        frequencies = frequencies * turning
    device = float64_device(positions.device)
    return positions.to(device).to(torch.float64)[..., None] * frequencies.to(device)


def apply_rotary(
    x: Tensor,
    positions: Tensor,
    base: float = 10000.0,
    pairing: Pairing = "interleaved",
    rotary_dim: int | None = None,
    extension: ContextExtension | None = None,
    turning_pairs: int | None = None,
) -> Tensor:
    """Turn each pair of features of ``x`` anticlockwise by its position times its frequency.

    Args:
        x: queries or keys, [B, H, L, d_head] or anything that ends in [L, d_head].
        positions: [L], or [B, L] with a row per sequence (then ``x`` is [B, …, L, d_head]).
        base: 10000 in the paper; a larger one turns slower.
        pairing: which features belong together: "interleaved" or "half_split".
        rotary_dim: turn the first ``rotary_dim`` features and leave the rest (GPT-J, GPT-NeoX); even. None
            turns all.
        extension: other frequencies for texts longer than the training's, and the length YaRN gives to what
            turns; see ``ContextExtension``.
        turning_pairs: only so many of the ``rotary_dim``/2 pairs turn, the fastest; the others stay as they
            are, and which features make a pair stays too. None turns all. Called p-RoPE (Barbero et al. 2024,
            "Round and Round We Go", arXiv 2410.06205), and "proportional" in Gemma 4's configuration.

    Returns:
        The shape, dtype and device of ``x``. Cosines and sines are rounded once, from float64; half
        precisions are turned in float32 and rounded once.

    Raises:
        ValueError: an odd or too large ``rotary_dim``, an unknown pairing, positions that do not fit ``x``.
    """
    positions = real_positions("positions", _fitting(positions, x))
    rotary_dim, pairing = rotary_width(rotary_dim, x.shape[-1]), check_pairing("pairing", pairing)
    turning_pairs = _turning(turning_pairs, rotary_dim)
    tables = _tables(positions, x, rotary_dim, base, pairing, check_extension(extension), turning_pairs)
    return turn_by(x, tables, pairing)


def rotation_matrix(angles: Tensor, pairing: Pairing = "interleaved") -> Tensor:
    """The matrix R [..., 2n, 2n] that turns n pairs by ``angles`` [..., n]: ``R @ x`` for a column x.

    The slowest and clearest form of RoPE: 2×2 rotations down the diagonal when interleaved, four diagonal
    quarters when half-split. R is orthogonal, and R(a)ᵀ R(b) = R(b − a).

    Raises:
        ValueError: an unknown pairing, angles that are not floating or have no axis.
    """
    check_pairing("pairing", pairing)
    if not angles.is_floating_point() or angles.ndim < 1 or angles.shape[-1] < 1:
        raise BilingualValueError(
            f"angles 必须是浮点张量，形状 [..., n]，n ≥ 1，收到 {angles.dtype} {list(angles.shape)}",
            f"angles must be floating, of shape [..., n], n ≥ 1; got {angles.dtype} {list(angles.shape)}",
        )
    n = angles.shape[-1]
    first, second = (feature.to(angles.device) for feature in pair_indices(n, pairing))
    cos, sin = angles.cos(), angles.sin()
    matrix = angles.new_zeros(*angles.shape[:-1], 2 * n, 2 * n)
    matrix[..., first, first], matrix[..., first, second] = cos, -sin
    matrix[..., second, first], matrix[..., second, second] = sin, cos
    return matrix


class RotaryEncoding(PositionEncoding):
    """Door 2: turn queries and keys by their positions. No parameters, nothing to save, no longest sequence.

    Cosines and sines are worked out for the positions at hand, once for all layers that are handed the same
    tensor of positions and have the same settings, and forgotten with it. ``torch.compile`` works them out
    in its graph.

    Args:
        d_head: features of a head.
        base, pairing, rotary_dim, extension, turning_pairs: see ``apply_rotary``. All may be changed at any
            time by setting the attribute of that name:
            ``encoding.extension = ContextExtension("yarn", 4, 2048)``.

    A "dynamic" or "longrope" extension without a length of its own goes by the last of the positions of each
    call. Keys turned in an earlier, shorter call would keep the angles of that moment, so it does not allow a
    key-value cache: for that, give it the ``length`` that is to be reached. Nor can it be compiled whole.
    """

    def __init__(
        self,
        d_head: int,
        base: float = 10000.0,
        pairing: Pairing = "interleaved",
        rotary_dim: int | None = None,
        extension: ContextExtension | None = None,
        turning_pairs: int | None = None,
    ) -> None:
        super().__init__()
        self.d_head = whole_number("d_head", d_head, 2)
        self.rotary_dim = rotary_width(rotary_dim, self.d_head)
        self.base = base_above_one(base)
        self.pairing: Pairing = check_pairing("pairing", pairing)
        self.extension = check_extension(extension)
        self.turning_pairs = _turning(turning_pairs, self.rotary_dim)

    @property
    def allows_cache(self) -> bool:
        """True unless the angles follow the length of each call."""
        return self.extension is None or not self.extension.follows_length

    def turn(self, x: Tensor, positions: Tensor, role: Role = "query") -> Tensor:
        """``x`` [B, H, L, d_head] turned by ``positions`` [L] or [B, L]; the same shape and dtype.

        Raises:
            ValueError: heads of another width, positions that do not fit ``x`` or are no finite numbers.
        """
        if x.shape[-1] != self.d_head:
            raise BilingualValueError(
                f"这里的 d_head 是 {self.d_head}，而头有 {x.shape[-1]} 个特征",
                f"d_head is {self.d_head} here, but the heads have {x.shape[-1]} features",
            )
        positions = _fitting(positions, x)
        settings = (self.rotary_dim, self.base, self.pairing, self.extension, self.turning_pairs)
        tables = worked_out_once(
            positions,
            ("rotary", x.device, _working_precision(x), *settings),
            lambda: _tables(real_positions("positions", positions), x, *settings),
        )
        return turn_by(x, tables, self.pairing)

    def extra_repr(self) -> str:
        text = f"{self.d_head}, base={self.base:g}, pairing={self.pairing!r}, rotary_dim={self.rotary_dim}"
        for name in ("extension", "turning_pairs"):
            if (value := getattr(self, name)) is not None:
                text += f", {name}={value!r}"
        return text


def _fixed(extension: ContextExtension, positions: Tensor) -> ContextExtension:
    """``extension`` with a length: for one that lacks it, that of a text up to the last position."""
    if not extension.follows_length:
        return extension
    return extension.reaching(max(math.floor(summary_of(positions).last) + 1, 1))


def _turning(turning_pairs: int | None, rotary_dim: int) -> int | None:
    """``turning_pairs`` if so many of the pairs can turn, or None; ValueError otherwise."""
    if turning_pairs is None:
        return None
    number = whole_number("turning_pairs", turning_pairs, 0)
    if number > rotary_dim // 2:
        raise BilingualValueError(
            f"turning_pairs 不能超过 rotary_dim/2={rotary_dim // 2}，收到 {number}",
            f"turning_pairs must be at most rotary_dim/2={rotary_dim // 2}; got {number}",
        )
    return number


def _working_precision(x: Tensor) -> torch.dtype:
    return torch.promote_types(x.dtype, torch.float32)


def _tables(
    positions: Tensor,
    x: Tensor,
    rotary_dim: int,
    base: float,
    pairing: Pairing,
    extension: ContextExtension | None,
    turning_pairs: int | None,
) -> tuple[Tensor, ...]:
    """``turn_tables`` for ``x`` at ``positions``, rounded once to the precision that ``x`` is turned in."""
    if x.ndim == 2 and positions.ndim == 2:  # one row, for one sequence without an axis of its own
        positions = positions[0]
    angles = _angles(positions, rotary_dim, base, extension, turning_pairs)  # float64 [L, n] or [B, L, n]
    scale = 1.0 if extension is None else extension.scale
    cos, sin = (table if scale == 1 else table * scale for table in (angles.cos(), angles.sin()))
    wide = _working_precision(x)
    return turn_tables(cos.to(wide).to(x.device), sin.to(wide).to(x.device), pairing)


def _fitting(positions: Tensor, x: Tensor) -> Tensor:
    """``positions`` once their shape is found to fit ``x`` [B, …, L, d_head]: [L], or [B, L]."""
    if not x.is_floating_point() or x.ndim < 2:
        raise BilingualValueError(
            f"x 必须是浮点张量，形状 [..., L, d_head]，收到 {x.dtype} {list(x.shape)}",
            f"x must be floating, of shape [..., L, d_head]; got {x.dtype} {list(x.shape)}",
        )
    batch = x.shape[0] if x.ndim > 2 else 1
    return positions_of("positions", positions, batch, x.shape[-2], x.device)
