"""Arguments that encodings refuse, and the messages.

``test_arguments.py`` tests each kind of argument, ``kinds.py`` has the sizes. Here each other argument
is shown to be checked, also by the rules of a single function.
"""

from __future__ import annotations

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
    PowerTemperature,
    RelativeGridBias,
    RotaryEncoding,
    ShawRelative,
    SinusoidalEncoding,
    T5RelativeBias,
    alibi_bias,
    apply_rotary,
    axial_frequencies,
    convert_pairing,
    cope_bias,
    cope_positions,
    grid_positions,
    interpolate_table,
    mixed_frequencies,
    multimodal_positions,
    relative_distances,
    relative_scores,
    relative_values,
    rotary_angles,
    rotary_frequencies,
    rotation_matrix,
    scaled_frequencies,
    shift_matrix,
    sinusoidal_encoding,
    t5_buckets,
    turn_pairs,
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
    (lambda: sinusoidal_encoding(4, 4, dtype=torch.int64), r"dtype .*int64"),
    (lambda: shift_matrix("far", 4), r"offset must be a finite number; got 'far'"),  # type: ignore[arg-type]
    (lambda: SinusoidalEncoding(8, base=1), r"base .*got 1"),
    (lambda: SinusoidalEncoding(8, dropout=1.0), r"dropout .*got 1.0"),
    (lambda: SinusoidalEncoding(8)(torch.zeros(1, 3, 6)), r"embeddings must have shape \[B, L, 8\]"),
]
LEARNED: list[Refused] = [
    (lambda: LearnedEncoding(6, 10).encode(torch.tensor([0.5])), r"positions must be integers.*float32"),
    (lambda: LearnedEncoding(6, 10).resized(0), r"new_max_len .*got 0"),
    (lambda: LearnedEncoding(6, 10)(torch.zeros(1, 3, 8)), r"embeddings .*3, 8\]"),
]
SHAW: list[Refused] = [
    (lambda: relative_scores(X, torch.zeros(4, 4), 3), r"table must have shape \[2k\+1, d_head\]"),
    (lambda: relative_scores(torch.zeros(3, 6), ROWS, 3), r"query must have shape \[..., Lq, 4\]"),
    (lambda: relative_scores(X, ROWS, 0), r"len_k .*got 0"),
    (lambda: relative_values(torch.zeros(3), ROWS), r"weights .*got \[3\]"),
    (lambda: relative_scores(X, ROWS, 3, relative_distances(4, 3)), r"distances must be int64"),
    (lambda: relative_values(torch.zeros(3, 3), ROWS, torch.zeros(3, 3)), r"distances .*float32 \[3, 3\]"),
    (lambda: ShawRelative(4, keys=False, values=False), r"keys and values are both False"),
    (lambda: ShawRelative(4, keys="no"), r"keys must be True or False; got 'no'"),  # type: ignore[arg-type]
    (lambda: ShawRelative(4).score_bias(HEADS, HEADS, AT / 2, AT, None), r"query_positions must be integers"),
]
T5: list[Refused] = [
    (lambda: t5_buckets(AT, 7), r"n_buckets must be even.*got 7"),
    (lambda: t5_buckets(AT, 32, 8), r"max_distance .*9 or more; got 8"),
    (lambda: t5_buckets(AT / 2), r"distances must be integers.*float32"),
    (lambda: T5RelativeBias(2, bidirectional="no"), r"bidirectional .*got 'no'"),  # type: ignore[arg-type]
    (
        lambda: T5RelativeBias(2).score_bias(HEADS, HEADS, AT / 2, AT, None),
        r"query_positions must be integers",
    ),
    (lambda: T5RelativeBias(3).score_bias(HEADS, HEADS, AT, AT, None), r"query .*got \[1, 2, 3, 4\]"),
]
ALIBI: list[Refused] = [
    (lambda: ALiBi(2, signed="no"), r"signed .*got 'no'"),  # type: ignore[arg-type]
    (lambda: alibi_bias(2, AT, [0, 1]), r"key_positions must be a tensor.*got list"),  # type: ignore[arg-type]
    (lambda: alibi_bias(2, AT, AT, dtype=torch.int64), r"dtype must be a floating type.*int64"),
    (lambda: ALiBi(4).score_bias(HEADS, HEADS, AT, AT, None), r"query must have shape \[B, 4, L, d_head\]"),
    (lambda: ALiBi(2).score_bias(HEADS, HEADS, AT, AT.half(), None), r"key_positions .*float16"),
]
COPE: list[Refused] = [
    (lambda: cope_positions(SCORES.long(), 2), r"logits must be floating-point.*int64 \[1, 2"),
    (lambda: cope_positions(SCORES, -1), r"max_position .*got -1"),
    (lambda: cope_bias(HEADS, SCORES, torch.zeros(5, 3)), r"query must have shape \[1, 2, 3, 3\]"),
    (lambda: CoPE(4, 5, divide_gates="no"), r"divide_gates .*got 'no'"),  # type: ignore[arg-type]
    (lambda: CoPE(4, 5).score_bias(HEADS, HEADS, AT, AT, None), r"CoPE needs the scores.*got None"),
    (lambda: CoPE(6, 5).score_bias(HEADS, HEADS, AT, AT, SCORES), r"query must have shape \[1, 2, 3, 6\]"),
]
ROTARY: list[Refused] = [
    (lambda: apply_rotary(X, AT, rotary_dim=6), r"rotary_dim .*d_head=4.*got 6"),
    (lambda: apply_rotary(X, AT, pairing="neox"), r"pairing must be one of interleaved, half_split"),
    (lambda: apply_rotary(X, AT, base=1), r"base must be .*got 1"),
    (lambda: apply_rotary(X, AT[:2]), r"positions must have shape \[3\] or \[2, 3\].*got \[2\]"),
    (lambda: apply_rotary(X, 3), r"positions must be a tensor.*got int"),  # type: ignore[arg-type]
    (lambda: apply_rotary(X, AT.bfloat16()), r"positions must be integers.*got torch.bfloat16.*no 257\)"),
    (lambda: apply_rotary([[1.0]], AT), r"x must be a tensor; got list"),  # type: ignore[arg-type]
    (lambda: rotary_angles(torch.tensor([1j]), 4), r"positions .*complex64"),
    (lambda: rotary_frequencies(5), r"must be even.*got 5"),
    (lambda: rotation_matrix(torch.arange(2)), r"angles must be floating.*int64 \[2\]"),
    (lambda: turn_pairs(X, torch.ones(3, 3), torch.ones(3, 3), "interleaved"), r"cos \[3, 3\]"),
    (lambda: RotaryEncoding(8, base=1), r"base .*above 1; got 1"),
    (lambda: RotaryEncoding(8, pairing="half"), r"pairing must be one of.*got 'half'"),  # type: ignore[arg-type]
    (lambda: RotaryEncoding(8, extension="yarn"), r"extension must be"),  # type: ignore[arg-type]
    (lambda: RotaryEncoding(8, turning_pairs=5), r"turning_pairs must be at most rotary_dim/2=4; got 5"),
    (lambda: RotaryEncoding(7), r"rotary_dim must be even.*d_head=7.*got 7"),
    (lambda: RotaryEncoding(6).turn(HEADS, AT), r"d_head is 6 here, but the heads have 4 features"),
    (lambda: RotaryEncoding(8)(torch.zeros(1, 5, 8)), r"adds nothing to embeddings"),
    (lambda: convert_pairing(torch.zeros(8, 2), 2, "gpt"), r"to must be one of.*got 'gpt'"),
    (lambda: convert_pairing(torch.zeros(8, 2), 3, "half_split"), r"n_heads=3; got \[8, 2\]"),
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
    (lambda: ContextExtension("yarn", 2, 16, truncate="no"), r"truncate .*got 'no'"),  # type: ignore[arg-type]
]
SCALED: list[Refused] = [
    (lambda: PowerTemperature(step=0.5), r"step .*1 or more; got 0.5"),  # type: ignore[arg-type]
    (lambda: LogTemperature().turn(HEADS, AT[:2]), r"positions must have shape \[3\]"),
]
GRID: list[Refused] = [
    (lambda: grid_positions(3, 2.5), r"width .*got 2\.5"),  # type: ignore[arg-type]
    (lambda: interpolate_table(TABLE, (2, 3), (4, 4)), r"table must be .*\[0 \+ 2 · 3, d_model\].*\[7, 4\]"),
    (lambda: interpolate_table(TABLE, 6, (4, 4), prefix=1), r"size must be \(height, width\).*got 6"),  # type: ignore[arg-type]
    (lambda: interpolate_table(TABLE, (2, 3), (4, 4), prefix=-1), r"prefix .*got -1"),
    (
        lambda: GridSinusoidal(4)(torch.zeros(2, 3, 4), AT),
        r"positions must have shape \[3, 2\] or \[2, 3, 2\].*got \[3\]",
    ),
    (lambda: GridSinusoidal(6), r"d_model must be a multiple of 4.*got 6"),
    (lambda: MultiAxisRotary(8, (4,)), r"sections must be .*two axes or more.*got \(4,\)"),
    (lambda: MultiAxisRotary(8, (5, -1)), r"sections\[1\] .*got -1"),
    (lambda: MultiAxisRotary(8, (2, 2), "mixed"), r"layout must be .*'mixed'"),  # type: ignore[arg-type]
    (lambda: axial_frequencies((4,)), r"widths must be .*two or more.*got \(4,\)"),
    (lambda: AxialRotary(6), r"d_head must be a multiple of 4.*got 6"),
    (lambda: AxialRotary(8, widths=(4, 6)), r"widths must add up to at most d_head=8; got \(4, 6\)"),
    (lambda: AxialRotary(8).turn(HEADS, FLAT), r"d_head is 8 here, but the heads have 4"),
    (lambda: AxialRotary(4).turn(HEADS, AT), r"positions must have shape \[3, 2\] or \[1, 3, 2\]"),
    (lambda: mixed_frequencies(6, AT / 1), r"d_head must be a multiple of 4.*got 6"),
    (lambda: MixedRotary(4, n_heads=3).turn(HEADS, FLAT), r"query must have shape \[B, 3, L, d_head\]"),
    (lambda: MultiAxisRotary(8, (2, 1, 2)), r"sections count pairs .*add up to 5"),
    (lambda: MultiAxisRotary(8, (2, 1, 1), rotary_dim=6), r"rotary_dim/2=3; got \(2, 1, 1\)"),
    (lambda: RelativeGridBias(2, (3, 0)), r"window\[1\] .*got 0"),
    (lambda: RelativeGridBias(3, (3, 3)).score_bias(HEADS, HEADS, FLAT, FLAT, None), r"query must have"),
    (lambda: multimodal_positions([]), r"segments must be a list of at least one.*got \[\]"),
    (lambda: multimodal_positions([("audio", 3)]), r"a segment must be .*got \('audio', 3\)"),
    (lambda: multimodal_positions([("image", 0, 2)]), r"h must be .*got 0"),
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
