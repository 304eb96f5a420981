"""Queries and keys turned with extended frequencies: function and module, token by token, any precision."""

from __future__ import annotations

import dataclasses
import math

import pytest
import torch
from torch import Tensor
from torch.testing import assert_close

from posenc_lessons.encodings import (
    PAIRINGS,
    ContextExtension,
    Pairing,
    RotaryEncoding,
    apply_rotary,
    scaled_frequencies,
)

EVERY = [
    ContextExtension("linear", 4, 16),
    ContextExtension("ntk", 4, 16),
    ContextExtension("dynamic", 2, 16),
    ContextExtension("dynamic", 2, 16, length=64),
    ContextExtension("parts", 4, 16, fast=3),
    ContextExtension("yarn", 4, 16, fast=2),
    ContextExtension("llama3", 4, 16, slow=0.5),
    ContextExtension("longrope", 4, 16, short_factors=[1, 1.5, 2, 2], long_factors=[1, 2, 4, 3]),
    ContextExtension(
        "longrope", 4, 16, 64, attention_scale=2.0, short_factors=[1] * 4, long_factors=[1, 2, 4, 3]
    ),
]
every = pytest.mark.parametrize("extension", EVERY, ids=lambda e: f"{e.method} {e.length or ''}".strip())
every_follower = pytest.mark.parametrize("follower", [EVERY[2], EVERY[7]], ids=lambda e: e.method)


def turned_by_hand(x: Tensor, at: Tensor, extension: ContextExtension, pairing: Pairing) -> Tensor:
    """Turn x [n, d] one pair at a time by the extended angles, and scale it."""
    length = extension.length or int(at.max()) + 1
    theta, scale = scaled_frequencies(
        x.shape[1], 100.0, **{**dataclasses.asdict(extension), "length": length}
    )
    result, half = x.clone(), x.shape[1] // 2
    for row, m in enumerate(at.tolist()):
        for i in range(half):
            a, b = (2 * i, 2 * i + 1) if pairing == "interleaved" else (i, i + half)
            cos, sin = math.cos(m * theta[i]) * scale, math.sin(m * theta[i]) * scale
            result[row, a] = x[row, a] * cos - x[row, b] * sin
            result[row, b] = x[row, a] * sin + x[row, b] * cos
    return result


@every
@pytest.mark.parametrize("pairing", PAIRINGS)
def test_function_and_module_follow_the_definition(extension: ContextExtension, pairing: Pairing) -> None:
    x, at = torch.randn(5, 8).double(), torch.tensor([0, 3, 15, 16, 40])
    expected = turned_by_hand(x, at, extension, pairing)
    assert_close(apply_rotary(x, at, 100.0, pairing, extension=extension), expected, rtol=0, atol=1e-13)
    module = RotaryEncoding(8, 100.0, pairing, extension=extension)
    assert_close(module.turn(x[None, None], at)[0, 0], expected, rtol=0, atol=1e-13)


def test_setting_or_removing_an_extension_takes_effect_at_once() -> None:
    encoding, x, at = RotaryEncoding(8), torch.randn(1, 1, 40, 8), torch.arange(40)
    plain = encoding.turn(x, at)
    for extension in (*EVERY, None, EVERY[0], dataclasses.replace(EVERY[0], factor=3), None):
        encoding.extension = extension
        assert torch.equal(encoding.turn(x, at), apply_rotary(x, at, extension=extension))
    assert torch.equal(encoding.turn(x, at), plain)


@every_follower
def test_dynamic_with_a_given_length_works_token_by_token(follower: ContextExtension) -> None:
    """With a fixed length, keys rotated one at a time, as in a cache, equal keys rotated together."""
    x = torch.randn(1, 1, 64, 8)

    def one_by_one(encoding: RotaryEncoding) -> Tensor:
        return torch.cat([encoding.turn(x[:, :, m : m + 1], torch.tensor([m])) for m in range(64)], dim=2)

    for length, same in ((64, True), (None, False)):
        encoding = RotaryEncoding(8, extension=dataclasses.replace(follower, length=length))
        together = encoding.turn(x, torch.arange(64))
        assert torch.allclose(one_by_one(encoding), together, atol=1e-6) is same
        assert encoding.allows_cache is same


@pytest.mark.parametrize("kind", [torch.float32, torch.bfloat16])
def test_the_scaled_table_is_rounded_once(kind: torch.dtype) -> None:
    extension = ContextExtension("yarn", 8, 64)
    x, at = torch.randn(4, 50, 16).to(kind), torch.arange(10**5, 10**5 + 50)
    exact = apply_rotary(x.double(), at, extension=extension)
    actual = apply_rotary(x, at, extension=extension)
    assert actual.dtype == kind
    assert ((actual.double() - exact).abs() <= 2 * torch.finfo(kind).eps * x.double().abs().max()).all()
