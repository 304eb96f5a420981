"""Mixed RoPE: pairs that turn by a learned mixture of row and column.

Source: Heo et al. 2024, "Rotary Position Embedding for Vision Transformer", arXiv 2403.13298, §3.2; its code,
https://github.com/naver-ai/rope-vit, ``models/vit_rope.py``.
"""

import math

import torch
from torch import Tensor, nn

from posenc_lessons.encodings.arguments import base_above_one, check_heads, whole_number
from posenc_lessons.encodings.axial import halves
from posenc_lessons.encodings.doors import PositionEncoding, Role
from posenc_lessons.encodings.pairing import Pairing, check_pairing, frequencies_of
from posenc_lessons.encodings.rotary_axes import angles_on_axes
from posenc_lessons.encodings.rotating import check_width, fitting_positions, rotate_by, tables_for


def mixed_frequencies(d_head: int, directions: Tensor, base: float = 10.0) -> Tensor:
    """Return the frequencies with which mixed RoPE starts: [..., 2, d_head/2], those by row and by column.

    The first half of the pairs point in the given direction, the second at right angles to it. In both halves
    their lengths are ``base``^(−4i/d_head), i = 0 … d_head/4 − 1. With the direction 0 that is axial RoPE,
    columns first.

    Args:
        d_head: features of a head, a multiple of 4.
        directions: floating [...], such as one for each head, in radians: 0 along a row of patches (the
            column number grows), π/2 down a column.
        base: 10 in RoPE-ViT.

    Raises:
        ValueError: a ``d_head`` that is not a multiple of 4, a base not above 1.

    >>> mixed_frequencies(8, torch.tensor(torch.pi / 4)).mul(2**0.5)
    tensor([[ 1.0000,  0.3162,  1.0000,  0.3162],
            [ 1.0000,  0.3162, -1.0000, -0.3162]])
    """
    quarter = halves(whole_number("d_head", d_head, 2))[0] // 2
    lengths = frequencies_of(2 * quarter, base_above_one(base)).to(directions.device, directions.dtype)
    turned = torch.stack((directions, directions + math.pi / 2), dim=-1)[..., None]  # [..., 2, 1]
    # (lengths * part) is [..., 2, d_head/4].
    return torch.stack([(lengths * part).flatten(-2) for part in (turned.sin(), turned.cos())], dim=-2)


class MixedRotary(PositionEncoding):
    """Door 2: rotate pair i by row · w_i0 + column · w_i1, with both frequencies learned.

    A pair with two equal frequencies turns fastest along a diagonal, which no pair of ``AxialRotary`` does.
    As there, a score depends only on the differences of row and column. Positions have to be given; those of
    a picture are ``grid_positions(height, width)``.

    Args:
        d_head: features of a head, a multiple of 4.
        n_heads: None: all heads share the frequencies. A number: each of so many heads has its own, as in
            RoPE-ViT (keys then need as many heads as queries).
        base: sets the frequencies at the start (see ``mixed_frequencies``); 10 in RoPE-ViT.
        pairing: which features make a pair.

    Attributes:
        frequencies: parameter [2, d_head/2] or [n_heads, 2, d_head/2], radians per row and per column. It
            starts with ``mixed_frequencies`` in a random direction, one for each head that has its own.
            RoPE-ViT trains it without weight decay.

    >>> from posenc_lessons.models import MultiHeadAttention
    >>> attention = MultiHeadAttention(d_model=16, n_heads=2, encoding=MixedRotary(d_head=8, n_heads=2))
    >>> attention(torch.randn(1, 6, 16), query_positions=grid_positions(2, 3)).shape  # 2 × 3 patches
    torch.Size([1, 6, 16])
    """

    axes = 2
    needs_positions = True

    def __init__(
        self,
        d_head: int,
        n_heads: int | None = None,
        base: float = 10.0,
        pairing: Pairing = "interleaved",
    ) -> None:
        super().__init__()
        self.d_head = sum(halves(whole_number("d_head", d_head, 2)))
        self.n_heads = None if n_heads is None else whole_number("n_heads", n_heads, 1)
        self.base, self.pairing = base_above_one(base), check_pairing("pairing", pairing)
        directions = torch.rand(() if self.n_heads is None else self.n_heads) * (2 * math.pi)
        self.frequencies = nn.Parameter(mixed_frequencies(self.d_head, directions, self.base))

    def turn(self, x: Tensor, positions: Tensor, role: Role = "query") -> Tensor:
        """Return ``x`` [B, H, L, d_head] rotated by ``positions`` [L, 2] or [B, L, 2].

        Raises:
            ValueError: heads of another width or number, positions that do not fit ``x`` or are not finite.
        """
        check_width(x, self.d_head)
        if self.n_heads is not None:
            check_heads(x, self.n_heads)
        positions = fitting_positions(positions, x, self.axes)
        # Not kept for other layers or steps: each layer has its own frequencies, and they change in training.
        # float64 [L, n] or [B, L, n]; with frequencies for each head, [H, L, n] or [B, H, L, n]
        angles = angles_on_axes(positions, self.frequencies)
        if self.n_heads is not None and angles.ndim == 3:
            angles = angles[None]  # [1, H, L, n]
        return rotate_by(x, tables_for(x, angles, self.pairing), self.pairing)

    def extra_repr(self) -> str:
        heads = "" if self.n_heads is None else f", n_heads={self.n_heads}"
        return f"{self.d_head}{heads}, base={self.base:g}, pairing={self.pairing!r}"
