"""Building a table of 5000 × 512: how long three ways take, and how wrong they are far out."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import torch
from mpmath import mp, mpf  # type: ignore[import-untyped]  # comes with torch
from torch import Tensor

from benchmarks.side_by_side import milliseconds, ratio, table, taking_turns
from posenc_lessons.encodings import sinusoidal_encoding
from posenc_lessons.experiments.machine import threads

LENGTH, D_MODEL, BASE = 5000, 512, 10000.0
FAR = (100, 10**4, 10**6)
FAST_ROUNDS, LOOP_ROUNDS = 60, 3


def double_loop(positions: Tensor, d_model: int) -> Tensor:
    """One number at a time, as the formula is read aloud."""
    table = torch.zeros(len(positions), d_model)
    for row, position in enumerate(positions.tolist()):
        for i in range(d_model // 2):
            angle = position / BASE ** (2 * i / d_model)
            table[row, 2 * i] = math.sin(angle)
            table[row, 2 * i + 1] = math.cos(angle)
    return table


def in_float32(positions: Tensor, d_model: int) -> Tensor:
    """The vectorised form most code uses: positions, frequencies and angles all float32."""
    exponents = torch.arange(0, d_model, 2, dtype=torch.float32)
    angles = positions.float()[:, None] * torch.exp(exponents * (-math.log(BASE) / d_model))
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)


def exact_row(position: int, d_model: int) -> Tensor:
    """Row ``position`` worked out with 40 digits and rounded to float64."""
    with mp.workdps(40):
        angles = [position * mpf(BASE) ** (mpf(-2 * i) / d_model) for i in range(d_model // 2)]
        row = [float(wave(angle)) for angle in angles for wave in (mp.sin, mp.cos)]
    return torch.tensor(row, dtype=torch.float64)


def worst(build: Callable[[Tensor, int], Tensor], position: int) -> float:
    """The largest error among the 50 rows that end at ``position``."""
    positions = torch.arange(position - 49, position + 1)
    exact = torch.stack([exact_row(int(p), D_MODEL) for p in positions])
    return (build(positions, D_MODEL).double() - exact).abs().max().item()


WAYS: dict[str, tuple[str, Callable[[Tensor, int], Tensor]]] = {
    "ours": ("`sinusoidal_encoding` (float64 angles, rounded once)", sinusoidal_encoding),
    "float32": ("vectorised, all float32", in_float32),
    "loop": ("double Python loop", double_loop),
}


def run() -> str:
    """Measure; a section of Markdown."""
    positions = torch.arange(LENGTH)
    ways = {name: partial(build, positions, D_MODEL) for name, (_, build) in WAYS.items()}
    with threads(1):
        fast = taking_turns({name: ways[name] for name in ("ours", "float32")}, 0, FAST_ROUNDS)
        slow = taking_turns({name: ways[name] for name in ("ours", "loop")}, 0, LOOP_ROUNDS)
    times = {"ours": fast, "float32": fast, "loop": slow}
    error_of = {name: [worst(build, far) for far in FAR] for name, (_, build) in WAYS.items()}
    against = {name: ratio(times[name], name, "ours") for name in WAYS}
    rows = [
        [title, f"{milliseconds(times[name], name):.1f} ms", f"{against[name]:.3g}"]
        + [f"{error:.0e}" for error in error_of[name]]
        for name, (title, _) in WAYS.items()
    ]
    heads = " | ".join(["how", "time", "against ours", *(f"error at {far:,}" for far in FAR)])
    return "\n".join(
        [
            f"## Building the sinusoidal table ({LENGTH} × {D_MODEL}, one thread)",
            "",
            *table(heads, rows),
            f"Ours is {against['loop']:,.0f} times as fast as the double loop and takes "
            f"{1 / against['float32']:.1f} times as long as float32, once per model; at position {FAR[-1]:,} "
            f"float32 is wrong by {error_of['float32'][-1]:.0e}, ours by {error_of['ours'][-1]:.0e}, half of "
            "float32's last bit.",
            "",
        ]
    )
