"""The rotation explorer: the angle follows the distance, and moving together changes nothing."""

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextPath

from posenc_lessons.encodings import Pairing
from posenc_lessons.explorers import RotationExplorer
from posenc_lessons.explorers.rotation import (
    AXES,
    FARTHEST_KEY,
    FARTHEST_QUERY,
    in_pairs,
    query_and_key,
    rotation_numbers,
)
from posenc_lessons.figures.fonts import FONT
from posenc_lessons.figures.rotation import dials_a_row, rotation_scene
from posenc_lessons.figures.scene import Labels, Panel
from posenc_lessons.figures.words import position_ticks

SETTINGS: dict[str, Any] = {"base": 10000.0, "vectors": 3, "device": "cpu"}


@pytest.mark.parametrize("pairing", ["interleaved", "half"])
def test_one_query_and_key_are_along_the_axes_of_every_pair(pairing: Pairing) -> None:
    query, key = in_pairs(query_and_key(AXES, 8, pairing), pairing)
    assert query.tolist() == [[1, 0]] * 4 and key.tolist() == [[0, 1]] * 4


def positions(explorer: RotationExplorer) -> tuple[int, int]:
    return explorer.controls["m"].value, explorer.controls["n"].value


def panel(explorer: RotationExplorer, name: str) -> Panel:
    return next(panel for panel in explorer.present_scene()[0].panels if panel.name == name)


def labels(panel: Panel) -> dict[str, tuple[str, ...]]:
    """Return the texts of the panel's labels by the name of their layer."""
    return {layer.name: layer.texts for layer in panel.layers if isinstance(layer, Labels)}


# ---- numbers ----


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(["interleaved", "half_split"]),
    st.integers(0, 200),
    st.integers(0, 400),
    st.integers(1, 32),
)
def test_products_add_up_to_the_score_which_is_on_the_curve(pairing: Any, m: int, n: int, pairs: int) -> None:
    numbers = vars(rotation_numbers(m, n, 0, 2 * pairs, pairing=pairing, **SETTINGS))
    assert len(numbers["products"]) == pairs
    assert numbers["products"].sum() == pytest.approx(numbers["score"], abs=1e-4)
    on_the_curve = numbers["scores"][numbers["distances"] == n - m]
    assert on_the_curve == pytest.approx([numbers["score"]], abs=1e-4)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 200), st.integers(0, 400), st.integers(0, 15))
def test_no_arrow_and_no_other_label_crosses_a_label_in_the_circle(m: int, n: int, pair: int) -> None:
    numbers = rotation_numbers(m, n, pair, 32, pairing="interleaved", **SETTINGS)
    plane = rotation_scene(numbers).panels[0]
    pixels = plane.box[3] / (plane.y.end - plane.y.start)
    q, k = ((layer.x[0], layer.y[0]) for layer in plane.layers if layer.name in ("q", "k"))
    assert math.dist(q, k) * pixels > 18, "as far as their letters are high"
    inside = [
        each for each in plane.layers if isinstance(each, Labels) and math.hypot(each.x[0], each.y[0]) < 1
    ]
    boxes = []
    for label in inside:
        half = np.array([text_width(label.texts[0], label.size) / 2, 0.35 * label.size]) / pixels
        boxes.append((np.array([label.x[0], label.y[0]]), half))
    along = np.linspace(0, 1, 400)[:, None]
    for middle, half in boxes:
        for arrow in (numbers.query, numbers.key, numbers.turned_query, numbers.turned_key):
            assert not (np.abs(along * arrow - middle) < half).all(axis=1).any()
    for (one, half), (other, its) in itertools.combinations(boxes, 2):
        assert not (np.abs(one - other) < half + its).all()


def text_width(text: str, size: float) -> float:
    """Return the width of ``text`` in the face of pictures, in the unit of ``size``."""
    face = FontProperties(fname=FONT)
    return float(TextPath((0, 0), text, size=size, prop=face).get_extents().width) if text else 0.0


# ---- moving together ----


def test_moving_together_keeps_the_distance_and_unlocking_gives_m_its_whole_range_back() -> None:
    explorer = RotationExplorer(m=5, n=9)
    score = explorer.compute(explorer.parameters())["score"]
    explorer.controls["locked"].value = True
    for m in (0, 77, 200):
        explorer.controls["m"].value = m
        assert positions(explorer) == (m, m + 4)
        assert explorer.compute(explorer.parameters())["score"] == pytest.approx(score, abs=1e-4)
    explorer = RotationExplorer(m=120, n=20, locked=True)
    explorer.controls["m"].value = explorer.controls["m"].nearest(0)
    assert positions(explorer) == (100, 0), "where one of the two would leave its slider"
    explorer.controls["locked"].value = False
    m, n = explorer.slider("m"), explorer.slider("n")
    assert (m.min, m.max, n.min, n.max) == (0, FARTHEST_QUERY, 0, FARTHEST_KEY)
    explorer.restore({"m": 3, "n": 0})
    assert positions(explorer) == (3, 0)


@pytest.mark.parametrize("initial", [{"locked": True}, {"locked": True, "m": 10, "n": 50}])
def test_an_explorer_that_starts_locked_resets_to_locked(initial: dict[str, int]) -> None:
    explorer = RotationExplorer(**initial)
    start = positions(explorer)
    assert start == (initial.get("m", 5), initial.get("n", 9)) and explorer.message is None
    explorer.controls["m"].value += 7
    assert positions(explorer) == (start[0] + 7, start[1] + 7)
    explorer.controls["locked"].value = False
    explorer.controls["n"].value = 100
    explorer.reset()
    assert positions(explorer) == start and explorer.controls["locked"].value


# ---- pointer ----


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
    start = dict(zip("mn", positions(explorer), strict=True))
    explorer.point("plane", math.cos(angle), math.sin(angle), "press")
    assert positions(explorer) == (40, 47), "taking hold rotates nothing"
    for share in range(1, 9):  # one and a half rotations, or forty positions if that is less
        aim = angle - share / 8 * min(3 * math.pi, 39 * rate)
        explorer.point("plane", 0.5 * math.cos(aim), 0.5 * math.sin(aim), "drag")
        off = math.remainder(directions(explorer)[name] - aim, 2 * math.pi)
        assert abs(off) <= rate / 2 + 1e-5, "no other position is nearer"
    start[name] -= round(min(3 * math.pi / rate, 39))
    assert positions(explorer) == (start["m"], start["n"])


def test_arrows_held_together_rotate_together() -> None:
    explorer = RotationExplorer(m=5, n=9, pair=2, locked=True)
    angle = directions(explorer)["n"]
    explorer.point("plane", math.cos(angle), math.sin(angle), "press")
    explorer.point("plane", math.cos(angle + 1), math.sin(angle + 1), "drag")
    assert positions(explorer) == (5 + 3, 9 + 3)
    explorer.point("plane", math.cos(angle - 2), math.sin(angle - 2), "drag")
    assert positions(explorer) == (0, 4), "as far as both can go"


def test_a_press_chooses_a_dial_and_a_drag_from_elsewhere_does_not() -> None:
    explorer = RotationExplorer(m=0, n=9)
    centre = 10 % dials_a_row(16), 10 // dials_a_row(16)
    explorer.point("dials", centre[0] + 0.3, centre[1], "press")
    assert explorer.controls["pair"].value == 10 and explorer.controls["m"].value == 0
    explorer.point("dials", 3.0, 0.0, "drag")
    explorer.point("dials", 7.2, 3.4, "press")
    assert explorer.controls["pair"].value == 10, "there is no pair 31"


@pytest.mark.parametrize(
    ("x", "places"), [(7.4, (5, 12)), (-3.2, (5, 2)), (-60.0, (60, 0)), (999.0, (5, 133))]
)
@pytest.mark.parametrize("locked", [False, True])
def test_the_point_on_the_score_curve_sets_the_distance(
    x: float, places: tuple[int, int], locked: bool
) -> None:
    explorer = RotationExplorer(m=5, n=9, locked=locked)
    explorer.point("score", x, 0.0, "drag")
    assert positions(explorer) == places


def test_ticks_beyond_the_words_are_numbers_and_are_thinned() -> None:
    assert position_ticks(["a", "b"], 3) == ((0.0, "0 a"), (1.0, "1 b"), (2.0, "2"))
    assert position_ticks(["a", "b"], 1) == ((0.0, "0 a"),)
    assert len(position_ticks(["猫"] * 64, 64)) <= 18
