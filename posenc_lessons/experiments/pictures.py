"""Pictures of two squares: where is the small one, seen from the large one?"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from posenc_lessons.encodings.arguments import whole_number
from posenc_lessons.language import Text

PATCH = 4  # pixels, of a patch's side
#: The answers, by number: directions from the large square's centre to the small one's, 45° each.
DIRECTIONS = (
    Text("右", "right"),
    Text("右上", "upper right"),
    Text("上", "above"),
    Text("左上", "upper left"),
    Text("左", "left"),
    Text("左下", "lower left"),
    Text("下", "below"),
    Text("右下", "lower right"),
)
# In shares of the picture's side, so that a finer picture shows the same scene.
_LARGE, _SMALL = (0.25, 0.4), (0.1, 0.15)
_GREY, _WHITE = (0.4, 0.6), (0.9, 1.1)
_NOISE = 0.1


def two_squares(n: int, side: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Draw ``n`` pictures of ``side`` × ``side`` patches, and return where the small square is in each.

    A picture has a large grey square and a small white one on black, anywhere but not overlapping, and noise.
    A seed gives the same scenes at every size; more patches show more detail.

    Returns:
        pictures: float32 [n, side · PATCH, side · PATCH], row 0 on top.
        answers: int64 [n], numbers of ``DIRECTIONS``.

    Raises:
        ValueError: ``n`` or ``side`` below 1.

    >>> pictures, answers = two_squares(3, side=8, generator=torch.Generator().manual_seed(0))
    >>> pictures.shape, answers.shape
    (torch.Size([3, 32, 32]), torch.Size([3]))
    """
    n, side = whole_number("n", n, 1), whole_number("side", side, 1)
    large, small = _scenes(n, generator)
    grey, white = (_between(ends, n, generator)[:, None, None] for ends in (_GREY, _WHITE))
    pixels = side * PATCH
    noise = torch.randn(n, pixels, pixels, generator=generator) * _NOISE  # last: its size depends on ``side``
    return grey * _drawn(large, pixels) + white * _drawn(small, pixels) + noise, _direction(large, small)


def as_patches(pictures: Tensor) -> Tensor:
    """Cut ``pictures`` [n, H · PATCH, W · PATCH] into patches, row by row: [n, H · W, PATCH²]."""
    rows = pictures.unflatten(-1, (-1, PATCH)).unflatten(-3, (-1, PATCH))  # [n, H, PATCH, W, PATCH]
    return rows.transpose(2, 3).flatten(3).flatten(1, 2)  # [n, H, W, PATCH, PATCH] → [n, H · W, PATCH²]


def _scenes(n: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Return large and small squares, [n, 3] each: the centre's row and column, and side, out of 1."""
    squares = torch.zeros(2, n, 3)
    missing = torch.ones(n, dtype=torch.bool)
    while missing.any():
        for square, sizes in zip(squares, (_LARGE, _SMALL), strict=True):
            own = _between(sizes, n, generator)
            centre = own[:, None] / 2 + torch.rand(n, 2, generator=generator) * (1 - own[:, None])
            square[missing] = torch.cat((centre, own[:, None]), dim=-1)[missing]
        large, small = squares
        gap = (large[:, :2] - small[:, :2]).abs() - (large[:, 2:] + small[:, 2:]) / 2
        missing = (gap < 0).all(dim=-1)  # they overlap
    return squares[0], squares[1]


def _drawn(square: Tensor, pixels: int) -> Tensor:
    """Return the share of each pixel that ``square`` [n, 3] covers: [n, pixels, pixels]."""
    at = torch.arange(pixels)
    centre, half = square[:, :2, None] * pixels, square[:, 2:, None] * pixels / 2  # [n, 2, 1], [n, 1, 1]
    covered = torch.minimum(at + 1, centre + half) - torch.maximum(at.float(), centre - half)
    rows, columns = covered.clamp(0, 1).unbind(dim=1)  # [n, pixels] each
    return rows[:, :, None] * columns[:, None, :]


def _direction(large: Tensor, small: Tensor) -> Tensor:
    """Return the direction from ``large`` to ``small``, [n, 3] each, as an index of ``DIRECTIONS``: [n]."""
    down, right = (small - large)[:, :2].unbind(dim=-1)
    return (torch.atan2(-down, right) / (math.pi / 4)).round().long() % 8


def _between(ends: tuple[float, float], n: int, generator: torch.Generator) -> Tensor:
    return ends[0] + (ends[1] - ends[0]) * torch.rand(n, generator=generator)
