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
    turn_pairs,
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


@every
def test_module_and_function_agree_at_any_positions(extension: ContextExtension) -> None:
    encoding = RotaryEncoding(8, extension=extension)
    for at in (
        torch.arange(5),
        torch.arange(300, 305),
        torch.tensor([[9, 0, 1, 1, 2], [4, 3, 2, 1, 0]]),
        torch.tensor([0.5, 1.0, 20.5, 2.0, -7.25]),
        torch.tensor([-5, -4, -3, -2, -1]),
        torch.arange(5),
    ):
        x = torch.randn(2, 3, 5, 8)
        assert torch.equal(encoding.turn(x, at), apply_rotary(x, at, extension=extension))
    nothing = torch.zeros(2, 3, 0, 8)
    assert encoding.turn(nothing, torch.arange(0)).shape == nothing.shape


def test_setting_or_removing_an_extension_takes_effect_at_once() -> None:
    encoding, x, at = RotaryEncoding(8), torch.randn(1, 1, 40, 8), torch.arange(40)
    plain = encoding.turn(x, at)
    for extension in (*EVERY, None, EVERY[0], dataclasses.replace(EVERY[0], factor=3), None):
        encoding.extension = extension
        assert torch.equal(encoding.turn(x, at), apply_rotary(x, at, extension=extension))
    assert torch.equal(encoding.turn(x, at), plain)


def test_dynamic_follows_a_length_that_grows_and_shrinks() -> None:
    encoding = RotaryEncoding(8, extension=ContextExtension("dynamic", 2, 16))
    for length in (5, 16, 17, 40, 41, 300, 17, 3):
        x, at = torch.randn(1, 1, length, 8), torch.arange(length)
        theta, _ = scaled_frequencies(8, 1e4, "dynamic", 2, 16, length=length)
        got = encoding.turn(x, at)
        assert torch.equal(got, apply_rotary(x, at, extension=encoding.extension))
        angles = at[:, None] * theta
        expected = turn_pairs(x.double(), angles.cos(), angles.sin(), "interleaved")
        assert_close(got.double(), expected, rtol=0, atol=1e-6)


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


@every
def test_scores_still_depend_only_on_the_distance(extension: ContextExtension) -> None:
    extension = extension.reaching(200)
    q, k = torch.randn(2, 1, 8).double()

    def score(m: int, n: int) -> Tensor:
        a = apply_rotary(q, torch.tensor([m]), extension=extension)
        return a @ apply_rotary(k, torch.tensor([n]), extension=extension).T

    assert_close(score(3, 40), score(103, 140), rtol=0, atol=1e-12)


def test_yarn_lengthens_only_features_that_turn() -> None:
    extension = ContextExtension("yarn", 4, 16)
    x = torch.randn(3, 8).double()
    got = apply_rotary(x, torch.arange(3), rotary_dim=6, extension=extension)
    assert torch.equal(got[:, 6:], x[:, 6:])
    ratio = got[:, :6].norm(dim=1) / x[:, :6].norm(dim=1)
    assert_close(ratio, torch.full((3,), 0.1 * math.log(4) + 1, dtype=torch.float64))


@pytest.mark.parametrize("kind", [torch.float32, torch.bfloat16])
def test_the_scaled_table_is_rounded_once(kind: torch.dtype) -> None:
    extension = ContextExtension("yarn", 8, 64)
    x, at = torch.randn(4, 50, 16).to(kind), torch.arange(10**5, 10**5 + 50)
    exact = apply_rotary(x.double(), at, extension=extension)
    got = apply_rotary(x, at, extension=extension)
    assert got.dtype == kind
    assert ((got.double() - exact).abs() <= 2 * torch.finfo(kind).eps * x.double().abs().max()).all()
