"""Find what positions do to the queries of a layer: nothing, a factor, or rotations of pairs of features.

Every sequence of a batch is one vector repeated, so that all differences between positions come from the
positions. Feature i at position p is fitted as a · x_i + b · x_j, with the features x at position 0, for
every partner j; the best partner is that of its pair.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

#: The largest error of a fit, as a share of the largest feature: the model computes in float32.
EXACT = 1e-4
#: A feature that changes by less is still; the second is tried if slow features fit any partner.
_STILL = (3e-6, 1e-3)


class Turn(NamedTuple):
    """Maps of the features at position 0 to those at each position.

    maps: [P, d, d], rows times this, without a factor of whole vectors. first, second: features of each
    pair, first < second. still: features that changed by a smaller share count as those that do not turn.
    """

    positions: Tensor
    maps: Tensor
    first: Tensor
    second: Tensor
    still: float = _STILL[0]


def turn_of(features: Tensor, positions: Tensor, earlier: list[Turn]) -> Turn | None:
    """Read the maps from queries or keys ``features`` [B, H, L, d] at ``positions`` [L], which begin with 0.

    A map that is in ``earlier`` is returned again if it fits; a new one is put there. Returns None if a
    feature changes in a way that is no rotation of pairs.
    """
    x = features.double().permute(2, 0, 1, 3).flatten(1, 2)  # [L, N, d]
    start, size = x[0], x[0].abs().max().clamp(min=1e-12)
    scale = x.norm(dim=-1, keepdim=True) / start.norm(dim=-1, keepdim=True).clamp(min=1e-12)  # [L, N, 1]
    flat = x / scale.clamp(min=1e-12)
    for turn in earlier:
        same_shape = turn.maps.shape[::2] == x.shape[::2]
        if same_shape and (start @ turn.maps - flat).abs().max() < turn.still * size:
            return turn
    change = (flat - start).abs().amax((0, 1)) / size  # [d]
    for still in _STILL:
        moved = (change > still).nonzero().flatten()
        factors, partner, error = _partners(flat[:, :, moved], start[:, moved])
        if error <= EXACT and torch.equal(partner[partner], torch.arange(len(moved))):
            break
    else:
        return None
    other = moved[partner]
    maps = torch.eye(x.shape[-1], dtype=torch.float64).repeat(len(x), 1, 1)
    maps[:, moved, moved] = factors[0]
    maps[:, other, moved] = factors[1]
    earlier.append(Turn(positions, maps, moved[moved < other], other[moved < other], still))
    return earlier[-1]


def _partners(x: Tensor, start: Tensor) -> tuple[Tensor, Tensor, float]:
    """Return the factors a and b [2, L, n] of each feature, its partner [n], and the relative error."""
    if not start.shape[-1]:
        return x.new_zeros(2, len(x), 0), torch.arange(0), 0.0
    gram = start.T @ start  # [n, n]
    cross = start.T @ x  # [L, n, n]: of x_j at 0 with x_i at p
    own = cross.diagonal(dim1=-2, dim2=-1)[:, :, None]  # [L, i, 1]
    others = cross.mT  # [L, i, j]
    diagonal = gram.diagonal()
    determinant = diagonal[:, None] * diagonal[None] - gram**2
    determinant.fill_diagonal_(torch.inf)
    b = (diagonal[:, None] * others - gram * own) / determinant
    a = (own - b * gram) / diagonal[:, None]
    error = x.square().sum(1)[:, :, None] - a * own - b * others  # [L, i, j]
    error.diagonal(dim1=-2, dim2=-1).fill_(torch.inf)
    partner = error.amax(0).argmin(1)  # [n]
    every = torch.arange(len(partner))
    factors = torch.stack((a[:, every, partner], b[:, every, partner]))
    fitted = factors[0][:, None] * start + factors[1][:, None] * start[:, partner]  # [L, N, n]
    return factors, partner, float((fitted - x).abs().max() / start.abs().max())
