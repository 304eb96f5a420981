"""Compiled and exported as a whole, every encoding gives the same numbers and gradients as without."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch._dynamo.testing import CompileCounter
from torch.testing import assert_close

from posenc_lessons.encodings import (
    ALiBi,
    PositionEncoding,
    QueryTemperature,
    RotaryEncoding,
    SinusoidalEncoding,
    T5RelativeBias,
    Together,
)
from posenc_lessons.models import COURSE_ENCODINGS, DecoderOnly
from tests.models.random_weights import with_random_weights

WIDTH, HEADS, LENGTH = 8, 2, 4


def mixed(_: str) -> tuple[nn.Module, Tensor]:
    """Return a stack: a layer with window, RoPE and ALiBi, and above it one without positions and window."""
    both = Together(RotaryEncoding(WIDTH // HEADS), ALiBi(HEADS))
    model = DecoderOnly(9, WIDTH, HEADS, 2, [both, QueryTemperature(1.0, 2)], window=[3, None])
    return with_random_weights(model), torch.randint(9, (2, LENGTH))


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


def sweep(*values: Any) -> Any:
    return pytest.param(*values, marks=pytest.mark.sweep)


# By default only layers of different kinds: ``test_every_encoding.py`` compiles the doors of each encoding.
COMPILED = [
    *(sweep(language_model, name) for name in COURSE_ENCODINGS),
    (mixed, "layers"),
]


@pytest.mark.parametrize(("make", "name"), COMPILED)
def test_compiled_whole_gives_the_same_forward_and_backward(make: Callable[..., Any], name: str) -> None:
    model, inputs = make(name)
    expected = answer_and_gradients(model, model, inputs)
    compiled = torch.compile(model, fullgraph=True, backend="aot_eager", dynamic=False)
    for actual, shape in zip(answer_and_gradients(compiled, model, inputs), expected, strict=True):
        assert (actual is None) == (shape is None)
        assert actual is None or torch.allclose(actual, shape, rtol=0, atol=1e-11)


EXPORTED = [(language_model, "t5"), *(sweep(language_model, name) for name in COURSE_ENCODINGS)]


@pytest.mark.parametrize(("make", "name"), [*EXPORTED, sweep(mixed, "layers")])
def test_exported_whole_gives_the_same(make: Callable[..., Any], name: str) -> None:
    model, inputs = make(name)
    exported = torch.export.export(model, (inputs,), strict=True)
    assert_close(exported.module()(inputs), model(inputs), rtol=0, atol=1e-12)


TOGETHER = Together(SinusoidalEncoding(WIDTH, 16), T5RelativeBias(HEADS, 8, 20))


ALSO = [sweep(encoding) for encoding in ("none", "sinusoidal", "shaw", "t5", "cope", TOGETHER)]


@pytest.mark.parametrize("encoding", ["rotary", "alibi", "learned", *ALSO])
def test_two_graphs_serve_five_lengths_plain_packed_or_padded(encoding: str | PositionEncoding) -> None:
    model = with_random_weights(DecoderOnly(9, WIDTH, HEADS, 1, encoding, max_len=16))
    counter = CompileCounter()
    compiled = torch.compile(model, fullgraph=True, backend=counter)
    for length in (4, 6, 5, 15, 9):  # from the second on, sizes are symbols
        text = torch.randint(9, (2, length))
        assert_close(compiled(text), model(text), rtol=0, atol=1e-12)
    assert counter.frame_count <= 2
    text, real, which = torch.randint(9, (2, 5)), torch.ones(2, 5, dtype=torch.bool), torch.arange(5) // 2
    real[0, :2] = False
    packed = {"positions": (torch.arange(5) % 2).repeat(2, 1), "mask": which[:, None] == which}
    for options in (packed, {"real": real}):
        expected = model(text, **options)[real]
        assert_close(compiled(text, **options)[real], expected, rtol=0, atol=1e-12)
