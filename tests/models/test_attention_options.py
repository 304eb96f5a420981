"""Widths of its own, fewer heads of keys than of queries, no biases, a device and a dtype from the start."""

from __future__ import annotations

import pytest
import torch
from torch.testing import assert_close

from posenc_lessons.encodings import ALiBi
from posenc_lessons.models import COURSE_ENCODINGS, KeyValueCache, MultiHeadAttention, encoding_named
from tests.models.random_weights import with_random_weights

D_MODEL, HEADS, D_HEAD = 12, 4, 6


@pytest.mark.parametrize("name", COURSE_ENCODINGS)
@pytest.mark.parametrize("n_kv_heads", [1, 2])
def test_shared_heads_of_keys_are_heads_with_equal_weights(name: str, n_kv_heads: int) -> None:
    torch.manual_seed(0)
    encoding = encoding_named(name, D_MODEL, HEADS, 8, d_head=D_HEAD)
    grouped = MultiHeadAttention(D_MODEL, HEADS, encoding, d_head=D_HEAD, n_kv_heads=n_kv_heads)
    plain = MultiHeadAttention(D_MODEL, HEADS, encoding, d_head=D_HEAD)
    state = with_random_weights(grouped).state_dict()
    for name_of in ("w_key", "w_value"):
        for part in ("weight", "bias"):
            heads = state[f"{name_of}.{part}"].unflatten(0, (n_kv_heads, D_HEAD))
            state[f"{name_of}.{part}"] = heads.repeat_interleave(HEADS // n_kv_heads, dim=0).flatten(0, 1)
    plain.double().eval().load_state_dict(state)
    x, cache = torch.randn(2, 7, D_MODEL).double(), KeyValueCache()
    expected, weights = plain(x, causal=True, need_weights=True)
    got, shares = grouped(x, causal=True, need_weights=True)
    assert_close(got, expected, rtol=0, atol=1e-13)
    assert_close(shares, weights, rtol=0, atol=1e-13)
    steps = [grouped(piece, causal=True, cache=cache) for piece in x.split((3, 1, 3), dim=1)]
    assert_close(torch.cat(steps, dim=1), expected, rtol=0, atol=1e-13)
    assert cache.keys is not None and cache.keys.shape == (2, n_kv_heads, 7, D_HEAD)


def test_widths_biases_dtype_and_device() -> None:
    layer = MultiHeadAttention(
        5, 3, ALiBi(3), d_head=4, d_out=7, bias=False, device="meta", dtype=torch.bfloat16
    )
    shapes = {name: tuple(parameter.shape) for name, parameter in layer.named_parameters()}
    assert shapes == {
        "w_query.weight": (12, 5),
        "w_key.weight": (12, 5),
        "w_value.weight": (12, 5),
        "w_out.weight": (7, 12),
    }
    assert {(p.device.type, p.dtype) for p in layer.parameters()} == {("meta", torch.bfloat16)}
    assert layer(torch.empty(2, 6, 5, dtype=torch.bfloat16, device="meta"), causal=True).shape == (2, 6, 7)
