"""With a cache, token by token or in pieces, a model gives the same as for the whole text."""

import copy
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.testing import assert_close

from posenc_lessons.encodings import ContextExtension, PositionEncoding, RotaryEncoding
from posenc_lessons.models import (
    COURSE_ENCODINGS,
    DecoderOnly,
    KeyValueCache,
    MultiHeadAttention,
    Seq2Seq,
    causal_mask,
    encoding_named,
    generate,
)
from tests.models.random_weights import with_random_weights

every_encoding = pytest.mark.parametrize("name", COURSE_ENCODINGS)
VOCAB, WIDTH, HEADS, LAYERS = 9, 12, 2, 2


def language_model(encoding: str | PositionEncoding, **settings: Any) -> DecoderOnly:
    torch.manual_seed(0)
    return with_random_weights(
        DecoderOnly(VOCAB, WIDTH, HEADS, LAYERS, encoding, **{"max_len": 10} | settings)
    )


def translator(name: str) -> Seq2Seq:
    torch.manual_seed(0)
    return with_random_weights(Seq2Seq(7, VOCAB, WIDTH, HEADS, LAYERS, name, max_len=10))


def tokens(length: int, batch: int = 3, vocab: int = VOCAB) -> Tensor:
    return torch.randint(vocab, (batch, length))


def test_angles_that_follow_the_length_cannot_be_kept_but_those_of_a_given_length_can() -> None:
    stretched = RotaryEncoding(WIDTH // HEADS, extension=ContextExtension("dynamic", 2, 4))
    model, text = language_model(stretched), tokens(8)
    with pytest.raises(ValueError, match="RotaryEncoding does not allow a cache"):
        model.new_cache()
    assert torch.equal(generate(model, text, 3, use_cache=False)[:, :8], text)
    for layer in model.layers:
        layer.attention.encoding.extension = ContextExtension("dynamic", 2, 4, length=8)
    cache = model.new_cache()
    steps = [model(piece, cache=cache) for piece in text.split((3, 1, 4), dim=1)]
    assert_close(torch.cat(steps, dim=1), model(text), rtol=0, atol=1e-12)


# One attention by itself.


@every_encoding
def test_causal_equals_the_causal_mask_and_combines_with_others(name: str) -> None:
    torch.manual_seed(0)
    layer = with_random_weights(MultiHeadAttention(WIDTH, HEADS, encoding_named(name, WIDTH, HEADS, 10)))
    x, some = torch.randn(2, 6, WIDTH).double(), torch.rand(2, 1, 6, 6) < 0.5
    some[..., 0] = True
    for need_weights in (False, True):
        for mask, whole in ((None, causal_mask(6)), (some, some & causal_mask(6))):
            actual = layer(x, mask=mask, causal=True, need_weights=need_weights)
            expected = layer(x, mask=whole, need_weights=need_weights)
            for a, b in zip(actual, expected, strict=True) if need_weights else ((actual, expected),):
                assert_close(a, b, rtol=0, atol=1e-13)


def test_fewer_queries_than_keys_are_the_last_ones() -> None:
    torch.manual_seed(0)
    layer = with_random_weights(MultiHeadAttention(WIDTH, HEADS, RotaryEncoding(6)))
    x = torch.randn(2, 6, WIDTH).double()
    whole = layer(x, causal=True)
    for n in (1, 2, 5, 6):
        last = layer(x[:, -n:], x, x, causal=True, query_positions=torch.arange(6 - n, 6))
        assert_close(last, whole[:, -n:], rtol=0, atol=1e-13)
    with pytest.raises(ValueError, match=r"no more queries than keys; got 6 and 5"):
        layer(x, x[:, :5], x[:, :5], causal=True)


def test_the_keys_of_another_sequence_are_worked_out_once() -> None:
    torch.manual_seed(0)
    layer = with_random_weights(MultiHeadAttention(WIDTH, HEADS))
    x, memory = torch.randn(2, 2, 5, WIDTH).double()
    cache, calls = KeyValueCache(), []
    layer.w_key.register_forward_hook(lambda *_: calls.append(1))
    for n in range(3):  # an equal memory is the same memory
        actual = layer(x[:, n : n + 1], memory.clone(), memory, cache=cache)
        assert_close(actual, layer(x[:, n : n + 1], memory, memory), rtol=0, atol=1e-13)
    assert len(calls) == 1 + 3


def test_beside_another_sequence_queries_have_the_positions_given_or_begin_at_zero() -> None:
    """A cache of another sequence's keys does not tell how far the queries have come."""
    torch.manual_seed(0)
    layer = with_random_weights(MultiHeadAttention(WIDTH, HEADS, RotaryEncoding(WIDTH // HEADS)))
    x, memory, cache = torch.randn(2, 3, WIDTH).double(), torch.randn(2, 5, WIDTH).double(), KeyValueCache()
    layer(x, memory, memory, cache=cache)
    for inputs, at in ((None, 0), (torch.tensor([3]), 3)):
        actual = layer(x[:, :1], memory, memory, query_positions=inputs, cache=cache)
        expected = layer(x[:, :1], memory, memory, query_positions=torch.tensor([at]))
        assert_close(actual, expected, rtol=0, atol=1e-13)


@torch.no_grad()
def test_a_cache_can_be_copied() -> None:
    model, text = language_model("rotary"), tokens(6)
    cache = model.new_cache()
    model(text[:, :4], cache=cache)
    for other in (copy.deepcopy(cache), cache):
        assert_close(model(text[:, 4:], cache=other), model(text)[:, 4:], rtol=0, atol=1e-12)
