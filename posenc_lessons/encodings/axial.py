"""Axial RoPE: some pairs turn by the row, the others by the column.

Sources: Su Jianlin 2021, https://kexue.fm/archives/8397; Heo et al. 2024, "Rotary Position Embedding for
Vision Transformer", arXiv 2403.13298, §3; coordinates in [−1, 1], Siméoni et al. 2025, "DINOv3", arXiv
2508.10104.
"""

from collections.abc import Hashable, Sequence

import torch
from torch import Tensor

from posenc_lessons.encodings.arguments import base_above_one, even_width, whole_number
from posenc_lessons.encodings.pairing import Pairing, frequencies_of
from posenc_lessons.encodings.rotary_axes import RotaryOnAxes, on_their_axes
from posenc_lessons.language import BilingualValueError


def axial_frequencies(widths: Sequence[int], base: float = 100.0) -> Tensor:
    """Return the frequencies of axial RoPE: float64 [axes, n] on the CPU, n = Σ widths / 2.

    Axis a has ``widths[a]`` features, that is ``widths[a]``/2 pairs, which turn by this axis only. Their
    frequencies are those of RoPE for a head of that width, ``base``^(−2i/widths[a]).

    Raises:
        ValueError: an odd width or one below 2; a base not above 1.

    >>> axial_frequencies((4, 4))
    tensor([[1.0000, 0.1000, 0.0000, 0.0000],
            [0.0000, 0.0000, 1.0000, 0.1000]], dtype=torch.float64)
    """
    base = base_above_one(base)
    parts = [frequencies_of(even_width(width, "width"), base) for width in widths]
    axis_of_pair = [axis for axis, part in enumerate(parts) for _ in part]
    return on_their_axes(torch.cat(parts), axis_of_pair, len(widths))


class AxialRotary(RotaryOnAxes):
    """Door 2: rotate one part of the pairs by the row, the other by the column. No parameters, any size.

    A score depends on both differences of coordinates: shifting the picture changes nothing. Positions have
    to be given; those of a picture are ``grid_positions(height, width)``.

    Args:
        d_head: features of a head; a multiple of 4, unless ``widths`` are given.
        base: 100 in RoPE-ViT and DINOv3; 10000 in the vision towers of Pixtral and Qwen-VL, and in FLUX.
        pairing: which features make a pair; "half_split" in Pixtral, Qwen-VL and DINOv3.
        widths: how many features turn by each axis, as many widths as axes; features past their sum do not
            turn. None: half of ``d_head`` by the row, half by the column. FLUX has (16, 56, 56).

    >>> from posenc_lessons.models import MultiHeadAttention
    >>> attention = MultiHeadAttention(d_model=16, n_heads=2, encoding=AxialRotary(d_head=8))
    >>> attention(torch.randn(1, 6, 16), query_positions=grid_positions(2, 3)).shape  # 2 × 3 patches
    torch.Size([1, 6, 16])
    """

    needs_positions = True

    def __init__(
        self,
        d_head: int,
        base: float = 100.0,
        pairing: Pairing = "interleaved",
        widths: Sequence[int] | None = None,
    ) -> None:
        d_head = whole_number("d_head", d_head, 4)
        widths = halves(d_head) if widths is None else tuple(even_width(width, "width") for width in widths)
        if sum(widths) > d_head:
            raise BilingualValueError(
                f"widths 的和不能超过 d_head={d_head}，收到 {widths}",
                f"widths must add up to at most d_head={d_head}; got {widths}",
            )
        super().__init__(d_head, len(widths), pairing)
        self.base, self.widths = base_above_one(base), widths

    def settings(self) -> tuple[Hashable, ...]:
        """Return the settings that the frequencies depend on, besides the positions."""
        return self.widths, self.base

    def frequencies_at(self, positions: Tensor) -> tuple[Tensor, float]:
        """Return the frequencies [axes, n], and 1: nothing scales cosines and sines."""
        return axial_frequencies(self.widths, self.base), 1.0

    def extra_repr(self) -> str:
        return f"{self.d_head}, base={self.base:g}, pairing={self.pairing!r}, widths={self.widths}"


def halves(d_head: int) -> tuple[int, int]:
    """Return the widths of two axes that share ``d_head``; ValueError unless it is a multiple of 4."""
    if d_head % 4:
        raise BilingualValueError(
            f"d_head 必须是 4 的倍数，行和列各转一半的特征对，收到 {d_head}",
            f"d_head must be a multiple of 4, half of the pairs for the row and half for the column; "
            f"got {d_head}",
        )
    return d_head // 2, d_head // 2
