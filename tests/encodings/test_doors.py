"""Several encodings at once, and queries that are scaled by their position."""

import math
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.testing import assert_close

from posenc_lessons.encodings import (
    ALiBi,
    ContextExtension,
    CoPE,
    LearnedEncoding,
    LogTemperature,
    PositionEncoding,
    PowerTemperature,
    QueryTemperature,
    RotaryEncoding,
    ShawRelative,
    SinusoidalEncoding,
    T5RelativeBias,
    Together,
)
from posenc_lessons.language import BilingualValueError
from posenc_lessons.models import MultiHeadAttention, causal_mask


def apart(parts: tuple[PositionEncoding, ...], x: Tensor) -> Tensor:
    """Return attention [B, L, d_head] of one head for x, with the steps of all ``parts`` written out."""
    at = torch.arange(x.shape[1])
    for part in parts:
        x = part.add_to_embeddings(x, at)
    q = k = v = x[:, None]
    for part in parts:
        q, k = part.turn(q, at, "query"), part.turn(k, at, "key")
    scores = (q @ k.mT / math.sqrt(x.shape[-1])).masked_fill(~causal_mask(len(at)), -math.inf)
    total = scores
    for part in parts:
        bias = part.score_bias(q, k, at, at, scores if part.reads_scores else None)
        total = total if bias is None else total + bias
    weights = total.softmax(dim=-1)
    out = weights @ v
    for part in parts:
        extra = part.value_bias(weights, at, at)
        out = out if extra is None else out + extra
    return out[:, 0]


@pytest.mark.parametrize(
    ("parts", "doors"),
    [
        ((LearnedEncoding(8, 9), ALiBi(1)), (1, 3)),
        ((SinusoidalEncoding(8), RotaryEncoding(8), LearnedEncoding(8, 9)), (1, 2)),
        ((RotaryEncoding(8), CoPE(8, 4), T5RelativeBias(1), ShawRelative(8)), (2, 3, 4)),
        ((PositionEncoding(),), ()),
    ],
)
def test_encodings_together_each_use_their_own_doors(
    parts: tuple[PositionEncoding, ...], doors: tuple[int, ...]
) -> None:
    torch.manual_seed(0)
    together = Together(*parts).double()
    for weight in together.parameters():
        nn.init.normal_(weight)
    assert together.doors == doors and together.reads_scores is any(part.reads_scores for part in parts)
    x = torch.randn(2, 7, 8).double()
    attention = MultiHeadAttention(8, 1, together).double()
    for layer in (attention.w_query, attention.w_key, attention.w_value, attention.w_out):
        nn.init.eye_(layer.weight)
        nn.init.zeros_(layer.bias)
    assert_close(attention(x, causal=True), apart(parts, x), rtol=0, atol=1e-12)


def test_together_allows_a_cache_only_where_each_does() -> None:
    moving = RotaryEncoding(8, extension=ContextExtension("dynamic", 2, 16))
    assert Together(ALiBi(1), RotaryEncoding(8)).allows_cache
    assert not Together(ALiBi(1), moving).allows_cache


@pytest.mark.parametrize(
    ("given", "came"), [((), "–"), ((ALiBi(1), ALiBi), "ALiBi, type"), ((None,), "NoneType")]
)
def test_together_accepts_only_encodings(given: tuple[Any, ...], came: str) -> None:
    with pytest.raises(BilingualValueError, match=f"one PositionEncoding or more; got {came}"):
        Together(*given)


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


def test_each_sequence_of_a_batch_has_its_own_positions() -> None:
    x, at = torch.ones(2, 3, 2, 4), torch.tensor([[0, 1], [2, 3]])
    actual = QueryTemperature(1.0, 2).turn(x, at)
    expected = 1 + torch.tensor([[0.0, 1.0], [1.0, 2.0]]).log1p()
    assert_close(actual, expected[:, None, :, None].expand_as(x))
    later = QueryTemperature(1.0, 1, plus=0).turn(x, at)  # as Ministral 3 counts: nothing at position 0
    assert_close(later, (1 + at.float().log1p())[:, None, :, None].expand_as(x))
