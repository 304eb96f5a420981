"""Positions (t, h, w) of text, images and video."""

from __future__ import annotations

import itertools
import math
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc_lessons.encodings import multimodal_positions

small = st.integers(1, 4)
segments = st.lists(
    st.one_of(
        st.tuples(st.just("text"), small),
        st.tuples(st.just("image"), small, small),
        st.tuples(st.just("video"), small, small, small, st.floats(0, 3)),
    ),
    min_size=1,
    max_size=5,
)
VIDEO = [("text", 3), ("video", 3, 2, 3, 1.0), ("text", 2)]


@pytest.mark.parametrize(
    ("resume", "frames", "text", "delta", "tokens_per_second"),
    [
        ("largest", [3, 7, 11], [12, 13], -9, 4),
        ("side", [3, 7, 11], [6, 7], -11, 4),
        ("largest", [3, 4, 5], [6, 7], -15, 1),
        ("side", [3, 4, 5], [6, 7], -15, 1),
        ("largest", [3, 3, 3], [6, 7], -15, 0.4),
        ("largest", [3, 3, 4], [6, 7], -15, 0.5),
    ],
)
def test_a_video_and_the_text_after_it(
    resume: Any, frames: list[int], text: list[int], delta: int, tokens_per_second: float
) -> None:
    positions, actual = multimodal_positions(VIDEO, tokens_per_second=tokens_per_second, resume=resume)
    times = [time for time in frames for _ in range(6)]
    assert positions[:, 0].tolist() == [0, 1, 2, *times, *text] and actual == delta
    patches = [[row, column] for row in (3, 4) for column in (3, 4, 5)]
    assert positions[3:21, 1:].tolist() == patches * 3


@given(segments)
def test_segments_do_not_share_numbers_and_the_next_number_is_length_plus_delta(given: Any) -> None:
    positions, delta = multimodal_positions(given)
    counts = {"text": 1, "image": 2, "video": 3}  # numbers to multiply
    parts = positions.split([math.prod(segment[1 : 1 + counts[segment[0]]]) for segment in given])
    assert all(later.min() > earlier.max() for earlier, later in itertools.pairwise(parts))
    assert len(positions) + delta == positions.max() + 1
    text = [part for part, segment in zip(parts, given, strict=True) if segment[0] == "text"]
    assert all(torch.equal(part, part[:, :1].expand(-1, 3)) for part in text)
