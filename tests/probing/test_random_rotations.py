"""Random rotations are found again exactly, and random functions that are none are refused."""

import math

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from torch import Tensor

from posenc_lessons.probing import probe_rotation
from tests.probing.forms import rotation

Drawn = tuple[int, list[tuple[int, int]], list[float], float]
few = settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
many = settings(max_examples=500, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def rotations(draw: st.DrawFn) -> Drawn:
    """Draw d_head, pairs in any order and number, a frequency with a sign for each, and a scale."""
    d_head = draw(st.integers(2, 24))
    start = draw(st.integers(0, d_head - 2))
    n = draw(st.integers(1, (d_head - start) // 2))
    order = draw(st.sampled_from(["interleaved", "half_split", "any"]))
    if order == "any":
        features = draw(st.permutations(range(d_head)))
        pairs = sorted((min(pair), max(pair)) for pair in zip(features[:n], features[n : 2 * n], strict=True))
    elif order == "interleaved":
        pairs = [(start + 2 * i, start + 2 * i + 1) for i in range(n)]
    else:
        pairs = [(start + i, start + i + n) for i in range(n)]
    powers = draw(st.lists(st.floats(-8, 1.5), min_size=n, max_size=n))
    signs = draw(st.lists(st.sampled_from([1, -1]), min_size=n, max_size=n))
    frequencies = [sign * 10**power for sign, power in zip(signs, powers, strict=True)]
    return d_head, pairs, frequencies, draw(st.sampled_from([1.0, 1.1386, 0.5]))


def check_found_again(drawn: Drawn, dtype: torch.dtype) -> None:
    d_head, pairs, frequencies, scale = drawn
    turn = rotation(pairs, frequencies, scale)
    answer = probe_rotation(lambda x, positions: turn(x.to(dtype), positions), d_head)
    exact = 1e-11 if dtype == torch.float64 else 1e-5
    assert answer.is_rotation, answer
    assert answer.pairs == tuple(pairs)
    assert answer.signs == tuple(1 if frequency > 0 else -1 for frequency in frequencies)
    assert answer.inverse_frequencies == pytest.approx([abs(f) for f in frequencies], rel=exact)
    assert answer.scale == pytest.approx(scale, rel=exact)
    assert not answer.modulo_2pi and not answer.notes and answer.zero_is_identity == (scale == 1)


@few
@given(rotations(), st.sampled_from([torch.float64, torch.float32]))
def test_a_random_rotation_is_found_again(drawn: Drawn, dtype: torch.dtype) -> None:
    check_found_again(drawn, dtype)


@pytest.mark.sweep
@many
@given(rotations(), st.sampled_from([torch.float64, torch.float32]))
def test_500_random_rotations_are_found_again(drawn: Drawn, dtype: torch.dtype) -> None:
    check_found_again(drawn, dtype)


CHANGES = ["one entry", "length", "time", "content", "shift"]


@few
@given(rotations(), st.sampled_from(CHANGES), st.floats(-2.5, 0), st.integers(0, 99))
def test_a_rotation_that_was_changed_a_little_is_refused(
    drawn: Drawn, change: str, power: float, place: int
) -> None:
    d_head, pairs, frequencies, scale = drawn
    turn, much = rotation(pairs, frequencies, scale), 10**power
    a, b = pairs[place % len(pairs)]

    def changed(x: Tensor, positions: Tensor) -> Tensor:
        far = positions.double()
        result = turn(x, far**1.1 if change == "time" and abs(frequencies[0]) > 1e-3 else positions)
        if change == "one entry":
            result[..., b] = result[..., b] + much * x[..., a]
        elif change == "length":
            result[..., a] = result[..., a] * (1 + much * far / (1 + far))
        elif change == "content":
            result[..., a] = result[..., a] + much * x[..., b] ** 2
        elif change == "shift" or abs(frequencies[0]) <= 1e-3:
            result[..., a] = result[..., a] + much
        return result

    answer = probe_rotation(changed, d_head)
    assert not answer.is_rotation, answer
    assert "not a rotation" in str(answer)
    assert math.isfinite(answer.scale)
