"""Models take sizes down to 1, compute with them, and refuse smaller ones by name."""

from __future__ import annotations

import functools
from typing import Any

import pytest
import torch

from posenc_lessons import models
from tests.support.refusals import assert_refused

LEAST: dict[str, dict[str, int]] = {
    "DecoderLayer": {"d_model": 1, "n_heads": 1, "d_feed": 1},
    "EncoderLayer": {"d_model": 1, "n_heads": 1, "d_feed": 1},
    "FeedForward": {"d_model": 1, "d_feed": 1},
    "LatentAttention": {
        "d_model": 1,
        "n_heads": 1,
        "d_latent": 1,
        "d_head": 1,
        "d_value": 1,
        "d_query_latent": 1,
    },
    "MultiHeadAttention": {"d_model": 1, "n_heads": 1, "n_kv_heads": 1, "d_head": 1},
    "SinkAttention": {"d_model": 1, "n_heads": 1},
    "TransformerDecoder": {"d_model": 1, "n_heads": 1, "n_layers": 1, "max_len": 1, "window": 1},
    "TransformerEncoder": {"d_model": 1, "n_heads": 1, "n_layers": 1, "max_len": 1, "window": 1},
    "TokenEmbedding": {"vocab_size": 1, "d_model": 1},
    "DecoderOnly": {"vocab_size": 1, "d_model": 1, "n_heads": 1, "n_layers": 1, "n_answers": 1, "window": 1},
}
TWO_INPUTS = ("DecoderLayer", "TransformerDecoder")
OF_TOKENS = ("TokenEmbedding", "DecoderOnly")


def made(name: str, **sizes: int) -> Any:
    more: dict[str, Any] = {"encoding": "learned"} if "max_len" in sizes else {}
    more |= {"d_rotary": 0} if name == "LatentAttention" else {}
    return getattr(models, name)(**sizes, **more)


@pytest.mark.parametrize("name", ["EncoderLayer", "DecoderLayer"])
def test_a_feed_forward_is_four_times_as_wide_by_default(name: str) -> None:
    feed = getattr(models, name)(d_model=6, n_heads=2).feed
    assert feed.up.weight.shape == (24, 6) and feed.down.weight.shape == (6, 24)


@pytest.mark.parametrize("name", LEAST)
def test_the_least_sizes_are_taken_and_smaller_ones_refused(name: str) -> None:
    sizes = LEAST[name]
    x = torch.zeros(1, 1, dtype=torch.long) if name in OF_TOKENS else torch.randn(1, 1, 1)
    out = made(name, **sizes)(*(x, x) if name in TWO_INPUTS else (x,))
    assert (out[0] if isinstance(out, tuple) else out).shape[:2] == (1, 1)
    for size in sizes:
        assert_refused(functools.partial(made, name, **{**sizes, size: 0}), rf"{size} .*got 0")
