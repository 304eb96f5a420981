"""Arguments that encodings of grids refuse, and the messages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

from posenc_lessons.encodings import (
    AxialRotary,
    ContinuousGridBias,
    DecomposedGridBias,
    GridLearned,
    GridSinusoidal,
    MixedRotary,
    MultiAxisRotary,
    RelativeGridBias,
    axial_frequencies,
    grid_positions,
    interpolate_table,
    mixed_frequencies,
    multimodal_positions,
)
from posenc_lessons.encodings.grid_sinusoidal import grid_sinusoidal_encoding
from posenc_lessons.encodings.rotary_axes import angles_on_axes, sectioned_frequencies
from tests.support.refusals import Refused, assert_refused

AT = torch.arange(3)
HEADS = torch.zeros(1, 2, 3, 4)  # [B, H, L, d_head]
FLAT = grid_positions(1, 3)
TABLE = torch.zeros(7, 4)  # a class token and 2 × 3 patches

GRID: list[Refused] = [
    (lambda: grid_positions(3, 2.5), r"width .*got 2\.5"),  # type: ignore[arg-type]
    (lambda: grid_positions(3, 2, device="warp"), r"'warp' .*cpu"),
    (lambda: interpolate_table(TABLE, (2, 3), (4, 4)), r"table must be .*\[0 \+ 2 · 3, d_model\].*\[7, 4\]"),
    (lambda: interpolate_table(TABLE.numpy(), (2, 3), (4, 4), prefix=1), r"table must be a tensor.*ndarray"),  # type: ignore[arg-type]
    (lambda: interpolate_table(TABLE.long(), (2, 3), (4, 4), prefix=1), r"table must be floating.*int64"),
    (lambda: interpolate_table(TABLE, 6, (4, 4), prefix=1), r"size must be \(height, width\).*got 6"),  # type: ignore[arg-type]
    (lambda: interpolate_table(TABLE, (2, 3), (4, 0), prefix=1), r"new_size\[1\] .*got 0"),
    (lambda: interpolate_table(TABLE, (2, 3), (4, 4), prefix=-1), r"prefix .*got -1"),
    (lambda: interpolate_table(TABLE, (2, 3), (4, 4), prefix=1, antialias=1), r"antialias .*got 1"),  # type: ignore[arg-type]
    (
        lambda: interpolate_table(TABLE, (2, 3), (4, 4), prefix=1, mode="nearest"),  # type: ignore[arg-type]
        r"mode must be one of bilinear, bicubic; got 'nearest'",
    ),
    (lambda: grid_sinusoidal_encoding(FLAT, 6), r"d_model must be a multiple of 2 · axes = 4.*got 6"),
    (lambda: GridSinusoidal(8, axes=1), r"axes must be .*2 or more; got 1"),
    (
        lambda: GridSinusoidal(4)(torch.zeros(2, 3, 4), AT),
        r"positions must have shape \[3, 2\] or \[2, 3, 2\].*got \[3\]",
    ),
    (lambda: angles_on_axes(FLAT, torch.ones(3, 4)), r"frequencies must be .*\[3, 4\] and \[3, 2\]"),
    (lambda: angles_on_axes(FLAT, torch.ones(2, 4).long()), r"frequencies must be floating.*int64"),
    (lambda: angles_on_axes(FLAT / 0, torch.ones(2, 4)), r"positions must all be finite; got (nan|inf)"),
    (lambda: axial_frequencies((4,)), r"widths must be .*two or more.*got \(4,\)"),
    (lambda: axial_frequencies((4, 3)), r"widths\[1\] must be even.*got 3"),
    (lambda: AxialRotary(6), r"d_head must be a multiple of 4.*got 6"),
    (lambda: AxialRotary(8, widths=(4, 6)), r"widths must add up to at most d_head=8; got \(4, 6\)"),
    (lambda: AxialRotary(8).turn(HEADS, FLAT), r"d_head is 8 here, but the heads have 4"),
    (lambda: AxialRotary(4).turn(HEADS, AT), r"positions must have shape \[3, 2\] or \[1, 3, 2\]"),
    (lambda: AxialRotary(4).turn(HEADS, [[0, 0]] * 3), r"positions .*torch\.zeros\(3, 2\); got list"),  # type: ignore[arg-type]
    (lambda: mixed_frequencies(6, AT / 1), r"d_head must be a multiple of 4.*got 6"),
    (lambda: MixedRotary(4, n_heads=3).turn(HEADS, FLAT), r"query must have shape \[B, 3, L, d_head\]"),
    (lambda: sectioned_frequencies((3,)), r"sections must be .*two axes or more.*got \(3,\)"),
    (lambda: sectioned_frequencies((3, -1)), r"sections\[1\] .*got -1"),
    (lambda: sectioned_frequencies((0, 0)), r"sections must be .*got \(0, 0\)"),
    (lambda: sectioned_frequencies((3, 1), layout="mixed"), r"layout must be .*'mixed'"),  # type: ignore[arg-type]
    (
        lambda: MultiAxisRotary(8, (2, 1, 2)),
        r"sections count pairs .*d_head/2=4; got \(2, 1, 2\).*add up to 5",
    ),
    (lambda: MultiAxisRotary(8, (2, 1, 1), rotary_dim=6), r"rotary_dim/2=3; got \(2, 1, 1\)"),
    (lambda: RelativeGridBias(2, (3, 0)), r"window\[1\] .*got 0"),
    (lambda: RelativeGridBias(2, (3, 3, 1)), r"window .*\(height, width\) in patches; got \(3, 3, 1\)"),  # type: ignore[arg-type]
    (lambda: RelativeGridBias(3, 3).score_bias(HEADS, HEADS, FLAT, FLAT, None), r"query must have .*3, L"),
    (
        lambda: RelativeGridBias(2, 3).score_bias(HEADS, HEADS, FLAT / 1, FLAT / 1, None),
        r"query_positions must be integers.*float32",
    ),
    (lambda: ContinuousGridBias(2, 3, (2, 0)), r"trained_window\[1\] .*got 0"),
    (
        lambda: DecomposedGridBias(3, 3).score_bias(HEADS, HEADS, FLAT, FLAT, None),
        r"d_head is 3 here, but the heads have 4",
    ),
    (lambda: GridLearned(8, 3, 3).encode(FLAT / 1), r"positions must be integers.*float32"),
    (lambda: multimodal_positions([]), r"segments must be a list of at least one.*got \[\]"),
    (lambda: multimodal_positions([("audio", 3)]), r"a segment must be .*got \('audio', 3\)"),
    (lambda: multimodal_positions([("text", 0)]), r"n must be .*1 or more; got 0"),
    (lambda: multimodal_positions([("image", 0, 2)]), r"h must be .*got 0"),
    (lambda: multimodal_positions([("video", 2, 1, 1, -1)]), r"seconds_per_grid must be .*0 or more; got -1"),
    (
        lambda: multimodal_positions([("video", 2, 1, 1, 2**24)], tokens_per_second=1),
        r"last frame must be below 2\^24.*got 1\.67772e\+07",
    ),
    (lambda: multimodal_positions([("text", 1)], tokens_per_second=0), r"tokens_per_second .*above 0; got 0"),
    (
        lambda: multimodal_positions([("text", 1)], resume="last"),
        r"resume must be one of largest, side; got 'last'",
    ),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("call", "message"), GRID)
def test_a_refusal_names_the_argument_and_what_came(call: Callable[[], Any], message: str) -> None:
    assert_refused(call, message)
