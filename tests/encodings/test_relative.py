"""Relative positions: distances, Shaw's vectors for them, T5's outermost buckets, ALiBi's slopes."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor
from torch.testing import assert_close

from posenc_lessons.encodings import (
    ALiBi,
    alibi_bias,
    alibi_slopes,
    relative_distances,
    relative_scores,
    relative_values,
    t5_buckets,
)
from tests.encodings.host_reads import Largest

quickly = settings(max_examples=60)
lengths = st.integers(1, 9)
clips = st.integers(1, 10)
seeds = st.integers(0, 99)


def vectors(table: Tensor, distances: Tensor) -> Tensor:
    """Return a_{j−i} for each query and key, [..., Lq, Lk, d], which is too large for the library."""
    k = len(table) // 2
    return table[distances.clamp(-k, k) + k]


@quickly
@given(len_q=lengths, len_k=lengths, clip=st.none() | clips)
def test_distances_are_key_minus_query(len_q: int, len_k: int, clip: int | None) -> None:
    """Rows are queries. The other way round, 3 queries and 5 keys would have the shape [5, 3]."""
    distances = relative_distances(len_q, len_k, clip)
    assert distances.shape == (len_q, len_k)
    most = clip or len_q + len_k
    expected = [[max(-most, min(j - i, most)) for j in range(len_k)] for i in range(len_q)]
    assert distances.tolist() == expected


@quickly
@given(batch=st.integers(1, 3), len_q=lengths, len_k=lengths, clip=clips, own=st.booleans(), seed=seeds)
def test_scores_and_values_follow_their_definition(
    batch: int, len_q: int, len_k: int, clip: int, own: bool, seed: int
) -> None:
    """With distances counted from 0, or ``own`` ones for each sequence."""
    torch.manual_seed(seed)
    query, table = torch.randn(batch, 2, len_q, 4).double(), torch.randn(2 * clip + 1, 4).double()
    distances = torch.randint(-15, 15, (batch, len_q, len_k)) if own else None
    counted = relative_distances(len_q, len_k).expand(batch, -1, -1)
    a = vectors(table, counted if distances is None else distances)
    expected = torch.einsum("bhid,bijd->bhij", query, a)
    assert_close(relative_scores(query, table, len_k, distances), expected, rtol=0, atol=1e-13)
    weights = torch.rand(batch, 2, len_q, len_k).double()
    expected = torch.einsum("bhij,bijd->bhid", weights, a)
    assert_close(relative_values(weights, table, distances), expected, rtol=0, atol=1e-13)


@pytest.mark.parametrize("kind", [torch.float16, torch.bfloat16])
def test_thousands_of_half_precision_weights_are_added_up_without_loss(kind: torch.dtype) -> None:
    """If 4000 weights of 1/4000 are added up in bfloat16, the sum stops growing near 1/16."""
    weights, table = torch.full((2, 3, 1, 4000), 1 / 4000).to(kind), torch.ones(3, 2, dtype=kind)
    expected = torch.full((2, 3, 1, 2), 4000 * weights[0, 0, 0, 0].item()).double()
    actual = relative_values(weights, table)
    assert actual.dtype == kind
    assert_close(actual.double(), expected, rtol=1e-2, atol=0)


def test_the_largest_thing_built_has_the_size_of_the_scores() -> None:
    """Check all operations, forward and backward: none makes a tensor as large as [Lq, Lk, d]."""
    query, table = torch.randn(2, 3, 40, 16, requires_grad=True), torch.randn(17, 16, requires_grad=True)
    with Largest() as largest:
        scores = relative_scores(query, table, 50)
        relative_values(scores.softmax(dim=-1), table).sum().backward()
    assert largest.bytes == 2 * 3 * 40 * 50 * 4  # of the float32 scores


def test_the_largest_integers_are_in_t5s_outermost_buckets() -> None:
    furthest = torch.tensor([-(2**63), 2**63 - 1])
    assert t5_buckets(furthest).tolist() == [15, 31]
    assert t5_buckets(furthest, bidirectional=False).tolist() == [31, 0]


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


@pytest.mark.parametrize("kind", [torch.float64, torch.float32, torch.bfloat16])
@pytest.mark.parametrize("signed", [False, True])
def test_a_bias_is_rounded_once(kind: torch.dtype, signed: bool) -> None:
    at = torch.arange(4, dtype=torch.float64) * 500.5
    ahead = at - at[:, None] if signed else -(at - at[:, None]).abs()
    exact = alibi_slopes(12)[:, None, None] * ahead
    assert_close(alibi_bias(12, at, at, signed, dtype=kind).double(), exact, rtol=2**-7, atol=0)
    query = torch.zeros(2, 12, 4, 4, dtype=kind)
    actual = ALiBi(12, signed).to(kind).score_bias(query, query, at, at, None)
    assert actual.dtype == torch.promote_types(kind, torch.float32)
    assert_close(actual.double(), exact, rtol=1e-6, atol=0)
