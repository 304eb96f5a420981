"""Latent attention gives the same absorbed or not, cached, packed and compiled, and its cache is small."""

import math
from typing import Any

import pytest
import torch
from torch.testing import assert_close

from posenc_lessons.encodings import ALiBi, QueryTemperature, RotaryEncoding, Together
from posenc_lessons.language import BilingualValueError
from posenc_lessons.models import KeyValueCache, LatentAttention
from tests.models.random_weights import with_random_weights

WIDTH, HEADS, LATENT, ROTARY = 12, 3, 7, 4


def latent(**other: Any) -> LatentAttention:
    torch.manual_seed(0)
    sizes: dict[str, Any] = {"d_latent": LATENT, "d_head": 5, "d_rotary": ROTARY}
    return with_random_weights(
        LatentAttention(WIDTH, HEADS, **{"encoding": RotaryEncoding(ROTARY)} | sizes | other)
    )


WAYS = [{}, {"absorbed": True}, {"absorbed": False}]


def test_without_a_rotary_part_there_are_no_positions() -> None:
    layer = latent(d_rotary=0, encoding=None)
    x, at, cache = torch.randn(2, 6, WIDTH).double(), torch.arange(6) * 9, KeyValueCache()
    assert torch.equal(layer(x, query_positions=at), layer(x))
    parts = [layer(piece, causal=True, cache=cache) for piece in x.split(2, dim=1)]
    assert_close(torch.cat(parts, dim=1), layer(x, causal=True), rtol=0, atol=1e-12)
    assert cache.numbers_per_token == LATENT


def test_scale_multiplies_the_scores() -> None:
    """DeepSeek's second mscale goes there: with 0.707 · ln 40 it is 1.2608² = 1.590 times as large."""
    plain, x = latent(), torch.randn(1, 6, WIDTH).double()
    assert plain.scale == pytest.approx(1 / math.sqrt(5 + ROTARY))
    scaled = latent(scale=plain.scale * 1.5)
    longer = latent()
    longer.w_query.weight.data *= 1.5
    for way in WAYS:
        assert_close(scaled(x, causal=True, **way), longer(x, causal=True), rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("sizes", "says"),
    [
        ({"d_rotary": -1}, "d_rotary must be a whole number, 0 or more; got -1"),
        ({"scale": 0}, "scale must be a finite number, above 0; got 0"),
        ({"encoding": ALiBi(HEADS)}, "encoding must have door 2 only.*got ALiBi"),
        ({"encoding": Together(RotaryEncoding(4), ALiBi(HEADS))}, "door 2 only.*Together"),
        ({"encoding": Together(RotaryEncoding(4), QueryTemperature())}, r"not scale queries.*Together"),
        ({"encoding": "rotary"}, "door 2 only.*got 'rotary'"),
        ({"dropout": 1.0}, "dropout must be"),
    ],
)
def test_wrong_sizes_and_encodings_are_refused(sizes: dict[str, Any], says: str) -> None:
    with pytest.raises(BilingualValueError, match=says):
        latent(**sizes)
