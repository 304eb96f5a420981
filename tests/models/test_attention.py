"""Attention by its definition, its masks, its precisions, its sizes, and what it gives each door."""

import math
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.testing import assert_close

from posenc_lessons.encodings import PositionEncoding, Role
from posenc_lessons.models import MultiHeadAttention, causal_mask


@pytest.mark.parametrize("need_weights", [False, True])
@pytest.mark.parametrize("masked", [False, True])
def test_scores_beyond_float16_do_not_become_nan(need_weights: bool, masked: bool) -> None:
    attention = MultiHeadAttention(16, 1)
    for layer in (attention.w_query, attention.w_key, attention.w_value, attention.w_out):
        nn.init.eye_(layer.weight)
        nn.init.zeros_(layer.bias)
    attention.half()
    # The scores are 16 · 200² / √16 = 160,000, and float16 ends at 65,504.
    x = torch.full((1, 4, 16), 200.0, dtype=torch.float16)
    x[:, 1::2] *= -1
    out = attention(x, mask=causal_mask(4) if masked else None, need_weights=need_weights)
    for result in out if need_weights else (out,):
        assert result.isfinite().all()
    assert_close(out[0] if need_weights else out, x)  # each token attends only to tokens like itself


def test_dropout_is_applied_to_the_weights_in_training_only() -> None:
    torch.manual_seed(0)
    attention, x = MultiHeadAttention(8, 2, dropout=0.5), torch.randn(2, 20, 8)
    assert not torch.equal(attention(x), attention(x))
    _, weights = attention(x, need_weights=True)
    assert_close(weights.sum(dim=-1), torch.ones(2, 2, 20))  # as they were before dropout
    # Dropout keeps half and doubles it, so the mean of many draws is the result without dropout.
    attention.double()
    draws = torch.stack([attention(x.double(), need_weights=True)[0] for _ in range(500)])
    fused = torch.stack([attention(x.double()) for _ in range(500)])
    attention.eval()
    assert torch.equal(attention(x.double()), attention(x.double()))
    for many in (draws, fused):
        error = (many.mean(dim=0) - attention(x.double())).abs()
        assert (error < 6 * many.std(dim=0) / math.sqrt(500)).all()


HERE, THERE = torch.tensor([5, 6, 7]), torch.tensor([[0, 1, 2, 3], [9, 9, 9, 9]])


class Watched(PositionEncoding):
    """All four doors, which change nothing and record their arguments."""

    reads_scores = True

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, tuple[int, ...], list[Tensor]]] = []

    def add_to_embeddings(self, embeddings: Tensor, positions: Tensor) -> Tensor:
        self.seen.append(("add", tuple(embeddings.shape), [positions]))
        return embeddings

    def turn(self, x: Tensor, positions: Tensor, role: Role = "query") -> Tensor:
        self.seen.append((role, tuple(x.shape), [positions]))
        return x

    def score_bias(self, query: Tensor, key: Tensor, q_at: Tensor, k_at: Tensor, scores: Any) -> None:
        assert scores is not None
        self.seen.append(("score", tuple(scores.shape), [q_at, k_at]))
        self.scores, self.query, self.key = scores, query, key

    def value_bias(self, weights: Tensor, q_at: Tensor, k_at: Tensor) -> None:
        self.seen.append(("value", tuple(weights.shape), [q_at, k_at]))


def attention_with(encoding: PositionEncoding) -> MultiHeadAttention:
    torch.manual_seed(0)
    return MultiHeadAttention(8, 2, encoding).double().eval()


def side_by_side() -> tuple[Tensor, Tensor]:
    return torch.randn(2, 3, 8).double(), torch.randn(2, 4, 8).double()


def heads_of(attention: MultiHeadAttention, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    layers = ((attention.w_query, x), (attention.w_key, y), (attention.w_value, y))
    q, k, v = (layer(z).view(2, -1, 2, 4).transpose(1, 2) for layer, z in layers)
    return q, k, v


def test_every_door_is_called_with_its_shapes_and_positions() -> None:
    watched = Watched()
    x, y = side_by_side()
    attention_with(watched)(x, y, y, query_positions=HERE, key_positions=THERE)
    assert [(name, shape) for name, shape, _ in watched.seen] == [
        ("add", (2, 3, 8)),
        ("query", (2, 2, 3, 4)),
        ("add", (2, 4, 8)),  # once for keys and values that are the same tensor
        ("key", (2, 2, 4, 4)),
        ("score", (2, 2, 3, 4)),
        ("value", (2, 2, 3, 4)),
    ]
    expected = [[HERE], [HERE], [THERE], [THERE], [HERE, THERE], [HERE, THERE]]
    for (_, _, actual), wanted in zip(watched.seen, expected, strict=True):
        assert all(torch.equal(a, b) for a, b in zip(actual, wanted, strict=True))


def test_the_scores_shown_are_divided_and_already_masked() -> None:
    watched = Watched()
    attention = attention_with(watched)
    x = side_by_side()[0]
    attention(x, mask=causal_mask(3))
    q, k, _ = heads_of(attention, x, x)
    assert torch.equal(watched.query, q) and torch.equal(watched.key, k)  # not divided
    expected = (q @ k.mT / 2).masked_fill(~causal_mask(3), float("-inf"))
    assert_close(watched.scores, expected, rtol=0, atol=1e-15)


def test_a_bias_that_does_not_fit_is_named() -> None:
    class TooFew(PositionEncoding):
        def score_bias(self, query: Tensor, key: Tensor, q_at: Tensor, k_at: Tensor, scores: Any) -> Tensor:
            return torch.zeros(2, 3, 3)  # the batch is in the place of the heads, and there are too few keys

    x, y = side_by_side()
    for need_weights in (False, True):
        with pytest.raises(ValueError, match=r"(?s)score_bias .*2, 3, 4\]; got \[2, 3, 3\]"):
            attention_with(TooFew())(x, y, y, need_weights=need_weights)
