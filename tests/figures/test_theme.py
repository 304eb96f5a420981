"""Colours and type for dark pages and projectors."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc_lessons.explorers import EXPLORERS, DistanceExplorer
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.figures import colors
from posenc_lessons.figures.draw import draw
from posenc_lessons.figures.scene import Axis, ColorBar, End, Heatmap, Labels, Line, Panel, Points, Scene
from posenc_lessons.figures.theme import DARK, LIGHT, PALE, PROJECTOR, THEMES, contrast
from posenc_lessons.figures.with_theme import with_theme
from posenc_lessons.language import Text

COLOURS = st.integers(0, 0xFFFFFF).map(lambda number: f"#{number:06X}")
LABEL = Text("数", "number")
BAR = ColorBar("sequential", 0, 1)


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#FFFFFF") == contrast("#FFFFFF", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.005)  # the usual example of too little
    assert contrast("#0072B2", "#0072B2") == 1


@given(COLOURS)
def test_the_light_theme_changes_no_colour(color: str) -> None:
    assert LIGHT.shown(color) == color


@pytest.mark.parametrize("theme", [DARK, PROJECTOR], ids=lambda theme: theme.name)
@given(color=COLOURS)
def test_strong_colours_stay_visible_and_pale_ones_stay_pale(theme, color: str) -> None:
    shown = contrast(theme.shown(color), theme.paper)
    if contrast(color, colors.PAPER) >= PALE:
        assert shown >= theme.least - 1e-9
    else:
        assert shown < PALE + 0.3


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_words_are_legible_and_colours_of_curves_distinct(theme) -> None:
    assert contrast(theme.ink, theme.paper) >= 7 and contrast(theme.rule, theme.paper) < 2.6
    assert theme.shown(colors.PAPER) == theme.paper
    curves = [theme.shown(color) for color in (*colors.CYCLE, colors.INK, colors.MUTED)]
    assert all(contrast(color, theme.paper) >= theme.least for color in curves)
    assert contrast(theme.shown(colors.ECHO), theme.paper) >= (3 if theme is DARK else 2.3), (
        "behind, not gone"
    )
    rgb = np.array([[int(color[at : at + 2], 16) for at in (1, 3, 5)] for color in curves])
    apart = np.abs(rgb[:, None] - rgb[None, :]).sum(axis=-1) + 999 * np.eye(len(rgb))
    assert apart.min() >= 70


def scene() -> Scene:
    cells = Heatmap("cells", np.linspace(0, 1, 6).reshape(2, 3), 0, 1, "sequential")
    number = Labels("number", np.ones(1), np.ones(1), ("7",), colors.INK, 12)
    line = Line("line", np.arange(3.0), np.arange(3.0), colors.BLUE)
    dots = Points("dots", np.ones(1), np.ones(1), colors.INK, 8)
    word = Labels("word", np.ones(1), np.ones(1), ("j",), colors.INK, 12)
    columns, rows = Axis(LABEL, -0.5, 2.5, whole=True), Axis(LABEL, 1.5, -0.5, whole=True)
    axis = Axis(LABEL, 0, 2)
    return Scene(
        600,
        240,
        (
            Panel("map", (60, 40, 200, 150), LABEL, columns, rows, (cells, line, number), BAR),
            Panel(
                "curves",
                (340, 40, 240, 150),
                LABEL,
                axis,
                axis,
                (line, dots, word),
                legend=((LABEL, colors.BLUE),),
                ends=(End(LABEL, colors.BLUE, 1.0),),
            ),
        ),
        Text("一张图", "a picture"),
    )


def test_the_dark_theme_changes_only_colours() -> None:
    light, dark = scene(), with_theme(scene(), DARK)
    assert [panel.box for panel in dark.panels] == [panel.box for panel in light.panels]
    cells, line, number = dark.panels[0].layers
    assert isinstance(cells, Heatmap) and isinstance(number, Labels) and isinstance(line, Line)
    assert cells.colors == "sequential_dark" and (cells.values == light.panels[0].layers[0].values).all()
    assert number.color == DARK.shown(colors.INK) and line.color == DARK.shown(colors.BLUE) != colors.BLUE
    assert dark.panels[1].layers[1].color == DARK.shown(colors.INK)
    assert dark.panels[1].legend[0][1] == DARK.shown(colors.BLUE)
    assert dark.panels[1].ends[0].color == DARK.legible(colors.BLUE) != colors.BLUE
    assert dark.panels[0].color_bar == replace(BAR, colors="sequential_dark")
    pixels = draw(dark, "en").pixels(1)
    assert (pixels[2, 2, :3] == [0x14, 0x17, 0x1C]).all()
    zero = pixels[40 + 150 // 4 - 10, 60 + 30].astype(int)
    assert 0 < np.abs(zero - pixels[2, 2]).max() < 24, "a cell of zero is nearly as dark as the paper"


def test_larger_type_keeps_equal_units_on_both_axes() -> None:
    light = scene()
    panel = replace(light.panels[1], box=(340, 40, 150, 150), equal=True)
    (after,) = with_theme(replace(light, panels=(panel,)), PROJECTOR).panels
    assert after.box[2] != pytest.approx(after.box[3])
    units = [
        size / (axis.end - axis.start) for size, axis in zip(after.box[2:], (after.x, after.y), strict=True)
    ]
    assert units[0] == pytest.approx(units[1])


def test_larger_type_takes_its_room_from_the_panels() -> None:
    light, large = scene(), with_theme(scene(), PROJECTOR)
    assert (large.width, large.height) == (light.width, light.height)
    for before, after in zip(light.panels, large.panels, strict=True):
        assert after.box[0] > before.box[0] and after.box[1] > before.box[1]
        assert after.box[0] + after.box[2] <= before.box[0] + before.box[2]
        assert after.box[1] + after.box[3] < before.box[1] + before.box[3]
    assert large.panels[0].layers[2].size == pytest.approx(12 * 1.3)
    assert large.panels[1].layers[0].width == pytest.approx(1.6 * 1.3)


def test_a_matrix_and_its_colour_bar_still_end_on_one_line() -> None:
    panels = {
        panel.name: panel.box for panel in with_theme(DistanceExplorer().present_scene()[0], PROJECTOR).panels
    }
    matrix, bar, *_ = panels.values()
    assert (bar[1], bar[3]) == (matrix[1], matrix[3])


@pytest.mark.parametrize("make", EXPLORERS, ids=lambda make: make.__name__)
def test_ticks_and_numbers_do_not_overlap_in_large_type(make: type[Explorer]) -> None:
    explorer = make()
    explorer.theme = PROJECTOR
    assert explorer.message is None
    shown = explorer.present_scene()[0]
    for panel in shown.panels:
        left, top, width, height = panel.box
        assert left >= 0 and top >= 0 and width > 5 and height > 20
        assert left + width <= shown.width and top + height <= shown.height
        at = [
            (value - panel.y.start) / (panel.y.end - panel.y.start) * height
            for value, _ in panel.y.shown_ticks()
        ]
        assert (np.abs(np.diff(sorted(at))) >= 11 * 1.3).all(), panel.name
    explorer.close()
