"""Models with given positions and masks: packed texts, padding by hand, with a cache."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor
from torch.testing import assert_close

from posenc_lessons.encodings import ForgetGate, PositionEncoding, RotaryEncoding
from posenc_lessons.models import (
    COURSE_ENCODINGS,
    DecoderOnly,
    KeyValueCache,
    MultiHeadAttention,
    TransformerEncoder,
)
from tests.models.random_weights import with_random_weights

every_encoding = pytest.mark.parametrize("name", COURSE_ENCODINGS)
WIDTH, HEADS = 12, 2
TEXT = torch.tensor([0, 0, 0, 1, 1, 1, 1])  # which text each token belongs to
AT = torch.tensor([0, 1, 2, 0, 1, 2, 3])


def language_model(name: str) -> DecoderOnly:
    torch.manual_seed(0)
    return with_random_weights(DecoderOnly(9, WIDTH, HEADS, 2, name, max_len=8))


def tokens(length: int, batch: int = 2) -> Tensor:
    return torch.randint(9, (batch, length))


@every_encoding
def test_packed_texts_give_the_same_as_separate_ones(name: str) -> None:
    model, text = language_model(name), tokens(7)
    packed = model(text, AT, TEXT[:, None] == TEXT)
    assert_close(packed[:, :3], model(text[:, :3]), rtol=0, atol=1e-12)
    assert_close(packed[:, 3:], model(text[:, 3:]), rtol=0, atol=1e-12)
    each = torch.stack((AT, torch.tensor([0, 1, 2, 3, 4, 0, 1])))  # another cut in the second row
    which = torch.stack((TEXT, torch.tensor([0, 0, 0, 0, 0, 1, 1])))
    packed = model(text, each, (which[:, :, None] == which[:, None])[:, None])
    for row, cut in ((0, 3), (1, 5)):
        for part in (slice(None, cut), slice(cut, None)):
            alone = model(text[row : row + 1, part])
            assert_close(packed[row : row + 1, part], alone, rtol=0, atol=1e-12)


@every_encoding
def test_packed_texts_over_a_cache(name: str) -> None:
    """The last text is continued: its positions go on by themselves, its mask is given each time."""
    model, text, cache = language_model(name), tokens(7), language_model(name).new_cache()
    got = [model(text[:, :5], AT[:5], TEXT[:5, None] == TEXT[:5], cache)]
    for n in (5, 6):
        got.append(model(text[:, n : n + 1], mask=TEXT[n] == TEXT[: n + 1], cache=cache))
    assert_close(torch.cat(got, dim=1), model(text, AT, TEXT[:, None] == TEXT), rtol=0, atol=1e-12)
    assert cache.positions is not None and cache.positions.tolist() == AT.tolist()


@every_encoding
def test_positions_and_mask_for_padding_equal_real(name: str) -> None:
    model, text = language_model(name), tokens(7)
    real = torch.ones(2, 7, dtype=torch.bool)
    real[1, :2] = False
    at = (torch.arange(7) - torch.tensor([[0], [2]])).clamp(min=0)
    by_hand = model(text, at, real[:, None, None, :])
    assert_close(by_hand[real], model(text, real=real)[real], rtol=0, atol=1e-12)
    assert_close(by_hand[1:, 2:], model(text[1:, 2:]), rtol=0, atol=1e-12)
    cache, got = model.new_cache(), []
    for n in range(7):
        step = {"mask": real[:, None, None, : n + 1]} | ({"positions": at[:, :1]} if n == 0 else {})
        step |= {"positions": at[:, n : n + 1]} if 0 < n < 4 else {}  # later they go on by themselves
        got.append(model(text[:, n : n + 1], cache=cache, **step))
    assert_close(torch.cat(got, dim=1)[real], by_hand[real], rtol=0, atol=1e-12)


@every_encoding
def test_mask_real_and_positions_together_in_an_encoder(name: str) -> None:
    torch.manual_seed(0)
    stack = with_random_weights(TransformerEncoder(WIDTH, HEADS, 2, name, 8))
    x, real = torch.randn(1, 9, WIDTH).double(), torch.ones(1, 9, dtype=torch.bool)
    real[:, 7:] = False
    which, at = torch.cat((TEXT, TEXT[-2:])), torch.cat((AT, AT[:2]))
    packed = stack(x, at, which[:, None] == which, real=real)
    assert packed.isfinite().all()
    assert_close(packed[:, :3], stack(x[:, :3]), rtol=0, atol=1e-12)
    assert_close(packed[:, 3:7], stack(x[:, 3:7]), rtol=0, atol=1e-12)


def test_a_mask_never_hides_a_token_from_itself() -> None:
    model, text = language_model("rotary"), tokens(4)
    assert torch.equal(model(text, mask=torch.ones(4, 4, dtype=torch.bool)), model(text))
    alone = model(text, mask=torch.zeros(4, 4, dtype=torch.bool), positions=torch.zeros(4, dtype=torch.long))
    assert_close(alone, model(text.flatten()[:, None]).view_as(alone), rtol=0, atol=1e-12)


# Positions kept by one attention.


@pytest.mark.parametrize("encoding", [RotaryEncoding(6), ForgetGate(WIDTH, HEADS)], ids=["rotary", "gates"])
@pytest.mark.parametrize("shapes", [((1, 3), (2, 1)), ((3,), (2, 1)), ((2, 3), (1,)), ((2, 3), (1, 1))])
def test_positions_of_one_row_then_of_each_row(
    shapes: tuple[tuple[int, ...], ...], encoding: PositionEncoding
) -> None:
    torch.manual_seed(0)
    layer = with_random_weights(MultiHeadAttention(WIDTH, HEADS, encoding)).double()
    x, cache = torch.randn(2, 4, WIDTH).double(), KeyValueCache()
    first, last = torch.arange(3).expand(shapes[0]), torch.full(shapes[1], 3)
    got = [layer(x[:, :3], causal=True, query_positions=first, cache=cache)]
    got.append(layer(x[:, 3:], causal=True, query_positions=last, cache=cache))
    assert_close(torch.cat(got, dim=1), layer(x, causal=True), rtol=0, atol=1e-13)


@pytest.mark.parametrize("first", [[5, 6, 7], [5, 9, 2], [0.5, 1.5, 2.5], [[5, 6, 7], [0, 1, 9]]], ids=str)
def test_positions_continue_after_the_last_kept_one(first: list[float]) -> None:
    torch.manual_seed(0)
    layer = with_random_weights(MultiHeadAttention(WIDTH, HEADS, RotaryEncoding(6)))
    x, cache, at = torch.randn(2, 5, WIDTH).double(), KeyValueCache(), torch.tensor(first)
    layer(x[:, :3], causal=True, query_positions=at, cache=cache)
    for length in (3, 2):
        cache.rewind(length)
        layer(x[:, length:], causal=True, cache=cache)
        last = at[..., length - 1 : length]
        expected = torch.cat((at[..., :length], *(last + n for n in range(1, 6 - length))), dim=-1)
        assert cache.positions is not None and torch.equal(cache.positions, expected)
