"""What the encodings refuse, and what they say then. What every argument of a kind must be is in
``test_arguments.py``; here, that each argument is looked at, and what its owner alone can say of it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch

from posenc_lessons.encodings import (
    ALiBi,
    ContextExtension,
    CoPE,
    LearnedEncoding,
    QueryTemperature,
    RotaryEncoding,
    ShawRelative,
    SinusoidalEncoding,
    T5RelativeBias,
    alibi_slopes,
    apply_rotary,
    convert_pairing,
    cope_bias,
    cope_positions,
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
from posenc_lessons.language import BilingualValueError

AT = torch.arange(3)
X = torch.zeros(2, 3, 4)  # [B, L, d_head], or [H, L, d_head]
HEADS = torch.zeros(1, 2, 3, 4)  # [B, H, L, d_head]
SCORES = torch.zeros(1, 2, 3, 3)
ROWS = torch.zeros(5, 4)  # a table
half_pairs = torch.ones(3, 2)

Refused = tuple[Callable[[], Any], str]

SINUSOIDAL: list[Refused] = [
    (lambda: sinusoidal_encoding(4, 5), r"d_model must be even.*got 5"),
    (lambda: sinusoidal_encoding(4, 0), r"d_model must be a whole number, 2.*got 0"),
    (lambda: sinusoidal_encoding(0, 4), r"positions must be .*got 0"),
    (lambda: sinusoidal_encoding([0, 1], 4), r"positions .*\[0, 1\]"),  # type: ignore[arg-type]
    (lambda: sinusoidal_encoding(4, 4, 1), r"base must be .*above 1; got 1"),
    (lambda: sinusoidal_encoding(torch.tensor([0.0, math.nan]), 4), r"positions must all be finite; got nan"),
    (lambda: sinusoidal_encoding(torch.tensor([257.0]).bfloat16(), 4), r"positions .*bfloat16.*run together"),
    (lambda: sinusoidal_encoding(4, 4, dtype=torch.int64), r"dtype .*int64"),
    (lambda: sinusoidal_encoding(4, 4, device="warp"), r"'warp' .*cpu"),
    (lambda: shift_matrix("far", 4), r"offset must be one number; got 'far'"),  # type: ignore[arg-type]
    (lambda: shift_matrix(torch.tensor([1.0, 2.0]), 4), r"offset "),  # type: ignore[arg-type]
    (lambda: shift_matrix(math.inf, 4), r"finite; got inf"),
    (lambda: shift_matrix(1, 3), r"d_model must be even.*got 3"),
    (lambda: SinusoidalEncoding(7), r"d_model must be even.*7"),
    (lambda: SinusoidalEncoding(8, max_len=0), r"max_len .*got 0"),
    (lambda: SinusoidalEncoding(8, base=1), r"base .*got 1"),
    (lambda: SinusoidalEncoding(8, dropout=1.0), r"dropout .*got 1.0"),
    (
        lambda: SinusoidalEncoding(8)(torch.zeros(1, 3, 6)),
        r"embeddings must have shape \[B, L, 8\]; got \[1, 3",
    ),
    (lambda: SinusoidalEncoding(8)(torch.zeros(3, 8)), r"embeddings .*got \[3, 8\]"),
    (
        lambda: SinusoidalEncoding(8)(torch.zeros(2, 3, 8), AT[:2]),
        r"positions must have shape \[3\] or \[2, 3\]",
    ),
    (lambda: SinusoidalEncoding(8)(torch.zeros(2, 3, 8), AT > 1), r"positions .*torch.bool"),
]
LEARNED: list[Refused] = [
    (lambda: LearnedEncoding(6, 10).encode(torch.tensor([0.5])), r"positions must be integers.*float32"),
    (lambda: LearnedEncoding(6, 10).encode(AT > 1), r"positions .*bool"),
    (lambda: LearnedEncoding(6, 0), r"max_len .*got 0"),
    (lambda: LearnedEncoding(0, 10), r"d_model .*got 0"),
    (lambda: LearnedEncoding(6, 10, std=-1), r"std must be .*got -1"),
    (lambda: LearnedEncoding(6, 10).resized(0), r"new_max_len .*got 0"),
    (lambda: LearnedEncoding(6, 10)(torch.zeros(1, 3, 8)), r"embeddings .*3, 8\]"),
]
ROTARY: list[Refused] = [
    (lambda: apply_rotary(torch.zeros(3, 5), AT), r"rotary_dim must be even .*d_head=5.*got 5"),
    (lambda: apply_rotary(X, AT, rotary_dim=6), r"rotary_dim .*d_head=4.*got 6"),
    (lambda: apply_rotary(X, AT, rotary_dim=0), r"rotary_dim .*got 0"),
    (
        lambda: apply_rotary(X, AT, pairing="neox"),
        r"pairing must be one of interleaved, half_split; got 'neox'",
    ),
    (lambda: apply_rotary(X, AT, base=1), r"base must be .*got 1"),
    (lambda: apply_rotary(X, AT[:2]), r"positions must have shape \[3\] or \[2, 3\].*got \[2\]"),
    (lambda: apply_rotary(X, torch.zeros(3, 3)), r"positions .*got \[3, 3\]"),
    (lambda: apply_rotary(X, 3), r"positions must be a tensor.*got int"),  # type: ignore[arg-type]
    (lambda: apply_rotary(X, AT > 1), r"positions .*got torch.bool"),
    (lambda: apply_rotary(X, AT.bfloat16()), r"positions must be integers.*got torch.bfloat16.*no 257\)"),
    (lambda: apply_rotary(X, torch.tensor([0, math.nan, 1])), r"finite; got nan"),
    (lambda: apply_rotary(X, AT.to("meta")), r"positions is on meta.* cpu"),
    (lambda: apply_rotary(X.long(), AT), r"x must be floating.*int64 \[2, 3, 4\]"),
    (lambda: apply_rotary(torch.zeros(4), AT), r"x .*\[..., L, d_head\].*\[4\]"),
    (lambda: apply_rotary(X, AT, extension="yarn"), r"extension must be a ContextExtension.*got 'yarn'"),
    (lambda: rotary_angles([0, 1], 4), r"positions must be a tensor.*got list"),  # type: ignore[arg-type]
    (lambda: rotary_angles(torch.tensor([1j]), 4), r"positions .*complex64"),
    (lambda: rotary_angles(torch.tensor(-math.inf), 4), r"finite; got -inf"),
    (lambda: rotary_frequencies(5), r"must be even.*got 5"),
    (lambda: rotation_matrix(torch.zeros(2), None), r"pairing .*got None"),  # type: ignore[arg-type]
    (lambda: rotation_matrix(torch.arange(2)), r"angles must be floating.*int64 \[2\]"),
    (lambda: rotation_matrix(torch.zeros(3, 0)), r"angles .*\[3, 0\]"),
    (lambda: rotation_matrix(torch.tensor(1.0)), r"angles .*\[\]"),
    (
        lambda: turn_pairs(X, torch.ones(3, 3), torch.ones(3, 3), "interleaved"),
        r"cos \[3, 3\].*x \[2, 3, 4\]",
    ),
    (lambda: turn_pairs(X, half_pairs, torch.zeros(3, 1), "interleaved"), r"sin \[3, 1\], x"),
    (
        lambda: turn_pairs(torch.zeros(4, 4), half_pairs, half_pairs, "half_split"),
        r"cos \[3, 2\].*x \[4, 4\]",
    ),
    (lambda: turn_pairs(X, half_pairs[:, :0], half_pairs[:, :0], "interleaved"), r"cos \[3, 0\]"),
    (lambda: turn_pairs(X, half_pairs, half_pairs, "x"), r"pairing .*got 'x'"),  # type: ignore[arg-type]
    (lambda: RotaryEncoding(7), r"rotary_dim must be even.*d_head=7.*got 7"),
    (lambda: RotaryEncoding(1), r"d_head .*got 1"),
    (lambda: RotaryEncoding(6, rotary_dim=3), r"rotary_dim must be even.*got 3"),
    (lambda: RotaryEncoding(6, base=0), r"base .*got 0"),
    (lambda: RotaryEncoding(6, pairing="llama"), r"pairing .*got 'llama'"),
    (lambda: RotaryEncoding(8, extension="yarn"), r"extension must be a ContextExtension.*got 'yarn'"),
    (lambda: RotaryEncoding(6).turn(HEADS, AT), r"d_head is 6 here, but the heads have 4 features"),
    (
        lambda: RotaryEncoding(4).turn(HEADS, AT[:2]),
        r"positions must have shape \[3\] or \[1, 3\].*got \[2\]",
    ),
    (lambda: RotaryEncoding(8)(torch.zeros(1, 5, 8)), r"adds nothing to embeddings"),
    (lambda: convert_pairing(torch.zeros(8, 2), 2, "gpt"), r"to must be one of.*got 'gpt'"),
    (lambda: convert_pairing(torch.zeros(8, 2), 3, "half_split"), r"n_heads=3; got \[8, 2\]"),
    (lambda: convert_pairing(torch.zeros(8), 0, "half_split"), r"n_heads .*got 0"),
    (lambda: convert_pairing(torch.tensor(1.0), 1, "half_split"), r"weight .*got \[\]"),
    (lambda: convert_pairing(torch.zeros(6), 2, "half_split"), r"even .*d_head=3.*got 3"),
]
EXTENSION: list[Refused] = [
    (lambda: scaled_frequencies(8, 1e4, "pi", 2, 16), r"method must be one of linear, ntk.*got 'pi'"),
    (lambda: ContextExtension(None, 2, 16), r"method .*got None"),  # type: ignore[arg-type]
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
        lambda: ContextExtension("longrope", 2, 16, short_factors=[1, 0], long_factors=[1, 1]),
        r"short_factors\[1\] .*above 0; got 0",
    ),
    (
        lambda: scaled_frequencies(8, 1e4, "longrope", 2, 16, short_factors=[1], long_factors=[1]),
        r"short_factors .* 4 for rotary_dim=8; got 1",
    ),
    (lambda: rotary_angles(AT, 8, turning_pairs=5), r"turning_pairs must be at most rotary_dim/2=4; got 5"),
    (lambda: RotaryEncoding(8, turning_pairs=-1), r"turning_pairs .*0 or more; got -1"),
    (lambda: QueryTemperature(scale=-1), r"scale .*0 or more; got -1"),
    (lambda: QueryTemperature(step=0), r"step .*1 or more; got 0"),
    (lambda: ContextExtension("parts", 2, 16, slow=32, fast=1), r"0 < slow ≤ fast; got slow=32, fast=1"),
    (lambda: ContextExtension("yarn", 2, 16, slow=0), r"0 < slow ≤ fast; got slow=0"),
    (lambda: ContextExtension("yarn", 2, 16, fast="x"), r"fast .*got 'x'"),  # type: ignore[arg-type]
    (lambda: ContextExtension("yarn", 2, 16, attention_scale=-1), r"attention_scale .*got -1"),
    (lambda: scaled_frequencies(7, 1e4, "linear", 2, 16), r"rotary_dim must be even.*got 7"),
    (lambda: scaled_frequencies(2, 1e4, "ntk", 2, 16), r"rotary_dim must be 4 or more.*got 2"),
    (lambda: scaled_frequencies(8, 1, "linear", 2, 16), r"base .*got 1"),
    (lambda: scaled_frequencies(5, 1e4, "ntk", 2, 16), r"rotary_dim must be even.*got 5"),
    (lambda: ContextExtension("yarn", 2, 16, truncate="no"), r"truncate .*got 'no'"),  # type: ignore[arg-type]
]
SHAW: list[Refused] = [
    (lambda: relative_distances(0, 4), r"len_q .*got 0"),
    (lambda: relative_distances(3, -1), r"len_k .*got -1"),
    (lambda: relative_distances(3, 3, 0), r"clip must be a whole number, 1 or more; got 0"),
    (lambda: relative_distances(3, 3, device="warp"), r"'warp' is not on"),
    (
        lambda: relative_scores(X, torch.zeros(4, 4), 3),
        r"table must have shape \[2k\+1, d_head\].*got \[4, 4\]",
    ),
    (lambda: relative_values(torch.zeros(3, 3), torch.zeros(1, 4)), r"table .*\[1, 4\]"),
    (lambda: relative_scores(X, torch.zeros(5), 3), r"table .*\[5\]"),
    (
        lambda: relative_scores(torch.zeros(3, 6), ROWS, 3),
        r"query must have shape \[..., Lq, 4\].*got \[3, 6\]",
    ),
    (lambda: relative_scores(torch.zeros(4), ROWS, 3), r"query .*got \[4\]"),
    (lambda: relative_scores(X, ROWS, 0), r"len_k .*got 0"),
    (lambda: relative_values(torch.zeros(3), ROWS), r"weights .*got \[3\]"),
    (
        lambda: relative_scores(X, ROWS, 3, relative_distances(4, 3)),
        r"distances must be int64.*int64 \[4, 3\]",
    ),
    (lambda: relative_scores(X, ROWS, 3, torch.zeros(3, 3, 3).long()), r"distances .*int64 \[3, 3, 3\]"),
    (lambda: relative_scores(X[0], ROWS, 3, torch.zeros(1, 3, 3).long()), r"distances .*int64 \[1, 3, 3\]"),
    (lambda: relative_values(torch.zeros(3, 3), ROWS, torch.zeros(3, 3)), r"distances .*float32 \[3, 3\]"),
    (lambda: ShawRelative(0), r"d_head .*got 0"),
    (lambda: ShawRelative(4, 0), r"max_distance .*got 0"),
    (lambda: ShawRelative(4, keys=False, values=False), r"keys and values are both False"),
    (lambda: ShawRelative(4, keys="no"), r"keys must be True or False; got 'no'"),  # type: ignore[arg-type]
    (lambda: ShawRelative(4, values=1), r"values .*got 1"),  # type: ignore[arg-type]
    (
        lambda: ShawRelative(4).score_bias(HEADS, HEADS, AT / 2, AT, None),
        r"query_positions must be integers.*float",
    ),
    (lambda: ShawRelative(4).value_bias(SCORES, AT, AT / 2), r"key_positions must be integers.*float32"),
]
T5: list[Refused] = [
    (lambda: t5_buckets(AT, 7), r"n_buckets must be even.*got 7"),
    (lambda: t5_buckets(AT, 2), r"n_buckets .*4 or more; got 2"),
    (lambda: t5_buckets(AT, 1, bidirectional=False), r"n_buckets .*2 or more; got 1"),
    (lambda: t5_buckets(AT, 32, 8), r"max_distance .*9 or more; got 8"),
    (lambda: T5RelativeBias(2, 32, 16, bidirectional=False), r"max_distance .*17 or more; got 16"),
    (lambda: t5_buckets(AT / 2), r"distances must be integers.*float32"),
    (lambda: t5_buckets(3), r"distances must be a tensor.*got int"),  # type: ignore[arg-type]
    (lambda: t5_buckets(AT, bidirectional=0), r"bidirectional .*got 0"),  # type: ignore[arg-type]
    (lambda: T5RelativeBias(0), r"n_heads .*got 0"),
    (lambda: T5RelativeBias(2, bidirectional="no"), r"bidirectional .*got 'no'"),  # type: ignore[arg-type]
    (lambda: T5RelativeBias(2, std=-1), r"std .*got -1"),
    (
        lambda: T5RelativeBias(3).score_bias(HEADS, HEADS, AT, AT, None),
        r"query .*\[B, 3, L.*got \[1, 2, 3, 4\]",
    ),
    (
        lambda: T5RelativeBias(2).score_bias(HEADS, HEADS, AT / 2, AT, None),
        r"query_positions must be integers",
    ),
]
ALIBI: list[Refused] = [
    (lambda: ALiBi(0), r"n_heads .*got 0"),
    (lambda: ALiBi(2, signed="no"), r"signed .*got 'no'"),  # type: ignore[arg-type]
    (lambda: alibi_slopes(-1), r"n_heads .*got -1"),
    (
        lambda: ALiBi(4).score_bias(HEADS, HEADS, AT, AT, None),
        r"query must have shape \[B, 4, L, d_head\].*got",
    ),
    (lambda: ALiBi(2).score_bias(HEADS, HEADS, AT > 1, AT, None), r"query_positions .*bool"),
    (lambda: ALiBi(2).score_bias(HEADS, HEADS, AT, AT.half(), None), r"key_positions .*float16"),
    (
        lambda: ALiBi(2).score_bias(HEADS, HEADS, AT / 0, AT, None),
        r"query_positions must all be finite; got nan",
    ),
]
COPE: list[Refused] = [
    (
        lambda: cope_positions(SCORES.long(), 2),
        r"logits must be floating-point.*\.\.\., Lq, Lk\].*int64 \[1, 2",
    ),
    (lambda: cope_positions(torch.zeros(3), 2), r"logits .*float32 \[3\]"),
    (lambda: cope_positions(torch.zeros(3, 0), 2), r"logits .*float32 \[3, 0\]"),
    (lambda: cope_bias(HEADS, [[0.0]], ROWS), r"logits .*got list"),  # type: ignore[arg-type]
    (lambda: cope_positions(SCORES, -1), r"max_position .*got -1"),
    (lambda: cope_positions(SCORES, math.nan), r"max_position .*got nan"),
    (lambda: cope_positions(SCORES, math.inf), r"max_position .*got inf"),
    (lambda: cope_positions(SCORES, "ten"), r"max_position .*got 'ten'"),  # type: ignore[arg-type]
    (lambda: cope_bias(HEADS, SCORES, torch.zeros(4)), r"table .*\[n_positions, d_head\].*\[4\]"),
    (lambda: cope_bias(HEADS, SCORES, torch.zeros(0, 4)), r"table .*\[0, 4\]"),
    (
        lambda: cope_bias(HEADS, SCORES, torch.zeros(5, 3)),
        r"query must have shape \[1, 2, 3, 3\].*got \[1, 2, 3, 4\]",
    ),
    (lambda: cope_bias(HEADS[0], SCORES, ROWS), r"query .*got \[2, 3, 4\]"),
    (lambda: CoPE(0, 5), r"d_head .*got 0"),
    (lambda: CoPE(4, 0), r"n_positions .*got 0"),
    (lambda: CoPE(4, 5, divide_gates="no"), r"divide_gates .*got 'no'"),  # type: ignore[arg-type]
    (lambda: CoPE(4, 5, divide_table=0), r"divide_table .*got 0"),  # type: ignore[arg-type]
    (lambda: CoPE(4, 5).score_bias(HEADS, HEADS, AT, AT, None), r"CoPE needs the scores.*got None"),
    (
        lambda: CoPE(6, 5).score_bias(HEADS, HEADS, AT, AT, SCORES),
        r"query must have shape \[1, 2, 3, 6\].*3, 4\]",
    ),
    (lambda: CoPE(4, 5).score_bias(HEADS, HEADS, AT.bfloat16(), AT, SCORES), r"query_positions .*bfloat16"),
]


@pytest.mark.parametrize(
    ("call", "message"), SINUSOIDAL + LEARNED + ROTARY + EXTENSION + SHAW + T5 + ALIBI + COPE
)
def test_is_refused_by_name_with_what_came(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(BilingualValueError, match=message):
        call()
