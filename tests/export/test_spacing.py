"""Gaps in the site's pages are from one scale."""

from __future__ import annotations

import re

import pytest

from posenc_lessons.browser.build import BROWSER
from posenc_lessons.export.assets import HERE, STYLES, spacing
from posenc_lessons.figures.places import SPACING

SHEETS = [*(HERE / f"{name}.css" for name in STYLES[1:]), BROWSER / "cells.css"]
GAP = re.compile(r"(?<![\w-])(?:scroll-)?(?:margin|padding|gap|row-gap|column-gap)(?:-[a-z-]+)?\s*:([^;}]+)")
OF_SCALE = re.compile("|".join(rf"var\(--space-{gap}\)" for gap in SPACING))
OTHER = re.compile(
    r"var\(--space-\d+\)|[\d.]+(?:rem|px|pt)\b"
)  # not em and %, which grow with letters or the box


def odd_gaps(sheet: str) -> list[str]:
    """Return the gaps in ``sheet`` that are not on the scale; printed pages have millimetres."""
    return [odd for gap in GAP.findall(sheet) for odd in OTHER.findall(OF_SCALE.sub("", gap))]


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.name)
def test_no_gap_is_odd(path) -> None:  # type: ignore[no-untyped-def]
    assert odd_gaps(path.read_text(encoding="utf-8")) == []


def test_an_odd_gap_is_noticed() -> None:
    sheet = "p { margin: 0 auto 5px; padding-left: calc(1em + var(--space-5)); gap: var(--space-8) .3rem }"
    assert odd_gaps(sheet) == ["5px", "var(--space-5)", ".3rem"]
    assert odd_gaps("p { margin: calc(-1 * var(--space-8)) .3em 0 10%; font-size: 13px }") == []


def test_every_step_of_the_scale_has_a_name() -> None:
    assert re.findall(r"--space-(\d+): ([\d.]+)rem", spacing()) == [
        (str(gap), f"{gap / 16:g}") for gap in SPACING
    ]
