"""Sines and cosines of several coordinates, side by side.

Sources: learned tables of this form, Dosovitskiy et al. 2020, "An Image is Worth 16x16 Words", appendix D.4;
sinusoids, He et al. 2021, "Masked Autoencoders Are Scalable Vision Learners", arXiv 2111.06377, and its code,
``util/pos_embed.py``.
"""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_lessons.encodings.arguments import base_above_one, even_width, whole_number
from posenc_lessons.encodings.doors import PositionEncoding, check_embeddings
from posenc_lessons.encodings.known import computed_once
from posenc_lessons.encodings.sinusoidal import sinusoidal_encoding
from posenc_lessons.language import BilingualValueError


def grid_sinusoidal_encoding(
    positions: Tensor, d_model: int, base: float = 10000.0, *, dtype: torch.dtype = torch.float32
) -> Tensor:
    """Return the sinusoidal encodings of all coordinates side by side: [..., d_model].

    Each of the ``axes`` coordinates gets d_model / axes columns, filled as by ``sinusoidal_encoding``.

    Args:
        positions: [..., axes], integers or real numbers.
        d_model: how many columns, a multiple of 2 · axes.
        base: see ``sinusoidal_encoding``.
        dtype: the floating type of the result.

    Raises:
        ValueError: a ``d_model`` that is not a multiple of 2 · axes; otherwise as ``sinusoidal_encoding``.

    >>> grid_sinusoidal_encoding(torch.tensor([[0, 1]]), d_model=4)  # row 0, column 1
    tensor([[0.0000, 1.0000, 0.8415, 0.5403]])
    """
    width = _own_width(d_model, positions.shape[-1] if positions.ndim else 0)
    by_axis = sinusoidal_encoding(positions, width, base, dtype=dtype)  # [..., axes, width]
    return by_axis.flatten(-2)


class GridSinusoidal(PositionEncoding):
    """Door 1: add the sinusoidal encodings of row and column, each in its half of the features.

    No parameters, nothing to save, any size. Positions have to be given; those of a picture are
    ``grid_positions(height, width)``.

    Args:
        d_model: width of the embeddings, a multiple of 2 · ``axes``.
        base: see ``sinusoidal_encoding``.
        axes: how many coordinates; 3 for time, row and column.

    >>> GridSinusoidal(d_model=16)(torch.zeros(1, 6, 16), grid_positions(2, 3)).shape  # 2 × 3 patches
    torch.Size([1, 6, 16])
    """

    needs_positions = True

    def __init__(self, d_model: int, base: float = 10000.0, axes: int = 2) -> None:
        super().__init__()
        self.axes, self.base = whole_number("axes", axes, 2), base_above_one(base)
        self.d_model = _own_width(d_model, self.axes) * self.axes

    def add_to_embeddings(self, embeddings: Tensor, positions: Tensor) -> Tensor:
        """Return ``embeddings`` [B, L, d_model] plus the encoding of ``positions``."""
        check_embeddings(embeddings, positions, self.d_model, self.axes)
        what = ("sinusoids of a grid", self.d_model, self.base, embeddings.dtype)
        return embeddings + computed_once(
            positions,
            what,
            lambda: grid_sinusoidal_encoding(positions, self.d_model, self.base, dtype=embeddings.dtype),
        )

    def extra_repr(self) -> str:
        return f"{self.d_model}, base={self.base:g}, axes={self.axes}"


def _own_width(d_model: int, axes: int) -> int:
    """Return how many columns each axis has; ValueError unless they all have the same, even number."""
    d_model = even_width(d_model)
    if not axes or d_model % (2 * axes):
        raise BilingualValueError(
            f"d_model 必须是 2 · axes = {2 * axes} 的倍数，每个坐标各占一份正弦和余弦，收到 {d_model}",
            f"d_model must be a multiple of 2 · axes = {2 * axes}, sines and cosines for each coordinate; "
            f"got {d_model}",
        )
    return d_model // axes
