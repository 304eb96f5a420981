"""Numbers as sentences say them: with a minus sign, as formulas have it; code keeps Python's hyphen."""

from __future__ import annotations

MINUS = "\N{MINUS SIGN}"


def spoken(value: float, form: str = "") -> str:
    """``value`` in the format ``form``; with a minus sign below zero, and without one at zero."""
    text = format(value, form)
    return text.replace("-", MINUS if float(text) else "", 1) if text.startswith("-") else text
