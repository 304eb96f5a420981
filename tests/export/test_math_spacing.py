"""Formulas that were once set wrong: bars, functions, semicolons."""

from __future__ import annotations

import re

import pytest

from posenc_lessons.export.markdown import formula

OPEN = '<mo stretchy="false" fence="true" lspace="0" rspace="0" form="prefix">{}</mo>'
CLOSE = OPEN.replace("prefix", "postfix")


@pytest.mark.parametrize(
    ("tex", "bar"),
    [(r"\lVert R_m q\rVert^2", "‖"), (r"-m\,|i - j|", "|"), (r"\lvert a\rvert \lvert b\rvert", "|")],
)
def test_bars_are_brackets_of_equal_height(tex: str, bar: str) -> None:
    markup = formula(tex, display=False)
    bars = re.findall(rf"<mo[^>]*>{re.escape(bar)}</mo>", markup)
    assert bars == [OPEN.format(bar), CLOSE.format(bar)] * (len(bars) // 2) and len(bars) >= 2


def test_a_bar_without_a_partner_stays() -> None:
    assert "form=" not in formula("p(x | y)", display=False)


@pytest.mark.parametrize(
    ("tex", "spaces"),
    [
        (r"\cos\alpha\cos\beta", 3),
        (r"r\sin^2(\varphi)", 1),
        (r"\tfrac{1}{2}\sin(x)", 1),
        (r"(a + b)\log(x)", 1),
        (r"= \sin(x)", 0),
        (r"x_{\max}", 0),
    ],
)
def test_a_thin_space_stands_between_a_factor_and_a_function(tex: str, spaces: int) -> None:
    assert formula(tex, display=False).count("<mspace") == spaces


@pytest.mark.parametrize("tex", [r"\sqrt{d/2}\,;\ b", "[x;p]"])
def test_no_space_before_a_semicolon(tex: str) -> None:
    markup = formula(tex, display=False)
    assert '<mo separator="true" lspace="0">;</mo>' in markup
    assert "<mspace" not in markup.partition(";</mo>")[0]


def test_an_underscore_in_words_has_no_backslash() -> None:
    assert "<mtext>max_len</mtext>" in formula(r"[\text{max\_len}, d]", display=False)
