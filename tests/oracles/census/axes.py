"""Find the coordinate of a position that each pair reads, in models with several coordinates (M-RoPE).

The model runs at random positions of several coordinates. A pair that turns by θ for each step of a text
turns by p_a · θ there. Its coordinate a is the one that fits at every position.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from tests.oracles.census.capture import Attended
from tests.oracles.census.probe import LENGTH, Pairs, maps, on_axes, pairs, run

#: Code that takes one row of positions for each coordinate.
_SEVERAL = re.compile(r"mrope|position_ids\.expand\((\d|len)")
#: Two places of the sequence whose angles are recorded.
PLACES = (9, LENGTH - 1)
#: Allowed difference of float32 angles at positions below 510, in radians.
_CLOSE = 1e-3


def several_coordinates(network: nn.Module, texts: Sequence[Attended], at: Tensor) -> dict[str, Any]:
    """Return, by its name, what each attention's queries do at positions of several coordinates.

    ``texts`` is the result at the positions ``at`` [L] of a text. If the model's code takes only one
    coordinate, nothing is returned.
    """
    source = Path(str(sys.modules[type(network).__module__].__file__)).read_text("utf-8")
    if not _SEVERAL.search(source):
        return {}
    for axes in (3, 2):
        positions = on_axes(str(network.config.model_type), axes)  # type: ignore[union-attr]
        try:
            watch, _ = run(network, positions)
        except (RuntimeError, ValueError, IndexError):
            continue  # this model takes another number of coordinates
        seen = {each.name: each.query for each in watch.attended}
        told = {each.name: _read(each.query, seen.get(each.name), at, positions) for each in texts}
        return {name: found for name, found in told.items() if found}
    return {}


def _read(text: Tensor | None, seen: Tensor | None, at: Tensor, positions: Tensor) -> dict[str, Any] | None:
    """Return the coordinate of each pair and the angles at two places, or why there is no rotation."""
    if text is None or seen is None or text.ndim != 4 or seen.shape != text.shape:
        return None
    known = _pairs(text, at)
    if known is None or not known.first:
        return None
    found = _pairs(seen, positions)
    if found is None or (found.first, found.second) != (known.first, known.second) or found.error > 1e-4:
        return {"kind": "no rotation of pairs"}
    steps = _steps(known, at)  # [n]
    apart = found.angles[None] - positions.T[:, :, None] * steps  # [axes, L, n]
    apart = torch.remainder(apart + torch.pi, 2 * torch.pi) - torch.pi
    error, axis = apart.abs().amax(1).min(0)  # [n]
    if error.max() > _CLOSE:
        return {"kind": "no coordinate"}
    return {
        "kind": "turns",
        "of_pair": axis.tolist(),
        "at": positions[list(PLACES)].tolist(),
        "angles": [[round(each, 7) for each in found.angles[place].tolist()] for place in PLACES],
    }


def _pairs(seen: Tensor, at: Tensor) -> Pairs | None:
    turn = maps(seen, at)
    return None if turn is None else pairs(turn)


def _steps(known: Pairs, at: Tensor) -> Tensor:
    """Return each pair's angle for one step, for slow pairs from the last position, which is most exact."""
    last = known.angles[-1] / at[-1]
    return torch.where(known.angles[1].abs() * at[-1] < 3, last, known.angles[1])
