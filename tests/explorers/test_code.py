"""The code an explorer shows: numbers as a person writes them, wherever its controls stand."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import ipywidgets
import pytest

from posenc_lessons.explorers import EXPLORERS
from posenc_lessons.explorers.base import Explorer


def places(widget: ipywidgets.Widget) -> list[object]:
    """Where a control can stand: every step of a logarithmic slider, as a page has it; ends of others."""
    if isinstance(widget, ipywidgets.FloatLogSlider):
        steps = round((widget.max - widget.min) / widget.step)
        return [widget.base ** (widget.min + at * widget.step) for at in range(steps + 1)]
    if isinstance(widget, ipywidgets.IntSlider):
        return [widget.min, widget.max]
    if isinstance(widget, ipywidgets.Dropdown):
        return [value for _, value in widget.options]
    return [False, True] if isinstance(widget, ipywidgets.Checkbox) else []


def codes(explorer: Explorer) -> Iterator[str]:
    """The code at each of those places, and at what is worth trying."""
    start = explorer.initial
    settings = [each.settings() for each in explorer.tries]
    settings += [{name: place} for name, widget in explorer.controls.items() for place in places(widget)]
    for setting in settings:
        with explorer.one_update(refresh=False):
            explorer._set({**start, **setting})
        yield explorer.present_code()


@pytest.mark.parametrize("make", EXPLORERS, ids=lambda make: make.name)
def test_no_number_has_digits_that_rounding_left(make: type[Explorer]) -> None:
    explorer = make()
    seen = 0
    for code in codes(explorer):
        for node in ast.walk(ast.parse(code)):
            if isinstance(node, ast.Constant) and isinstance(node.value, float):
                assert node.value == float(f"{node.value:.6g}"), code
                assert "e" not in repr(node.value), code
        seen += 1
    assert seen >= len(make.tries) + 2
    explorer.close()
