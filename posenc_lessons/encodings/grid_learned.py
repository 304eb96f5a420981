"""A learned vector for each row and one for each column, added to the patches: Pix2Struct's tables.

Sources: Lee et al. 2022, "Pix2Struct: Screenshot Parsing as Pretraining for Visual Language Understanding",
arXiv 2210.03347, §2.1; also in the code of KOSMOS-2.5 and of Gemma 4's vision, in transformers 5.23.0.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from posenc_lessons.encodings.arguments import number, whole_number
from posenc_lessons.encodings.doors import PositionEncoding, check_embeddings
from posenc_lessons.encodings.known import computed_once, hides_numbers
from posenc_lessons.encodings.positions import whole_positions
from posenc_lessons.language import BilingualIndexError


class GridLearned(PositionEncoding):
    """Door 1: add a learned vector for the patch's row and another for its column.

    Pictures of H × W patches need H + W vectors, while a table with one for each patch needs H · W. A picture
    of another shape uses the same vectors, so nothing is stretched. No patch has its own vector, only the sum
    of its row's and its column's. Positions have to be given; those of a picture are
    ``grid_positions(height, width)``.

    Args:
        d_model: width of the embeddings.
        rows, columns: how many rows and columns there are vectors for.
        std: spread of the random start; 0 starts from zeros.

    Attributes:
        row_table, column_table: parameters [rows, d_model] and [columns, d_model].

    >>> encoding = GridLearned(d_model=16, rows=10, columns=12)
    >>> encoding(torch.zeros(1, 6, 16), grid_positions(2, 3)).shape
    torch.Size([1, 6, 16])
    """

    axes = 2
    needs_positions = True

    def __init__(self, d_model: int, rows: int, columns: int, std: float = 0.02) -> None:
        super().__init__()
        self.d_model, self.std = whole_number("d_model", d_model, 1), number("std", std, least=0)
        self.rows, self.columns = whole_number("rows", rows, 1), whole_number("columns", columns, 1)
        self.row_table, self.column_table = (
            nn.Parameter(torch.randn(size, self.d_model) * self.std) for size in (self.rows, self.columns)
        )

    def encode(self, positions: Tensor) -> Tensor:
        """Return row's vector + column's vector for integer ``positions``: [..., 2] → [..., d_model].

        Raises:
            ValueError: positions that are not integers.
            IndexError: a row or column below 0 or past the tables.
        """
        what = ("within a table of rows and one of columns", self.rows, self.columns)
        at = computed_once(positions, what, lambda: self._within(positions))
        return self.row_table[at[0]] + self.column_table[at[1]]

    def _within(self, positions: Tensor) -> tuple[Tensor, Tensor]:
        """Return the rows and the columns of ``positions``, int64 [...]; IndexError outside the tables."""
        positions = whole_positions("positions", positions)
        sizes = torch.tensor([self.rows, self.columns], device=positions.device)
        if not hides_numbers(positions) and bool(((positions < 0) | (positions >= sizes)).any()):
            least, most = (end.tolist() for end in positions.flatten(0, -2).aminmax(dim=0))
            raise BilingualIndexError(
                f"GridLearned 有 {self.rows} 行、{self.columns} 列，位置从 0 数起，"
                f"收到的行是 {least[0]} 到 {most[0]}，列是 {least[1]} 到 {most[1]}",
                f"GridLearned has {self.rows} rows and {self.columns} columns, from 0; "
                f"got rows {least[0]} to {most[0]} and columns {least[1]} to {most[1]}",
            )
        return positions[..., 0], positions[..., 1]

    def add_to_embeddings(self, embeddings: Tensor, positions: Tensor) -> Tensor:
        """Return ``embeddings`` [B, L, d_model] plus the vectors of ``positions`` [L, 2] or [B, L, 2].

        Raises:
            ValueError, IndexError: as ``encode``.
        """
        check_embeddings(embeddings, positions, self.d_model, self.axes)
        return embeddings + self.encode(positions).to(embeddings.dtype)

    def extra_repr(self) -> str:
        return f"{self.d_model}, rows={self.rows}, columns={self.columns}"
