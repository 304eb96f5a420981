"""Queries are scaled by their position; keys are not."""

from __future__ import annotations

import pytest
import torch
from torch.testing import assert_close

from posenc_lessons.encodings import (
    LogTemperature,
    PowerTemperature,
    QueryTemperature,
    RotaryEncoding,
    ScalableSoftmax,
    ScaledQueries,
    Together,
)
from posenc_lessons.models import DecoderOnly, MultiHeadAttention
from tests.models.random_weights import with_random_weights

# At position p: Llama 4's staircase, Beam's curve, Inkling 2's logarithm from its floor.
RELEASED = [
    (0, 1, 1.000049, 1),
    (8190, 1, 1.174607, 1),
    (8191, 1.069315, 1.174619, 1),
    (16383, 1.109861, 1.245731, 1),
    (131071, 1.283321, 1.518068, 1.002372),
    (1048575, 1.485981, 1.866430, 1.210316),
]


@pytest.mark.parametrize(("position", "llama_4", "beam", "inkling_2"), RELEASED)
def test_numbers_of_released_models(position: int, llama_4: float, beam: float, inkling_2: float) -> None:
    x, at = torch.randn(1, 2, 1, 4).double(), torch.tensor([position])
    for encoding, times in (
        (QueryTemperature(), llama_4),
        (PowerTemperature(), beam),
        (LogTemperature(), inkling_2),
    ):
        assert_close(encoding.turn(x, at), x * times, rtol=1e-6, atol=0)
        assert torch.equal(encoding.turn(x, at, "key"), x)


def test_ssmax_is_a_power_of_the_number_of_keys() -> None:
    """exp(s · ln n · z) = n^(s z), so softmax works on powers of n: arXiv 2501.19399, equation 2."""
    torch.manual_seed(0)
    encoding = ScalableSoftmax(2)
    encoding.scale.data = torch.tensor([0.4, -1.0])
    attention = MultiHeadAttention(8, 2, encoding).double()
    plain = MultiHeadAttention(8, 2).double()
    plain.load_state_dict({k: v for k, v in attention.state_dict().items() if "encoding" not in k})
    x = torch.randn(1, 6, 8).double()
    got, scores = attention(x, causal=True, need_weights=True)[1], torch.zeros(1, 2, 6, 6).double()
    scores = plain(x, causal=True, need_weights=True)[1].log()  # up to a number in each row
    for h in range(2):
        for i in range(6):
            powers = (i + 1) ** (encoding.scale[h] * scores[0, h, i, : i + 1])
            assert_close(got[0, h, i, : i + 1], powers / powers.sum(), rtol=1e-9, atol=0)


def test_ssmax_with_a_bias_is_learned_by_each_head() -> None:
    torch.manual_seed(0)
    model = with_random_weights(DecoderOnly(9, 8, 2, 2, ScalableSoftmax(2, 0.0, bias=1.0)))
    text = torch.randint(9, (2, 7))
    model(text).square().sum().backward()
    for attention in model.attentions:
        assert attention.encoding.scale.grad.abs().min() > 0
        assert attention.encoding.bias.grad.abs().min() > 0
    x = torch.randn(1, 3, 5, 4).double()
    encoding = ScalableSoftmax(3, 0.0, bias=1.0)
    assert torch.equal(encoding.turn(x, torch.arange(5)), x), "as Mistral Large 4's code starts"


def test_each_sequence_of_a_batch_has_its_own_positions() -> None:
    x, at = torch.ones(2, 3, 2, 4), torch.tensor([[0, 1], [2, 3]])
    got = QueryTemperature(1.0, 2).turn(x, at)
    expected = 1 + torch.tensor([[0.0, 1.0], [1.0, 2.0]]).log1p()
    assert_close(got, expected[:, None, :, None].expand_as(x))
    later = QueryTemperature(1.0, 1, plus=0).turn(x, at)  # as Ministral 3 counts: nothing at position 0
    assert_close(later, (1 + at.float().log1p())[:, None, :, None].expand_as(x))
    learned = ScalableSoftmax(3, 1.0).turn(x, at)
    assert_close(learned, (at + 1).log()[:, None, :, None].expand_as(x))


ALL = [QueryTemperature(1.0, 128), PowerTemperature(1.0, 128), LogTemperature(1.0, 64), ScalableSoftmax(1)]


@pytest.mark.parametrize("encoding", ALL, ids=lambda encoding: type(encoding).__name__)
def test_positions_of_any_dtype_count_the_same(encoding: ScaledQueries) -> None:
    x = torch.ones(1, 1, 2, 4).double()
    expected = encoding.turn(x, torch.tensor([127, 255]))
    for kind in (torch.uint8, torch.int16, torch.uint16, torch.uint32, torch.int32, torch.float32):
        assert torch.equal(encoding.turn(x, torch.tensor([127, 255]).to(kind)), expected)


def test_queries_at_negative_positions_stay() -> None:
    x = torch.ones(1, 1, 2, 4)
    for encoding in (*ALL[:3], QueryTemperature(1.0, 128, plus=0)):
        assert torch.equal(encoding.turn(x, torch.tensor([-9, -1])), x)


@pytest.mark.parametrize("encoding", ALL[:3], ids=lambda encoding: type(encoding).__name__)
def test_together_with_a_rotation_and_a_cache(encoding: ScaledQueries) -> None:
    torch.manual_seed(0)
    model = with_random_weights(DecoderOnly(9, 8, 2, 2, Together(RotaryEncoding(4), encoding)))
    text = torch.randint(9, (2, 9))
    at, cache = torch.arange(9) + 250, model.new_cache()
    pieces = zip(text.split(4, dim=1), at.split(4), strict=True)
    parts = [model(piece, positions=where, cache=cache) for piece, where in pieces]
    assert_close(torch.cat(parts, dim=1), model(text, positions=at), rtol=0, atol=1e-12)
