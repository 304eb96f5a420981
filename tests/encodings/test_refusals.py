"""Arguments that encodings refuse, and the messages: embeddings and scores.

``test_arguments.py`` tests each kind of argument, ``kinds.py`` has the sizes. Here each other argument
is shown to be checked, also by the rules of a single function. ``test_rotary_refusals.py`` and
``test_grids_refusals.py`` have the refusals of rotations and of grids.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch

from posenc_lessons.encodings import (
    ALiBi,
    CoPE,
    ForgetGate,
    LearnedEncoding,
    ShawRelative,
    SinusoidalEncoding,
    T5RelativeBias,
    alibi_bias,
    cope_bias,
    cope_positions,
    relative_distances,
    relative_scores,
    relative_values,
    shift_matrix,
    sinusoidal_encoding,
    t5_buckets,
)
from tests.support.refusals import Refused, assert_refused

AT = torch.arange(3)
X = torch.zeros(2, 3, 4)  # [B, L, d_head], or [H, L, d_head]
HEADS = torch.zeros(1, 2, 3, 4)  # [B, H, L, d_head]
SCORES = torch.zeros(1, 2, 3, 3)
ROWS = torch.zeros(5, 4)  # a table

SINUSOIDAL: list[Refused] = [
    (lambda: sinusoidal_encoding(4, 5), r"d_model must be even.*got 5"),
    (lambda: sinusoidal_encoding(0, 4), r"positions must be .*got 0"),
    (lambda: sinusoidal_encoding(torch.tensor([0.0, math.nan]), 4), r"positions must all be finite; got nan"),
    (lambda: sinusoidal_encoding(torch.tensor([257.0]).bfloat16(), 4), r"positions .*bfloat16.*run together"),
    (lambda: sinusoidal_encoding(4, 4, dtype=torch.int64), r"dtype .*int64"),
    (lambda: sinusoidal_encoding(4, 4, device="warp"), r"'warp' .*cpu"),
    (lambda: shift_matrix("far", 4), r"offset must be one number; got 'far'"),  # type: ignore[arg-type]
    (lambda: shift_matrix(math.inf, 4), r"finite; got inf"),
    (lambda: SinusoidalEncoding(7), r"d_model must be even.*7"),
    (lambda: SinusoidalEncoding(8, base=1), r"base .*got 1"),
    (lambda: SinusoidalEncoding(8, dropout=1.0), r"dropout .*got 1.0"),
    (
        lambda: SinusoidalEncoding(8)(torch.zeros(1, 3, 6)),
        r"embeddings must have shape \[B, L, 8\]; got \[1, 3",
    ),
    (
        lambda: SinusoidalEncoding(8)(torch.zeros(2, 3, 8), AT[:2]),
        r"positions must have shape \[3\] or \[2, 3\]",
    ),
]
LEARNED: list[Refused] = [
    (lambda: LearnedEncoding(6, 10).encode(torch.tensor([0.5])), r"positions must be integers.*float32"),
    (lambda: LearnedEncoding(6, 10).resized(0), r"new_max_len .*got 0"),
    (lambda: LearnedEncoding(6, 10)(torch.zeros(1, 3, 8)), r"embeddings .*3, 8\]"),
]
SHAW: list[Refused] = [
    (lambda: relative_distances(3, 3, device="warp"), r"'warp' is not on"),
    (
        lambda: relative_scores(X, torch.zeros(4, 4), 3),
        r"table must have shape \[2k\+1, d_head\].*got \[4, 4\]",
    ),
    (lambda: relative_scores(X, torch.zeros(5), 3), r"table .*\[5\]"),
    (
        lambda: relative_scores(torch.zeros(3, 6), ROWS, 3),
        r"query must have shape \[..., Lq, 4\].*got \[3, 6\]",
    ),
    (lambda: relative_scores(X, ROWS, 0), r"len_k .*got 0"),
    (lambda: relative_values(torch.zeros(3), ROWS), r"weights .*got \[3\]"),
    (
        lambda: relative_scores(X, ROWS, 3, relative_distances(4, 3)),
        r"distances must be int64.*int64 \[4, 3\]",
    ),
    (lambda: relative_scores(X[0], ROWS, 3, torch.zeros(1, 3, 3).long()), r"distances .*int64 \[1, 3, 3\]"),
    (lambda: relative_values(torch.zeros(3, 3), ROWS, torch.zeros(3, 3)), r"distances .*float32 \[3, 3\]"),
    (lambda: ShawRelative(4, keys=False, values=False), r"keys and values are both False"),
    (lambda: ShawRelative(4, keys="no"), r"keys must be True or False; got 'no'"),  # type: ignore[arg-type]
    (
        lambda: ShawRelative(4).score_bias(HEADS, HEADS, AT / 2, AT, None),
        r"query_positions must be integers.*float",
    ),
    (lambda: ShawRelative(4).value_bias(SCORES, AT, AT / 2), r"key_positions must be integers.*float32"),
]
T5: list[Refused] = [
    (lambda: t5_buckets(AT, 7), r"n_buckets must be even.*got 7"),
    (lambda: t5_buckets(AT, 32, 8), r"max_distance .*9 or more; got 8"),
    (lambda: T5RelativeBias(2, 32, 16, bidirectional=False), r"max_distance .*17 or more; got 16"),
    (lambda: t5_buckets(AT / 2), r"distances must be integers.*float32"),
    (lambda: t5_buckets(3), r"distances must be a tensor.*got int"),  # type: ignore[arg-type]
    (lambda: T5RelativeBias(2, bidirectional="no"), r"bidirectional .*got 'no'"),  # type: ignore[arg-type]
    (
        lambda: T5RelativeBias(3).score_bias(HEADS, HEADS, AT, AT, None),
        r"query .*\[B, 3, L.*got \[1, 2, 3, 4\]",
    ),
]
ALIBI: list[Refused] = [
    (lambda: ALiBi(2, signed="no"), r"signed .*got 'no'"),  # type: ignore[arg-type]
    (lambda: alibi_bias(2, AT, [0, 1]), r"key_positions must be a tensor.*got list"),  # type: ignore[arg-type]
    (lambda: alibi_bias(2, AT, AT, dtype=torch.int64), r"dtype must be a floating type.*int64"),
    (
        lambda: ALiBi(4).score_bias(HEADS, HEADS, AT, AT, None),
        r"query must have shape \[B, 4, L, d_head\].*got",
    ),
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
    (lambda: cope_bias(HEADS, [[0.0]], ROWS), r"logits .*got list"),  # type: ignore[arg-type]
    (lambda: cope_positions(SCORES, -1), r"max_position .*got -1"),
    (lambda: cope_positions(SCORES, math.nan), r"max_position .*got nan"),
    (lambda: cope_bias(HEADS, SCORES, torch.zeros(0, 4)), r"table .*\[0, 4\]"),
    (
        lambda: cope_bias(HEADS, SCORES, torch.zeros(5, 3)),
        r"query must have shape \[1, 2, 3, 3\].*got \[1, 2, 3, 4\]",
    ),
    (lambda: CoPE(4, 5, divide_gates="no"), r"divide_gates .*got 'no'"),  # type: ignore[arg-type]
    (lambda: CoPE(4, 5).score_bias(HEADS, HEADS, AT, AT, None), r"CoPE needs the scores.*got None"),
    (
        lambda: CoPE(6, 5).score_bias(HEADS, HEADS, AT, AT, SCORES),
        r"query must have shape \[1, 2, 3, 6\].*3, 4\]",
    ),
]
FORGET_GATE: list[Refused] = [
    (lambda: ForgetGate(4, 2, torch.ones(3)), r"slopes must be .*\[2\].*got \[1.0, 1.0, 1.0\]"),
    (
        lambda: ForgetGate(4, 2, torch.tensor([1.0, 0.0])),
        r"a positive number for each head; got \[1.0, 0.0\]",
    ),
    (lambda: ForgetGate(4, 2, [1.0, 1.0]), r"slopes must be a tensor"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("call", "message"), SINUSOIDAL + LEARNED + SHAW + T5 + ALIBI + COPE + FORGET_GATE)
def test_a_refusal_names_the_argument_and_what_came(call: Callable[[], Any], message: str) -> None:
    assert_refused(call, message)
