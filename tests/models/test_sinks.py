"""A learned sink takes its share of each row and hands nothing on."""

from __future__ import annotations

import math

import torch

from posenc_lessons.encodings import ALiBi
from posenc_lessons.models import MultiHeadAttention
from posenc_lessons.models.sinks import SinkAttention


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
