"""A learned sink takes its share of each row and hands nothing on; a cache without its middle goes on."""

from __future__ import annotations

import math

import pytest
import torch

from posenc_lessons.encodings import ALiBi, ContextExtension, RotaryEncoding
from posenc_lessons.models import DecoderOnly, MultiHeadAttention, SinkAttention, forget_middle


def both() -> tuple[SinkAttention, MultiHeadAttention]:
    torch.manual_seed(0)
    with_sink, without = SinkAttention(8, 2, ALiBi(2)).eval(), MultiHeadAttention(8, 2, ALiBi(2)).eval()
    without.load_state_dict({k: v for k, v in with_sink.state_dict().items() if k != "sink"})
    return with_sink, without


def test_a_sink_at_minus_infinity_is_none() -> None:
    with_sink, without = both()
    with_sink.sink.data.fill_(-math.inf)
    x = torch.randn(3, 5, 8)
    for causal in (True, False):
        torch.testing.assert_close(with_sink(x, causal=causal), without(x, causal=causal))


def test_it_is_a_key_of_score_b_and_value_zero() -> None:
    torch.manual_seed(0)
    attention = SinkAttention(8, 2).eval()
    attention.sink.data.copy_(torch.tensor([0.7, -1.0]))
    x = torch.randn(1, 4, 8)
    out, weights = attention(x, need_weights=True)
    query, key = (
        part(x).unflatten(-1, (2, 4)).transpose(1, 2) for part in (attention.w_query, attention.w_key)
    )
    scores = (query @ key.transpose(-2, -1) / 2).exp()  # [1, 2, 4, 4]
    beside = attention.sink.exp()[:, None, None] + scores.sum(dim=-1, keepdim=True)
    torch.testing.assert_close(weights, scores / beside)
    torch.testing.assert_close(out, attention(x))


def test_it_learns() -> None:
    with_sink, _ = both()
    with_sink(torch.randn(1, 4, 8)).square().sum().backward()
    assert with_sink.sink.grad is not None and (with_sink.sink.grad != 0).all()


def model_with(encoding: object) -> DecoderOnly:
    torch.manual_seed(0)
    return DecoderOnly(9, 8, 2, 1, encoding, max_len=32).eval()  # type: ignore[arg-type]


@torch.no_grad()
def test_what_is_kept_is_what_the_kept_tokens_alone_would_leave() -> None:
    """With one layer, keys and values know nothing of the tokens before."""
    model = model_with(RotaryEncoding(4))
    tokens = torch.randint(9, (2, 12))
    cache = model.new_cache()
    model(tokens, cache=cache)
    forget_middle(model, cache, first=2, latest=5)
    fresh = model.new_cache()
    model(torch.cat((tokens[:, :2], tokens[:, 7:]), dim=1), cache=fresh)
    assert cache.length == 7 and cache.positions is not None and cache.positions.tolist() == list(range(7))
    torch.testing.assert_close(cache.self_attention[0].keys, fresh.self_attention[0].keys)
    new = torch.tensor([[3], [4]])
    torch.testing.assert_close(model(new, cache=cache), model(new, cache=fresh))


@torch.no_grad()
def test_without_new_numbers_positions_go_on() -> None:
    model = model_with(RotaryEncoding(4))
    cache = model.new_cache()
    model(torch.randint(9, (1, 8)), cache=cache)
    forget_middle(model, cache, first=1, latest=3, renumber=False)
    model(torch.tensor([[1]]), cache=cache)
    assert cache.positions is not None and cache.positions.tolist() == [0, 5, 6, 7, 8]


@torch.no_grad()
def test_a_short_cache_stays_as_it_is() -> None:
    model = model_with(RotaryEncoding(4))
    cache = model.new_cache()
    forget_middle(model, cache, first=1, latest=3)
    model(torch.randint(9, (1, 4)), cache=cache)
    forget_middle(model, cache, first=1, latest=3)
    assert cache.length == 4


@pytest.mark.parametrize(
    "encoding",
    ["learned", RotaryEncoding(4, extension=ContextExtension("yarn", 4, 16))],
    ids=["door 1", "yarn"],
)
@torch.no_grad()
def test_keys_that_cannot_be_turned_further_are_refused(encoding: object) -> None:
    model = model_with(encoding)
    cache = model.new_cache()
    model(torch.randint(9, (1, 8)), cache=cache)
    with pytest.raises(ValueError, match=r"cannot be brought to new positions"):
        forget_middle(model, cache, first=1, latest=3)
