"""Rotary embedding beside a plain copy and transformers: time, memory, the error at large positions."""

import itertools
from collections.abc import Callable

import torch
from torch import Tensor
from transformers import LlamaConfig
from transformers.models.llama import modeling_llama as llama

from benchmarks.side_by_side import (
    Times,
    job,
    memory_kept,
    milliseconds,
    peak_bytes,
    ratio,
    table,
    taking_turns,
    verdict,
)
from posenc_lessons.encodings import RotaryEncoding, apply_rotary
from posenc_lessons.encodings.positions import known_positions
from posenc_lessons.experiments.machine import threads

SHAPES = ((8, 12, 512, 64), (1, 32, 2048, 128))
KINDS = (torch.float32, torch.bfloat16)
SECONDS = 2.4  # for each shape, precision and direction
FAR = 10**6

Turn = Callable[[Tensor], Tensor]
TITLES = {
    "copy": "a plain copy",
    "interleaved": "`RotaryEncoding`, interleaved",
    "half_split": "`RotaryEncoding`, half-split",
    "transformers": "transformers (LLaMA)",
    "complex": "complex, tables at hand",
}


def turns(width: int, length: int, kind: torch.dtype) -> dict[str, Turn]:
    """Return each way to rotate a tensor [B, H, length, width], with tables made beforehand.

    Ours gets known positions, as attention passes to its layers, so that tables are made only once.
    """
    positions = torch.arange(length)
    exact = known_positions(positions)
    interleaved, half_split = RotaryEncoding(width), RotaryEncoding(width, pairing="half_split")
    config = LlamaConfig(hidden_size=width, num_attention_heads=1)
    cos, sin = llama.LlamaRotaryEmbedding(config)(torch.zeros(1, dtype=kind), positions[None])
    angles = torch.outer(positions.float(), 10000.0 ** (-torch.arange(0, width, 2) / width))
    rotations = torch.polar(torch.ones_like(angles), angles)
    return {
        "copy": torch.clone,
        "interleaved": lambda x: interleaved.turn(x, exact),
        "half_split": lambda x: half_split.turn(x, exact),
        "transformers": lambda x: llama.apply_rotary_pos_emb(x, x[:, :0], cos, sin)[0],
        "complex": lambda x: by_complex_numbers(x, rotations),
    }


def by_complex_numbers(x: Tensor, rotations: Tensor) -> Tensor:
    pairs = torch.view_as_complex(x.float().unflatten(-1, (-1, 2)))
    return torch.view_as_real(pairs * rotations).flatten(-2).to(x.dtype)


def jobs(shape: tuple[int, ...], kind: torch.dtype, backward: bool) -> dict[str, Callable[[], object]]:
    """Return functions that rotate a query and a key each way, with ``backward`` also their gradients."""
    q, k = (torch.randn(shape, dtype=kind, requires_grad=backward) for _ in range(2))
    gradients = [torch.randn(shape, dtype=kind)] * 2 if backward else None
    ways = turns(shape[-1], shape[-2], kind)

    def rotated(turn: Turn) -> Callable[[], tuple[Tensor, Tensor]]:
        return lambda: (turn(q), turn(k))

    return {name: job(rotated(turn), (q, k), gradients) for name, turn in ways.items()}


def run() -> str:
    """Measure on one thread and return a section of Markdown."""
    lines = ["## Rotary embedding: turning a query and a key", "", "On one thread.", ""]
    forward: dict[torch.dtype, list[Times]] = {kind: [] for kind in KINDS}
    both: dict[torch.dtype, list[Times]] = {kind: [] for kind in KINDS}
    for kind, shape in itertools.product(KINDS, SHAPES):
        with threads(1), memory_kept():
            measured = [taking_turns(jobs(shape, kind, backward), SECONDS) for backward in (False, True)]
        forward[kind].append(measured[0])
        both[kind].append(measured[1])
        lines += table_of(kind, shape, measured)
    lines += ["Memory: the most at one moment, forward and backward, in sizes of query and key together.", ""]
    return "\n".join([*lines, *goals(forward, both), ""])


def table_of(kind: torch.dtype, shape: tuple[int, ...], measured: list[Times]) -> list[str]:
    size = 2 * torch.Size(shape).numel() * kind.itemsize
    memory = {name: peak_bytes(way) / size for name, way in jobs(shape, kind, backward=True).items()}
    heads = (
        "how | against a copy | against transformers | and backward, against a copy | … transformers | memory"
    )
    rows = [
        [
            title,
            *(f"{ratio(times, name, to):.2f}" for times in measured for to in ("copy", "transformers")),
            f"{memory[name]:.1f}",
        ]
        for name, title in TITLES.items()
    ]
    words = f"{str(kind).removeprefix('torch.')}, {shape}"
    return [f"{words}; a copy takes {milliseconds(measured[0], 'copy'):.1f} ms:", "", *table(heads, rows)]


def worst(times: list[Times], name: str, to: str) -> float:
    """Return the time of ``name`` as a multiple of ``to``'s, at the worse of the two shapes."""
    return max(ratio(measured, name, to) for measured in times)


def goals(forward: dict[torch.dtype, list[Times]], both: dict[torch.dtype, list[Times]]) -> list[str]:
    """Return our goals, and whether they are met."""
    floor = worst(forward[torch.float32], "complex", "copy")
    lines = ["Goals, the worse of the two shapes:", ""]
    for name, kind, to, goal, goal_with_backward in (
        ("interleaved", torch.float32, "copy", max(1.3, floor), 0.3),
        ("half_split", torch.float32, "transformers", 0.8, 0.75),
        ("interleaved", torch.bfloat16, "transformers", 0.9, 0.9),
        ("half_split", torch.bfloat16, "transformers", 0.9, 0.9),
    ):
        precision = str(kind).removeprefix("torch.")
        backward = worst(both[kind], name, "transformers")
        lines += [
            f"- {name}, {precision}, against {to}: {verdict(worst(forward[kind], name, to), goal)}",
            f"- … and backward, against transformers: {verdict(backward, goal_with_backward)}",
        ]
    above = worst(forward[torch.float32], "interleaved", "complex")
    return [
        *lines,
        f"- … the floor, one complex multiplication with its table at hand, against a copy: {floor:.3g} "
        "(the goal above is 1.3, or this where it is more: that depends on the machine's memory)",
        f"- … interleaved, float32, against that floor: {verdict(above, 1.05)}",
        f"- error at {FAR:,}: {verdict(error_far_out(), 1e-5)}",
    ]


def error_far_out() -> float:
    """Return float32's largest error at 512 positions from ``FAR``, as a share of the largest |x|."""
    torch.manual_seed(0)
    x, positions = torch.randn(1, 2, 512, 64), torch.arange(FAR, FAR + 512)
    errors = [
        (
            apply_rotary(x, positions, pairing=pairing) - apply_rotary(x.double(), positions, pairing=pairing)
        ).abs()
        for pairing in ("interleaved", "half_split")
    ]
    return max(float(error.max() / x.abs().max()) for error in errors)
