"""T5's buckets: they follow the paper at every size, and each has a learned number."""

from __future__ import annotations

import torch

from posenc_lessons.encodings import t5_buckets


def test_the_largest_integers_are_in_the_outermost_buckets() -> None:
    furthest = torch.tensor([-(2**63), 2**63 - 1])
    assert t5_buckets(furthest).tolist() == [15, 31]
    assert t5_buckets(furthest, bidirectional=False).tolist() == [31, 0]
