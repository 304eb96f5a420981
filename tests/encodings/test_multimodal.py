"""Positions (t, h, w) of text, images and video."""

from __future__ import annotations

import itertools
import math
from typing import Any

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


@given(segments)
def test_segments_do_not_share_numbers_and_the_next_number_is_length_plus_delta(given: Any) -> None:
    positions, delta = multimodal_positions(given)
    counts = {"text": 1, "image": 2, "video": 3}  # numbers to multiply
    parts = positions.split([math.prod(segment[1 : 1 + counts[segment[0]]]) for segment in given])
    assert all(later.min() > earlier.max() for earlier, later in itertools.pairwise(parts))
    assert len(positions) + delta == positions.max() + 1
    text = [part for part, segment in zip(parts, given, strict=True) if segment[0] == "text"]
    assert all(torch.equal(part, part[:, :1].expand(-1, 3)) for part in text)
