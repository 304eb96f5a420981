"""Frequencies for texts longer than in training: each method by its definition, and what they turn."""

from __future__ import annotations

import dataclasses
import math
from typing import Any, get_args

import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from torch import Tensor
from torch.testing import assert_close

from posenc_lessons.encodings import (
    PAIRINGS,
    ContextExtension,
    ExtensionMethod,
    Pairing,
    RotaryEncoding,
    apply_rotary,
    rotary_frequencies,
    scaled_frequencies,
)

quickly = settings(max_examples=60)
widths = st.integers(2, 40).map(lambda half: 2 * half)
bases = st.floats(2, 1e6)
factors = st.floats(1, 64)
lengths = st.integers(7, 10**5)
methods = st.sampled_from(sorted({*get_args(ExtensionMethod)} - {"longrope"}))  # which has its lists
EXACT: dict[str, Any] = {"rtol": 1e-12, "atol": 0}


def frequencies(method: ExtensionMethod, d: int, base: float, s: float, trained: int, **rest: Any) -> Tensor:
    return scaled_frequencies(d, base, method, s, trained, **rest)[0]


def column(numbers: list[float]) -> Tensor:
    return torch.tensor(numbers, dtype=torch.float64)


# --- the definitions, one pair at a time in Python's float64 --------------------------------------------


def by_turns(theta: float, s: float, trained: int, slow: float, fast: float) -> float:
    turns = trained * theta / (2 * math.pi)
    if turns <= slow:
        return theta / s
    if turns >= fast:
        return theta
    remaining = (turns - slow) / (fast - slow)
    return remaining * theta + (1 - remaining) * theta / s


def yarn_by_hand(d: int, base: float, s: float, trained: int, slow: float, fast: float) -> list[float]:
    """Compute as YaRN's released code: a ramp, linear in the number of the pair, from the pair that turns
    ``fast`` times to the one that turns ``slow`` times, each rounded outwards."""
    first = max(math.floor(d * math.log(trained / (2 * math.pi * fast)) / (2 * math.log(base))), 0)
    last = min(math.ceil(d * math.log(trained / (2 * math.pi * slow)) / (2 * math.log(base))), d - 1)
    assume(first <= last)  # otherwise the ramp would have a negative slope; ours has not
    result = []
    for i in range(d // 2):
        theta = base ** (-2 * i / d)
        share = (i - first) / (last - first if last != first else 0.001)
        share = min(max(share, 0.0), 1.0)
        result.append(theta * (1 - share) + theta / s * share)
    return result


@quickly
@given(d=widths, base=bases, s=factors, trained=lengths, length=st.integers(1, 10**6))
def test_linear_ntk_and_dynamic_follow_their_definition(
    d: int, base: float, s: float, trained: int, length: int
) -> None:
    stretch = s * max(length, trained) / trained - (s - 1)
    for method, divisor, times in (("linear", s, 1), ("ntk", 1, s), ("dynamic", 1, stretch)):
        larger = base * times ** (d / (d - 2))
        expected = column([larger ** (-2 * i / d) / divisor for i in range(d // 2)])
        assert_close(frequencies(method, d, base, s, trained, length=length), expected, rtol=1e-11, atol=0)


@quickly
@given(
    d=widths,
    base=bases,
    s=factors,
    trained=lengths,
    slow=st.floats(0.1, 4),
    wider=st.floats(0.1, 40),
    method=st.sampled_from(["parts", "llama3"]),
)
def test_parts_and_llama3_follow_their_definition(
    d: int, base: float, s: float, trained: int, slow: float, wider: float, method: ExtensionMethod
) -> None:
    fast = slow + wider
    expected = column([by_turns(base ** (-2 * i / d), s, trained, slow, fast) for i in range(d // 2)])
    actual = frequencies(method, d, base, s, trained, slow=slow, fast=fast)
    assert_close(actual, expected, rtol=1e-11, atol=0)


@quickly
@given(
    d=widths,
    base=bases,
    s=factors,
    trained=lengths,
    slow=st.sampled_from([0.5, 1.0]),
    fast=st.sampled_from([4.0, 32.0]),
)
def test_yarn_follows_its_definition(
    d: int, base: float, s: float, trained: int, slow: float, fast: float
) -> None:
    expected = column(yarn_by_hand(d, base, s, trained, slow, fast))
    actual, scale = scaled_frequencies(d, base, "yarn", s, trained, slow=slow, fast=fast)
    assert_close(actual, expected, rtol=1e-11, atol=0)
    assert scale == pytest.approx(0.1 * math.log(s) + 1, rel=1e-15)


# --- what holds for all ---------------------------------------------------------------------------------


@quickly
@given(method=methods, d=widths, base=bases, trained=lengths)
def test_a_factor_of_one_changes_nothing(method: ExtensionMethod, d: int, base: float, trained: int) -> None:
    actual, scale = scaled_frequencies(d, base, method, 1, trained)
    assert_close(actual, rotary_frequencies(d, base), **EXACT)
    assert scale == 1.0 and actual.dtype == torch.float64


@quickly
@given(d=widths, base=bases, s=factors, trained=lengths)
def test_dynamic_changes_nothing_within_the_trained_length(
    d: int, base: float, s: float, trained: int
) -> None:
    for length in (None, 1, trained):
        actual = frequencies("dynamic", d, base, s, trained, length=length)
        assert_close(actual, rotary_frequencies(d, base), **EXACT)


def test_trained_on_six_positions_yarn_slows_pairs_without_a_full_turn() -> None:
    """No pair completes a turn in six positions, but the released formula would keep them all."""
    actual = frequencies("yarn", 8, 1e4, 4, 6)
    assert_close(actual[1:], rotary_frequencies(8)[1:] / 4, **EXACT)


def test_yarn_keeps_all_pairs_if_every_pair_turns_often() -> None:
    """With base 2 even the slowest pair turns in 9 positions; the released formula would divide them all."""
    assert_close(frequencies("yarn", 4, 2, 4, 1000), rotary_frequencies(4, 2), **EXACT)


def test_yarns_scale_can_be_given_and_its_ramp_left_untruncated() -> None:
    actual, scale = scaled_frequencies(64, 1e4, "yarn", 4, 2048, attention_scale=1.5, truncate=False)
    assert scale == 1.5
    first, last = (64 * math.log(2048 / (2 * math.pi * n)) / (2 * math.log(1e4)) for n in (32, 1))
    share = ((torch.arange(32).double() - first) / (last - first)).clamp(0, 1)
    original = rotary_frequencies(64)
    assert_close(actual, original * (1 - share) + original / 4 * share, **EXACT)


def test_llama3_with_equal_limits_has_a_step() -> None:
    """As in Llama 4 Scout's configuration, where both are 1."""
    actual, original = frequencies("llama3", 64, 5e5, 16, 8192, slow=1, fast=1), rotary_frequencies(64, 5e5)
    turns = 8192 * original / (2 * math.pi)
    assert_close(actual, torch.where(turns >= 1, original, original / 16), **EXACT)


@quickly
@given(
    pairs=st.lists(st.tuples(st.floats(0.1, 9), st.floats(0.1, 99)), min_size=1, max_size=40), trained=lengths
)
def test_longrope_divides_by_one_list_up_to_the_trained_length_and_by_the_other_beyond(
    pairs: list[tuple[float, float]], trained: int
) -> None:
    short, long = map(list, zip(*pairs, strict=True))
    original = rotary_frequencies(2 * len(pairs))
    lists: dict[str, Any] = {"short_factors": short, "long_factors": long}
    for length, factors in ((None, short), (1, short), (trained, short), (trained + 1, long)):
        actual, scale = scaled_frequencies(2 * len(pairs), 1e4, "longrope", 32, trained, length, **lists)
        assert_close(actual, original / column(factors), **EXACT)
        assert scale == pytest.approx(math.sqrt(1 + math.log(32) / math.log(trained)), rel=1e-12)


def test_longropes_scale_can_be_given() -> None:
    extension = ContextExtension(
        "longrope", 32, 4096, attention_scale=1.5, short_factors=(1,), long_factors=(2,)
    )
    assert extension.scale == 1.5 and dataclasses.replace(
        extension, attention_scale=None
    ).scale == pytest.approx(1.19023807)


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
