"""Reference solutions to the exercises of lesson 03, each written to be read."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class LearnedPositions(nn.Module):
    """Add row m of a trained table to the embedding at position m."""

    def __init__(self, max_len: int, d_model: int) -> None:
        super().__init__()
        self.table = nn.Embedding(max_len, d_model)  # made once, so there is something to train

    def forward(self, embeddings: Tensor) -> Tensor:
        """[B, L, d_model] → [B, L, d_model]; IndexError when L is beyond the table."""
        positions = torch.arange(embeddings.shape[1], device=embeddings.device)
        return embeddings + self.table(positions)


def table_gradient(grad_output: Tensor, positions: Tensor, max_len: int) -> Tensor:
    """∂loss/∂table [max_len, d_model]: row r collects ``grad_output`` [B, L, d_model] of every look-up.

    ``positions`` [B, L] says which row each token looked up.
    """
    gradient = torch.zeros(max_len, grad_output.shape[-1], dtype=grad_output.dtype)
    return gradient.index_add(0, positions.flatten(), grad_output.flatten(0, 1))


def count_parameters(vocab_size: int, max_len: int, d_model: int, n_types: int) -> int:
    """How many numbers the word, position and token-type tables hold together."""
    return (vocab_size + max_len + n_types) * d_model


def position_ids(is_real: Tensor) -> Tensor:
    """0, 1, 2, … along the real tokens of each row of ``is_real`` [B, L] (bool), 0 at the padding; int64."""
    return (is_real.long().cumsum(dim=1) - 1) * is_real


def stretch(table: Tensor, new_len: int) -> Tensor:
    """``table`` [old_len, d] at ``new_len`` evenly spaced places, first row to last: [new_len, d].

    ``old_len`` and ``new_len`` are 2 or more.
    """
    old_len = len(table)
    places = torch.arange(new_len) * (old_len - 1) / (new_len - 1)  # in rows of the old table
    below = places.floor().long().clamp(max=old_len - 2)
    share = (places - below)[:, None]
    return (1 - share) * table[below] + share * table[below + 1]
