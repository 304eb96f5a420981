"""The two pairings are the same rotation with another order of features, and weights can be converted."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.testing import assert_close

from posenc_lessons.encodings import (
    PAIRINGS,
    Pairing,
    RotaryEncoding,
    convert_pairing,
    rotary_angles,
    rotation_matrix,
)
from posenc_lessons.models import MultiHeadAttention

quickly = settings(max_examples=60)
other: dict[Pairing, Pairing] = {"interleaved": "half_split", "half_split": "interleaved"}


def test_the_order_of_features_in_an_example() -> None:
    """Two heads of six features: neighbours 0 1 2 3 4 5 become halves 0 2 4 1 3 5, head by head."""
    rows = torch.arange(12)
    halves = convert_pairing(rows, 2, "half_split")
    assert halves.tolist() == [0, 2, 4, 1, 3, 5, 6, 8, 10, 7, 9, 11]
    assert convert_pairing(rows, 2, "interleaved").tolist() == [0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11]
    in_part = convert_pairing(rows, 2, "half_split", rotary_dim=4)
    assert in_part.tolist() == [0, 2, 1, 3, 4, 5, 6, 8, 7, 9, 10, 11]


@quickly
@given(pairs=st.integers(1, 8), position=st.integers(-1000, 1000))
def test_the_matrices_differ_by_that_permutation(pairs: int, position: int) -> None:
    angles = rotary_angles(torch.tensor(position), 2 * pairs)
    shuffle = convert_pairing(torch.eye(2 * pairs).double(), 1, "half_split")
    halves, neighbours = rotation_matrix(angles, "half_split"), rotation_matrix(angles, "interleaved")
    assert torch.equal(halves, shuffle @ neighbours @ shuffle.T)


@quickly
@given(heads=st.integers(1, 3), pairs=st.integers(1, 5), rest=st.integers(0, 3), seed=st.integers(0, 99))
def test_converting_twice_gives_the_same_weights(heads: int, pairs: int, rest: int, seed: int) -> None:
    torch.manual_seed(seed)
    weight = torch.randn(heads * (2 * pairs + rest), 5)
    for to in PAIRINGS:
        once = convert_pairing(weight, heads, to, rotary_dim=2 * pairs)
        assert torch.equal(convert_pairing(once, heads, other[to], rotary_dim=2 * pairs), weight)
        assert once.data_ptr() != weight.data_ptr()


@pytest.mark.parametrize("to", PAIRINGS)
def test_a_converted_attention_gives_the_same_output(to: Pairing) -> None:
    torch.manual_seed(0)
    old = MultiHeadAttention(24, 3, RotaryEncoding(8, pairing=other[to])).double()
    new = MultiHeadAttention(24, 3, RotaryEncoding(8, pairing=to)).double()
    new.load_state_dict(old.state_dict())
    x = torch.randn(2, 9, 24).double()
    expected = old(x)
    assert (new(x) - expected).abs().max() > 1e-3, "weights run with the wrong pairing go unnoticed"
    with torch.no_grad():
        for layer in (new.w_query, new.w_key):
            layer.weight.copy_(convert_pairing(layer.weight, 3, to))
            layer.bias.copy_(convert_pairing(layer.bias, 3, to))
    assert_close(new(x), expected, rtol=0, atol=1e-14)
