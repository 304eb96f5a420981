"""Colour tables equal Matplotlib's, and lightness shows the order in each."""

import numpy as np
import pytest
from matplotlib.colors import LinearSegmentedColormap

from posenc_lessons.figures.colors import INK, NIGHT, PAPER, RAMPS, ZERO, ZERO_DARK, color_table
from posenc_lessons.figures.theme import DARK, LIGHT, Theme, contrast

PAPERS = {name: NIGHT if name.endswith("_dark") else PAPER for name in RAMPS}
ZEROS = {name: ZERO_DARK if name.endswith("_dark") else ZERO for name in RAMPS if not name.startswith("ink")}


@pytest.mark.parametrize("name", RAMPS)
def test_a_colour_table_equals_matplotlibs(name: str) -> None:
    of_matplotlib = LinearSegmentedColormap.from_list(name, RAMPS[name])(np.linspace(0, 1, 255), bytes=True)
    table = color_table(name)
    assert table.shape == (256, 4) and table.dtype == np.uint8 and (table[0] == 0).all()
    np.testing.assert_array_equal(table[1:], of_matplotlib)


@pytest.mark.parametrize("name", RAMPS)
def test_zero_differs_from_paper_and_larger_values_stand_out_more(name: str) -> None:
    """A heatmap without a frame then shows its end, and a cell of zero differs from an empty one."""
    table = color_table(name)
    paper = np.array([int(PAPERS[name][at : at + 2], 16) for at in (1, 3, 5)])
    zero = np.array([int(ZEROS.get(name, PAPERS[name])[at : at + 2], 16) for at in (1, 3, 5)])
    nothing = table[128 if name.startswith("diverging") else 1, :3]
    assert (np.abs(nothing - zero) <= 1).all()
    assert name not in ZEROS or 7 < np.abs(zero - paper).max() < 24
    lightness = table[1:, :3].astype(float) @ [0.2126, 0.7152, 0.0722]
    growing = 1 if PAPERS[name] == NIGHT else -1
    if name.startswith("diverging"):  # from the middle to both ends
        assert (growing * np.diff(lightness[:128]) <= 0.5).all()
        lightness = lightness[127:]
    assert (growing * np.diff(lightness) >= -0.5).all(), "also in a grey print"


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
@pytest.mark.parametrize("colors", ["sequential", "diverging"])
def test_a_number_can_be_read_on_every_cell(theme: Theme, colors: str) -> None:
    """``scene_parts.cell_numbers`` chooses dark or light for white paper; the theme changes the colour."""
    on_white = color_table(colors)[1:, :3].astype(float) @ [0.2126, 0.7152, 0.0722]
    shown = color_table(theme.ramp(colors))[1:, :3]
    for lightness, cell in zip(on_white, shown, strict=True):
        number = theme.shown(INK if lightness > 128 else PAPER)
        assert contrast(number, "#" + bytes(cell).hex()) >= 3
