"""Panels as small SVG: cells, lines and dots in their places; NaN leaves gaps."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from posenc_lessons.figures.colors import BLUE
from posenc_lessons.figures.panel_svg import panels_svg
from posenc_lessons.figures.scene import Arrows, Axis, Heatmap, Labels, Layer, Line, Panel, Points
from posenc_lessons.figures.scene_parts import NOTHING
from posenc_lessons.figures.theme import DARK


def drawn(layer: Layer, fills: bool = False) -> ElementTree.Element:
    """Draw ``layer`` in a square panel from 0 to 10 on both axes, the first row above."""
    panel = Panel("one", (50, 50, 40, 40), NOTHING, Axis(NOTHING, 0, 10), Axis(NOTHING, 10, 0), (layer,))
    return ElementTree.fromstring(panels_svg([panel], 104, 44, fills))


def path_of(layer: Layer, fills: bool = False) -> str:
    return next(drawn(layer, fills).iter("path")).attrib["d"]


@pytest.mark.parametrize(("fills", "left", "right"), [(False, 32, 72), (True, 2, 102)])
def test_a_line_is_centred_or_fills_the_picture(fills: bool, left: float, right: float) -> None:
    ends = np.array([0.0, 10.0])
    way = path_of(Line("line", ends, ends, BLUE), fills)
    assert way == f"M{left} 2l{right - left} 40"


def test_nan_interrupts_a_line_and_leaves_out_a_dot() -> None:
    x = np.array([0.0, 5, np.nan, 5, 10])
    assert path_of(Line("line", x, x, BLUE)) == "M32 2l20 20M52 22l20 20"
    assert path_of(Points("dots", x, x, BLUE)).count("M") == 4


def test_a_line_of_many_points_is_thinned_but_keeps_its_end() -> None:
    x = np.linspace(0, 10, 5001)
    way = path_of(Line("line", x, x, BLUE))
    steps = np.array(re.findall(r"l([\d.]+) ([\d.]+)", way), dtype=float)
    assert 10 < len(steps) < 40
    np.testing.assert_allclose(steps.sum(axis=0), 40)


def test_a_heatmap_has_a_path_for_each_colour_except_empty_cells() -> None:
    values = np.array([[0.0, 0, 1], [np.nan, 1, 1]])
    found = drawn(Heatmap("cells", values, 0, 1, "sequential", within=(0, 0, 6, 4)))
    assert [path.attrib["d"] for path in found.iter("path")] == ["M0 0.5h2", "M2 0.5h1M1 1.5h2"]
    (group,) = found.iter("g")
    assert group.attrib["transform"] == "translate(32.0 2.0) scale(8 8)"


def test_an_arrow_ends_at_its_tip_and_words_are_left_out() -> None:
    arrow = Arrows("hands", np.zeros((2, 2)), np.array([[10.0, 0], [0, 0]]), BLUE)
    line, head = (path.attrib["d"] for path in drawn(arrow).iter("path"))
    assert line == "M32 2l34 0" and head == "M72 2l-6 2.7l0-5.4z"
    words = Labels("words", np.zeros(1), np.zeros(1), ("dog",), BLUE)
    assert len(drawn(words)) == 0


def test_colours_follow_the_theme_of_the_page() -> None:
    line = Line("line", np.array([0.0, 1]), np.array([0.0, 1]), "#1A1A1A")
    (path,) = drawn(line).iter("path")
    assert f"light-dark(#1a1a1a,{DARK.shown('#1A1A1A').lower()})" in path.attrib["style"]
