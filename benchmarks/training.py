"""Training steps per second with each encoding, against the same model without one."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch.nn import functional as F

from benchmarks.side_by_side import memory_kept, milliseconds, ratio, table, taking_turns
from posenc_lessons.experiments import copy_back
from posenc_lessons.experiments.machine import threads
from posenc_lessons.models.registry import COURSE_ENCODINGS
from posenc_lessons.models.transformer import DecoderOnly

# The race's model, and one wide and long enough for the arithmetic to outweigh the calls.
SIZES = {
    "batch 32, length 32, d_model 64": (32, 32, 64, 4),
    "batch 8, length 256, d_model 256": (8, 256, 256, 8),
}
N_LAYERS = 2
SECONDS = 12.0  # for each size


def steps(batch_size: int, length: int, d_model: int, n_heads: int) -> dict[str, Callable[[], object]]:
    """One step of training with each encoding: forward, backward, Adam."""
    task = copy_back(3)
    tokens, targets, counted = task.batch(batch_size, length, torch.Generator().manual_seed(0))

    def step(model: DecoderOnly, optimizer: torch.optim.Optimizer) -> None:
        logits = model(tokens)
        assert isinstance(logits, torch.Tensor)
        optimizer.zero_grad()
        F.cross_entropy(logits[counted], targets[counted]).backward()
        optimizer.step()

    def way(name: str) -> Callable[[], object]:
        model = DecoderOnly(task.vocab_size, d_model, n_heads, N_LAYERS, encoding=name, max_len=length)
        optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
        return lambda: step(model, optimizer)

    return {name: way(name) for name in COURSE_ENCODINGS}


def run() -> str:
    """Measure; a section of Markdown."""
    columns = {}
    with threads(1), memory_kept():
        for title, size in SIZES.items():
            times = taking_turns(steps(*size), SECONDS)
            columns[title] = {
                name: (1000 / milliseconds(times, name), ratio(times, "none", name))
                for name in COURSE_ENCODINGS
            }
    rows = [
        [name, *(f"{column[name][0]:.3g} ({column[name][1]:.2f})" for column in columns.values())]
        for name in COURSE_ENCODINGS
    ]
    lines = [
        "## Training steps per second, by encoding (float32, 1 thread)",
        "",
        f"`DecoderOnly` with {N_LAYERS} layers, forward, backward and Adam; in brackets: relative to none.",
        "",
        *table(" | ".join(["encoding", *columns]), rows),
    ]
    return "\n".join(lines)
