"""A learned vector for each position, as in BERT (Devlin et al. 2018) and GPT (Radford et al. 2018)."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from posenc_lessons.encodings.arguments import number, whole_number
from posenc_lessons.encodings.doors import PositionEncoding, check_embeddings
from posenc_lessons.encodings.known import hides_numbers
from posenc_lessons.encodings.positions import summary_of, whole_positions
from posenc_lessons.language import BilingualIndexError


class LearnedEncoding(PositionEncoding):
    """Door 1: add row m of a trained table to the embedding at position m.

    ``table`` [max_len, d_model] is a parameter, drawn from N(0, std²); BERT has std = 0.02, the code of
    GPT-2 0.01. There is no row for position ``max_len`` and no formula for one, so asking for it is an
    error.

    Args:
        d_model: width of the embeddings.
        max_len: how many positions there are, 0 … max_len−1.
        std: spread of the random start; 0 starts from zeros.

    >>> encoding = LearnedEncoding(d_model=16, max_len=100)
    >>> encoding(torch.zeros(2, 5, 16)).shape  # positions 0 … 4
    torch.Size([2, 5, 16])
    """

    def __init__(self, d_model: int, max_len: int, std: float = 0.02) -> None:
        super().__init__()
        self.max_len = whole_number("max_len", max_len, 1)
        self.d_model = whole_number("d_model", d_model, 1)
        self.std = number("std", std, least=0)
        self.table = nn.Parameter(torch.randn(self.max_len, self.d_model) * self.std)

    def encode(self, positions: Tensor) -> Tensor:
        """Return the rows of ``positions`` (integers), [*positions.shape, d_model].

        Raises:
            ValueError: positions that are not integers: a table has no row between two rows.
            IndexError: a position below 0, or ``max_len`` or more.
        """
        rows, last = whole_positions("positions", positions), self.max_len - 1
        if not hides_numbers(positions):
            ends = summary_of(positions)
            for position in (ends.first, ends.last):
                if rows.numel() and not 0 <= position <= last:
                    raise BilingualIndexError(
                        f"表里没有位置 {position}：max_len={self.max_len}，位置只能是 0 到 {last}；"
                        f"resized(new_max_len) 可以得到更长的表",
                        f"position {position} is not in the table: max_len={self.max_len}, so positions are "
                        f"0 to {last}; resized(new_max_len) makes a longer table",
                    )
        return self.table[rows]

    def add_to_embeddings(self, embeddings: Tensor, positions: Tensor) -> Tensor:
        """Return ``embeddings`` [B, L, d_model] plus the rows of ``positions``; raises as ``encode``."""
        check_embeddings(embeddings, positions, self.d_model)
        return embeddings + self.encode(positions).to(embeddings.dtype)

    def resized(self, new_max_len: int) -> LearnedEncoding:
        """Return an encoding of ``new_max_len`` positions whose table is interpolated linearly from this one.

        Row 0 stays row 0 and the last row stays the last; the rows between are spread evenly. (Vision
        Transformers do so when the picture grows: Dosovitskiy et al. 2020, §3.2.) The new table shares no
        memory with the old one.
        """
        new_max_len = whole_number("new_max_len", new_max_len, 1)
        resized = LearnedEncoding(self.d_model, new_max_len, self.std).to(self.table.device, self.table.dtype)
        rows = self.table.detach().T[None]  # [1, d_model, max_len]
        stretched = F.interpolate(rows, new_max_len, mode="linear", align_corners=True)
        resized.table.data = stretched[0].T.contiguous()
        return resized

    def extra_repr(self) -> str:
        return f"{self.d_model}, max_len={self.max_len}"
