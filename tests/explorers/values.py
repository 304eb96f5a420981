"""Random values for controls."""

import random
from collections.abc import Sequence

from posenc_lessons.explorers.controls import (
    Choice,
    Control,
    LogSlider,
    Slider,
    TextBox,
    TickBox,
)

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


def random_value(control: Control, chance: random.Random, texts: Sequence[str] = SENTENCES) -> object:
    """Return a random value for ``control``; a text is one of ``texts``."""
    if isinstance(control, LogSlider):
        return 10 ** chance.choice([control.min, control.max, chance.uniform(control.min, control.max)])
    if isinstance(control, Slider):
        ends = (control.min, control.max)
        return chance.choice([*ends, chance.randrange(control.min, control.max + 1, control.step)])
    if isinstance(control, Choice):
        return chance.choice([value for _, value in control.options])
    if isinstance(control, TickBox):
        return chance.random() < 0.5
    assert isinstance(control, TextBox), f"the random walk does not know {type(control).__name__}: teach it"
    return chance.choice(texts)
