"""The rotation explorer: the angle follows the distance, and moving together changes nothing."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc_lessons.explorers import RotationExplorer
from posenc_lessons.explorers.rotation import angle_between, rotation_numbers
from posenc_lessons.figures.rotation import dials_a_row
from posenc_lessons.figures.scene import Labels

SETTINGS = {"d": 8, "base": 10000.0, "vectors": 3, "device": "cpu"}


@pytest.mark.parametrize("pairing", ["interleaved", "half_split"])
@pytest.mark.parametrize(("m", "n"), [(0, 0), (5, 9), (200, 3)])
def test_the_angle_between_the_arrows_grows_by_the_rate_for_each_step(pairing: str, m: int, n: int) -> None:
    for pair in range(4):
        numbers = rotation_numbers(m, n, pair, pairing=pairing, **SETTINGS)  # type: ignore[arg-type]
        gain = angle_between(numbers["turned_query"], numbers["turned_key"]) - angle_between(
            numbers["query"], numbers["key"]
        )
        expected = math.degrees((n - m) * 10000.0 ** (-2 * pair / 8))
        assert math.remainder(gain - expected, 360) == pytest.approx(0, abs=1e-3)


@pytest.mark.parametrize("pairing", ["interleaved", "half_split"])
@pytest.mark.parametrize(("m", "n"), [(0, 0), (7, 30)])
def test_the_dot_is_on_the_curve_and_the_curve_is_below_the_envelope(pairing: str, m: int, n: int) -> None:
    numbers = rotation_numbers(m, n, 1, pairing=pairing, **SETTINGS)  # type: ignore[arg-type]
    assert (np.abs(numbers["scores"]) <= numbers["envelope"] + 1e-4).all()
    here = numbers["scores"][numbers["distances"] == n - m]
    assert here == pytest.approx(numbers["score"], abs=1e-4)


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


def test_the_pair_stays_valid_when_the_width_shrinks() -> None:
    explorer = RotationExplorer(d=64, pair=31)
    explorer.controls["d"].value = 4
    assert explorer.controls["pair"].value == 1
    explorer.controls["d"].value = 2
    assert explorer.controls["pair"].value == 0 and explorer.message is None


@pytest.mark.parametrize("initial", [{"locked": True}, {"locked": True, "m": 10, "n": 50}])
def test_an_explorer_that_starts_locked_resets_to_locked(initial: dict[str, int]) -> None:
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


def point(explorer: RotationExplorer, panel: str, kind: str, x: float, y: float) -> None:
    explorer.point(panel, x, y, kind)


def directions(explorer: RotationExplorer) -> dict[str, float]:
    """Return the directions of the two arrows, in radians."""
    arrays = explorer.compute(explorer.parameters())
    return {
        name: math.atan2(*arrays[arrow][::-1]) for name, arrow in (("m", "turned_query"), ("n", "turned_key"))
    }


@pytest.mark.parametrize("name", ["m", "n"])
@pytest.mark.parametrize("pair", [0, 3, 6])
def test_an_arrow_can_be_dragged(name: str, pair: int) -> None:
    explorer = RotationExplorer(m=40, n=47, pair=pair)
    angle, rate = directions(explorer)[name], 10000.0 ** (-2 * pair / 32)
    other = explorer.controls["n" if name == "m" else "m"].value
    before = explorer.controls[name].value
    point(explorer, "plane", "press", math.cos(angle), math.sin(angle))
    assert explorer.controls[name].value == before, "taking hold rotates nothing"
    for share in range(1, 9):  # one and a half rotations, or forty positions if that is less
        aim = angle - share / 8 * min(3 * math.pi, 39 * rate)
        point(explorer, "plane", "drag", 0.5 * math.cos(aim), 0.5 * math.sin(aim))
        off = math.remainder(directions(explorer)[name] - aim, 2 * math.pi)
        assert abs(off) <= rate / 2 + 1e-5, "no other position is nearer"
    assert explorer.controls[name].value == before - round(min(3 * math.pi / rate, 39))
    assert explorer.controls["n" if name == "m" else "m"].value == other
    explorer.close()


def test_arrows_held_together_rotate_together() -> None:
    explorer = RotationExplorer(m=5, n=9, pair=2, locked=True)
    angle = directions(explorer)["n"]
    point(explorer, "plane", "press", math.cos(angle), math.sin(angle))
    point(explorer, "plane", "drag", math.cos(angle + 1), math.sin(angle + 1))
    assert [explorer.controls[name].value for name in ("m", "n")] == [5 + 3, 9 + 3]
    point(explorer, "plane", "drag", math.cos(angle - 2), math.sin(angle - 2))
    assert [explorer.controls[name].value for name in ("m", "n")] == [0, 4], "as far as both can go"
    explorer.close()


def test_a_press_chooses_a_dial_and_dragging_rotates_its_hand() -> None:
    explorer = RotationExplorer(m=0, n=9)
    centre, rate = (10 % dials_a_row(16), 10 // dials_a_row(16)), 10000.0 ** (-2 * 10 / 32)
    point(explorer, "dials", "press", centre[0] + 0.3, centre[1])  # the hand of m, at the right
    assert explorer.controls["pair"].value == 10 and explorer.controls["m"].value == 0
    point(explorer, "dials", "drag", centre[0] + 0.3 * math.cos(0.4), centre[1] - 0.3 * math.sin(0.4))
    assert explorer.controls["m"].value == round(0.4 / rate) and explorer.controls["n"].value == 9
    point(explorer, "score", "drag", 3.0, 0.0)  # the pointer strays over another panel
    point(explorer, "dials", "press", 7.4, 3.4)
    point(explorer, "dials", "drag", 7.0, 3.4)
    assert explorer.controls["pair"].value == 10, "there is no pair 31"
    explorer.close()


@pytest.mark.parametrize(
    ("x", "places"), [(7.4, (5, 12)), (-3.2, (5, 2)), (-60.0, (60, 0)), (999.0, (5, 133))]
)
@pytest.mark.parametrize("locked", [False, True])
def test_the_point_on_the_score_curve_sets_the_distance(
    x: float, places: tuple[int, int], locked: bool
) -> None:
    explorer = RotationExplorer(m=5, n=9, locked=locked)
    point(explorer, "score", "drag", x, 0.0)
    assert tuple(explorer.controls[name].value for name in ("m", "n")) == places
    explorer.close()


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(["interleaved", "half_split"]),
    st.integers(0, 200),
    st.integers(0, 400),
    st.integers(1, 32),
    st.integers(0, 20),
)
def test_the_products_of_the_pairs_add_up_to_the_score(
    pairing: str, m: int, n: int, pairs: int, vectors: int
) -> None:
    numbers = rotation_numbers(m, n, 0, 2 * pairs, 10000.0, pairing, vectors, "cpu")  # type: ignore[arg-type]
    assert len(numbers["products"]) == pairs
    assert numbers["products"].sum() == pytest.approx(numbers["score"], abs=1e-4)
    assert (np.abs(numbers["products"]) <= numbers["most"] * (1 + 1e-5)).all()


def test_a_press_on_a_product_chooses_its_pair() -> None:
    explorer = RotationExplorer()
    point(explorer, "products", "press", 6.3, 0.0)
    assert explorer.controls["pair"].value == 6
    explorer.close()


@pytest.mark.parametrize("pair", [0, 3])
def test_names_of_arrows_never_overlap(pair: int) -> None:
    explorer = RotationExplorer(pair=pair)
    for n in range(0, 61, 3):
        explorer.controls["n"].value = n
        plane = next(panel for panel in explorer.present_scene()[0].panels if panel.name == "plane")
        named = (layer for layer in plane.layers if isinstance(layer, Labels))
        q, k = ((layer.x[0], layer.y[0]) for layer in named)
        pixels = plane.box[3] / (plane.y.end - plane.y.start)
        assert math.dist(q, k) * pixels > 18, "as far as their letters are high"
    explorer.close()
