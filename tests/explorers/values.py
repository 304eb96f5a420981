"""What a control may be set to, by chance."""

from __future__ import annotations

import random
from collections.abc import Sequence

import ipywidgets

from posenc_lessons.explorers.widgets import TickBoxes

SENTENCES = [
    "",
    "   ",
    "one",
    "狗咬人 dog bites man",
    "🐕 👩‍👩‍👧 naïve العربية $x$",
    "w " * 500,
    "the " * 40,
    "<b>x</b>",
]


def random_value(
    widget: ipywidgets.Widget, chance: random.Random, texts: Sequence[str] = SENTENCES
) -> object:
    """Something that ``widget`` may be set to; what is typed is one of ``texts``."""
    if isinstance(widget, ipywidgets.IntSlider):
        ends = (widget.min, widget.max)
        return chance.choice([*ends, chance.randrange(widget.min, widget.max + 1, widget.step)])
    if isinstance(widget, ipywidgets.FloatLogSlider):
        exponent = chance.choice([widget.min, widget.max, chance.uniform(widget.min, widget.max)])
        return widget.base**exponent
    if isinstance(widget, ipywidgets.Dropdown):
        return chance.choice([value for _, value in widget.options])
    if isinstance(widget, TickBoxes):
        return tuple(value for _, value in widget.options if chance.random() < 0.5)
    if isinstance(widget, ipywidgets.Checkbox):
        return chance.random() < 0.5
    if isinstance(widget, ipywidgets.Text):
        return chance.choice(texts)
    raise AssertionError(f"the random walk does not know {type(widget).__name__}: teach it")
