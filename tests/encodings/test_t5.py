"""T5's buckets: they follow the paper at every size, and each has a learned number."""

from __future__ import annotations

import math

import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from posenc_lessons.encodings import t5_buckets

quickly = settings(max_examples=100)


def by_hand(distance: int, n_buckets: int, max_distance: int, bidirectional: bool) -> int:
    """Compute the formula of T5's code in float64, and fail if rounding could decide the bucket."""
    bucket = 0
    if bidirectional:
        n_buckets //= 2
        bucket = n_buckets if distance > 0 else 0
        size = abs(distance)
    else:
        size = max(-distance, 0)
    exact = n_buckets // 2
    if size < exact:
        return bucket + size
    place = math.log(size / exact) / math.log(max_distance / exact) * (n_buckets - exact)
    if place < n_buckets - exact:
        assume(abs(place - round(place)) > 1e-9 or size == exact)
    return bucket + min(exact + int(place), n_buckets - 1)


@quickly
@given(
    distance=st.integers(-500, 500) | st.integers(-(10**7), 10**7),
    half=st.integers(2, 40),
    beyond=st.integers(1, 2000),
    bidirectional=st.booleans(),
)
def test_buckets_follow_the_formula(distance: int, half: int, beyond: int, bidirectional: bool) -> None:
    n_buckets = 2 * half
    max_distance = half + beyond
    expected = by_hand(distance, n_buckets, max_distance, bidirectional)
    actual = t5_buckets(torch.tensor(distance), n_buckets, max_distance, bidirectional)
    assert actual.item() == expected and actual.dtype == torch.int64


def test_the_largest_integers_are_in_the_outermost_buckets() -> None:
    furthest = torch.tensor([-(2**63), 2**63 - 1])
    assert t5_buckets(furthest).tolist() == [15, 31]
    assert t5_buckets(furthest, bidirectional=False).tolist() == [31, 0]
