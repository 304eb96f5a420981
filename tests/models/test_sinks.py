"""A learned sink takes its share of each row and hands nothing on."""

from __future__ import annotations

import math

import torch

from posenc_lessons.encodings import ALiBi
from posenc_lessons.models import MultiHeadAttention
from posenc_lessons.models.sinks import SinkAttention


def both() -> tuple[SinkAttention, MultiHeadAttention]:
    torch.manual_seed(0)
    with_sink, without = (kind(8, 2, ALiBi(2)).eval() for kind in (SinkAttention, MultiHeadAttention))
    without.load_state_dict({k: v for k, v in with_sink.state_dict().items() if k != "sink"})
    return with_sink, without


def test_a_sink_at_minus_infinity_is_none() -> None:
    with_sink, without = both()
    with_sink.sink.data.fill_(-math.inf)
    x = torch.randn(3, 5, 8)
    for causal in (True, False):
        torch.testing.assert_close(with_sink(x, causal=causal), without(x, causal=causal))


def test_it_is_a_key_of_score_b_and_value_zero() -> None:
    with_sink, without = both()
    with_sink.sink.data.copy_(torch.tensor([0.7, -1.0]))
    x = torch.randn(1, 4, 8)
    out, weights = with_sink(x, need_weights=True)
    plain = without(x, need_weights=True)[1]
    torch.testing.assert_close(out, with_sink(x))
    kept = weights.sum(dim=-1)  # [1, 2, 4]: what the sink left
    torch.testing.assert_close(weights, plain * kept[..., None])
    scores = plain.log()
    for head, b in enumerate((0.7, -1.0)):
        # softmax's rows are known up to a constant, so compare odds between two rows' sums through b.
        assert torch.isfinite(scores[0, head]).all() and (kept[0, head] < 1).all(), b


def test_it_learns() -> None:
    with_sink, _ = both()
    with_sink(torch.randn(1, 4, 8)).square().sum().backward()
    assert with_sink.sink.grad is not None and (with_sink.sink.grad != 0).all()
