"""Reference solutions of lesson 11's exercises. Plain functions, in the words of the lesson."""

from __future__ import annotations

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


def mixed_angles(positions: Tensor, lengths: Tensor, directions: Tensor) -> Tensor:
    """Return the angle of each pair at each of ``positions`` [L, 2] of (row, column): [L, n].

    Pair i turns fastest along ``directions``[i], 0 along a row of patches and π/2 down a column, there by
    ``lengths``[i] radians a step; both are [n].
    """
    by_row, by_column = lengths * directions.sin(), lengths * directions.cos()  # [n] each
    rows, columns = positions[:, :1], positions[:, 1:]  # [L, 1] each
    return rows * by_row + columns * by_column


def fit_coordinates(height: int, width: int, trained: int) -> Tensor:
    """Return coordinates [height · width, 2] of patches whose edges lie on those of trained × trained.

    For height = width = trained they are (row, column).
    """
    patch = torch.arange(height * width)
    rows, columns = patch // width, patch % width
    return torch.stack(
        ((rows + 0.5) * trained / height - 0.5, (columns + 0.5) * trained / width - 0.5), dim=-1
    )


def axis_of_pairs(sections: list[int], interleaved: bool) -> Tensor:
    """Return which axis each pair reads, 0, 1 or 2: [sum of ``sections``], which count pairs.

    Either one section after the other, or the axes in turn, each as long as it has pairs left.
    """
    if not interleaved:
        return torch.arange(len(sections)).repeat_interleave(torch.tensor(sections))
    rounds = range(max(sections))
    return torch.tensor([axis for done in rounds for axis, n in enumerate(sections) if done < n])


def frame_times(frames: int, seconds_per_grid: float, tokens_per_second: float) -> Tensor:
    """Return t of each frame of a video, from 0 on and rounded down: int64 [frames]."""
    return (torch.arange(frames) * (seconds_per_grid * tokens_per_second)).long()


def swin_rows(height: int, width: int) -> Tensor:
    """Return the row of Swin's table for each query and key of a window: int64 [h · w, h · w].

    The table has (2 · height − 1)(2 · width − 1) rows; differences are query − key.
    """
    patch = torch.arange(height * width)
    down = (patch // width)[:, None] - patch // width + height - 1  # 0 … 2 · height − 2
    right = (patch % width)[:, None] - patch % width + width - 1
    return down * (2 * width - 1) + right
