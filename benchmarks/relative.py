"""Shaw's relative vectors beside plain attention and the form that builds [L, L, d]; also T5 and ALiBi."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from benchmarks.side_by_side import (
    job,
    memory_kept,
    milliseconds,
    on_threads,
    peak_bytes,
    ratio,
    table,
    taking_turns,
    verdict,
)
from posenc_lessons.encodings import ALiBi, PositionEncoding, ShawRelative, T5RelativeBias, relative_distances
from posenc_lessons.experiments.machine import threads

SHORT, LONG = (8, 12, 512, 64), (1, 32, 2048, 128)  # B, H, L, d_head
SCORES = 4 * SHORT[0] * SHORT[1] * SHORT[2] ** 2  # bytes of the scores [B, H, L, L]
THREADS = (1, 2)
SECONDS = 3.0  # for each of the short measurements
CLIP = 16
SLOW = ("built", "t5", "alibi")  # left out of the rounds at the long shape

TITLES = {
    "plain": "plain attention, no positions",
    "shaw": "`ShawRelative`, keys and values",
    "keys": "`ShawRelative`, keys only",
    "built": "Shaw, [L, L, d] built",
    "t5": "`T5RelativeBias`",
    "alibi": "`ALiBi`",
}


def attend(q: Tensor, k: Tensor, v: Tensor, encoding: PositionEncoding | None, at: Tensor) -> Tensor:
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
    n_heads, length, width = shape[1:]
    q, k, v = (torch.randn(shape, requires_grad=backward) for _ in range(3))
    gradient, at = torch.randn(shape) if backward else None, torch.arange(length)
    shaw = ShawRelative(width, CLIP)
    assert shaw.key_table is not None and shaw.value_table is not None
    tables = (shaw.key_table, shaw.value_table)

    def by_doors(encoding: PositionEncoding | None) -> Callable[[], object]:
        learned = [] if encoding is None else list(encoding.parameters())
        return job(lambda: attend(q, k, v, encoding, at), (q, k, v, *learned), gradient)

    return {
        "plain": by_doors(None),
        "shaw": by_doors(shaw),
        "keys": by_doors(ShawRelative(width, CLIP, values=False)),
        "built": job(lambda: attend_with_all_built(q, k, v, *tables), (q, k, v, *tables), gradient),
        "t5": by_doors(T5RelativeBias(n_heads)),
        "alibi": by_doors(ALiBi(n_heads)),
    }


def run() -> str:
    """Measure and return a section of Markdown."""
    lines = ["## Relative encodings in attention (float32)", ""]
    worst: dict[int, float] = {}
    memory = {name: peak_bytes(way) for name, way in jobs(SHORT, backward=False).items()}
    for count in THREADS:
        with threads(count), memory_kept():
            forward, both = (taking_turns(jobs(SHORT, backward), SECONDS) for backward in (False, True))
            ways = jobs(LONG, backward=False)
            long = taking_turns({name: way for name, way in ways.items() if name not in SLOW}, 0)
            if count == 1:  # measured only on one thread, because it is so slow
                built = taking_turns({"plain": ways["plain"], "built": ways["built"]}, 0, 1, warm_up=False)
                worst = {SHORT[2]: ratio(forward, "shaw", "plain"), LONG[2]: ratio(long, "shaw", "plain")}
        rows = []
        for name, title in TITLES.items():
            far = long if name in long else built if name == "built" and count == 1 else None
            cells = [ratio(forward, name, "plain"), ratio(both, name, "plain")]
            cells += [ratio(far, name, "plain")] if far else []
            gap = [""] * (3 - len(cells))
            rows.append([title, *(f"{cell:.2f}" for cell in cells), *gap, f"{memory[name] / SCORES:.1f}"])
        lines += [
            f"{on_threads(count)}, against plain attention, which takes "
            f"{milliseconds(forward, 'plain'):.0f}, {milliseconds(both, 'plain'):.0f} and "
            f"{milliseconds(long, 'plain'):.0f} ms:",
            "",
            *table(f"how | {SHORT} | … and backward | {LONG} | memory", rows),
        ]
    lines += ["Memory: the most at one moment, forward, in sizes of the scores [B, H, L, L].", ""]
    lines += ["Goals for Shaw, forward on one thread, against plain attention:", ""]
    lines += [f"- L = {length}: {verdict(worst[length], goal)}" for length, goal in ((512, 2.3), (2048, 1.8))]
    buffers = round(memory["shaw"] / SCORES, 1)
    return "\n".join([*lines, f"- buffers of the size of the scores: {verdict(buffers, 3)}", ""])
