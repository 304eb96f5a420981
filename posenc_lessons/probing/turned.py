"""The angles of a function's pairs at any position, from two vectors a call."""

from __future__ import annotations

import torch
from torch import Tensor

from posenc_lessons.probing.calls import Caller, attempted
from posenc_lessons.probing.frequencies import Measured
from posenc_lessons.probing.pairs import Pairs

LARGEST = 2**22  # numbers in a call of a function that counts tokens itself


class Turned:
    """Asks ``caller`` for one position at a time; ``counts``: the function counts its tokens itself."""

    pairs: Pairs

    def __init__(self, caller: Caller, counts: bool) -> None:
        self.caller, self.counts = caller, counts

    def at(self, vectors: Tensor, position: float, dtype: torch.dtype | None = None) -> Tensor | None:
        """Return ``vectors`` [N, d_head] rotated by ``position``: [N, d_head]; None if the function raises."""
        positions: list[float] = [position]
        if self.counts:
            if position != int(position) or vectors.numel() * (position + 1) > LARGEST:
                return None
            positions = list(range(int(position) + 1))
        x = vectors[:, None].expand(-1, len(positions), -1)
        rotated = attempted(lambda: self.caller.rotated(x, positions, dtype))
        if rotated is None or not bool(rotated.isfinite().all()):
            return None
        return rotated[:, -1]

    def matrix(self, position: float) -> Tensor | None:
        """Return the matrix of ``position``: [1, d_head, d_head]."""
        columns = self.at(torch.eye(self.caller.d_head, dtype=torch.float64), position)
        return None if columns is None else columns.T[None]

    def blocks(self, position: float, dtype: torch.dtype | None = None) -> Tensor | None:
        """Return the entries of each pair's block, [4, n]: cos, −sin, sin, cos for a rotation."""
        pairs = self.pairs
        vectors = torch.zeros(2, self.caller.d_head, dtype=torch.float64)
        vectors[0, pairs.first] = 1
        vectors[1, pairs.second] = 1
        rotated = self.at(vectors, position, dtype)
        if rotated is None:
            return None
        to_first, to_second = rotated[:, pairs.first_out], rotated[:, pairs.second_out]
        return torch.stack([to_first[0], to_first[1], to_second[0], to_second[1]])

    def angles(self, position: float) -> Tensor | None:
        """Return the angle of each pair [n]; None if the function raises."""
        blocks = self.blocks(position)
        if blocks is None:
            return None
        return torch.atan2(blocks[2] - blocks[1], blocks[0] + blocks[3])

    def deviation(
        self, position: float, course: Measured, scale: float, dtype: torch.dtype | None = None
    ) -> float | None:
        """Return how far a number at ``position`` is from ``course``, at most; None if the function raises."""
        blocks = self.blocks(position, dtype)
        if blocks is None:
            return None
        angles = course.phases + position * course.frequencies
        cos, sin = scale * angles.cos(), scale * angles.sin()
        return float((blocks - torch.stack([cos, -sin, sin, cos])).abs().max())

    def depends_on_others(self, tolerance: float) -> bool:
        """Return whether a token turns otherwise when another one of the call is far away."""
        vectors = torch.ones(1, 2, self.caller.d_head, dtype=torch.float64)
        for far in (2**16, 512, 32):
            both = attempted(lambda far=far: self.caller.rotated(vectors, [3, far]))  # type: ignore[misc]
            alone = attempted(lambda: self.caller.rotated(vectors, [3, 3]))
            if both is not None and alone is not None:
                return not float((both - alone)[:, 0].abs().max()) <= tolerance
        return False
