"""Compiled and exported whole, with every encoding: the same numbers and gradients as run step by step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.testing import assert_close

from posenc_lessons.models import COURSE_ENCODINGS, DecoderOnly, MultiHeadAttention, encoding_named
from tests.models.random_weights import with_random_weights

every_encoding = pytest.mark.parametrize("name", COURSE_ENCODINGS)
WIDTH, HEADS, LENGTH = 8, 2, 4


class CausalAttention(nn.Module):
    """Self-attention with nothing but a tensor to give it."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.attention = MultiHeadAttention(WIDTH, HEADS, encoding_named(name, WIDTH, HEADS, 8, causal=True))

    def forward(self, x: Tensor) -> Tensor:
        return self.attention(x, causal=True)


def attention(name: str) -> tuple[nn.Module, Tensor]:
    return with_random_weights(CausalAttention(name)), torch.randn(2, LENGTH, WIDTH).double()


def language_model(name: str) -> tuple[nn.Module, Tensor]:
    model = with_random_weights(DecoderOnly(9, WIDTH, HEADS, 1, name, max_len=8))
    return model, torch.randint(9, (2, LENGTH))


def answer_and_gradients(run: Callable[..., Tensor], model: nn.Module, given: Tensor) -> list[Any]:
    model.zero_grad()
    out = run(given)
    out.square().sum().backward()
    return [out.detach(), *(None if p.grad is None else p.grad.clone() for p in model.parameters())]


@pytest.fixture(autouse=True)
def afresh() -> None:
    torch.manual_seed(0)
    torch.compiler.reset()


# A language model has its attention compiled with it; alone, one encoding for each way through attention.
COMPILED = [
    *((language_model, name) for name in COURSE_ENCODINGS),
    *((attention, name) for name in ("rotary", "t5", "cope")),
]


@pytest.mark.parametrize(("make", "name"), COMPILED)
def test_compiled_whole_gives_the_same_forward_and_backward(make: Callable[..., Any], name: str) -> None:
    model, given = make(name)
    expected = answer_and_gradients(model, model, given)
    compiled = torch.compile(model, fullgraph=True, backend="aot_eager", dynamic=False)
    for got, wanted in zip(answer_and_gradients(compiled, model, given), expected, strict=True):
        assert (got is None) == (wanted is None)
        assert got is None or torch.allclose(got, wanted, rtol=0, atol=1e-11)


@every_encoding
def test_exported_whole_gives_the_same(name: str) -> None:
    model, given = language_model(name)
    exported = torch.export.export(model, (given,), strict=True)
    assert_close(exported.module()(given), model(given), rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", ["rotary", "cope"])
def test_compiled_for_any_length_packed_or_padded(name: str) -> None:
    model, _ = language_model(name)
    compiled = torch.compile(model, fullgraph=True, backend="eager")
    for length in (4, 6, 5):  # from the second on, sizes are symbols
        text = torch.randint(9, (2, length))
        assert_close(compiled(text), model(text), rtol=0, atol=1e-12)
    which, real = torch.tensor([0, 0, 1, 1, 1]), torch.ones(2, 5, dtype=torch.bool)
    real[0, :2] = False
    packed = {"positions": torch.tensor([0, 1, 0, 1, 2]), "mask": which[:, None] == which}
    for said in (packed, {"real": real}):
        assert_close(compiled(text, **said)[real], model(text, **said)[real], rtol=0, atol=1e-12)
