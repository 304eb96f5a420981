"""Reference solutions to the exercises of lesson 03, each written to be read."""

import torch
from torch import Tensor, nn


class LearnedPositions(nn.Module):
    """A trained table of positions: each embedding gets the row of its position added."""

    def __init__(self, d_model: int, max_len: int) -> None:
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)  # made once, so there is something to train

    def forward(self, x: Tensor, positions: Tensor) -> Tensor:
        """Return x [B, L, d_model] plus the row at each of ``positions`` [B, L], or raise IndexError."""
        return x + self.table(positions)


def table_gradient(grad_output: Tensor, positions: Tensor, max_len: int) -> Tensor:
    """Return ∂loss/∂table [max_len, d_model]: row r adds up ``grad_output`` [B, L, d_model] of its look-ups.

    ``positions`` [B, L] says which row each token looked up.
    """
    gradient = torch.zeros(max_len, grad_output.shape[-1], dtype=grad_output.dtype)
    return gradient.index_add(0, positions.flatten(), grad_output.flatten(0, 1))


def stretch(table: Tensor, new_len: int) -> Tensor:
    """Return ``table`` [old_len, d] at ``new_len`` evenly spaced places, first row to last: [new_len, d].

    ``old_len`` and ``new_len`` are 2 or more.
    """
    old_len = len(table)
    places = torch.arange(new_len) * (old_len - 1) / (new_len - 1)  # in rows of the old table
    below = places.floor().long().clamp(max=old_len - 2)
    share = (places - below)[:, None]
    return (1 - share) * table[below] + share * table[below + 1]
