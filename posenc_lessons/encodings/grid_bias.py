"""A learned number for each difference of row and column: Swin Transformer's bias.

Source: Liu et al. 2021, "Swin Transformer: Hierarchical Vision Transformer using Shifted Windows", §3.2,
equation 4; a table for another window, ibid.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from posenc_lessons.encodings.arguments import check_heads, number, whole_number
from posenc_lessons.encodings.doors import PositionEncoding, ScoreMod
from posenc_lessons.encodings.grids import interpolate_table
from posenc_lessons.encodings.positions import hides_numbers, whole_positions, worked_out_once
from posenc_lessons.language import BilingualIndexError


class RelativeGridBias(PositionEncoding):
    """Door 3: a learned number for each head and each difference (Δrow, Δcolumn), added to the score.

    In a window of M × N patches the differences are −(M−1) … M−1 and −(N−1) … N−1, so the table has
    (2M−1)(2N−1) rows; Δ = query − key has row (Δrow + M−1)(2N−1) + Δcolumn + N−1, as in Swin. There is no row
    for a larger difference: asking for one is an error. Positions have to be given; those of a picture are
    ``grid_positions(height, width)``.

    Args:
        n_heads: heads of the attention it is for.
        window: (height, width) in patches; a number means a square.
        std: spread of the random start; 0 starts from zeros.

    Attributes:
        table: parameter [(2M−1)(2N−1), n_heads].

    >>> from posenc_lessons.models import MultiHeadAttention
    >>> attention = MultiHeadAttention(d_model=16, n_heads=4, encoding=RelativeGridBias(4, window=(2, 3)))
    >>> attention(torch.randn(1, 6, 16), query_positions=grid_positions(2, 3)).shape
    torch.Size([1, 6, 16])
    """

    axes = 2
    needs_positions = True

    def __init__(self, n_heads: int, window: int | tuple[int, int], std: float = 0.02) -> None:
        super().__init__()
        self.n_heads, self.window = whole_number("n_heads", n_heads, 1), _window(window)
        self.std = number("std", std, least=0)
        height, width = self._differences
        self.table = nn.Parameter(torch.randn(height * width, self.n_heads) * self.std)

    @property
    def _differences(self) -> tuple[int, int]:
        """How many differences of rows there are, and how many of columns."""
        return 2 * self.window[0] - 1, 2 * self.window[1] - 1

    def score_bias(
        self,
        query: Tensor,
        key: Tensor,
        query_positions: Tensor,
        key_positions: Tensor,
        scores: Tensor | None,
    ) -> Tensor:
        """Return the table's number for each head, query and key: [H, Lq, Lk], or [B, H, Lq, Lk].

        ``query_positions`` and ``key_positions`` are [L, 2] or [B, L, 2].

        Raises:
            ValueError: another number of heads, positions that are not whole or not of two coordinates.
            IndexError: two tokens too far apart for the window.
        """
        check_heads(query, self.n_heads)
        same = query_positions is key_positions  # a tensor must not be kept in its own memory
        what = ("rows of a grid's differences", self.window, None if same else key_positions)
        rows = worked_out_once(query_positions, what, lambda: self._rows(query_positions, key_positions))
        bias = self.table.T.index_select(1, rows.flatten())  # [H, Lq·Lk] or [H, B·Lq·Lk]
        return bias.view(self.n_heads, *rows.shape).movedim(0, -3)

    def score_mod(
        self, query: Tensor, key: Tensor, query_positions: Tensor, key_positions: Tensor
    ) -> ScoreMod:
        """Return a function that adds the table's number for the head and the difference."""
        check_heads(query, self.n_heads)
        rows = self._rows(query_positions, key_positions).expand(len(query), -1, -1)
        table = self.table

        def with_numbers(score: Tensor, b: Tensor, h: Tensor, i: Tensor, j: Tensor) -> Tensor:
            return score + table[rows[b, i, j], h]

        return with_numbers

    def _rows(self, query_positions: Tensor, key_positions: Tensor) -> Tensor:
        """Return the table's row for each query and key, int64 [Lq, Lk] or [B, Lq, Lk]."""
        queries = whole_positions("query_positions", query_positions)
        keys = whole_positions("key_positions", key_positions)
        behind = (
            queries[..., :, None, :] - keys[..., None, :, :]
        )  # query − key, [Lq, Lk, 2] or [B, Lq, Lk, 2]
        furthest = torch.tensor(self.window, device=behind.device) - 1
        if not hides_numbers(behind) and bool((behind.abs() > furthest).any()):
            rows, columns = behind.abs().flatten(0, -2).amax(dim=0).tolist()
            (height, width), word = self.window, "RelativeGridBias"
            raise BilingualIndexError(
                f"{word} 的窗口是 {height} × {width}，而这些词元最远相距 {rows} 行、{columns} 列；"
                f"resized((高, 宽)) 可以得到更大的表",
                f"the window of {word} is {height} × {width}, and these tokens are up to {rows} rows and "
                f"{columns} columns apart; resized((height, width)) makes a larger table",
            )
        return ((behind + furthest) * torch.tensor([self._differences[1], 1], device=behind.device)).sum(-1)

    def resized(self, window: int | tuple[int, int]) -> RelativeGridBias:
        """Return an encoding for another window, its table interpolated (bicubic) from this one, as in Swin.

        The new table shares no memory with the old one.
        """
        resized = RelativeGridBias(self.n_heads, window, self.std).to(self.table.device, self.table.dtype)
        table = interpolate_table(self.table.detach(), self._differences, resized._differences)
        resized.table.data = table.clone()
        return resized

    def extra_repr(self) -> str:
        return f"{self.n_heads}, window={self.window}"


def _window(given: Any) -> tuple[int, int]:
    """Return ``given`` as (height, width); ValueError unless it is one whole number of at least 1, or two."""
    if isinstance(given, (tuple, list)) and len(given) == 2:
        return whole_number("window[0]", given[0], 1), whole_number("window[1]", given[1], 1)
    side = whole_number("window", given, 1)
    return side, side
