"""Arguments that rotations and temperatures refuse, and the messages."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch

from posenc_lessons.encodings import (
    ContextExtension,
    LogTemperature,
    PowerTemperature,
    RotaryEncoding,
    apply_rotary,
    convert_pairing,
    rotary_angles,
    rotary_frequencies,
    rotation_matrix,
    scaled_frequencies,
    turn_pairs,
)
from tests.support.refusals import Refused, assert_refused

AT = torch.arange(3)
X = torch.zeros(2, 3, 4)  # [B, L, d_head], or [H, L, d_head]
HEADS = torch.zeros(1, 2, 3, 4)  # [B, H, L, d_head]
half_pairs = torch.ones(3, 2)

ROTARY: list[Refused] = [
    (lambda: apply_rotary(torch.zeros(3, 5), AT), r"rotary_dim must be even .*d_head=5.*got 5"),
    (lambda: apply_rotary(X, AT, rotary_dim=6), r"rotary_dim .*d_head=4.*got 6"),
    (
        lambda: apply_rotary(X, AT, pairing="neox"),
        r"pairing must be one of interleaved, half_split; got 'neox'",
    ),
    (lambda: apply_rotary(X, AT, base=1), r"base must be .*got 1"),
    (lambda: apply_rotary(X, AT[:2]), r"positions must have shape \[3\] or \[2, 3\].*got \[2\]"),
    (lambda: apply_rotary(X[0], torch.zeros(3, 3)), r"positions must have shape \[3\] or \[1, 3\]"),
    (lambda: apply_rotary(X, 3), r"positions must be a tensor.*got int"),  # type: ignore[arg-type]
    (lambda: apply_rotary(X, AT.bfloat16()), r"positions must be integers.*got torch.bfloat16.*no 257\)"),
    (lambda: apply_rotary(X, torch.tensor([0, math.nan, 1])), r"finite; got nan"),
    (lambda: apply_rotary(X, AT.to("meta")), r"positions is on meta.* cpu"),
    (lambda: apply_rotary([[1.0]], AT), r"x must be a tensor; got list"),  # type: ignore[arg-type]
    (lambda: apply_rotary(X.long(), AT), r"x must be floating.*int64 \[2, 3, 4\]"),
    (lambda: apply_rotary(X, AT, extension="yarn"), r"extension must be a ContextExtension.*got 'yarn'"),
    (lambda: rotary_angles(torch.tensor([1j]), 4), r"positions .*complex64"),
    (lambda: rotary_frequencies(5), r"must be even.*got 5"),
    (lambda: rotation_matrix(torch.arange(2)), r"angles must be floating.*int64 \[2\]"),
    (lambda: rotation_matrix(torch.zeros(3, 0)), r"angles .*\[3, 0\]"),
    (
        lambda: turn_pairs(X, torch.ones(3, 3), torch.ones(3, 3), "interleaved"),
        r"cos \[3, 3\].*x \[2, 3, 4\]",
    ),
    (lambda: turn_pairs(X, half_pairs, torch.zeros(3, 1), "interleaved"), r"sin \[3, 1\], x"),
    (
        lambda: turn_pairs(torch.zeros(4, 4), half_pairs, half_pairs, "half_split"),
        r"cos \[3, 2\].*x \[4, 4\]",
    ),
    (lambda: RotaryEncoding(7), r"rotary_dim must be even.*d_head=7.*got 7"),
    (lambda: RotaryEncoding(6).turn(HEADS, AT), r"d_head is 6 here, but the heads have 4 features"),
    (
        lambda: RotaryEncoding(4).turn(HEADS, AT[:2]),
        r"positions must have shape \[3\] or \[1, 3\].*got \[2\]",
    ),
    (lambda: RotaryEncoding(8)(torch.zeros(1, 5, 8)), r"adds nothing to embeddings"),
    (lambda: convert_pairing(torch.zeros(8, 2), 2, "gpt"), r"to must be one of.*got 'gpt'"),
    (lambda: convert_pairing(torch.zeros(8, 2), 3, "half_split"), r"n_heads=3; got \[8, 2\]"),
    (lambda: convert_pairing(torch.tensor(1.0), 1, "half_split"), r"weight .*got \[\]"),
    (lambda: convert_pairing(torch.zeros(6), 2, "half_split"), r"even .*d_head=3.*got 3"),
]
EXTENSION: list[Refused] = [
    (lambda: scaled_frequencies(8, 1e4, "pi", 2, 16), r"method must be one of linear, ntk.*got 'pi'"),
    (lambda: ContextExtension("linear", 0.5, 16), r"factor .*1 or more; got 0.5"),
    (lambda: ContextExtension("ntk", 4, 0), r"original_length .*got 0"),
    (lambda: scaled_frequencies(8, 1e4, "dynamic", 2, 16, length=0), r"length .*got 0"),
    (
        lambda: scaled_frequencies(8, 1e4, "linear", 2, 16, slow=1),
        r"'linear' has no option slow \(it has: –\)",
    ),
    (
        lambda: ContextExtension("llama3", 2, 16, attention_scale=1.1),
        r"attention_scale \(it has: slow, fast\)",
    ),
    (
        lambda: ContextExtension("longrope", 2, 16, short_factors=[1]),
        r"method 'longrope' needs long_factors.*got None",
    ),
    (
        lambda: ContextExtension("longrope", 2, 1, short_factors=[1], long_factors=[1]),
        r"original_length .*2 or more; got 1",  # ln 1 is 0
    ),
    (
        lambda: ContextExtension("longrope", 2, 16, short_factors=[1, 0], long_factors=[1, 1]),
        r"short_factors\[1\] .*above 0; got 0",
    ),
    (
        lambda: scaled_frequencies(8, 1e4, "longrope", 2, 16, short_factors=[1], long_factors=[1]),
        r"short_factors .* 4 for rotary_dim=8; got 1",
    ),
    (lambda: rotary_angles(AT, 8, turning_pairs=5), r"turning_pairs must be at most rotary_dim/2=4; got 5"),
    (lambda: ContextExtension("parts", 2, 16, slow=32, fast=1), r"0 < slow ≤ fast; got slow=32, fast=1"),
    (lambda: ContextExtension("yarn", 2, 16, fast="x"), r"fast .*got 'x'"),  # type: ignore[arg-type]
    (lambda: ContextExtension("yarn", 2, 16, attention_scale=-1), r"attention_scale .*got -1"),
    (lambda: scaled_frequencies(2, 1e4, "ntk", 2, 16), r"rotary_dim must be 4 or more.*got 2"),
    (lambda: scaled_frequencies(8, 1, "linear", 2, 16), r"base .*got 1"),
    (lambda: ContextExtension("yarn", 2, 16, truncate="no"), r"truncate .*got 'no'"),  # type: ignore[arg-type]
]
SCALED: list[Refused] = [
    (lambda: PowerTemperature(step=0.5), r"step .*1 or more; got 0.5"),  # type: ignore[arg-type]
    (lambda: LogTemperature().turn(HEADS, AT[:2]), r"positions must have shape \[3\]"),
]


@pytest.mark.parametrize(("call", "message"), ROTARY + EXTENSION + SCALED)
def test_a_refusal_names_the_argument_and_what_came(call: Callable[[], Any], message: str) -> None:
    assert_refused(call, message)
