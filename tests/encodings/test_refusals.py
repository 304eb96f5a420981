"""Arguments that encodings refuse, and the messages.

``test_arguments.py`` tests each kind of argument, ``kinds.py`` has the sizes. Here each other argument
is shown to be checked, also by the rules of a single function.
"""

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch

from posenc_lessons.encodings import (
    ALiBi,
    AxialRotary,
    ContextExtension,
    CoPE,
    GridSinusoidal,
    LearnedEncoding,
    LogTemperature,
    MixedRotary,
    MultiAxisRotary,
    RotaryEncoding,
    SinusoidalEncoding,
    alibi_bias,
    apply_rotary,
    cope_positions,
    grid_positions,
    interpolate_table,
    multimodal_positions,
    relative_scores,
    rotary_frequencies,
    scaled_frequencies,
    sinusoidal_encoding,
    t5_buckets,
)
from tests.support.refusals import Refused, assert_refused

AT = torch.arange(3)
X = torch.zeros(2, 3, 4)  # [B, L, d_head], or [H, L, d_head]
HEADS = torch.zeros(1, 2, 3, 4)  # [B, H, L, d_head]
SCORES = torch.zeros(1, 2, 3, 3)
ROWS = torch.zeros(5, 4)  # a table
half_pairs = torch.ones(3, 2)
FLAT = grid_positions(1, 3)
TABLE = torch.zeros(7, 4)  # a class token and 2 × 3 patches

SINUSOIDAL: list[Refused] = [
    (lambda: sinusoidal_encoding(4, 5), r"d_model must be even.*got 5"),
    (lambda: sinusoidal_encoding(0, 4), r"positions must be .*got 0"),
    (lambda: sinusoidal_encoding(torch.tensor([0.0, math.nan]), 4), r"positions must all be finite; got nan"),
    (lambda: SinusoidalEncoding(8)(torch.zeros(1, 3, 6)), r"embeddings must have shape \[B, L, 8\]"),
]
LEARNED: list[Refused] = [
    (lambda: LearnedEncoding(6, 10).encode(torch.tensor([0.5])), r"positions must be integers.*float32"),
    (lambda: LearnedEncoding(6, 10).resized(0), r"new_max_len .*got 0"),
]
SHAW: list[Refused] = [
    (lambda: relative_scores(X, torch.zeros(4, 4), 3), r"table must have shape \[2k\+1, d_head\]"),
]
T5: list[Refused] = [
    (lambda: t5_buckets(AT, 7), r"n_buckets must be even.*got 7"),
    (lambda: t5_buckets(AT, 32, 8), r"max_distance .*9 or more; got 8"),
    (lambda: t5_buckets(AT / 2), r"distances must be integers.*float32"),
]
ALIBI: list[Refused] = [
    (lambda: alibi_bias(2, AT, [0, 1]), r"key_positions must be a tensor of.*got list"),  # type: ignore[arg-type]
    (lambda: ALiBi(2).score_bias(HEADS, HEADS, AT, AT.half(), None), r"key_positions .*float16"),
]
COPE: list[Refused] = [
    (lambda: cope_positions(SCORES, -1), r"max_position .*got -1"),
    (lambda: CoPE(4, 5).score_bias(HEADS, HEADS, AT, AT, None), r"CoPE needs the scores.*got None"),
]
ROTARY: list[Refused] = [
    (lambda: apply_rotary(X, AT, rotary_dim=6), r"rotary_dim .*d_head=4.*got 6"),
    (lambda: apply_rotary(X, AT, pairing="neox"), r"pairing must be one of interleaved, half_split"),
    (lambda: apply_rotary(X, AT, base=1), r"base must be .*got 1"),
    (lambda: apply_rotary(X, AT[:2]), r"positions must have shape \[3\] or \[2, 3\].*got \[2\]"),
    (lambda: apply_rotary(X, 3), r"positions must be a tensor.*got int"),  # type: ignore[arg-type]
    (
        lambda: apply_rotary(X, AT.bfloat16()),
        r"positions must be .*got torch.bfloat16.*no 257\)",
    ),
    (lambda: rotary_frequencies(5), r"must be even.*got 5"),
    (lambda: RotaryEncoding(8, extension="yarn"), r"extension must be"),  # type: ignore[arg-type]
    (lambda: RotaryEncoding(8, turning_pairs=5), r"turning_pairs must be at most rotary_dim/2=4; got 5"),
    (lambda: RotaryEncoding(7), r"rotary_dim must be even.*d_head=7.*got 7"),
    (lambda: RotaryEncoding(6).turn(HEADS, AT), r"d_head is 6 here, but the heads have 4 features"),
    (lambda: RotaryEncoding(8)(torch.zeros(1, 5, 8)), r"adds nothing to embeddings"),
]
EXTENSION: list[Refused] = [
    (lambda: scaled_frequencies(8, 1e4, "pi", 2, 16), r"method must be one of linear, ntk.*got 'pi'"),
    (lambda: ContextExtension("linear", 0.5, 16), r"factor .*1 or more; got 0.5"),
    (
        lambda: scaled_frequencies(8, 1e4, "linear", 2, 16, slow=1),
        r"'linear' has no option slow \(it has: –\)",
    ),
    (lambda: ContextExtension("longrope", 2, 16, short_factors=[1]), r"method 'longrope' needs long_factors"),
    (
        lambda: ContextExtension("longrope", 2, 1, short_factors=[1], long_factors=[1]),
        r"original_length .*2 or more; got 1",  # ln 1 is 0
    ),
    (
        lambda: scaled_frequencies(8, 1e4, "longrope", 2, 16, short_factors=[1], long_factors=[1]),
        r"short_factors .* 4 for rotary_dim=8; got 1",
    ),
    (lambda: ContextExtension("parts", 2, 16, slow=32, fast=1), r"0 < slow ≤ fast; got slow=32, fast=1"),
    (lambda: ContextExtension("yarn", 2, 16, attention_scale=-1), r"attention_scale .*got -1"),
    (lambda: scaled_frequencies(2, 1e4, "ntk", 2, 16), r"rotary_dim must be 4 or more.*got 2"),
]
SCALED: list[Refused] = [
    (lambda: LogTemperature().turn(HEADS, AT[:2]), r"positions must have shape \[3\]"),
]
GRID: list[Refused] = [
    (lambda: grid_positions(3, 2.5), r"width .*got 2\.5"),  # type: ignore[arg-type]
    (lambda: interpolate_table(TABLE, (2, 3), (4, 4)), r"table must be .*\[0 \+ 2 · 3, d_model\].*\[7, 4\]"),
    (lambda: interpolate_table(TABLE, (2, 3), (4, 4), prefix=-1), r"prefix .*got -1"),
    (
        lambda: GridSinusoidal(4)(torch.zeros(2, 3, 4), AT),
        r"positions must have shape \[3, 2\] or \[2, 3, 2\].*got \[3\]",
    ),
    (lambda: GridSinusoidal(6), r"d_model must be a multiple of 4.*got 6"),
    (lambda: MultiAxisRotary(8, (2, 2), "mixed"), r"layout must be .*'mixed'"),  # type: ignore[arg-type]
    (lambda: AxialRotary(6), r"d_head must be a multiple of 4.*got 6"),
    (lambda: AxialRotary(8, widths=(4, 6)), r"widths must add up to at most d_head=8; got \(4, 6\)"),
    (lambda: AxialRotary(4).turn(HEADS, AT), r"positions must have shape \[3, 2\] or \[1, 3, 2\]"),
    (lambda: MixedRotary(4, n_heads=3).turn(HEADS, FLAT), r"query must have shape \[B, 3, L, d_head\]"),
    (lambda: MultiAxisRotary(8, (2, 1, 2)), r"sections count pairs .*add up to 5"),
    (lambda: multimodal_positions([("audio", 3)]), r"a segment must be .*got \('audio', 3\)"),
    (lambda: multimodal_positions([("video", 2, 1, 1, -1)]), r"seconds_per_grid must be .*0 or more; got -1"),
    (
        lambda: multimodal_positions([("text", 1)], resume="last"),
        r"resume must be one of largest, side; got 'last'",
    ),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(
    ("call", "message"),
    SINUSOIDAL + LEARNED + SHAW + T5 + ALIBI + COPE + ROTARY + EXTENSION + SCALED + GRID,
)
def test_a_refusal_names_the_argument_and_what_came(call: Callable[[], Any], message: str) -> None:
    assert_refused(call, message)
