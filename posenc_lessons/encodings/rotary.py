"""Rotary position embedding, RoPE: rotate queries and keys (Su et al. 2021, "RoFormer", §3.2 and §3.4).

Features make pairs, and pair i of the token at position m is rotated by the angle m·θ_i, with
θ_i = base^(−2i/d). The dot product of a query rotated by m and a key rotated by n depends only on n − m.
"""

import math

import torch
from torch import Tensor

from posenc_lessons.encodings.arguments import base_above_one, float64_device, whole_number
from posenc_lessons.encodings.context_extension import ContextExtension, check_extension
from posenc_lessons.encodings.doors import PositionEncoding, Role
from posenc_lessons.encodings.known import computed_once
from posenc_lessons.encodings.pairing import (
    Pairing,
    check_pairing,
    pair_indices,
    rotary_frequencies,
    rotary_width,
)
from posenc_lessons.encodings.positions import real_positions, summary_of
from posenc_lessons.encodings.rotating import (
    check_width,
    fitting_positions,
    rotate_by,
    tables_for,
    working_precision,
)
from posenc_lessons.language import BilingualValueError


def rotary_angles(
    positions: Tensor, rotary_dim: int, base: float = 10000.0, turning_pairs: int | None = None
) -> Tensor:
    """Return m·θ_i in radians for each position m: float64 [*positions.shape, rotary_dim/2].

    The angles are float64 because at position 10⁶ a float32 angle is off by up to 0.06 radians, and bfloat16
    cannot tell positions beyond 256 apart. (float64 has its limit too: a score is off by 2e-7 at position
    10⁹, by 1e-4 at 10¹².) They are on the device of ``positions`` (on the CPU for MPS, which has no float64).
    All θ_i but the ``turning_pairs`` fastest become 0.

    Raises:
        ValueError: positions that are bool, complex, half precision or not finite; bad ``rotary_dim``, base,
            ``turning_pairs``.

    >>> rotary_angles(torch.arange(3), rotary_dim=4)  # [L, rotary_dim/2]
    tensor([[0.0000, 0.0000],
            [1.0000, 0.0100],
            [2.0000, 0.0200]], dtype=torch.float64)
    """
    positions = real_positions("positions", positions)
    return _angles(positions, rotary_dim, base, None, _checked_pairs(turning_pairs, rotary_dim))


def _angles(
    positions: Tensor,
    rotary_dim: int,
    base: float,
    extension: ContextExtension | None,
    turning_pairs: int | None,
) -> Tensor:
    """Return ``rotary_angles`` of checked positions; an ``extension`` has its own frequencies."""
    if extension is None:
        frequencies = rotary_frequencies(rotary_dim, base)  # [rotary_dim/2]
    else:
        frequencies, _ = with_length(extension, positions).frequencies(rotary_dim, base)
    if turning_pairs is not None:
        frequencies = frequencies * (torch.arange(len(frequencies), device="cpu") < turning_pairs)
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
    """Rotate each pair of features of ``x`` anticlockwise by its position times its frequency.

    Args:
        x: queries or keys, [B, H, L, d_head] or anything that ends in [L, d_head].
        positions: [L], or [B, L] with a row for each sequence (then ``x`` is [B, …, L, d_head]).
        base: 10000 in the paper; with a larger base, pairs rotate more slowly.
        pairing: which features make a pair: "interleaved" or "half_split".
        rotary_dim: rotate the first ``rotary_dim`` features and leave the rest (GPT-J, GPT-NeoX); even. None
            rotates all.
        extension: other frequencies for texts longer than in training, and YaRN's scaling of queries and
            keys; see ``ContextExtension``.
        turning_pairs: how many of the ``rotary_dim``/2 pairs rotate, the fastest first; the others stay as
            they are. None rotates all. Known as p-RoPE (Barbero et al. 2024, "Round and Round We Go", arXiv
            2410.06205), and as "proportional" in Gemma 4's configuration.

    Returns:
        A tensor of the shape, dtype and device of ``x``. Cosines and sines are rounded once, from float64;
        half precisions are rotated in float32 and rounded once.

    Raises:
        ValueError: an odd or too large ``rotary_dim``, an unknown pairing, positions that do not fit ``x``.

    A score depends only on the distance:

    >>> query, key = torch.randn(2, 1, 1, 1, 8, dtype=torch.float64)  # [B, H, L, d_head] each
    >>> def score(m, n):
    ...     rotated = apply_rotary(query, torch.tensor([m])), apply_rotary(key, torch.tensor([n]))
    ...     return (rotated[0] * rotated[1]).sum()
    >>> torch.allclose(score(3, 1), score(103, 101))
    True
    """
    positions = real_positions("positions", fitting_positions(positions, x))
    rotary_dim, pairing = rotary_width(rotary_dim, x.shape[-1]), check_pairing("pairing", pairing)
    turning_pairs = _checked_pairs(turning_pairs, rotary_dim)
    angles = _angles(positions, rotary_dim, base, check_extension(extension), turning_pairs)
    return rotate_by(x, tables_for(x, angles, pairing, _scale(extension)), pairing)


def rotation_matrix(angles: Tensor, pairing: Pairing = "interleaved") -> Tensor:
    """Return the matrix R [..., 2n, 2n] that rotates n pairs by ``angles`` [..., n]: R @ x for a column x.

    This is the slowest and clearest form of RoPE. Interleaved, R has 2×2 rotations on its diagonal;
    half-split, it has four n×n quarters, each a diagonal matrix. R is orthogonal, and R(a)ᵀ R(b) = R(b − a).

    Raises:
        ValueError: an unknown pairing.

    >>> rotation_matrix(torch.tensor([torch.pi / 2])).round()
    tensor([[-0., -1.],
            [ 1., -0.]])
    """
    check_pairing("pairing", pairing)
    n = angles.shape[-1]
    first, second = (feature.to(angles.device) for feature in pair_indices(n, pairing))
    cos, sin = angles.cos(), angles.sin()
    matrix = cos.new_zeros(*angles.shape[:-1], 2 * n, 2 * n)
    matrix[..., first, first], matrix[..., first, second] = cos, -sin
    matrix[..., second, first], matrix[..., second, second] = sin, cos
    return matrix


class RotaryEncoding(PositionEncoding):
    """Door 2: rotate queries and keys by their positions. No parameters, nothing to save, any length.

    Cosines and sines are computed once for all layers that share a tensor of positions and have the same
    settings, and they are freed with that tensor. ``torch.compile`` computes them in its graph.

    Args:
        d_head: features of a head.
        base, pairing, rotary_dim, extension, turning_pairs: see ``apply_rotary``. Each can be changed at any
            time by setting the attribute: ``encoding.extension = ContextExtension("yarn", 4, 2048)``.

    A "dynamic" or "longrope" extension without a ``length`` follows the last position of each call. Keys that
    were rotated in an earlier, shorter call would keep the angles of that call, so such an encoding does not
    allow a key-value cache, and it cannot be compiled whole. To use a cache, give the extension the
    ``length`` that the text will reach.

    >>> from posenc_lessons.models import MultiHeadAttention
    >>> attention = MultiHeadAttention(d_model=16, n_heads=2, encoding=RotaryEncoding(d_head=8))
    >>> attention(torch.randn(2, 5, 16), causal=True).shape
    torch.Size([2, 5, 16])
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
        self.base, self.pairing = base_above_one(base), check_pairing("pairing", pairing)
        self.extension = check_extension(extension)
        self.turning_pairs = _checked_pairs(turning_pairs, self.rotary_dim)

    @property
    def allows_cache(self) -> bool:
        """True unless the angles follow the length of each call."""
        return self.extension is None or not self.extension.follows_length

    def turn(self, x: Tensor, positions: Tensor, role: Role = "query") -> Tensor:
        """Return ``x`` [B, H, L, d_head] rotated by ``positions`` [L] or [B, L]; the same shape and dtype.

        Raises:
            ValueError: heads of another width, positions that do not fit ``x`` or are not finite numbers.
        """
        check_width(x, self.d_head)
        positions = fitting_positions(positions, x)
        settings = self.rotary_dim, self.base, self.extension, self.turning_pairs

        def tables() -> tuple[Tensor, ...]:
            angles = _angles(real_positions("positions", positions), *settings)  # float64 [L, n] or [B, L, n]
            return tables_for(x, angles, self.pairing, _scale(self.extension))

        name = ("rotary", x.device, working_precision(x), self.pairing, settings)
        return rotate_by(x, computed_once(positions, name, tables), self.pairing)

    def extra_repr(self) -> str:
        text = f"{self.d_head}, base={self.base:g}, pairing={self.pairing!r}, rotary_dim={self.rotary_dim}"
        for name in ("extension", "turning_pairs"):
            if (value := getattr(self, name)) is not None:
                text += f", {name}={value!r}"
        return text


def with_length(extension: ContextExtension, positions: Tensor) -> ContextExtension:
    """Return ``extension`` with a length: if it has none, that of a text up to the last position."""
    if not extension.follows_length:
        return extension
    return extension.reaching(max(math.floor(summary_of(positions).last) + 1, 1))


def _scale(extension: ContextExtension | None) -> float:
    """Return what cosines and sines are multiplied by: YaRN and LongRoPE scale queries and keys."""
    return 1.0 if extension is None else extension.scale


def _checked_pairs(turning_pairs: int | None, rotary_dim: int) -> int | None:
    """Return ``turning_pairs`` if it is None or at most the number of pairs; ValueError otherwise."""
    if turning_pairs is None:
        return None
    number = whole_number("turning_pairs", turning_pairs, 0)
    if number > rotary_dim // 2:
        raise BilingualValueError(
            f"turning_pairs 不能超过 rotary_dim/2={rotary_dim // 2}，收到 {number}",
            f"turning_pairs must be at most rotary_dim/2={rotary_dim // 2}; got {number}",
        )
    return number
