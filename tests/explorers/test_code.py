"""Numbers in the code of an explorer are written as a person writes them, for all values of controls."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from posenc_lessons.explorers import EXPLORERS
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.controls import Choice, Control, LogSlider, Slider, TickBox


def places(control: Control) -> list[object]:
    """Return values of a control: all steps of a logarithmic slider, both ends of others."""
    if isinstance(control, LogSlider):
        steps = round((control.max - control.min) / control.step)
        return [10 ** (control.min + at * control.step) for at in range(steps + 1)]
    if isinstance(control, Slider):
        return [control.min, control.max]
    if isinstance(control, Choice):
        return [value for _, value in control.options]
    return [False, True] if isinstance(control, TickBox) else []


def codes(explorer: Explorer) -> Iterator[str]:
    """Return the code at each of those places, and at each try."""
    start = explorer.initial
    settings = [each.settings() for each in explorer.tries]
    settings += [{name: place} for name, control in explorer.controls.items() for place in places(control)]
    for setting in settings:
        with explorer.one_update(refresh=False):
            explorer._set({**start, **setting})
        yield explorer.present_code()


@pytest.mark.parametrize("make", EXPLORERS, ids=lambda make: make.name)
def test_no_number_in_the_code_shows_rounding_errors(make: type[Explorer]) -> None:
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
