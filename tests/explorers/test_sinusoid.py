"""The sinusoid explorer: its numbers, and cursors that stay inside the table."""

import numpy as np

from posenc_lessons.encodings import sinusoidal_encoding
from posenc_lessons.explorers import SinusoidExplorer


def test_the_reading_compares_two_positions_and_names_the_slowest_pair() -> None:
    explorer = SinusoidExplorer(length=20, d_model=8, base=100.0, position=19, offset=-1)
    table = sinusoidal_encoding(20, 8, 100.0)
    assert "with itself is 4.00" in explorer.reading.en
    assert f"n = 18 is {table[18] @ table[19]:.2f}" in explorer.reading.en
    assert f"{2 * np.pi * 100 ** (6 / 8):,.0f} positions" in explorer.reading.en


def test_a_press_on_the_heatmap_moves_the_cursor_which_stays_inside_a_shrinking_table() -> None:
    explorer = SinusoidExplorer(position=127)
    position = explorer.controls["position"]
    explorer.controls["length"].value = 10
    assert position.value == 9 and explorer.message is None
    explorer.reset()
    for panel, x, y, row in (("heatmap", 3.0, 41.7, 42), ("heatmap", 3.0, -0.5, 0), ("row", 3.0, 5.0, 0)):
        explorer.point(panel, x, y)
        assert position.value == row


def test_an_invalid_pointer_is_shown_as_an_error() -> None:
    explorer = SinusoidExplorer()
    explorer.point("heatmap", "?", "not a number")  # type: ignore[arg-type]
    assert explorer.message is not None
    message, reading = explorer.message, explorer.reading
    explorer.point("heatmap", 3.0, 41.7, "hover")
    assert (explorer.message, explorer.reading) == (message, reading), "hovering does not clear a message"


def test_the_second_cursor_stays_inside_the_table_and_is_pointed_at() -> None:
    explorer = SinusoidExplorer(length=20, position=5, offset=14)
    offset = explorer.slider("offset")
    assert (offset.min, offset.max, offset.value) == (-5, 14, 14)
    explorer.controls["position"].value = 12
    assert (offset.min, offset.max, offset.value) == (-12, 7, 7)
    explorer.point("similarity", -30.0, 0.0)
    assert offset.value == -12 and explorer.message is None
    explorer.reset()
    assert (explorer.controls["position"].value, offset.value) == (5, 14)
