"""Our encoder layer beside PyTorch's, and decoding with a cache beside decoding without."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

import torch
from torch import Tensor, nn
from torch.testing import assert_close

from benchmarks.side_by_side import (
    Times,
    job,
    memory_kept,
    milliseconds,
    on_threads,
    ratio,
    table,
    taking_turns,
    verdict,
)
from posenc_lessons.experiments.machine import threads
from posenc_lessons.models import COURSE_ENCODINGS, DecoderOnly, EncoderLayer

SHAPES = ((32, 16, 64, 4), (8, 128, 256, 8), (4, 512, 512, 8))  # B, L, d_model, n_heads
THREADS = (1, 2)
SECONDS = 3.0  # for each measurement
GOAL = 1.1
LENGTHS = (16, 32, 64, 128, 256, 512, 1024)
VOCAB, WIDTH, HEADS, LAYERS = 64, 128, 4, 4  # sizes of the model that decodes
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


def one_more_token(model: DecoderOnly, length: int) -> Times:
    """Return the times of computing token ``length`` with a cache, and all ``length`` tokens without."""
    text = torch.randint(VOCAB, (1, length))
    with torch.no_grad():
        cache = model.new_cache()
        model(text[:, :-1], cache=cache)

        def kept() -> None:
            cache.rewind(length - 1)
            model(text[:, -1:], cache=cache)

        def again() -> None:
            model(text)

        return taking_turns({"kept": kept, "again": again}, SECONDS / 4, least=7)


def run() -> str:
    """Measure and return a section of Markdown."""
    torch.manual_seed(0)
    return "\n".join(["## Transformer (float32)", "", *_layers(), *_decoding(), *_by_encoding()])


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


def _decoding() -> list[str]:
    with threads(1), memory_kept():
        model = DecoderOnly(VOCAB, WIDTH, HEADS, LAYERS).eval()  # without position encoding
        steps = [(length, one_more_token(model, length)) for length in LENGTHS]
    return [
        f"One more token with a cache, against working out the whole text again ({LAYERS} layers, "
        f"d_model {WIDTH}, {HEADS} heads, batch 1, one thread):",
        "",
        *_with_and_without("length", steps, ()),
    ]


def _by_encoding() -> list[str]:
    length, measured = 512, []
    with threads(1), memory_kept():
        for name in COURSE_ENCODINGS:
            model = DecoderOnly(VOCAB, WIDTH, HEADS, LAYERS, name, max_len=length).eval()
            measured.append((name, one_more_token(model, length)))
    return [
        f"The same for token {length}, with each encoding:",
        "",
        *_with_and_without("encoding", measured, (0,)),
    ]


def _with_and_without(
    head: str, measured: Sequence[tuple[object, Times]], words: Collection[int]
) -> list[str]:
    rows = [
        [
            str(of),
            *(f"{milliseconds(times, way):.2f}" for way in ("kept", "again")),
            f"{ratio(times, 'again', 'kept'):.1f}",
        ]
        for of, times in measured
    ]
    return table(f"{head} | with cache, ms | without, ms | without / with cache", rows, words)
