"""Our encoder layer beside PyTorch's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import torch
from torch import Tensor, nn
from torch.testing import assert_close

from benchmarks.side_by_side import (
    Times,
    job,
    memory_kept,
    on_threads,
    ratio,
    table,
    taking_turns,
    verdict,
)
from posenc_lessons.experiments.machine import threads
from posenc_lessons.models import EncoderLayer

SHAPES = ((32, 16, 64, 4), (8, 128, 256, 8), (4, 512, 512, 8))  # B, L, d_model, n_heads
THREADS = (1, 2)
SECONDS = 3.0  # for each measurement
GOAL = 1.1
KINDS = ("forward", "forward, causal", "forward and backward", "forward and backward, causal")


def twin(ours: EncoderLayer) -> nn.TransformerEncoderLayer:
    """Return PyTorch's layer with the same weights."""
    attention, feed = ours.attention, ours.feed
    theirs = nn.TransformerEncoderLayer(
        attention.d_model,
        attention.n_heads,
        feed.up.out_features,
        dropout=0.0,
        batch_first=True,
        norm_first=ours.norm_first,
    )
    stacked = (attention.w_query, attention.w_key, attention.w_value)
    with torch.no_grad():
        theirs.self_attn.in_proj_weight.copy_(torch.cat([layer.weight for layer in stacked]))
        theirs.self_attn.in_proj_bias.copy_(torch.cat([layer.bias for layer in stacked]))
    for moved, original in (
        (theirs.self_attn.out_proj, attention.w_out),
        (theirs.linear1, feed.up),
        (theirs.linear2, feed.down),
        (theirs.norm1, ours.norm_attention),
        (theirs.norm2, ours.norm_feed),
    ):
        moved.load_state_dict(original.state_dict())
    return theirs


@contextmanager
def fast_path(on: bool) -> Iterator[None]:
    """Switch PyTorch's kernel for a whole layer, which needs eval mode and no gradients or causal mask."""
    original = torch.backends.mha.get_fastpath_enabled()
    torch.backends.mha.set_fastpath_enabled(on)
    try:
        yield
    finally:
        torch.backends.mha.set_fastpath_enabled(original)


def layers_side_by_side(shape: tuple[int, int, int, int]) -> dict[str, Times]:
    """Return the times of ``ours``, ``theirs`` and any ``fast`` path, for each of ``KINDS``."""
    batch, length, d_model, n_heads = shape
    ours = EncoderLayer(d_model, n_heads)
    theirs = twin(ours)
    x, gradient = torch.randn(2, batch, length, d_model)
    hidden = nn.Transformer.generate_square_subsequent_mask(length)

    def us(causal: bool) -> Tensor:
        return ours(x, causal=causal)[0]

    def them(causal: bool, fast: bool = False) -> Tensor:
        with fast_path(fast):
            return theirs(x, src_mask=hidden, is_causal=True) if causal else theirs(x)

    measured = {}
    for kind in KINDS:
        backward, causal = "backward" in kind, "causal" in kind
        for layer in (ours, theirs):
            layer.train(backward)
        x.requires_grad_(backward)
        assert_close(us(causal), them(causal), rtol=0, atol=1e-4)
        last = gradient if backward else None
        ways = {
            name: job(partial(way, causal), (x, *layer.parameters()), last)
            for name, way, layer in (("ours", us, ours), ("theirs", them, theirs))
        }
        if not backward and not causal:
            ways["fast"] = job(partial(them, False, fast=True), (), None)
        measured[kind] = taking_turns(ways, SECONDS)
    return measured


def run() -> str:
    """Measure and return a section of Markdown."""
    torch.manual_seed(0)
    return "\n".join(["## Transformer (float32)", "", *_layers()])


def _layers() -> list[str]:
    lines = [
        "`EncoderLayer` against `torch.nn.TransformerEncoderLayer` with the same weights, norms first, "
        "no dropout; the shapes are B, L, d_model, heads. At rest and without a mask PyTorch can take a "
        "kernel for the whole layer (its fast path): the number after the slash is against that.",
        "",
    ]
    rows, goals = [], []
    for count in THREADS:
        with threads(count), memory_kept():
            for shape in SHAPES:
                times = layers_side_by_side(shape)
                cells = [f"{ratio(t, 'ours', 'theirs'):.2f}" for t in times.values()]
                cells[0] += f" / {ratio(times['forward'], 'ours', 'fast'):.2f}"
                rows.append([str(count), str(shape), *cells])
                worst = max(ratio(t, "ours", "theirs") for t in times.values())
                fast = ratio(times["forward"], "ours", "fast")
                goals.append(
                    f"- {on_threads(count)}, {shape}: the worst of the four "
                    f"{verdict(worst, GOAL)}, against the fast path {verdict(fast, GOAL)}"
                )
    return [*lines, *table(" | ".join(["threads", "shape", *KINDS]), rows, (1,)), "Goals:", "", *goals, ""]
