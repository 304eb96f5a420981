"""Frequencies for texts longer than in training: each method by its definition, and what they turn."""

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
    rotation_matrix,
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


def yarn_by_hand(
    d: int, base: float, s: float, trained: int, slow: float, fast: float, truncate: bool
) -> list[float]:
    """Compute as YaRN's released code: a ramp, linear in the number of the pair, from the pair that turns
    ``fast`` times to the one that turns ``slow`` times, each rounded outwards with ``truncate``."""
    down, up = (math.floor, math.ceil) if truncate else (float, float)
    first = max(down(d * math.log(trained / (2 * math.pi * fast)) / (2 * math.log(base))), 0)
    last = min(up(d * math.log(trained / (2 * math.pi * slow)) / (2 * math.log(base))), d - 1)
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
    truncate=st.booleans(),
)
def test_yarn_follows_its_definition(
    d: int, base: float, s: float, trained: int, slow: float, fast: float, truncate: bool
) -> None:
    expected = column(yarn_by_hand(d, base, s, trained, slow, fast, truncate))
    actual, scale = scaled_frequencies(d, base, "yarn", s, trained, slow=slow, fast=fast, truncate=truncate)
    assert_close(actual, expected, rtol=1e-11, atol=0)
    assert scale == pytest.approx(0.1 * math.log(s) + 1, rel=1e-15)


# --- what holds for all ---------------------------------------------------------------------------------


def test_trained_on_six_positions_yarn_slows_pairs_without_a_full_turn() -> None:
    """No pair completes a turn in six positions, but the released formula would keep them all."""
    actual = frequencies("yarn", 8, 1e4, 4, 6)
    assert_close(actual[1:], rotary_frequencies(8)[1:] / 4, **EXACT)


def test_yarn_keeps_all_pairs_if_every_pair_turns_often() -> None:
    """With base 2 even the slowest pair turns in 9 positions; the released formula would divide them all."""
    assert_close(frequencies("yarn", 4, 2, 4, 1000), rotary_frequencies(4, 2), **EXACT)


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


@every
@pytest.mark.parametrize("pairing", PAIRINGS)
def test_pairs_turn_by_the_extended_frequencies_and_are_scaled(
    extension: ContextExtension, pairing: Pairing
) -> None:
    x, at = torch.randn(5, 8).double(), torch.tensor([0, 3, 15, 16, 40])
    settings = {**dataclasses.asdict(extension), "length": extension.length or 41}
    theta, scale = scaled_frequencies(8, 100.0, **settings)
    matrices = rotation_matrix(at.double()[:, None] * theta, pairing)  # [5, 8, 8]
    expected = scale * (matrices @ x[..., None])[..., 0]
    assert_close(apply_rotary(x, at, 100.0, pairing, extension=extension), expected, rtol=0, atol=1e-13)
    module = RotaryEncoding(8, 100.0, pairing, extension=extension)
    assert_close(module.turn(x[None, None], at)[0, 0], expected, rtol=0, atol=1e-13)
    assert extension.attention_scale in (None, scale)


def test_setting_or_removing_an_extension_takes_effect_at_once() -> None:
    encoding, x, at = RotaryEncoding(8), torch.randn(1, 1, 40, 8), torch.arange(40)
    plain = encoding.turn(x, at)
    for extension in (*EVERY, None, EVERY[0], dataclasses.replace(EVERY[0], factor=3), None):
        encoding.extension = extension
        assert torch.equal(encoding.turn(x, at), apply_rotary(x, at, extension=extension))
    assert torch.equal(encoding.turn(x, at), plain)
