"""CoPE beside the listing in its paper and beside causal attention without positions."""

import math
from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor

from benchmarks.side_by_side import Times, job, memory_kept, peak_bytes, ratio, table, taking_turns, verdict
from posenc_lessons.encodings import CoPE
from posenc_lessons.experiments.machine import threads
from posenc_lessons.models import causal_mask

SHAPES = ((8, 12, 256, 64), (1, 12, 1024, 64))  # B, H, L, d_head
POSITIONS = 64
SECONDS = 4.0  # for each measurement

Jobs = dict[str, Callable[[], object]]


def listed_bias(query: Tensor, logits: Tensor, table: Tensor) -> Tensor:
    """Compute the listing of Golovneva et al. 2024 step by step; ``logits`` are already masked."""
    gates = torch.sigmoid(logits)
    positions = gates.flip(-1).cumsum(dim=-1).flip(-1).clamp(max=len(table) - 1)
    above, below = positions.ceil().long(), positions.floor().long()
    whole = query @ table.T
    from_above, from_below = whole.gather(-1, above), whole.gather(-1, below)
    share = positions - below
    return from_above * share + from_below * (1 - share)


def attend(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor, bias: Callable[[Tensor, Tensor], Tensor] | None
) -> Tensor:
    """Compute causal attention eagerly; ``mask`` [L, L] is 0 where a query may look and −inf elsewhere."""
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores += mask
    if bias is not None:
        scores = bias(q, scores).add_(scores)
    weights = scores.softmax(dim=-1)
    del scores
    return weights @ v


def jobs(shape: tuple[int, int, int, int], backward: bool, n_positions: int) -> Jobs:
    """Return functions for attention each way, with ``backward`` also for the gradients of all inputs."""
    length, width = shape[2:]
    q, k, v = (torch.randn(shape, requires_grad=backward) for _ in range(3))
    gradient, at = torch.randn(shape) if backward else None, torch.arange(length)
    mask = torch.zeros(length, length).masked_fill(~causal_mask(length), -math.inf)
    cope = CoPE(width, n_positions)
    torch.nn.init.normal_(cope.table, std=0.1)

    biases: dict[str, Callable[[Tensor, Tensor], Tensor] | None] = {
        "plain": None,
        "listing": lambda query, scores: listed_bias(query, scores, cope.table),
        "ours": lambda query, scores: cope.score_bias(query, query, at, at, scores),
    }
    return {
        name: job(
            partial(attend, q, k, v, mask, bias),
            (q, k, v) if bias is None else (q, k, v, cope.table),
            gradient,
        )
        for name, bias in biases.items()
    }


def measure(shape: tuple[int, int, int, int], n_positions: int) -> dict[str, list[float]]:
    """Return our times, then our memory, as multiples of each other way's: forward, then with backward."""
    times, peaks = list[Times](), list[dict[str, int]]()
    for backward in (False, True):
        ways = jobs(shape, backward, n_positions)
        if not backward:
            torch.testing.assert_close(ways["ours"](), ways["listing"](), rtol=0, atol=1e-5)
        peaks.append({name: peak_bytes(way) for name, way in ways.items()})
        with memory_kept():
            times.append(taking_turns(ways, SECONDS))
    others = ("listing", "plain")
    in_time = {other: [ratio(one, "ours", other) for one in times] for other in others}
    return {other: [*in_time[other], *(one["ours"] / one[other] for one in peaks)] for other in others}


def run() -> str:
    """Measure on one thread and return a section of Markdown."""
    torch.manual_seed(0)
    rows, goals = [], []
    for shape in SHAPES:
        for n_positions in (POSITIONS, shape[2] + 1):
            with threads(1):
                measured = measure(shape, n_positions)
            pairs = zip(measured["listing"], measured["plain"], strict=True)
            rows.append(
                [str(shape), str(n_positions), *(f"{listing:.2f} ({plain:.1f})" for listing, plain in pairs)]
            )
            if n_positions == POSITIONS:
                goals += against_goals(shape[2], measured["listing"])
    lines = [
        "## CoPE in causal attention (float32)",
        "",
        "One thread, ours against the listing; in brackets against attention without positions:",
        "",
        *table("shape | rows of the table | forward | … and backward | memory | … and backward", rows),
        f"Goals, {POSITIONS} rows, against the listing:",
        "",
    ]
    return "\n".join([*lines, *goals, ""])


def against_goals(length: int, ratios: list[float]) -> list[str]:
    what = ("forward", "forward and backward", "memory", "memory, forward and backward")
    actual = zip(what, ratios, (0.75, 0.8, 0.75, 0.75), strict=True)
    return [f"- L = {length}, {name}: {verdict(value, goal)}" for name, value, goal in actual]
