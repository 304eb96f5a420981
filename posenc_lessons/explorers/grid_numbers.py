"""Compute the numbers of the grid explorer: encoded patches, and the scores of one of them with all others.

Before encoding, every query and every key is a vector of ones, so scores differ only by position.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
import torch
from torch import Tensor

from posenc_lessons.encodings import (
    AxialRotary,
    GridSinusoidal,
    LearnedEncoding,
    MixedRotary,
    MultiAxisRotary,
    RotaryEncoding,
    grid_positions,
    interpolate_table,
    mixed_frequencies,
    multimodal_positions,
)
from posenc_lessons.encodings.rotary_axes import Layout, RotaryOnAxes
from posenc_lessons.explorers.caption import with_minus
from posenc_lessons.explorers.definition import Parameters
from posenc_lessons.figures.grid import PatchScores

Coordinates: TypeAlias = Literal["counted", "squeezed"]
Encoding: TypeAlias = Literal["raster", "sinusoid", "table", "axial", "mixed", "mrope"]

TRAINED = 8  # patches along a side in training
LARGEST = 16
D = 32  # features of a query and a key
FRAMES = 8  # of the video that M-RoPE has
SECTIONS = (4, 6, 6)  # pairs for time, row and column, in Qwen2-VL's proportions
ABSOLUTE = ("sinusoid", "table")  # encodings of door 1; the others rotate
REAL = ("sinusoid", "axial", "mixed")  # encodings whose coordinates need not be whole


class Patches(NamedTuple):
    """A picture of ``side`` × ``side`` patches, the first at (``shift``, ``shift``), and their encoding.

    ``direction`` and ``spread``, in degrees, are settings of mixed rotary, ``sections`` is one of M-RoPE. For
    the encodings of ``REAL``, ``coordinates`` are counted in patches or scaled to the range of training,
    edges on edges.
    """

    encoding: Encoding
    side: int
    shift: int
    sections: Layout
    direction: int
    spread: int
    coordinates: Coordinates
    device: str

    @classmethod
    def of(cls, parameters: Parameters, device: str = "cpu") -> Patches:
        """Return the patches of an explorer's ``parameters``."""
        return cls(**{name: parameters[name] for name in cls._fields if name != "device"}, device=device)

    @property
    def step(self) -> float:
        """Return how far apart the coordinates of two neighbours are."""
        return TRAINED / self.side if self.coordinates == "squeezed" and self.encoding in REAL else 1.0


def grid_numbers(patches: Patches, row: int, column: int, frame: int = 0) -> PatchScores:
    """Return the numbers that ``grid_scene`` draws: the scores of the patch at ``row`` and ``column``.

    With M-RoPE the patch is in frame 0 of a video, and the scores are with patches of ``frame``.
    """
    encoding, side = patches.encoding, patches.side
    frame = frame if encoding == "mrope" else 0
    scores = scores_of(patches, row, column)  # [frames, side, side]
    positions = positions_of(patches)[: side * side]  # of one frame
    low, high = score_range(patches)
    place = (row * TRAINED // side, column * TRAINED // side)  # in the picture of the trained size
    trained_scores = scores_of(patches._replace(side=TRAINED, shift=0), *place)[0]
    return PatchScores(
        scores=scores[frame],
        met=met_in_training(encoding, positions, row * side + column).reshape(side, side),
        row=row,
        column=column,
        shift=patches.shift,
        frame=frame,
        names=names_of(encoding, positions, side),
        low=low,
        high=high,
        along_time=scores[:, row, column] if encoding == "mrope" else None,
        trained=trained_scores if side != TRAINED else None,
        trained_at=place,
    )


def positions_of(patches: Patches) -> Tensor:
    """Return the positions of the patches, row by row, frame by frame: int64 [n] or [n, axes].

    Squeezed positions are float64: the centres of the patches in the trained picture's coordinates.
    """
    encoding, side, shift = patches[:3]
    if encoding == "mrope":  # a picture is shifted by text before it
        text = [("text", shift)] if shift else []
        video = ("video", FRAMES, side, side, 1.0)
        return multimodal_positions([*text, video], tokens_per_second=1.0)[0][shift:]
    places = grid_positions(side, side) + shift
    if patches.coordinates == "squeezed" and encoding in REAL:
        return (places.double() + 0.5) * patches.step - 0.5
    return places[:, 0] * side + places[:, 1] if encoding == "raster" else places


@lru_cache(maxsize=32)
def encoded_patches(patches: Patches) -> np.ndarray:
    """Return the query of each patch, which is also its key: float32 [n, D].

    The numbers are NaN where a table has no row.
    """
    encoding = patches.encoding
    positions = positions_of(patches).to(patches.device)
    ones = torch.ones(1, len(positions), D, device=patches.device)
    if encoding == "sinusoid":
        encoded = GridSinusoidal(D).add_to_embeddings(ones, positions)[0]
    elif encoding == "table":
        encoded = _from_table(ones[0], positions, patches.side)
    else:
        encoded = _rotary(patches).turn(ones[None], positions)[0, 0]
    return encoded.detach().cpu().numpy()


def _from_table(ones: Tensor, positions: Tensor, side: int) -> Tensor:
    """Add rows of a table of random numbers, as before training, stretched to ``side`` × ``side`` patches."""
    table = torch.randn(TRAINED**2, D, generator=torch.Generator().manual_seed(0))
    if side != TRAINED:
        table = interpolate_table(table, (TRAINED, TRAINED), (side, side))
    with torch.random.fork_rng(devices=[]):  # the new table's random numbers do not change the caller's
        encoding = LearnedEncoding(D, side**2).to(ones.device)
    encoding.table.data = table.to(ones.device)
    in_table = (positions < side).all(dim=-1)
    rows = positions[in_table] @ torch.tensor([side, 1], device=positions.device)
    encoded = torch.full_like(ones, math.nan)
    encoded[in_table] = encoding.add_to_embeddings(ones[None, in_table], rows)[0]
    return encoded


def _rotary(patches: Patches) -> RotaryEncoding | RotaryOnAxes | MixedRotary:
    if patches.encoding == "raster":
        return RotaryEncoding(D)
    if patches.encoding == "axial":
        return AxialRotary(D)
    if patches.encoding == "mrope":
        return MultiAxisRotary(D, SECTIONS, patches.sections, pairing="interleaved")
    with torch.random.fork_rng(devices=[]):  # for the same reason
        rotary = MixedRotary(D)
    rotary.frequencies.data = fanned_frequencies(patches.direction, patches.spread).to(torch.float32)
    return rotary


def fanned_frequencies(direction: int, spread: int) -> Tensor:
    """Return frequencies [2, D/2] whose directions begin at ``direction`` and differ by ``spread`` in all."""
    n = D // 4
    directions = torch.deg2rad(direction + spread * torch.arange(n, dtype=torch.float64) / n)
    every = mixed_frequencies(D, directions)  # [n, 2, D/2]: all pairs, in each of the directions
    pairs = torch.arange(D // 2)
    return every[pairs % n, :, pairs].T


def scores_of(patches: Patches, row: int, column: int) -> np.ndarray:
    """Return the scores q·k/√d of a patch of frame 0 with all patches: [frames, side, side]."""
    keys, side = encoded_patches(patches), patches.side
    return (keys @ keys[row * side + column]).reshape(-1, side, side) / math.sqrt(D)


@lru_cache(maxsize=32)
def score_range(patches: Patches) -> tuple[float, float]:
    """Return the lowest and the highest score of any two patches: colours must not change during a drag."""
    keys = encoded_patches(patches)
    keys = keys[~np.isnan(keys[:, 0])]
    if not len(keys):
        return 0.0, 1.0
    # If scores depend only on differences, the four corners as queries have all of them.
    side = patches.side
    corners = [0, side - 1, side * (side - 1), side * side - 1]
    queries = keys if patches.encoding in ABSOLUTE else keys[corners]
    scores = queries @ keys.T / math.sqrt(D)
    return float(scores.min()), float(scores.max())


def met_in_training(encoding: Encoding, positions: Tensor, query: int) -> np.ndarray:
    """Return which patches [n], together with patch ``query``, bring nothing that training has not shown.

    A relative encoding has to know the difference of their positions. For an absolute one, both must have a
    row in its table, or lie in a picture of the trained size that begins at (0, 0).
    """
    grid: np.ndarray = positions.numpy()
    if encoding == "raster":
        return np.abs(grid - grid[query]) < TRAINED**2
    if encoding in ABSOLUTE:
        size = math.isqrt(len(grid)) if encoding == "table" else TRAINED
        in_range = np.asarray((grid < size - 0.5).all(axis=-1))  # the picture's edge
        return in_range & in_range[query]
    return (np.abs(grid - grid[query]) < TRAINED).all(axis=-1)


def names_of(encoding: Encoding, positions: Tensor, side: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names beside rows and below columns: the numbers of which a patch's position consists."""
    grid = positions.tolist()
    if encoding == "raster":
        return tuple(map(str, grid[::side])), tuple(f"+{at}" for at in range(side))
    return tuple(_named(at[-2]) for at in grid[::side]), tuple(_named(at[-1]) for at in grid[:side])


def _named(coordinate: float) -> str:
    return with_minus(round(coordinate, 2), "g")
