"""The rotation explorer: the angle follows the distance, and moving together changes nothing."""

from __future__ import annotations

import math

import numpy as np
import pytest

from posenc_lessons.explorers import RotationExplorer
from posenc_lessons.explorers.rotation import angle_between, rotation_numbers

SETTINGS = {"d": 8, "base": 10000.0, "vectors": 3, "device": "cpu"}


@pytest.mark.parametrize("pairing", ["interleaved", "half_split"])
@pytest.mark.parametrize(("m", "n"), [(0, 0), (5, 9), (200, 3)])
def test_the_angle_gains_the_distance_times_its_rate(pairing: str, m: int, n: int) -> None:
    for pair in range(4):
        numbers = rotation_numbers(m, n, pair, pairing=pairing, **SETTINGS)  # type: ignore[arg-type]
        gain = angle_between(numbers["turned_query"], numbers["turned_key"]) - angle_between(
            numbers["query"], numbers["key"]
        )
        expected = math.degrees((n - m) * 10000.0 ** (-2 * pair / 8))
        assert math.remainder(gain - expected, 360) == pytest.approx(0, abs=1e-3)


@pytest.mark.parametrize("pairing", ["interleaved", "half_split"])
def test_the_envelope_holds_the_score_and_touches_it_when_all_pairs_agree(pairing: str) -> None:
    numbers = rotation_numbers(0, 0, 0, pairing=pairing, **SETTINGS)  # type: ignore[arg-type]
    assert (np.abs(numbers["scores"]) <= numbers["envelope"] + 1e-4).all()
    at_zero = numbers["scores"][numbers["distances"] == 0]
    assert at_zero == pytest.approx(numbers["score"], abs=1e-4)


def test_the_dot_lies_on_the_curve() -> None:
    numbers = rotation_numbers(7, 30, 1, pairing="interleaved", **SETTINGS)  # type: ignore[arg-type]
    assert numbers["scores"][numbers["distances"] == 23] == pytest.approx(numbers["score"], abs=1e-4)


def test_moving_together_keeps_distance_and_score() -> None:
    explorer = RotationExplorer(m=5, n=9)
    before = explorer.compute(explorer.parameters())["score"]
    explorer.controls["locked"].value = True
    for m in (0, 77, 200):
        explorer.controls["m"].value = m
        assert explorer.controls["n"].value == m + 4
        assert explorer.compute(explorer.parameters())["score"] == pytest.approx(before, abs=1e-4)
    explorer.controls["locked"].value = False
    explorer.controls["n"].value = 0
    assert explorer.controls["m"].value == 200


def test_moving_together_stops_where_one_of_the_two_would_leave_its_slider() -> None:
    explorer = RotationExplorer(m=120, n=20)
    explorer.controls["locked"].value = True
    explorer.controls["m"].value = 0
    assert (explorer.controls["m"].value, explorer.controls["n"].value) == (100, 0)


def test_the_pair_stays_inside_a_shrinking_width() -> None:
    explorer = RotationExplorer(d=64, pair=31)
    explorer.controls["d"].value = 4
    assert explorer.controls["pair"].value == 1
    explorer.controls["d"].value = 2
    assert explorer.controls["pair"].value == 0 and explorer.message is None


@pytest.mark.parametrize("initial", [{"locked": True}, {"locked": True, "m": 10, "n": 50}])
def test_it_may_start_locked_and_resets_to_that(initial: dict[str, int]) -> None:
    explorer = RotationExplorer(**initial)
    m, n = (explorer.controls[name] for name in ("m", "n"))
    start = {"m": 5, "n": 9, **initial}
    assert (m.value, n.value) == (start["m"], start["n"]) and explorer.message is None
    m.value += 7
    assert n.value == start["n"] + 7
    explorer.controls["locked"].value = False
    n.value = 100
    explorer.reset()
    assert (m.value, n.value) == (start["m"], start["n"]) and explorer.controls["locked"].value
    explorer.close()
