"""Forget gates: their definition, as ALiBi that depends on the text, with padding, packing and a cache."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.testing import assert_close

from posenc_lessons.encodings import ALiBi, CoPE, ForgetGate, RotaryEncoding, Together, alibi_slopes
from posenc_lessons.language import BilingualValueError
from posenc_lessons.models import DecoderOnly, KeyValueCache, MultiHeadAttention, forget_middle
from tests.models.random_weights import with_random_weights

WIDTH, HEADS = 12, 3


def attention(encoding: Any) -> MultiHeadAttention:
    torch.manual_seed(0)
    return with_random_weights(MultiHeadAttention(WIDTH, HEADS, encoding))


def constant(slopes: Tensor) -> ForgetGate:
    """Return a gate that is e^(−slope) for any input, exact in float64."""
    gate = ForgetGate(WIDTH, len(slopes), slopes).double()
    gate.to_gates.bias.data = -slopes.expm1().log()
    return gate


def test_a_score_gets_the_sum_of_the_log_gates_in_between() -> None:
    layer = attention(ForgetGate(WIDTH, HEADS))
    x = torch.randn(2, 6, WIDTH).double()
    gates = layer.encoding.to_gates(x).sigmoid()  # [B, L, H]
    bare = attention(None)
    bare.load_state_dict({k: v for k, v in layer.state_dict().items() if "encoding" not in k})
    scores = bare(x, causal=True, need_weights=True)[1].log()
    for i in range(6):
        for j in range(i + 1):
            scores[:, :, i, j] += gates[:, j + 1 : i + 1].log().sum(dim=1)
    actual = layer(x, causal=True, need_weights=True)[1]
    assert_close(actual, scores.softmax(dim=-1), rtol=0, atol=1e-12)


GAPS = torch.tensor([[0, 1, 2, 5, 6, 70], [3, 4, 4, 4, 8, 9]])


@pytest.mark.parametrize("need_weights", [False, True])
@pytest.mark.parametrize("said", [{"causal": True}, {}, {"causal": True, "query_positions": GAPS}])
def test_a_constant_gate_is_alibi(said: dict[str, Any], need_weights: bool) -> None:
    gated, penalised = attention(constant(alibi_slopes(HEADS))), attention(ALiBi(HEADS))
    gated.load_state_dict(gated.state_dict() | penalised.state_dict())
    gated.encoding = constant(alibi_slopes(HEADS))
    x = torch.randn(2, 6, WIDTH).double()
    actual, expected = (layer(x, need_weights=need_weights, **said) for layer in (gated, penalised))
    assert_close(actual, expected, rtol=0, atol=1e-12)


def test_a_constant_gate_is_alibi_also_after_a_million_tokens() -> None:
    """Sums are kept in float64, so that differences of large sums are right in float32."""
    gate = ForgetGate(WIDTH, HEADS, alibi_slopes(HEADS))
    layer, cache = MultiHeadAttention(WIDTH, HEADS, gate), KeyValueCache()
    x, at = torch.randn(1, 4, WIDTH), torch.tensor([0, 999_997, 999_998, 999_999])
    layer(x, query_positions=at, causal=True, cache=cache)
    bias = gate.gate_bias(cache.gates, cache.gates)
    expected = ALiBi(HEADS).score_bias(torch.zeros(1, HEADS, 4, 4), x, at, at, None)
    assert_close(bias[0, :, 2:, 1:].float(), expected[:, 2:, 1:], rtol=1e-5, atol=1e-7)


def test_start_as_alibi_and_as_linear_layers() -> None:
    gate = ForgetGate(WIDTH, HEADS, alibi_slopes(HEADS))
    log = gate.log_gates(torch.randn(1, 4, WIDTH))
    assert_close(log, -alibi_slopes(HEADS).float()[:, None].expand_as(log), rtol=1e-5, atol=0)
    free = ForgetGate(1000, 2).log_gates(torch.randn(1, 50, 1000)).exp()
    assert 0.05 < free.min() < free.mean() < free.max() < 0.95


@pytest.mark.parametrize("first", [0, 2])
def test_the_middle_of_a_text_is_forgotten_with_its_gates(first: int) -> None:
    model, text, last = one_layer(), torch.randint(9, (2, 9)), torch.randint(9, (2, 3))
    cache, fresh = model.new_cache(), model.new_cache()
    model(text, cache=cache)
    forget_middle(model, cache, first=first, latest=4)
    model(torch.cat((text[:, :first], text[:, 5:]), dim=1), cache=fresh)
    assert_close(model(last, cache=cache), model(last, cache=fresh), rtol=0, atol=1e-12)


def one_layer() -> DecoderOnly:
    """Make a model with one layer, so that keys do not depend on forgotten tokens."""
    torch.manual_seed(0)
    both = Together(RotaryEncoding(WIDTH // HEADS), ForgetGate(WIDTH, HEADS))
    return with_random_weights(DecoderOnly(9, WIDTH, HEADS, 1, both))


def test_together_with_others_of_every_door() -> None:
    """Two gates with a rotation and an encoding that reads the scores: the biases are added."""
    gates = [ForgetGate(WIDTH, HEADS).double() for _ in range(2)]
    for gate in gates:
        nn.init.normal_(gate.to_gates.weight)
    parts = (gates[0], RotaryEncoding(4), CoPE(4, 6).double(), gates[1])
    both = Together(*parts)
    assert both.doors == (2, 3) and both.reads_input and both.n_gates == 2 * HEADS
    x = torch.randn(2, 5, WIDTH).double()
    assert_close(both.log_gates(x), torch.cat([gate.log_gates(x) for gate in gates], dim=1), rtol=0, atol=0)
    sums = both.log_gates(x).cumsum(dim=-1)
    expected = sum(
        gate.gate_bias(*(sums[:, n : n + HEADS],) * 2) for gate, n in zip(gates, (0, HEADS), strict=True)
    )
    assert_close(both.gate_bias(sums, sums), expected, rtol=0, atol=1e-14)


def test_keys_of_other_tokens_are_refused() -> None:
    x = torch.randn(1, 3, WIDTH).double()
    with pytest.raises(BilingualValueError, match="ForgetGate is for self-attention: its gates"):
        attention(ForgetGate(WIDTH, HEADS))(x, x, x)
