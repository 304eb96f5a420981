"""Each door with a small encoding: when it is called, with what arguments, and what its result does."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor
from torch.testing import assert_close

from posenc_lessons.encodings import PositionEncoding, Role
from posenc_lessons.models import MultiHeadAttention, causal_mask

HERE, THERE = torch.tensor([5, 6, 7]), torch.tensor([[0, 1, 2, 3], [9, 9, 9, 9]])


class Turned(PositionEncoding):
    """Door 2: the first two features of each head as a dial, turned by the position."""

    def turn(self, x: Tensor, positions: Tensor, role: Role = "query") -> Tensor:
        angle = positions.to(x.dtype)
        angle = angle[:, None] if positions.ndim == 2 else angle  # [B, 1, L], for every head
        first, second = x[..., 0], x[..., 1]
        turned = (first * angle.cos() - second * angle.sin(), first * angle.sin() + second * angle.cos())
        return torch.cat((torch.stack(turned, dim=-1), x[..., 2:]), dim=-1)


class Biased(PositionEncoding):
    """Door 3: the score decreases with each step of distance, as in ALiBi."""

    slope = 0.3

    def score_bias(self, query: Tensor, key: Tensor, q_at: Tensor, k_at: Tensor, scores: Any) -> Tensor:
        assert scores is None, "an encoding that does not read the scores is not shown them"
        distance = (q_at[..., :, None] - k_at[..., None, :]).abs()
        distance = distance[:, None] if distance.ndim == 3 else distance
        return -self.slope * distance.to(query.dtype)


class Counting(PositionEncoding):
    """Door 3, which reads the scores: it counts open gates of the keys from here on, as CoPE."""

    reads_scores = True

    def score_bias(self, query: Tensor, key: Tensor, q_at: Tensor, k_at: Tensor, scores: Any) -> Tensor:
        assert scores is not None
        return -0.5 * scores.sigmoid().flip(-1).cumsum(-1).flip(-1)


class Valued(PositionEncoding):
    """Door 4: adds the mean distance of the attended keys to every feature."""

    def value_bias(self, weights: Tensor, q_at: Tensor, k_at: Tensor) -> Tensor:
        distance = (q_at[..., :, None] - k_at[..., None, :]).to(weights.dtype)
        distance = distance[:, None] if distance.ndim == 3 else distance
        return (weights * distance).sum(dim=-1, keepdim=True).expand(*weights.shape[:3], 4)


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
    for (_, _, got), wanted in zip(watched.seen, expected, strict=True):
        assert all(torch.equal(a, b) for a, b in zip(got, wanted, strict=True))


def test_self_attention_adds_to_the_embeddings_once_and_counts_from_zero() -> None:
    watched = Watched()
    attention_with(watched)(side_by_side()[0])
    assert [name for name, _, _ in watched.seen] == ["add", "query", "key", "score", "value"]
    assert all(torch.equal(p, torch.arange(3)) for _, _, positions in watched.seen for p in positions)


def test_separate_values_pass_the_first_door_too() -> None:
    watched = Watched()
    x, y = side_by_side()
    attention_with(watched)(x, y, y.clone())
    assert [name for name, _, _ in watched.seen][:4] == ["add", "query", "add", "add"]


def test_the_scores_shown_are_divided_and_already_masked() -> None:
    watched = Watched()
    attention = attention_with(watched)
    x = side_by_side()[0]
    attention(x, mask=causal_mask(3))
    q, k, _ = heads_of(attention, x, x)
    assert torch.equal(watched.query, q) and torch.equal(watched.key, k)  # not divided
    expected = (q @ k.mT / 2).masked_fill(~causal_mask(3), float("-inf"))
    assert_close(watched.scores, expected, rtol=0, atol=1e-15)


def test_door_2_turns_queries_and_keys_by_their_own_positions() -> None:
    attention = attention_with(Turned())
    x, y = side_by_side()
    q, k, v = heads_of(attention, x, y)

    def dial(where: Tensor) -> Tensor:
        turn = torch.eye(4).double().repeat(*where.shape, 1, 1)
        angle = where.double()
        turn[..., 0, 0], turn[..., 0, 1] = angle.cos(), -angle.sin()
        turn[..., 1, 0], turn[..., 1, 1] = angle.sin(), angle.cos()
        return turn

    q = torch.einsum("lij,bhlj->bhli", dial(HERE), q)
    k = torch.einsum("blij,bhlj->bhli", dial(THERE), k)
    expected = attention.w_out(((q @ k.mT / 2).softmax(dim=-1) @ v).transpose(1, 2).flatten(2))
    for need_weights in (False, True):
        out = attention(x, y, y, query_positions=HERE, key_positions=THERE, need_weights=need_weights)
        assert_close(out[0] if need_weights else out, expected, rtol=0, atol=1e-14)


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("key_positions", [THERE, THERE[0]])
def test_door_3_adds_to_the_divided_scores_fused_or_not(key_positions: Tensor, masked: bool) -> None:
    attention = attention_with(Biased())
    x, y = side_by_side()
    mask = torch.tensor([[1, 0, 0, 1], [1, 1, 0, 0], [0, 0, 0, 1]]).bool() if masked else None
    q, k, v = heads_of(attention, x, y)
    at = key_positions.expand(2, 4)
    scores = q @ k.mT / 2 - 0.3 * (HERE[None, :, None] - at[:, None, :]).double().abs()[:, None]
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    expected = attention.w_out((scores.softmax(dim=-1) @ v).transpose(1, 2).flatten(2))
    here = {"mask": mask, "query_positions": HERE, "key_positions": key_positions}
    out, weights = attention(x, y, y, **here, need_weights=True)
    assert_close(out, expected, rtol=0, atol=1e-14)
    assert_close(weights, scores.softmax(dim=-1), rtol=0, atol=1e-15)
    assert_close(attention(x, y, y, **here), expected, rtol=0, atol=1e-14)


def test_door_3_can_read_scores_with_and_without_need_weights() -> None:
    attention = attention_with(Counting())
    x, mask = torch.randn(2, 5, 8).double().requires_grad_(), causal_mask(5)
    q, k, v = heads_of(attention, x, x)
    scores = q @ k.mT / 2
    gates = scores.sigmoid() * mask
    counts = torch.stack([gates[..., n:].sum(dim=-1) for n in range(5)], dim=-1)
    weights = (scores - 0.5 * counts).masked_fill(~mask, float("-inf")).softmax(dim=-1)
    expected = attention.w_out((weights @ v).transpose(1, 2).flatten(2))
    assert_close(attention(x, mask=mask), expected, rtol=0, atol=1e-14)
    out, got = attention(x, mask=mask, need_weights=True)
    assert_close(out, expected, rtol=0, atol=1e-14)
    assert_close(got, weights, rtol=0, atol=1e-15)
    (gradient,) = torch.autograd.grad(out[:, 1].sum(), x)
    assert gradient.isfinite().all() and (gradient[:, 2:] == 0).all(), "a count that sees later keys leaks"


def test_door_4_adds_to_values_with_and_without_need_weights() -> None:
    attention = attention_with(Valued())
    x, y = side_by_side()
    q, k, v = heads_of(attention, x, y)
    weights = (q @ k.mT / 2).softmax(dim=-1)
    distance = (HERE[None, :, None] - THERE[:, None, :]).double()[:, None]
    heads = weights @ v + (weights * distance).sum(dim=-1, keepdim=True)
    expected = attention.w_out(heads.transpose(1, 2).flatten(2))
    for need_weights in (False, True):
        out = attention(x, y, y, query_positions=HERE, key_positions=THERE, need_weights=need_weights)
        assert_close(out[0] if need_weights else out, expected, rtol=0, atol=1e-14)


def test_door_4_gets_the_weights_after_dropout() -> None:
    class Zeros(Valued):
        def value_bias(self, weights: Tensor, q_at: Tensor, k_at: Tensor) -> Tensor:
            self.share_dropped = (weights == 0).double().mean().item()
            return super().value_bias(weights, q_at, k_at)

    encoding = Zeros()
    torch.manual_seed(0)
    MultiHeadAttention(8, 2, encoding, dropout=0.5)(torch.randn(4, 20, 8))
    assert encoding.share_dropped == pytest.approx(0.5, abs=0.05)


def test_a_bias_that_does_not_fit_is_named() -> None:
    class TooFew(PositionEncoding):
        def score_bias(self, query: Tensor, key: Tensor, q_at: Tensor, k_at: Tensor, scores: Any) -> Tensor:
            return torch.zeros(2, 3, 3)  # the batch is in the place of the heads, and there are too few keys

    x, y = side_by_side()
    for need_weights in (False, True):
        with pytest.raises(ValueError, match=r"(?s)score_bias .*2, 3, 4\]; got \[2, 3, 3\]"):
            attention_with(TooFew())(x, y, y, need_weights=need_weights)
