"""A number for each difference of row and column: the bias of Swin Transformer.

Source: Liu et al. 2021, "Swin Transformer: Hierarchical Vision Transformer using Shifted Windows", §3.2,
equation 4.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from posenc_lessons.encodings.arguments import check_heads, number, whole_number
from posenc_lessons.encodings.doors import PositionEncoding, Scores
from posenc_lessons.encodings.known import computed_once, hides_numbers
from posenc_lessons.encodings.positions import whole_positions
from posenc_lessons.language import BilingualIndexError


class RelativeGridBias(PositionEncoding):
    """Door 3: a learned number for each head and each difference (Δrow, Δcolumn), added to the score.

    In a window of M × N patches the differences are −(M−1) … M−1 and −(N−1) … N−1. A larger one has no number
    and is an error. Positions have to be given; those of a picture are ``grid_positions(height, width)``.

    Args:
        n_heads: heads of the attention it is for.
        window: (height, width) in patches.
        std: spread of the random start; 0 starts from zeros.

    Attributes:
        table: parameter [(2M−1)(2N−1), n_heads] for a window of M × N patches; as in Swin, Δ = query − key
            has row (Δrow + M−1)(2N−1) + Δcolumn + N−1.

    >>> from posenc_lessons.models import MultiHeadAttention
    >>> attention = MultiHeadAttention(d_model=16, n_heads=4, encoding=RelativeGridBias(4, window=(2, 3)))
    >>> attention(torch.randn(1, 6, 16), query_positions=grid_positions(2, 3)).shape
    torch.Size([1, 6, 16])
    """

    axes = 2
    needs_positions = True

    def __init__(self, n_heads: int, window: tuple[int, int], std: float = 0.02) -> None:
        super().__init__()
        self.n_heads = whole_number("n_heads", n_heads, 1)
        self.window = whole_number("height", window[0], 1), whole_number("width", window[1], 1)
        self.std = number("std", std, least=0)
        height, width = (2 * side - 1 for side in self.window)
        self.table = nn.Parameter(torch.randn(height * width, self.n_heads) * self.std)

    def score_bias(
        self, query: Tensor, key: Tensor, query_positions: Tensor, key_positions: Tensor, scores: Scores
    ) -> Tensor:
        """Return the number of each head, query and key: [H, Lq, Lk], or [B, H, Lq, Lk].

        ``query_positions`` and ``key_positions`` are [L, 2] or [B, L, 2].

        Raises:
            ValueError: another number of heads, positions that are not whole or not of two coordinates.
            IndexError: two tokens too far apart for the window.
        """
        check_heads(query, self.n_heads)
        what = ("rows of a grid's differences", self.window)
        rows = computed_once(
            query_positions, what, lambda: self._rows(query_positions, key_positions), key_positions
        )
        bias = self.table.T.index_select(1, rows.flatten())  # [H, Lq·Lk] or [H, B·Lq·Lk]
        return bias.view(self.n_heads, *rows.shape).movedim(0, -3)

    def _rows(self, query_positions: Tensor, key_positions: Tensor) -> Tensor:
        """Return the row of the table for each query and key, int64 [Lq, Lk] or [B, Lq, Lk]."""
        queries = whole_positions("query_positions", query_positions)
        keys = whole_positions("key_positions", key_positions)
        behind = queries[..., :, None, :] - keys[..., None, :, :]  # [Lq, Lk, 2] or [B, Lq, Lk, 2]
        furthest = torch.tensor(self.window, device=behind.device) - 1
        if not hides_numbers(behind) and bool((behind.abs() > furthest).any()):
            rows, columns = behind.abs().flatten(0, -2).amax(dim=0).tolist()
            height, width = self.window
            raise BilingualIndexError(
                f"窗口是 {height} × {width}，而这些词元最远相距 {rows} 行、{columns} 列",
                f"the window is {height} × {width}, and these tokens are up to {rows} rows and {columns} "
                f"columns apart",
            )
        steps = torch.tensor([2 * self.window[1] - 1, 1], device=behind.device)
        return ((behind + furthest) * steps).sum(-1)

    def extra_repr(self) -> str:
        return f"{self.n_heads}, window={self.window}"
