"""Masks and positions: their definitions, padding by hand, and positions that go on."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor
from torch.testing import assert_close

from posenc_lessons.encodings import RotaryEncoding
from posenc_lessons.models import KeyValueCache, MultiHeadAttention
from posenc_lessons.models.masks import mask_of_stack, padding_mask, positions_among_real
from tests.models.random_weights import with_random_weights

WIDTH, HEADS = 12, 2


# Positions kept by one attention.


@pytest.mark.parametrize("shapes", [((1, 3), (2, 1)), ((3,), (2, 1)), ((2, 3), (1,)), ((2, 3), (1, 1))])
def test_positions_of_one_row_then_of_each_row(shapes: tuple[tuple[int, ...], ...]) -> None:
    torch.manual_seed(0)
    layer = with_random_weights(MultiHeadAttention(WIDTH, HEADS, RotaryEncoding(6))).double()
    x, cache = torch.randn(2, 4, WIDTH).double(), KeyValueCache()
    first, last = torch.arange(3).expand(shapes[0]), torch.full(shapes[1], 3)
    actual = [layer(x[:, :3], causal=True, query_positions=first, cache=cache)]
    actual.append(layer(x[:, 3:], causal=True, query_positions=last, cache=cache))
    assert_close(torch.cat(actual, dim=1), layer(x, causal=True), rtol=0, atol=1e-13)


@pytest.mark.parametrize("first", [[5, 6, 7], [5, 9, 2], [0.5, 1.5, 2.5], [[5, 6, 7], [0, 1, 9]]], ids=str)
def test_positions_continue_after_the_last_kept_one(first: list[float]) -> None:
    torch.manual_seed(0)
    layer = with_random_weights(MultiHeadAttention(WIDTH, HEADS, RotaryEncoding(6)))
    x, cache, at = torch.randn(2, 5, WIDTH).double(), KeyValueCache(), torch.tensor(first)
    layer(x[:, :3], causal=True, query_positions=at, cache=cache)
    layer(x[:, 3:], causal=True, cache=cache)
    expected = torch.cat((at, at[..., -1:] + 1, at[..., -1:] + 2), dim=-1)
    assert cache.positions is not None and torch.equal(cache.positions, expected)


rows = st.lists(st.lists(st.booleans(), min_size=5, max_size=5), min_size=1, max_size=3).map(torch.tensor)


@settings(max_examples=60)
@given(real=rows, n_new=st.integers(1, 5), causal=st.booleans(), seed=st.integers(0, 99))
def test_masks_and_positions_follow_their_definition(
    real: Tensor, n_new: int, causal: bool, seed: int
) -> None:
    everyone, at, batch = padding_mask(real), positions_among_real(real), len(real)
    inputs = torch.rand(batch, 1, n_new, 5, generator=torch.Generator().manual_seed(seed)) < 0.5
    masks = [mask_of_stack(mask, real, n_new, 5, causal, real.device) for mask in (inputs, None)]
    assert everyone.shape == (batch, 1, 1, 5)
    assert masks[0].shape == (batch, 1, n_new, 5)
    for b, row in enumerate(real.tolist()):
        assert everyone[b, 0, 0].tolist() == (row if any(row) else [True] * 5)
        for new, i in enumerate(range(5 - n_new, 5)):
            original = [(j <= i or not causal) and row[j] for j in range(5)]
            shown = inputs[b, 0, new].tolist()
            assert masks[0][b, 0, new].tolist() == [j == i or (original[j] and shown[j]) for j in range(5)]
            if causal:
                assert masks[1][b, 0, new].tolist() == [j == i or original[j] for j in range(5)]
        for i in range(5):
            if row[i]:
                assert at[b, i] == sum(row[:i])
            assert 0 <= at[b, i] < max(1, sum(row))
