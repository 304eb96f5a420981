"""Find by numbers what positions do to queries, keys and scores in each layer of a small model.

Every sequence of a batch is one repeated token, and each attention gets the same vector at all positions.
Differences between positions then come from the attention's own positions. Queries at position p are a linear
map of those at position 0. The map is found by least squares over batch and heads; it shows which features
form a pair, and the direction and angle of its rotation.
"""

from __future__ import annotations

import inspect
import zlib
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from tests.oracles.census.capture import Attended, Watch, watched

LENGTH, BATCH = 24, 48
#: Positions are smaller than this, so that float32 angles are exact enough.
FARTHEST = 510


def far(name: str) -> Tensor:
    """Return positions [L] for a model of this name: 0, 1 and random ones, in order."""
    numbers = torch.Generator().manual_seed(zlib.crc32(name.encode()))
    drawn = torch.randperm(FARTHEST - 2, generator=numbers)[: LENGTH - 2] + 2
    return torch.cat((torch.tensor([0, 1]), drawn.sort().values))


def on_axes(name: str, axes: int) -> Tensor:
    """Return positions [L, axes] for a model of this name: 0 and then random ones."""
    numbers = torch.Generator().manual_seed(zlib.crc32(f"{name} {axes}".encode()))
    drawn = torch.randint(1, FARTHEST, (LENGTH, axes), generator=numbers)
    return drawn * (torch.arange(LENGTH) > 0)[:, None]


class Turn(NamedTuple):
    """What a layer does to queries (or keys) of one head, as a map from position 0 to each position.

    maps: [L, d, d]. error: the relative error of the linear map.
    """

    at: Tensor
    maps: Tensor
    error: float


def maps(seen: Tensor, at: Tensor) -> Turn | None:
    """Return the maps of ``seen`` [B, H, L, d] from its first position, at 0, to the others."""
    x = seen.double().permute(2, 0, 1, 3).flatten(1, 2)  # [L, B·H, d]
    start = x[0]
    if torch.linalg.matrix_rank(start) < start.shape[-1]:
        return None
    solved = torch.linalg.pinv(start) @ x  # [L, d, d]: rows times this
    error = (start @ solved - x).abs().max() / x.abs().max().clamp(min=1e-9)
    return Turn(at, solved, float(error))


def sequences(network: nn.Module, at: Tensor | None) -> tuple[dict[str, Any], Tensor]:
    """Return the inputs of a run and the positions of its tokens: ``at`` if the model takes positions.

    ``at`` [L] is one position for each token, ``at`` [L, axes] is several; the code takes these as
    [axes, B, L].
    """
    accepted = inspect.signature(network.forward).parameters
    tokens = torch.arange(10, 10 + BATCH)[:, None].expand(BATCH, LENGTH).contiguous()
    inputs: dict[str, Any] = {"input_ids": tokens}
    if "decoder_input_ids" in accepted:
        inputs["decoder_input_ids"] = tokens
    if "use_cache" in accepted:
        inputs["use_cache"] = False
    if at is not None and "position_ids" in accepted:
        shape = (BATCH, LENGTH) if at.ndim == 1 else (at.shape[1], BATCH, LENGTH)
        by_axis = at if at.ndim == 1 else at.mT
        inputs["position_ids"] = by_axis.unsqueeze(-2).expand(shape).contiguous()
        if "decoder_position_ids" in accepted:
            inputs["decoder_position_ids"] = inputs["position_ids"]
        return inputs, at
    return inputs, torch.arange(LENGTH)


def run(network: nn.Module, at: Tensor | None) -> tuple[Watch, Tensor]:
    """Run ``network`` and watch it, at the positions ``at`` or at 0 … L−1."""
    inputs, told = sequences(network, at)
    return watched(network, inputs, LENGTH, still=at is not None), told


class Pairs(NamedTuple):
    """Which features turn: ``first[i]`` and ``second[i]`` by ``angles[:, i]`` at the positions of a Turn."""

    first: list[int]
    second: list[int]
    angles: Tensor
    scale: Tensor  # [L], factors of all features
    error: float


def pairs(turn: Turn) -> Pairs | None:
    """Read a rotation of pairs from the maps of ``turn``; None if they are no rotation."""
    d = turn.maps.shape[-1]
    size = torch.linalg.det(turn.maps.float()).abs().double() ** (1 / d)  # [L]
    flat = turn.maps / size[:, None, None]
    apart = (flat - torch.diag_embed(flat.diagonal(dim1=-2, dim2=-1))).abs().amax(0)  # [d, d]
    first, second = [], []
    for i in range(d):
        j = int(apart[i].argmax())
        if apart[i, j] > 1e-5 and i < j:
            first.append(i)
            second.append(j)
    # x_first' = cos·x_first − sin·x_second: row `first` of the map has cos at `first` and +sin at `second`.
    angles = torch.atan2(flat[:, first, second], flat[:, first, first])
    expected = torch.eye(d).double().repeat(len(flat), 1, 1)
    expected[:, first, first] = expected[:, second, second] = angles.cos()
    expected[:, first, second], expected[:, second, first] = angles.sin(), -angles.sin()
    return Pairs(first, second, angles, size, float((expected - flat).abs().max()))


def window(each: Attended) -> tuple[str, int | None]:
    """Return how far a query sees.

    ("whole", None) is all before it; ("sliding", w) itself and w − 1 before it, ("chunked", w) a chunk of
    w, ("both_sides", w) itself, w before it and w after it.
    """
    seen = each.scores[0].flatten(0, -3)[0] if each.scores.ndim > 3 else each.scores[0]
    seen = seen[..., :LENGTH] > -1e4  # [L, L]
    counts = [int(seen[i, : i + 1].sum()) for i in range(LENGTH)]
    if counts[-1] == LENGTH:
        return "whole", None
    most = max(counts)
    if counts[-1] != most or counts[-2] != most:
        return "chunked", most
    middle = LENGTH // 2
    after = int(seen[middle, middle + 1 :].sum())
    return ("both_sides", most - 1) if after and after == most - 1 else ("sliding", most)
