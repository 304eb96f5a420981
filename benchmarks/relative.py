"""Shaw's relative vectors beside plain attention and beside the form that builds [L, L, d]."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from benchmarks.side_by_side import (
    job,
    memory_kept,
    milliseconds,
    peak_bytes,
    ratio,
    table,
    taking_turns,
    verdict,
)
from posenc_lessons.encodings import ShawRelative, relative_distances
from posenc_lessons.experiments.machine import threads

SHORT, LONG = (8, 12, 512, 64), (1, 32, 2048, 128)  # B, H, L, d_head
SCORES = 4 * SHORT[0] * SHORT[1] * SHORT[2] ** 2  # bytes of the scores [B, H, L, L]
SECONDS = 3.0  # for each of the short measurements
CLIP = 16

TITLES = {
    "plain": "plain attention, no positions",
    "shaw": "`ShawRelative`",
    "built": "Shaw, [L, L, d] built",
}


def attend(q: Tensor, k: Tensor, v: Tensor, encoding: ShawRelative | None, at: Tensor) -> Tensor:
    """Compute attention through doors 3 and 4 eagerly."""
    scores = q / math.sqrt(q.shape[-1]) @ k.mT
    bias = None if encoding is None else encoding.score_bias(q, q, at, at, None)
    if bias is not None:
        scores = scores + bias
        del bias
    weights = scores.softmax(dim=-1)
    del scores
    extra = None if encoding is None else encoding.value_bias(weights, at, at)
    heads = weights @ v
    return heads if extra is None else heads + extra


def attend_with_all_built(q: Tensor, k: Tensor, v: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    """Compute Shaw's equations 3 and 4 as written, with a vector for every query and key."""
    rows = relative_distances(q.shape[-2], k.shape[-2], CLIP) + CLIP
    scaled = q / math.sqrt(q.shape[-1])
    scores = scaled @ k.mT + torch.einsum("bhid,ijd->bhij", scaled, keys[rows])
    weights = scores.softmax(dim=-1)
    return weights @ v + torch.einsum("bhij,ijd->bhid", weights, values[rows])


def jobs(shape: tuple[int, int, int, int], backward: bool) -> dict[str, Callable[[], object]]:
    """Return functions for attention each way, with ``backward`` also for the gradients of all inputs."""
    length, width = shape[2:]
    q, k, v = (torch.randn(shape, requires_grad=backward) for _ in range(3))
    gradient, at = torch.randn(shape) if backward else None, torch.arange(length)
    shaw = ShawRelative(width, CLIP)
    assert shaw.key_table is not None and shaw.value_table is not None
    tables = (shaw.key_table, shaw.value_table)
    return {
        "plain": job(lambda: attend(q, k, v, None, at), (q, k, v), gradient),
        "shaw": job(lambda: attend(q, k, v, shaw, at), (q, k, v, *tables), gradient),
        "built": job(lambda: attend_with_all_built(q, k, v, *tables), (q, k, v, *tables), gradient),
    }


def run() -> str:
    """Measure on one thread and return a section of Markdown."""
    memory = {name: peak_bytes(way) for name, way in jobs(SHORT, backward=False).items()}
    with threads(1), memory_kept():
        forward, both = (taking_turns(jobs(SHORT, backward), SECONDS) for backward in (False, True))
        far = taking_turns(jobs(LONG, backward=False), 0)
    rows = [
        [
            title,
            *(f"{ratio(times, name, 'plain'):.2f}" for times in (forward, both, far)),
            f"{memory[name] / SCORES:.1f}",
        ]
        for name, title in TITLES.items()
    ]
    worst = {SHORT[2]: ratio(forward, "shaw", "plain"), LONG[2]: ratio(far, "shaw", "plain")}
    lines = [
        "## Relative encodings in attention (float32)",
        "",
        f"One thread, against plain attention, which takes {milliseconds(forward, 'plain'):.0f}, "
        f"{milliseconds(both, 'plain'):.0f} and {milliseconds(far, 'plain'):.0f} ms:",
        "",
        *table(f"how | {SHORT} | … and backward | {LONG} | memory", rows),
        "Memory: the most at one moment, forward, in sizes of the scores [B, H, L, L].",
        "",
        "Goals for Shaw, forward, against plain attention:",
        "",
        *(f"- L = {length}: {verdict(worst[length], goal)}" for length, goal in ((512, 2.3), (2048, 1.8))),
    ]
    buffers = round(memory["shaw"] / SCORES, 1)
    return "\n".join([*lines, f"- buffers of the size of the scores: {verdict(buffers, 3)}", ""])
