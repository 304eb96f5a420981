"""Learned vectors for differences of rows and of columns, multiplied by the query: SAM's bias.

Sources: Li et al. 2021, "MViTv2: Improved Multiscale Vision Transformers for Classification and Detection",
arXiv 2112.01526, §4.1; the form of Kirillov et al. 2023, "Segment Anything", arXiv 2304.02643, in the code of
transformers 5.23.0.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from posenc_lessons.encodings.arguments import number, whole_number
from posenc_lessons.encodings.doors import PositionEncoding
from posenc_lessons.encodings.grid_bias import differences_within, window_sides
from posenc_lessons.encodings.known import computed_once
from posenc_lessons.encodings.rotating import check_width


class DecomposedGridBias(PositionEncoding):
    """Door 3: add query · (a learned vector for Δrow + a learned vector for Δcolumn) to the score.

    A window of M × N patches needs (2M−1) + (2N−1) vectors, while ``RelativeGridBias`` has (2M−1)(2N−1)
    numbers for each head. The bias depends on the query, as in ``ShawRelative``, and heads share the vectors.
    As in the code of SAM, the bias is not divided by √d_head. A larger difference has no vector and is an
    error. Positions have to be given; those of a picture are ``grid_positions(height, width)``.

    Args:
        d_head: features of a head.
        window: (height, width) in patches; a number means a square. For SAM's layers that see the whole
            picture, the size of the picture.
        std: spread of the random start; 0 starts from zeros, as in SAM.

    Attributes:
        row_table, column_table: parameters [2M−1, d_head] and [2N−1, d_head]; Δ = query − key has row
            Δ + M − 1, and Δ + N − 1.

    >>> from posenc_lessons.models import MultiHeadAttention
    >>> attention = MultiHeadAttention(d_model=16, n_heads=4, encoding=DecomposedGridBias(4, window=(2, 3)))
    >>> attention(torch.randn(1, 6, 16), query_positions=grid_positions(2, 3)).shape
    torch.Size([1, 6, 16])
    """

    axes = 2
    needs_positions = True

    def __init__(self, d_head: int, window: int | tuple[int, int], std: float = 0.02) -> None:
        super().__init__()
        self.d_head, self.window = whole_number("d_head", d_head, 1), window_sides("window", window)
        self.std = number("std", std, least=0)
        self.row_table, self.column_table = (
            nn.Parameter(torch.randn(2 * side - 1, self.d_head) * self.std) for side in self.window
        )

    def score_bias(
        self,
        query: Tensor,
        key: Tensor,
        query_positions: Tensor,
        key_positions: Tensor,
        scores: Tensor | None,
    ) -> Tensor:
        """Return query · (row's vector + column's vector) for each head, query and key: [B, H, Lq, Lk].

        ``query_positions`` and ``key_positions`` are [L, 2] or [B, L, 2].

        Raises:
            ValueError: heads of another width, positions that are not whole or not of two coordinates.
            IndexError: two tokens too far apart for the window.
        """
        check_width(query, self.d_head)
        what = ("differences of rows and columns", self.window)
        rows, columns = computed_once(
            query_positions, what, lambda: self._rows(query_positions, key_positions), key_positions
        )
        shape = (*query.shape[:-1], rows.shape[-1])  # [B, H, Lq, Lk]
        rows, columns = (side[..., None, :, :].expand(shape) for side in (rows, columns))
        by_row, by_column = query @ self.row_table.T, query @ self.column_table.T  # [B, H, Lq, 2M−1 or 2N−1]
        return by_row.gather(-1, rows) + by_column.gather(-1, columns)

    def _rows(self, query_positions: Tensor, key_positions: Tensor) -> tuple[Tensor, Tensor]:
        """Return the rows of both tables for each query and key, int64 [Lq, Lk] or [B, Lq, Lk]."""
        behind = differences_within(type(self).__name__, query_positions, key_positions, self.window)
        return behind[..., 0] + self.window[0] - 1, behind[..., 1] + self.window[1] - 1

    def resized(self, window: int | tuple[int, int]) -> DecomposedGridBias:
        """Return an encoding for another window, both tables interpolated linearly from these, as in SAM.

        The new tables share no memory with the old ones.
        """
        resized = DecomposedGridBias(self.d_head, window, self.std)
        resized = resized.to(self.row_table.device, self.row_table.dtype)
        for old, new in ((self.row_table, resized.row_table), (self.column_table, resized.column_table)):
            wide = old.detach().T[None].to(torch.promote_types(old.dtype, torch.float32))
            new.data = F.interpolate(wide, size=len(new), mode="linear")[0].T.to(old.dtype).contiguous()
        return resized

    def extra_repr(self) -> str:
        return f"{self.d_head}, window={self.window}"
