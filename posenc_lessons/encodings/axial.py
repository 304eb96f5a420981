"""Axial RoPE: some pairs turn by the row, the others by the column.

Sources: Su Jianlin 2021, https://kexue.fm/archives/8397; Heo et al. 2024, "Rotary Position Embedding for
Vision Transformer", arXiv 2403.13298, §3; coordinates in [−1, 1], Siméoni et al. 2025, "DINOv3", arXiv
2508.10104; the other options, the code of transformers 5.23.0.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Literal, get_args

import torch
from torch import Tensor

from posenc_lessons.encodings.arguments import base_above_one, even_width, flag, number, whole_number
from posenc_lessons.encodings.doors import Role
from posenc_lessons.encodings.pairing import Pairing, frequencies_of
from posenc_lessons.encodings.rotary_axes import RotaryOnAxes, on_their_axes
from posenc_lessons.encodings.rotating import check_width
from posenc_lessons.language import BilingualValueError

AxialLayout = Literal["contiguous", "interleaved", "separate"]
AXIAL_LAYOUTS: tuple[AxialLayout, ...] = get_args(AxialLayout)


def axial_frequencies(widths: Sequence[int], base: float = 100.0, alternate: bool = False) -> Tensor:
    """Return the frequencies of axial RoPE: float64 [axes, n] on the CPU, n = Σ widths / 2.

    Axis a has ``widths[a]`` features, that is ``widths[a]``/2 pairs, which turn by this axis only. Their
    frequencies are those of RoPE for a head of that width, ``base``^(−2i/widths[a]). With ``alternate`` the
    frequencies are those of one RoPE over all pairs, and the axes take turns at getting the next one.

    Raises:
        ValueError: fewer than two widths, an odd one or one below 2; unequal ones with ``alternate``; a base
            not above 1.

    >>> axial_frequencies((4, 4))
    tensor([[1.0000, 0.1000, 0.0000, 0.0000],
            [0.0000, 0.0000, 1.0000, 0.1000]], dtype=torch.float64)
    """
    widths, base = _checked_widths(widths, flag("alternate", alternate)), base_above_one(base)
    if alternate:
        dealt = frequencies_of(sum(widths), base)
        parts = [dealt[axis :: len(widths)] for axis in range(len(widths))]
    else:
        parts = [frequencies_of(width, base) for width in widths]
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
        alternate: True: the axes have different frequencies. They take turns at getting the next one of a
            RoPE over all pairs, as in Pixtral.
        layout: the places of an axis's pairs. "contiguous", next to each other; "interleaved", the axes take
            turns, pair by pair (Kimi K2.5); "separate", each axis has its own features and makes pairs
            only of these, so that "half_split" splits each axis's features, not the head (Gemma 4's vision).
        columns_first: True: the first part turns by the second coordinate, the column, as in Gemma 4's vision
            and in Inkling 2; for two axes only. Positions stay (row, column).
        scale: what coordinates are multiplied by; 2π in DINOv3, for coordinates in [−1, 1] as
            ``patch_centres`` gives them.

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
        alternate: bool = False,
        layout: AxialLayout = "contiguous",
        columns_first: bool = False,
        scale: float = 1.0,
    ) -> None:
        d_head = whole_number("d_head", d_head, 4)
        own = _checked_widths(halves(d_head) if widths is None else widths, flag("alternate", alternate))
        if sum(own) > d_head:
            raise BilingualValueError(
                f"widths 的和不能超过 d_head={d_head}，收到 {own}",
                f"widths must add up to at most d_head={d_head}; got {own}",
            )
        super().__init__(d_head, len(own), pairing)
        self.base, self.widths, self.alternate = base_above_one(base), own, alternate
        self.layout, self.columns_first = _checked_layout(layout, own), flag("columns_first", columns_first)
        self.scale = number("scale", scale, above=0)
        if columns_first and self.axes != 2:
            raise BilingualValueError(
                f"columns_first=True 只用于两个轴，收到 {self.axes} 个：widths={own}",
                f"columns_first=True is for two axes; got {self.axes}: widths={own}",
            )

    def settings(self) -> tuple[Hashable, ...]:
        """Return the settings that the frequencies depend on, besides the positions."""
        return self.widths, self.base, self.alternate, self.layout, self.columns_first, self.scale

    def frequencies_at(self, positions: Tensor) -> tuple[Tensor, float]:
        """Return the frequencies [axes, n], and 1: nothing scales cosines and sines."""
        frequencies = self.scale * axial_frequencies(self.widths, self.base, self.alternate)
        if self.columns_first:
            frequencies = frequencies.flip(0)
        if self.layout == "interleaved":  # pair k of every axis, then pair k + 1 of every axis
            frequencies = frequencies.unflatten(1, (self.axes, -1)).mT.flatten(1)  # [axes, n] again
        return frequencies, 1.0

    def turn(self, x: Tensor, positions: Tensor, role: Role = "query") -> Tensor:
        """Return ``x`` [B, H, L, d_head] rotated by ``positions``; the same shape and dtype.

        ``positions`` are [L, axes] or [B, L, axes].

        Raises:
            ValueError: heads of another width, positions that do not fit ``x`` or are not finite numbers.
        """
        if self.layout != "separate" or self.pairing != "half_split":
            return super().turn(x, positions, role)
        check_width(x, self.d_head)
        order = _halves_together(self.widths, self.d_head)
        back = sorted(range(self.d_head), key=order.__getitem__)
        there, home = (torch.tensor(each, device=x.device) for each in (order, back))
        return super().turn(x.index_select(-1, there), positions, role).index_select(-1, home)

    def extra_repr(self) -> str:
        text = f"{self.d_head}, base={self.base:g}, pairing={self.pairing!r}, widths={self.widths}"
        usual = {"alternate": False, "layout": "contiguous", "columns_first": False}
        for name, value in usual.items():
            if getattr(self, name) != value:
                text += f", {name}={getattr(self, name)!r}"
        return text if self.scale == 1 else f"{text}, scale={self.scale:g}"


def _halves_together(widths: Sequence[int], d_head: int) -> list[int]:
    """Return the order of features that puts the first halves of all axes before all second halves."""
    first: list[int] = []
    second: list[int] = []
    start = 0
    for width in widths:
        middle = start + width // 2
        first += range(start, middle)
        second += range(middle, start + width)
        start += width
    return [*first, *second, *range(start, d_head)]


def halves(d_head: int) -> tuple[int, int]:
    """Return the widths of two axes that share ``d_head``; ValueError unless it is a multiple of 4."""
    if d_head % 4:
        raise BilingualValueError(
            f"d_head 必须是 4 的倍数，行和列各转一半的特征对，收到 {d_head}",
            f"d_head must be a multiple of 4, half of the pairs for the row and half for the column; "
            f"got {d_head}",
        )
    return d_head // 2, d_head // 2


def _checked_widths(widths: Any, alternate: bool) -> tuple[int, ...]:
    """Return ``widths`` as a tuple; ValueError unless they are two even numbers of at least 2, or more."""
    given = tuple(widths) if isinstance(widths, (tuple, list)) else ()
    if len(given) < 2:
        raise BilingualValueError(
            f"widths 必须是每个轴的宽度，至少两个轴，例如 (16, 56, 56)，收到 {widths!r}",
            f"widths must be the width of each axis, two or more, such as (16, 56, 56); got {widths!r}",
        )
    checked = tuple(even_width(width, f"widths[{axis}]") for axis, width in enumerate(given))
    if alternate and len(set(checked)) > 1:
        raise BilingualValueError(
            f"alternate=True 时各轴要一样宽，收到 widths={checked}",
            f"with alternate=True all axes must have the same width; got widths={checked}",
        )
    return checked


def _checked_layout(layout: Any, widths: tuple[int, ...]) -> AxialLayout:
    if layout not in AXIAL_LAYOUTS:
        raise BilingualValueError(
            f"layout 只能是 {', '.join(AXIAL_LAYOUTS)} 之一，收到 {layout!r}",
            f"layout must be one of {', '.join(AXIAL_LAYOUTS)}; got {layout!r}",
        )
    if layout == "interleaved" and len(set(widths)) > 1:
        raise BilingualValueError(
            f"layout='interleaved' 时各轴要一样宽，收到 widths={widths}",
            f"with layout='interleaved' all axes must have the same width; got widths={widths}",
        )
    return layout
