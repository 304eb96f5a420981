"""The sinusoid explorer: its numbers, and a cursor that stays inside the table."""

from __future__ import annotations

import numpy as np
import pytest

from posenc_lessons.encodings import sinusoidal_encoding
from posenc_lessons.explorers import SinusoidExplorer
from posenc_lessons.figures.sinusoid import HEIGHT, WIDTH


def test_it_shows_the_packages_table_and_its_dot_products() -> None:
    explorer = SinusoidExplorer(length=20, d_model=8, base=100.0, position=3)
    arrays = explorer.compute(explorer.parameters())
    table = sinusoidal_encoding(20, 8, 100.0).numpy()
    np.testing.assert_array_equal(arrays["table"], table)
    for n in range(20):
        expected = sum(float(table[3, i]) * float(table[n, i]) for i in range(8))
        assert arrays["similarity"][n] == pytest.approx(expected, abs=1e-5)


def test_the_reading_is_computed() -> None:
    explorer = SinusoidExplorer(length=20, d_model=8, base=100.0, position=19, offset=-1)
    reading = explorer.caption(explorer.parameters(), explorer.compute(explorer.parameters())).en
    assert "= 4.00" in reading and "PE(19)·PE(18) = " in reading
    assert f"{2 * np.pi * 100 ** (6 / 8):,.0f} positions" in reading


def test_the_cursor_stays_inside_a_shrinking_table() -> None:
    explorer = SinusoidExplorer()
    explorer.controls["position"].value = 127
    explorer.controls["length"].value = 10
    assert explorer.controls["position"].value == 9
    assert explorer.message is None


def test_a_press_on_the_heatmap_moves_the_cursor() -> None:
    explorer = SinusoidExplorer()
    explorer.point("heatmap", 3.0, 41.7)
    assert explorer.controls["position"].value == 42
    explorer.point("heatmap", 3.0, -0.5)
    assert explorer.controls["position"].value == 0
    explorer.point("row", 3.0, 0.1)
    assert explorer.controls["position"].value == 0


def test_an_invalid_pointer_is_shown_as_an_error() -> None:
    explorer = SinusoidExplorer()
    explorer.point("heatmap", "?", "not a number")
    assert explorer.message is not None


@pytest.mark.parametrize(
    "ends",
    [{"length": 2}, {"length": 1024, "d_model": 512}, {"d_model": 2}, {"base": 10**0.05}, {"base": 1e6}],
)
def test_every_slider_works_at_its_ends(ends: dict[str, float]) -> None:
    explorer = SinusoidExplorer(**ends)
    assert explorer.message is None
    assert explorer.still().pixels(1).shape[:2] == (HEIGHT, WIDTH)


def test_the_second_cursor_stays_inside_the_table_and_is_pointed_at() -> None:
    explorer = SinusoidExplorer(length=20, position=5, offset=14)
    offset = explorer.controls["offset"]
    assert (offset.min, offset.max, offset.value) == (-5, 14, 14)
    explorer.controls["position"].value = 12
    assert (offset.min, offset.max, offset.value) == (-12, 7, 7)
    explorer.point("similarity", -30.0, 0.0)
    assert offset.value == -12 and explorer.message is None
    explorer.reset()
    assert (explorer.controls["position"].value, offset.value) == (5, 14)
    explorer.close()


def test_a_clock_hand_ends_at_the_values_of_its_two_columns() -> None:
    explorer = SinusoidExplorer(d_model=8, position=7, offset=3)
    table = explorer.compute(explorer.parameters())["table"]
    clocks = next(panel for panel in explorer.present_scene()[0].panels if panel.name == "clocks")
    for name, position in (("here", 7), ("other", 10)):
        hands = next(layer for layer in clocks.layers if layer.name == name)
        np.testing.assert_allclose((hands.end - hands.start) / 0.44, table[position].reshape(4, 2), atol=1e-6)  # type: ignore[union-attr]
    explorer.close()
