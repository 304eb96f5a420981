"""Rotary embedding beside other implementations: time, memory, and the error at large positions."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import torch
from torch import Tensor
from transformers import LlamaConfig
from transformers.models.llama import modeling_llama as llama

from benchmarks.side_by_side import (
    Times,
    memory_kept,
    milliseconds,
    on_threads,
    peak_bytes,
    ratio,
    table,
    taking_turns,
    verdict,
)
from posenc_lessons.encodings import RotaryEncoding, apply_rotary
from posenc_lessons.encodings.positions import known_positions
from posenc_lessons.experiments.machine import threads

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # they still import torch.jit.script
    import rotary_embedding_torch  # type: ignore[import-untyped]
    from x_transformers import x_transformers  # type: ignore[import-untyped]

SHAPES = ((8, 12, 512, 64), (1, 32, 2048, 128))
KINDS = (torch.float32, torch.bfloat16)
THREADS = (1, 2)
SECONDS = 2.4  # for each shape, precision, number of threads, and direction
FAR = (0, 10**4, 10**6)

Turn = Callable[[Tensor], Tensor]
TITLES = {
    "copy": "a plain copy",
    "interleaved": "`RotaryEncoding`, interleaved",
    "half_split": "`RotaryEncoding`, half-split",
    "transformers": "transformers (LLaMA)",
    "x": "x-transformers",
    "lucidrains": "rotary-embedding-torch",
    "complex": "complex, tables at hand",
}


def turns(width: int, at: Tensor, kind: torch.dtype) -> dict[str, Turn]:
    """Return each way to rotate a tensor [B, H, L, width] at positions ``at``, with tables made beforehand.

    Ours gets known positions, as attention passes to its layers, so that tables are made only once.
    """
    exact = known_positions(at)
    interleaved, half_split = RotaryEncoding(width), RotaryEncoding(width, pairing="half_split")
    config = LlamaConfig(hidden_size=width, num_attention_heads=1)
    cos, sin = llama.LlamaRotaryEmbedding(config)(torch.zeros(1, dtype=kind), at[None])
    angles, _ = x_transformers.RotaryEmbedding(width)(at)
    lucidrains, first = rotary_embedding_torch.RotaryEmbedding(width), int(at[0])
    table = torch.polar(torch.ones(len(at), width // 2), angles[0, :, ::2])
    return {
        "copy": torch.clone,
        "interleaved": lambda x: interleaved.turn(x, exact),
        "half_split": lambda x: half_split.turn(x, exact),
        "transformers": lambda x: llama.apply_rotary_pos_emb(x, x[:, :0], cos, sin)[0],
        "x": lambda x: x_transformers.apply_rotary_pos_emb(x, angles),
        "lucidrains": lambda x: lucidrains.rotate_queries_or_keys(x, offset=first),
        "complex": lambda x: by_complex_numbers(x, table),
    }


def by_complex_numbers(x: Tensor, table: Tensor) -> Tensor:
    pairs = torch.view_as_complex(x.float().unflatten(-1, (-1, 2)))
    return torch.view_as_real(pairs * table).flatten(-2).to(x.dtype)


def jobs(shape: tuple[int, ...], kind: torch.dtype, backward: bool) -> dict[str, Callable[[], object]]:
    """Return functions that rotate a query and a key each way, with ``backward`` also their gradients."""
    q, k = (torch.randn(shape, dtype=kind, requires_grad=backward) for _ in range(2))
    gradient = torch.randn(shape, dtype=kind)

    def job(turn: Turn) -> Callable[[], object]:
        if not backward:
            return lambda: (turn(q), turn(k))
        return lambda: torch.autograd.grad((turn(q), turn(k)), (q, k), (gradient, gradient))

    ways = turns(shape[-1], torch.arange(shape[-2]), kind)
    return {name: job(turn) for name, turn in ways.items()}


def errors(first: int) -> dict[str, float]:
    """Return float32's largest error at 512 positions from ``first``, as a share of the largest |x|."""
    torch.manual_seed(0)
    x, at = torch.randn(1, 2, 512, 64), torch.arange(first, first + 512)
    exact = {
        "half_split": apply_rotary(x.double(), at, pairing="half_split"),
        "interleaved": apply_rotary(x.double(), at),
    }
    actual = {}
    for name, turn in turns(64, at, torch.float32).items():
        if name != "copy":
            right = exact["half_split" if name in ("half_split", "transformers") else "interleaved"]
            actual[name] = ((turn(x).double() - right).abs().max() / x.abs().max()).item()
    return actual


def run() -> str:
    """Measure and return a section of Markdown."""
    lines = ["## Rotary embedding: turning a query and a key", ""]
    measured: dict[tuple[object, ...], Times] = {}
    for count in THREADS:
        for kind in KINDS:
            for shape in SHAPES:
                with threads(count), memory_kept():
                    both = [taking_turns(jobs(shape, kind, backward), SECONDS) for backward in (False, True)]
                    measured[count, kind, shape] = both[0]
                    measured[count, kind, shape, "backward"] = both[1]
                memory = {}
                if count == 1:
                    size = 2 * torch.Size(shape).numel() * kind.itemsize
                    ways = jobs(shape, kind, backward=True)
                    memory = {name: f"{peak_bytes(way) / size:.1f}" for name, way in ways.items()}
                lines += table_of(count, kind, shape, both, memory)
    lines += table_of_errors() + goals(measured)
    return "\n".join([*lines, ""])


def table_of(
    count: int, kind: torch.dtype, shape: tuple[int, ...], both: list[Times], memory: dict[str, str]
) -> list[str]:
    words = f"{on_threads(count)}, {str(kind).removeprefix('torch.')}, {shape}"
    heads = "how | against a copy | against transformers | and backward, against a copy | … transformers"
    rows = [
        [title, *(f"{ratio(times, name, to):.2f}" for times in both for to in ("copy", "transformers"))]
        + ([memory[name]] if memory else [])
        for name, title in TITLES.items()
    ]
    note = "Memory: the most at one moment, forward and backward, in sizes of query and key together."
    return [
        f"{words}; a copy takes {milliseconds(both[0], 'copy'):.1f} ms:",
        "",
        *table(f"{heads} | memory" if memory else heads, rows),
        *([note, ""] if memory else []),
    ]


def table_of_errors() -> list[str]:
    at = {first: errors(first) for first in FAR}
    rows = [
        [title, *(f"{at[first][name]:.0e}" for first in FAR)]
        for name, title in TITLES.items()
        if name != "copy"
    ]
    words = "Largest error in float32, as a share of the largest number turned, at 512 positions:"
    return [words, "", *table(" | ".join(["how", *(f"from {first:,}" for first in FAR)]), rows)]


def worst(
    measured: dict[tuple[object, ...], Times], name: str, to: str, kind: torch.dtype, *more: str
) -> float:
    """Return the time of ``name`` as a multiple of ``to``'s, on one thread, at the worse of two shapes."""
    keys = [(1, kind, shape, *more) for shape in SHAPES]
    return max(ratio(measured[key], name, to) for key in keys)


def goals(measured: dict[tuple[object, ...], Times]) -> list[str]:
    """Return our goals on one thread, and whether they are met."""
    lines = ["Goals, on one thread, the worse of the two shapes:", ""]
    floor = worst(measured, "complex", "copy", torch.float32)
    for what, name, kind, to, goal, goal_with_backward in (
        ("interleaved", "interleaved", torch.float32, "copy", max(1.3, floor), 0.3),
        ("half-split", "half_split", torch.float32, "transformers", 0.8, 0.75),
        ("interleaved", "interleaved", torch.bfloat16, "transformers", 0.9, 0.9),
        ("half-split", "half_split", torch.bfloat16, "transformers", 0.9, 0.9),
    ):
        forward = worst(measured, name, to, kind)
        both = worst(measured, name, "transformers", kind, "backward")
        against = "a copy" if to == "copy" else to
        lines += [
            f"- {what}, {str(kind).removeprefix('torch.')}, against {against}: {verdict(forward, goal)}",
            f"- … and backward, against transformers: {verdict(both, goal_with_backward)}",
        ]
    lines.append(
        f"- … the floor, one complex multiplication with its table at hand, against a copy: {floor:.3g} "
        "(the goal above is 1.3, or this where it is more: that depends on the machine's memory)"
    )
    above = worst(measured, "interleaved", "complex", torch.float32)
    lines.append(f"- … interleaved, float32, against that floor: {verdict(above, 1.05)}")
    far = errors(10**6)
    ours = max(far["interleaved"], far["half_split"])
    return [*lines, f"- error at 1,000,000: {verdict(ours, 1e-5)}"]
