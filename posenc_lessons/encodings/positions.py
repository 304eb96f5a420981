"""What positions may be, and what one look at them tells.

To look at the numbers in a tensor, the host waits for the device. So whoever lets positions in, attention or
a stack of layers, does it through ``counted_positions`` (0, 1, 2, …: nothing to look at) or
``known_positions``, and hands the same tensor to every layer. What an encoding asks of it, with
``summary_of`` and ``worked_out_once``, is then worked out once for all layers, and forgotten when the tensor
is. Any other tensor of positions is served as well, and looked at whenever it comes.

While ``torch.compile`` or ``torch.export`` traces, nobody looks: what would be refused for its numbers (a
position that is not finite, or that a table has no row for) is not refused then.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, TypeVar

import torch
from torch import Tensor

from posenc_lessons.encodings.arguments import check_device
from posenc_lessons.language import BilingualValueError


@dataclass(frozen=True)
class PositionSummary:
    """What one look at positions tells.

    Attributes:
        first, last: the least and the largest of them; 0 and −1 where there are none.
        in_order: no position is less than the one before it, in any row.
        consecutive: each is known to be the one before it plus one, in every row.
    """

    first: float
    last: float
    in_order: bool
    consecutive: bool


_Found = TypeVar("_Found")
_MEMORY = "worked_out"  # the attribute of our own position tensors in which what was found is kept


def counted_positions(start: int, length: int, device: torch.device) -> Tensor:
    """The positions start, start + 1, …, int64 [length], whose summary is known without a look."""
    return _with_memory(
        torch.arange(start, start + length, device=device),
        PositionSummary(start, start + length - 1, in_order=True, consecutive=True),
    )


def known_positions(positions: Tensor) -> Tensor:
    """A copy of ``positions`` [L] or [B, L] that is looked at once at most, however many layers ask.

    (A copy, for what is known must stay so when the caller goes on counting in the tensor it gave.) One that
    is known already is returned as it is.
    """
    if torch.compiler.is_compiling() or _MEMORY in vars(positions):
        return positions
    return _with_memory(positions.clone())


def joined_positions(earlier: Tensor, later: Tensor) -> Tensor:
    """Both, along the last axis: [L₁ + L₂] or [B, L₁ + L₂], known without a look where both are."""
    joined = torch.cat((earlier, later), dim=-1)
    if torch.compiler.is_compiling():
        return joined
    before, after = (vars(part).get(_MEMORY, {}).get("summary") for part in (earlier, later))
    if not (before and after and before.in_order and after.in_order and before.last <= after.first):
        return _with_memory(joined)  # to be looked at when somebody asks
    consecutive = before.consecutive and after.consecutive and before.last + 1 == after.first
    consecutive = consecutive and after.last - before.first + 1 == joined.shape[-1]
    return _with_memory(joined, PositionSummary(before.first, after.last, True, consecutive))


def summary_of(positions: Tensor) -> PositionSummary:
    """What a look at ``positions`` tells; the look is taken once for known positions.

    Raises:
        RuntimeError: under ``torch.compile``, where nobody may look.
    """
    return worked_out_once(positions, "summary", lambda: _look_at(positions))


def worked_out_once(positions: Tensor, what: Hashable, work_out: Callable[[], _Found]) -> _Found:
    """``work_out()``: for known positions once for each ``what``, for others each time."""
    memory = None if torch.compiler.is_compiling() else vars(positions).get(_MEMORY)
    if memory is None:
        return work_out()
    if what not in memory:
        with torch.inference_mode(False):  # else what is made there could not serve training later
            memory[what] = work_out()
    return memory[what]


def _with_memory(positions: Tensor, summary: PositionSummary | None = None) -> Tensor:
    if not torch.compiler.is_compiling():
        vars(positions)[_MEMORY] = {} if summary is None else {"summary": summary}
    return positions


def _look_at(positions: Tensor) -> PositionSummary:
    if not positions.numel():
        return PositionSummary(0, -1, in_order=True, consecutive=True)
    positions = torch.atleast_1d(positions.detach() if positions.is_floating_point() else positions.long())
    steps = positions.diff(dim=-1)
    told = (*positions.aminmax(), (steps >= 0).all(), (steps == 1).all())
    first, last, in_order, consecutive = torch.stack([x.to(positions.dtype) for x in told]).tolist()
    return PositionSummary(first, last, bool(in_order), bool(consecutive))


def positions_of(name: str, positions: Tensor, batch: int, length: int, device: torch.device) -> Tensor:
    """``positions`` if its shape is [length] or [batch, length] and it is on ``device``; else ValueError."""
    if not isinstance(positions, Tensor):
        raise BilingualValueError(
            f"{name} 必须是张量，例如 torch.arange({length})，收到 {type(positions).__name__}",
            f"{name} must be a tensor, such as torch.arange({length}); got {type(positions).__name__}",
        )
    shape = tuple(positions.shape)
    if shape not in ((length,), (batch, length), (1, length)):
        raise BilingualValueError(
            f"{name} 的形状必须是 [{length}] 或 [{batch}, {length}]，每个词元一个位置，收到 {list(shape)}",
            f"{name} must have shape [{length}] or [{batch}, {length}], one position per token; "
            f"got {list(shape)}",
        )
    check_device(name, positions, device)
    return positions


def real_positions(name: str, positions: Any) -> Tensor:
    """``positions`` if finite real numbers of a type that can count far enough; ValueError otherwise."""
    kind = positions.dtype if isinstance(positions, Tensor) else type(positions).__name__
    if not isinstance(positions, Tensor) or positions.dtype == torch.bool or positions.is_complex():
        raise BilingualValueError(
            f"{name} 必须是整数或实数的张量，收到 {kind}",
            f"{name} must be a tensor of integers or real numbers; got {kind}",
        )
    if positions.dtype in (torch.bfloat16, torch.float16):
        raise BilingualValueError(
            f"{name} 必须是整数、float32 或 float64，收到 {kind}："
            "较远的位置会混在一起（bfloat16 里没有 257）",
            f"{name} must be integers, float32 or float64; got {kind}, in which distant ones run together "
            f"(bfloat16 has no 257)",
        )
    if positions.is_floating_point() and not torch.compiler.is_compiling():
        summary = summary_of(positions)
        for end in (summary.first, summary.last):
            if not math.isfinite(end):
                raise BilingualValueError(
                    f"{name} 必须都是有限数，收到 {end}", f"{name} must all be finite; got {end}"
                )
    return positions


def whole_positions(name: str, positions: Any) -> Tensor:
    """``positions`` as int64; ValueError unless they are integers: a table has no row between two rows."""
    positions = real_positions(name, positions)
    if positions.is_floating_point():
        raise BilingualValueError(
            f"{name} 必须是整数，表里两行之间没有别的行，收到 {positions.dtype}",
            f"{name} must be integers, a table has no row between two rows; got {positions.dtype}",
        )
    return positions.long()
