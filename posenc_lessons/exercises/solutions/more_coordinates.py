"""Reference solutions of lesson 11's exercises. Plain functions, in the words of the lesson."""

import torch
from torch import Tensor


def number_patches(height: int, width: int) -> Tensor:
    """Return (row, column) of each patch, row by row from the top left: int64 [height · width, 2]."""
    patch = torch.arange(height * width)
    return torch.stack((patch // width, patch % width), dim=-1)


def axial_rotate(x: Tensor, positions: Tensor, base: float) -> Tensor:
    """Return ``x`` [L, d], pairs of neighbours, rotated by ``positions`` [L, 2] of (row, column): [L, d].

    The first half of the pairs turns by the row, the second by the column, both with the frequencies
    base^(−2i/(d/2)), i = 0 … d/4 − 1.
    """
    quarter = x.shape[1] // 4
    theta = base ** (-torch.arange(quarter) / quarter)  # −2i/(d/2) = −i/(d/4)
    angles = (positions[:, :, None] * theta).flatten(1)  # [L, 2, d/4] → [L, d/2], rows first
    cos, sin = angles.cos(), angles.sin()
    a, b = x[:, 0::2], x[:, 1::2]
    return torch.stack((a * cos - b * sin, b * cos + a * sin), dim=-1).flatten(1)


def after_image(before: int, height: int, width: int, after: int) -> Tensor:
    """Return M-RoPE's (t, h, w) of ``before`` text tokens, an image, ``after`` text tokens: [L, 3].

    The image has ``height`` × ``width`` tokens.
    """
    text = torch.arange(before)[:, None].expand(-1, 3)
    patch = torch.arange(height * width)
    image = torch.stack((patch * 0, patch // width, patch % width), dim=-1) + before
    following = torch.arange(after)[:, None].expand(-1, 3) + before + max(height, width)
    return torch.cat((text, image, following))
