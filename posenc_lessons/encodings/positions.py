"""Check positions, and say what is known about them.

Attention and the stacks of layers make positions with ``counted_positions`` (0, 1, 2, …, with nothing to
read) or ``known_positions``, and pass the same tensor to every layer. Results of these *known* positions are
kept (``known.py``): they are checked, and their values read, once for all layers. Other tensors work too, but
they are checked and read on every call.

An encoding may read several coordinates of each token, its ``axes`` (a patch's row and column, say). A model
then passes ``Located`` positions to all layers: the coordinates, and each token's place in the sequence for
encodings that read one number.

Sometimes values cannot be read (see ``hides_numbers``). Then no value is refused, even if a position is not
finite or a table has no row for it.
"""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from torch import Tensor

from posenc_lessons.encodings.known import (
    computed_once,
    hides_numbers,
    keep_results_of,
    keeps_results,
    result_of,
)
from posenc_lessons.language import BilingualValueError


@dataclass(frozen=True)
class PositionSummary:
    """The facts about positions that encodings ask for.

    Attributes:
        first, last: the smallest and the largest position; 0 and −1 if there are none.
        in_order: True if no position is smaller than the one before it, in any row.
    """

    first: float
    last: float
    in_order: bool


class Located(NamedTuple):
    """Positions of several coordinates, with the place of each token in the sequence.

    ``coordinates``: [L, axes] or [B, L, axes]. ``places``: [L] or [B, L].
    """

    coordinates: Tensor
    places: Tensor


Positions = Tensor | Located


def places_in(positions: Positions) -> Tensor:
    """Return one number for each token, [L] or [B, L]: its place, or its only coordinate."""
    return positions.places if isinstance(positions, Located) else positions


def counted_positions(start: int, length: int, device: torch.device) -> Tensor:
    """Return the positions start, start + 1, …, int64 [length]; their summary is known without reading."""
    summary = PositionSummary(start, start + length - 1, in_order=True)
    return keep_results_of(torch.arange(start, start + length, device=device), summary=summary)


def known_positions(positions: Tensor) -> Tensor:
    """Return a copy of ``positions`` of any shape whose values are read at most once for all layers.

    The copy keeps its results true when the caller changes the given tensor in place. Integers of any type
    become int64. Positions that are already known are returned as they are.
    """
    if torch.compiler.is_compiling() or keeps_results(positions):
        return positions
    return keep_results_of(as_int64(positions).clone())


def as_int64(positions: Tensor) -> Tensor:
    """Return integers of any type as int64, so that sums and differences do not wrap; others as they are."""
    whole = not (positions.is_floating_point() or positions.is_complex() or positions.dtype == torch.bool)
    return positions.long() if whole else positions


def joined(earlier: Positions, later: Positions) -> Positions:
    """Return the positions of both, earlier tokens first; all layers that join these two get one result."""
    if isinstance(earlier, Located) and isinstance(later, Located):
        coordinates, places = zip(earlier, later, strict=True)
        return Located(_joined_once(*coordinates, 2), _joined_once(*places, 1))
    return _joined_once(places_in(earlier), places_in(later), 1)


def _joined_once(earlier: Tensor, later: Tensor, axes: int) -> Tensor:
    return computed_once(later, "joined", lambda: _joined(earlier, later, axes), earlier)


def _joined(earlier: Tensor, later: Tensor, axes: int) -> Tensor:
    """Join tensors whose last ``axes`` axes are one text's; a single text's count for a whole batch.

    If the summaries of both are known, and positions are in order, that of the result needs no reading.
    """
    first, second = result_of(earlier, "summary"), result_of(later, "summary")
    if earlier.shape[:-axes] != later.shape[:-axes]:
        rows = max(len(part) for part in (earlier, later) if part.ndim > axes)
        earlier, later = (part.expand(rows, *part.shape[-axes:]) for part in (earlier, later))
    whole = torch.cat((earlier, later), dim=-axes)
    if not (first and second and first.in_order and second.in_order and first.last <= second.first):
        return keep_results_of(whole)  # read when a layer asks for the summary
    return keep_results_of(whole, summary=PositionSummary(first.first, second.last, in_order=True))


def positions_at(positions: Positions, tokens: slice | Tensor) -> Positions:
    """Return the positions of some tokens, a slice with both ends or their places [n], as known positions."""
    if isinstance(positions, Located):
        coordinates = known_positions(positions.coordinates[..., tokens, :])
        return Located(coordinates, places_in(positions_at(positions.places, tokens)))
    return known_positions(positions[..., tokens])


def summary_of(positions: Tensor) -> PositionSummary:
    """Return the summary of ``positions``; for known positions the values are read once.

    Raises:
        RuntimeError: the values cannot be read (``hides_numbers``).
    """
    return computed_once(positions, "summary", lambda: _read_summary(positions))


def _read_summary(positions: Tensor) -> PositionSummary:
    if not positions.numel():
        return PositionSummary(0, -1, in_order=True)
    positions = torch.atleast_1d(as_int64(positions.detach()))
    facts = (*positions.aminmax(), (positions.diff(dim=-1) >= 0).all())
    first, last, in_order = torch.stack([fact.to(positions.dtype) for fact in facts]).tolist()
    return PositionSummary(first, last, bool(in_order))


def positions_of(
    name: str, positions: Any, batch: int, length: int, device: torch.device, axes: int = 1
) -> Tensor:
    """Return ``positions`` if they fit; ValueError otherwise.

    They fit if they are on ``device`` and have the shape [length] or [batch, length]; for several ``axes``,
    [length, axes] or [batch, length, axes]. Known positions are checked once for each shape, not in each
    layer.
    """
    if not isinstance(positions, Tensor):
        example = f"torch.arange({length})" if axes == 1 else f"torch.zeros({length}, {axes})"
        raise BilingualValueError(
            f"{name} 必须是张量，例如 {example}，收到 {type(positions).__name__}",
            f"{name} must be a tensor, such as {example}; got {type(positions).__name__}",
        )
    fit = ("fits", batch, length, device, axes)
    computed_once(positions, fit, lambda: _check_fit(name, positions, batch, length, device, axes))
    return positions


def _check_fit(
    name: str, positions: Tensor, batch: int, length: int, device: torch.device, axes: int
) -> None:
    shape, of_token = tuple(positions.shape), () if axes == 1 else (axes,)
    if shape not in ((length, *of_token), (batch, length, *of_token), (1, length, *of_token)):
        one, many = [length, *of_token], [batch, length, *of_token]
        zh, en = ("一个位置", "one position") if axes == 1 else (f" {axes} 个坐标", f"{axes} coordinates")
        raise BilingualValueError(
            f"{name} 的形状必须是 {one} 或 {many}，每个词元{zh}，收到 {list(shape)}",
            f"{name} must have shape {one} or {many}, {en} per token; got {list(shape)}",
        )


def real_positions(name: str, positions: Any) -> Tensor:
    """Return ``positions``, integers as int64; ValueError if they are not finite or count too few numbers."""
    kind = positions.dtype if isinstance(positions, Tensor) else type(positions).__name__
    refused = (torch.bool, torch.bfloat16, torch.float16)
    if not isinstance(positions, Tensor) or positions.dtype in refused or positions.is_complex():
        raise BilingualValueError(
            f"{name} 必须是整数、float32 或 float64 的张量，收到 {kind}"
            "（半精度会把远的位置混在一起：bfloat16 里没有 257）",
            f"{name} must be a tensor of integers, float32 or float64; got {kind} "
            "(half precisions mix up distant positions: bfloat16 has no 257)",
        )
    if positions.is_floating_point() and not hides_numbers(positions):
        summary = summary_of(positions)
        for end in (summary.first, summary.last):
            if not math.isfinite(end):
                raise BilingualValueError(
                    f"{name} 必须都是有限数，收到 {end}", f"{name} must all be finite; got {end}"
                )
    return as_int64(positions)


def whole_positions(name: str, positions: Any) -> Tensor:
    """Return ``positions`` as int64; ValueError unless they are integers."""
    positions = real_positions(name, positions)
    if positions.is_floating_point():
        raise BilingualValueError(
            f"{name} 必须是整数，表里两行之间没有别的行，收到 {positions.dtype}",
            f"{name} must be integers, a table has no row between two rows; got {positions.dtype}",
        )
    return positions
