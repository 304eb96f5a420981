"""ALiBi: the paper's slopes for any number of heads, and a penalty that grows in a straight line."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor
from torch.testing import assert_close

from posenc_lessons.encodings import ALiBi, alibi_bias, alibi_slopes


def papers_slopes(n_heads: int) -> list[float]:
    """Return the slopes by the paper's recipe: those of a power of two, or borrowed from twice as many."""
    if math.log2(n_heads).is_integer():
        return [2 ** (-8 / n_heads * (i + 1)) for i in range(n_heads)]
    below = 2 ** math.floor(math.log2(n_heads))
    return papers_slopes(below) + papers_slopes(2 * below)[0::2][: n_heads - below]


@pytest.mark.parametrize("n_heads", [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 20, 25, 32, 40, 71, 112, 128])
def test_slopes_follow_the_papers_recipe(n_heads: int) -> None:
    slopes = alibi_slopes(n_heads)
    assert slopes.dtype == torch.float64
    expected = torch.tensor(papers_slopes(n_heads), dtype=torch.float64)
    assert_close(slopes, expected, rtol=1e-14, atol=0)


def test_slopes_of_few_heads_are_these_powers_of_two() -> None:
    assert alibi_slopes(8).tolist() == [1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 32, 1 / 64, 1 / 128, 1 / 256]
    assert alibi_slopes(1).tolist() == [1 / 256]
    assert alibi_slopes(3).tolist() == [1 / 16, 1 / 256, 1 / 4]


@settings(max_examples=60)
@given(n_heads=st.integers(1, 200))
def test_slopes_are_distinct_and_never_steeper_than_the_papers_steepest(n_heads: int) -> None:
    slopes = alibi_slopes(n_heads)
    assert len(slopes) == n_heads == len(slopes.unique())
    assert (slopes >= 2**-8).all() and (slopes < 1).all()


def bias(encoding: ALiBi, queries: Tensor, keys: Tensor, kind: torch.dtype = torch.float32) -> Tensor:
    length = queries.shape[-1]
    query = torch.zeros(2, encoding.n_heads, length, 4, dtype=kind)
    return encoding.score_bias(query, query, queries, keys, None)


@pytest.mark.parametrize("signed", [False, True])
def test_the_bias_is_minus_slope_times_distance(signed: bool) -> None:
    encoding, at = ALiBi(3, signed=signed), torch.arange(5)
    got = bias(encoding, at[:4] + 100, at + 100)
    assert got.shape == (3, 4, 5)
    for head, slope in enumerate(papers_slopes(3)):
        for i in range(4):
            for j in range(5):
                steps = j - i if signed else -abs(j - i)
                assert got[head, i, j].item() == pytest.approx(slope * steps, rel=1e-6)


def test_both_kinds_agree_on_earlier_keys_and_differ_on_later_ones() -> None:
    at = torch.arange(5)
    both, signed = bias(ALiBi(2), at, at), bias(ALiBi(2, signed=True), at, at)
    earlier = at <= at[:, None]
    assert torch.equal(both[:, earlier], signed[:, earlier])
    assert (signed[:, ~earlier] > 0).all() and (both[:, ~earlier] < 0).all()


def test_a_bias_by_key_only_gives_the_same_weights() -> None:
    """The paper's code adds slope · j. It differs by one number per row, which softmax ignores."""
    torch.manual_seed(0)
    at, scores = torch.arange(6), torch.randn(4, 6, 6).double()
    later = at > at[:, None]
    whole = bias(ALiBi(4), at, at, torch.float64)
    keys_alone = alibi_slopes(4)[:, None, None] * at
    one, other = ((scores + b).masked_fill(later, -math.inf).softmax(-1) for b in (whole, keys_alone))
    assert_close(one, other, rtol=0, atol=1e-15)


def test_each_sequence_can_have_its_own_fractional_positions() -> None:
    encoding, queries = ALiBi(2), torch.tensor([0.0, 1.5])
    keys = torch.tensor([[0.5, 2.0, 9.0], [1.0, 1.0, 1.0]])
    got = bias(encoding, queries, keys)
    assert got.shape == (2, 2, 2, 3)
    expected = (
        -(keys[:, None, None, :] - queries[:, None]).abs() * torch.tensor([1 / 16, 1 / 256])[:, None, None]
    )
    assert_close(got, expected)
    for b in range(2):
        assert torch.equal(bias(encoding, queries, keys[b]), got[b])


@pytest.mark.parametrize("kind", [torch.float64, torch.float32, torch.float16, torch.bfloat16])
def test_converting_the_model_does_not_round_the_slopes(kind: torch.dtype) -> None:
    encoding, at = ALiBi(12).to(kind), torch.arange(3) * 1000
    got = bias(encoding, at, at, kind)
    assert got.dtype == torch.promote_types(kind, torch.float32)
    exact = -alibi_slopes(12)[:, None, None] * (at - at[:, None]).abs()
    assert_close(got.double(), exact, rtol=1e-6, atol=0)


@pytest.mark.parametrize("kind", [torch.float64, torch.float32, torch.bfloat16])
@pytest.mark.parametrize("signed", [False, True])
def test_a_bias_has_the_requested_dtype(kind: torch.dtype, signed: bool) -> None:
    at = torch.arange(4, dtype=torch.float64) / 2
    got = alibi_bias(2, at, at, signed, dtype=kind)
    ahead = at - at[:, None] if signed else -(at - at[:, None]).abs()
    assert_close(got, (alibi_slopes(2)[:, None, None] * ahead).to(kind), rtol=0, atol=0)


def test_far_positions_give_the_same_bias_as_near_ones() -> None:
    at = torch.arange(5)
    assert torch.equal(bias(ALiBi(4), at + 10**12, at + 10**12), bias(ALiBi(4), at, at))
