"""A number for each difference of row and column: the biases of Swin Transformer and Swin v2.

Sources: Liu et al. 2021, "Swin Transformer: Hierarchical Vision Transformer using Shifted Windows", §3.2,
equation 4; a table for another window, ibid. Liu et al. 2021, "Swin Transformer V2: Scaling Up Capacity and
Resolution", arXiv 2111.09883, §3.3; factors 8, 16 and the width 512 as in its code.
"""

from __future__ import annotations

import copy
import math
from typing import Any

import torch
from torch import Tensor, nn

from posenc_lessons.encodings.arguments import check_heads, number, two_sides, whole_number
from posenc_lessons.encodings.doors import PositionEncoding
from posenc_lessons.encodings.grids import interpolate_table
from posenc_lessons.encodings.known import computed_once, hides_numbers
from posenc_lessons.encodings.positions import whole_positions
from posenc_lessons.language import BilingualIndexError


class GridBias(PositionEncoding):
    """Door 3: add a number for each head and each difference (Δrow, Δcolumn); a base class.

    In a window of M × N patches the differences are −(M−1) … M−1 and −(N−1) … N−1. ``numbers`` of a subclass
    returns a number for each.
    """

    axes = 2
    needs_positions = True

    def __init__(self, n_heads: int, window: int | tuple[int, int]) -> None:
        super().__init__()
        self.n_heads, self.window = whole_number("n_heads", n_heads, 1), window_sides("window", window)

    @property
    def _differences(self) -> tuple[int, int]:
        """How many differences of rows there are, and how many of columns."""
        return 2 * self.window[0] - 1, 2 * self.window[1] - 1

    def numbers(self) -> Tensor:
        """Return the numbers [(2M−1)(2N−1), n_heads].

        The difference Δ = query − key has row (Δrow + M−1)(2N−1) + Δcolumn + N−1.
        """
        raise NotImplementedError

    def score_bias(
        self,
        query: Tensor,
        key: Tensor,
        query_positions: Tensor,
        key_positions: Tensor,
        scores: Tensor | None,
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
        bias = self.numbers().T.index_select(1, rows.flatten())  # [H, Lq·Lk] or [H, B·Lq·Lk]
        return bias.view(self.n_heads, *rows.shape).movedim(0, -3)

    def _rows(self, query_positions: Tensor, key_positions: Tensor) -> Tensor:
        """Return the row of ``numbers`` for each query and key, int64 [Lq, Lk] or [B, Lq, Lk]."""
        behind = differences_within(type(self).__name__, query_positions, key_positions, self.window)
        furthest = torch.tensor(self.window, device=behind.device) - 1
        steps = torch.tensor([self._differences[1], 1], device=behind.device)
        return ((behind + furthest) * steps).sum(-1)


class RelativeGridBias(GridBias):
    """Door 3: a learned number for each head and each difference (Δrow, Δcolumn), added to the score.

    Positions have to be given; those of a picture are ``grid_positions(height, width)``. A difference that
    does not fit into the window has no number and is an error.

    Args:
        n_heads: heads of the attention it is for.
        window: (height, width) in patches; a number means a square.
        std: spread of the random start; 0 starts from zeros.

    Attributes:
        table: parameter [(2M−1)(2N−1), n_heads] for a window of M × N patches; as in Swin, Δ = query − key
            has row (Δrow + M−1)(2N−1) + Δcolumn + N−1.

    >>> from posenc_lessons.models import MultiHeadAttention
    >>> attention = MultiHeadAttention(d_model=16, n_heads=4, encoding=RelativeGridBias(4, window=(2, 3)))
    >>> attention(torch.randn(1, 6, 16), query_positions=grid_positions(2, 3)).shape
    torch.Size([1, 6, 16])
    """

    def __init__(self, n_heads: int, window: int | tuple[int, int], std: float = 0.02) -> None:
        super().__init__(n_heads, window)
        self.std = number("std", std, least=0)
        height, width = self._differences
        self.table = nn.Parameter(torch.randn(height * width, self.n_heads) * self.std)

    def numbers(self) -> Tensor:
        """Return the table."""
        return self.table

    def resized(self, window: int | tuple[int, int]) -> RelativeGridBias:
        """Return an encoding for another window, its table interpolated (bicubic) from this one, as in Swin.

        The new table shares no memory with the old one.
        """
        resized = RelativeGridBias(self.n_heads, window, self.std)
        resized = resized.to(self.table.device, self.table.dtype)
        resized.table.data = interpolate_table(self.table.detach(), self._differences, resized._differences)
        return resized

    def extra_repr(self) -> str:
        return f"{self.n_heads}, window={self.window}"


class ContinuousGridBias(GridBias):
    """Door 3: a small network gives the number for each head and each difference (Δrow, Δcolumn): Swin v2.

    Differences are divided by the largest one in training and multiplied by 8. Each of the two then becomes
    x = sign(Δ) · log₂(1 + |Δ|) / 3. Two layers with ReLU between them compute z from both, a number for each
    head, and 16 · σ(z) is added to the score. Other windows need no new parameters, and the logarithm keeps
    their largest differences close to those in training. Positions are as for ``RelativeGridBias``.

    (Swin v2 also makes scores of unit vectors, with a learned factor for each head; attention here does not.)

    Args:
        n_heads: heads of the attention it is for.
        window: (height, width) in patches; a number means a square.
        trained_window: the window by which differences are divided; None is ``window`` itself.
        width: of the hidden layer.

    Attributes:
        network: ``nn.Sequential`` of [2, width], ReLU and [width, n_heads], the last without a bias.

    >>> encoding = ContinuousGridBias(4, window=(2, 3))
    >>> encoding.numbers().shape  # 3 × 5 differences
    torch.Size([15, 4])
    >>> encoding.resized((4, 6)).numbers().shape  # the same network, 7 × 11 differences
    torch.Size([77, 4])
    """

    def __init__(
        self,
        n_heads: int,
        window: int | tuple[int, int],
        trained_window: int | tuple[int, int] | None = None,
        width: int = 512,
    ) -> None:
        super().__init__(n_heads, window)
        trained = self.window if trained_window is None else window_sides("trained_window", trained_window)
        self.trained_window, self.width = trained, whole_number("width", width, 1)
        self.network = nn.Sequential(
            nn.Linear(2, self.width), nn.ReLU(), nn.Linear(self.width, self.n_heads, bias=False)
        )

    def numbers(self) -> Tensor:
        """Return 16 · σ(z) of each difference and head, [(2M−1)(2N−1), n_heads]."""
        weight = next(self.network.parameters())
        sides = [_logarithms(*side) for side in zip(self.window, self.trained_window, strict=True)]
        rows, columns = (side.to(weight.device, weight.dtype) for side in sides)
        pairs = torch.stack((rows.repeat_interleave(len(columns)), columns.repeat(len(rows))), dim=-1)
        return 16 * self.network(pairs).sigmoid()

    def resized(self, window: int | tuple[int, int]) -> ContinuousGridBias:
        """Return an encoding for another window, with a copy of this network and the same trained window."""
        resized = ContinuousGridBias(self.n_heads, window, self.trained_window, self.width)
        resized.network = copy.deepcopy(self.network)
        return resized

    def extra_repr(self) -> str:
        text = f"{self.n_heads}, window={self.window}"
        trained = "" if self.trained_window == self.window else f", trained_window={self.trained_window}"
        return text + trained + ("" if self.width == 512 else f", width={self.width}")


def _logarithms(side: int, trained: int) -> Tensor:
    """Return sign(Δ) · log₂(1 + |Δ|) / 3 of the differences of a side: float64 [2·side − 1], on the CPU."""
    differences = torch.arange(1 - side, side, dtype=torch.float64, device="cpu")
    wide = 8 * differences / max(trained - 1, 1)
    return wide.sign() * torch.log2(1 + wide.abs()) / math.log2(8)


def differences_within(
    word: str, query_positions: Tensor, key_positions: Tensor, window: tuple[int, int]
) -> Tensor:
    """Return query − key for positions [L, 2] or [B, L, 2]: [Lq, Lk, 2] or [B, Lq, Lk, 2].

    ValueError for positions that are not whole, IndexError if a difference is too large for ``window``;
    ``word`` names the encoding.
    """
    queries = whole_positions("query_positions", query_positions)
    keys = whole_positions("key_positions", key_positions)
    behind = queries[..., :, None, :] - keys[..., None, :, :]
    furthest = torch.tensor(window, device=behind.device) - 1
    if hides_numbers(behind) or not bool((behind.abs() > furthest).any()):
        return behind
    rows, columns = behind.abs().flatten(0, -2).amax(dim=0).tolist()
    height, width = window
    raise BilingualIndexError(
        f"{word} 的窗口是 {height} × {width}，而这些词元最远相距 {rows} 行、{columns} 列；"
        f"resized((高, 宽)) 可以得到更大的窗口",
        f"the window of {word} is {height} × {width}, and these tokens are up to {rows} rows and "
        f"{columns} columns apart; resized((height, width)) makes a larger one",
    )


def window_sides(name: str, given: Any) -> tuple[int, int]:
    """Return ``given`` as (height, width); ValueError unless it is one whole number of at least 1, or two."""
    if isinstance(given, (tuple, list)):
        return two_sides(name, given)
    side = whole_number(name, given, 1)
    return side, side
