"""The learned table: it is trained, ends at max_len, and can be stretched."""

import math

import pytest
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st
from torch.testing import assert_close

from posenc_lessons.encodings import LearnedEncoding


def test_forward_adds_rows_of_the_table() -> None:
    encoding, embeddings = LearnedEncoding(6, 10), torch.randn(2, 4, 6)
    assert torch.equal(encoding(embeddings), embeddings + encoding.table[:4])
    positions = torch.tensor([[9, 0, 3, 3], [1, 2, 3, 4]])
    assert torch.equal(encoding(embeddings, positions), embeddings + encoding.table[positions])
    assert encoding.doors == (1,)


@settings(max_examples=60)
@given(old=st.integers(1, 30), new=st.integers(1, 60), seed=st.integers(0, 99))
@example(old=5, new=2, seed=0)
@example(old=5, new=1, seed=0)
@example(old=1, new=3, seed=0)
def test_a_resized_table_interpolates_between_the_old_rows(old: int, new: int, seed: int) -> None:
    torch.manual_seed(seed)
    encoding = LearnedEncoding(4, old).double()
    resized = encoding.resized(new)
    assert resized.table.shape == (new, 4) and resized.max_len == new
    assert resized.table.dtype == torch.float64 and resized.table.requires_grad
    assert resized.table.data_ptr() != encoding.table.data_ptr()
    assert torch.equal(resized.table[0], encoding.table[0])
    if new > 1:
        assert torch.equal(resized.table[-1], encoding.table[-1])
        for row in range(new):
            place = row * (old - 1) / (new - 1)
            low = math.floor(place)
            expected = encoding.table[low] * (1 - place + low)
            if place > low:
                expected = expected + encoding.table[low + 1] * (place - low)
            assert_close(resized.table[row], expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("positions", [[0, 10], [10**12, 0], [-1, 3]])
def test_there_is_no_row_outside_the_table(positions: list[int]) -> None:
    bad = next(p for p in positions if not 0 <= p < 10)
    with pytest.raises(IndexError, match=rf"(?s)position {bad} .*max_len=10.*0 to 9"):
        LearnedEncoding(6, 10)(torch.zeros(1, 2, 6), torch.tensor(positions))
