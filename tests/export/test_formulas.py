"""TeX as MathML: every formula of the course is converted, with spaces and bars as TeX sets them."""

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import nbformat
import pytest

from posenc_lessons.course.lessons import lesson_files, shipped_lessons
from posenc_lessons.export.formulas import formula
from posenc_lessons.export.markdown import render, unbroken
from tests.notebooks import bilingual

SHIPPED = shipped_lessons()
NOTEBOOKS = [path for path in lesson_files(SHIPPED) if path.suffix == ".ipynb"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=str)
def test_every_formula_of_the_course_can_be_converted(path: Path) -> None:
    for cell in nbformat.read(SHIPPED / path, as_version=4).cells:
        if cell.cell_type != "markdown":
            continue
        source = re.sub(r"```.*?```", "", cell.source, flags=re.DOTALL)
        formulas = [(tex, True) for tex in bilingual.display_formulas(source)]
        formulas += [(tex, False) for tex in bilingual.inline_formulas(source)]
        for tex, display in formulas:
            element = ElementTree.fromstring(formula(tex, display))
            words = "".join(element.itertext())
            assert words and not re.search(r"\\[a-z]{2}|&|\[\d+pt\]|undefined", words), tex
            assert element.get("display") == ("block" if display else "inline")


def test_a_formula_has_its_tex_as_alternative_text() -> None:
    assert 'alttext="a &lt; &quot;b&quot;"' in formula('a < "b"', display=False)


def test_lines_of_a_derivation_are_aligned() -> None:
    element = formula(r"\begin{aligned} a &= b \\[4pt] &= c \end{aligned}", display=True)
    assert element.count("<mtr>") == 2 and "text-align:-webkit-right" in element


def test_a_minus_after_a_bracket_belongs_to_the_number() -> None:
    assert formula("(-1, a - b)", display=False).count('form="prefix" lspace="0"') == 1


OPEN = '<mo stretchy="false" fence="true" lspace="0" rspace="0" form="prefix">{}</mo>'
CLOSE = OPEN.replace("prefix", "postfix")


@pytest.mark.parametrize(
    ("tex", "bar"),
    [(r"\lVert R_m q\rVert^2", "‖"), (r"-m\,|i - j|", "|"), (r"\lvert a\rvert \lvert b\rvert", "|")],
)
def test_bars_are_brackets_of_equal_height_and_one_without_a_partner_stays(tex: str, bar: str) -> None:
    markup = formula(tex, display=False)
    bars = re.findall(rf"<mo[^>]*>{re.escape(bar)}</mo>", markup)
    assert bars == [OPEN.format(bar), CLOSE.format(bar)] * (len(bars) // 2) and len(bars) >= 2
    assert "form=" not in formula("p(x | y)", display=False)


@pytest.mark.parametrize(
    ("tex", "spaces"),
    [
        (r"\cos\alpha", 1),
        (r"\cos\big(\alpha\big)", 0),
        (r"\cos\alpha\cos\beta", 3),
        (r"r\sin^2(\varphi)", 1),
        (r"\tfrac{1}{2}\sin(x)", 1),
        (r"(a + b)\log(x)", 1),
        (r"= \sin(x)", 0),
        (r"x_{\max}", 0),
    ],
)
def test_thin_spaces_stand_around_a_function(tex: str, spaces: int) -> None:
    assert formula(tex, display=False).count("<mspace") == spaces


@pytest.mark.parametrize("tex", [r"\sqrt{d/2}\,;\ b", "[x;p]"])
def test_no_space_before_a_semicolon(tex: str) -> None:
    markup = formula(tex, display=False)
    assert '<mo separator="true" lspace="0">;</mo>' in markup
    assert "<mspace" not in markup.partition(";</mo>")[0]


def test_an_underscore_in_words_has_no_backslash() -> None:
    assert "<mtext>max_len</mtext>" in formula(r"[\text{max\_len}, d]", display=False)


@pytest.mark.parametrize("tex", [r"a_{", r"\sqrt{", r"\begin{pmatrix} 1"])
def test_an_invalid_formula_is_refused(tex: str) -> None:
    with pytest.raises(ValueError, match=r"cannot be read[\s\S]*读不懂"):
        formula(tex, display=False)


def test_a_number_stands_beside_its_formula_and_a_boxed_formula_is_a_key_result() -> None:
    markup = render("$$\\boxed{a = b}\\qquad\\text{(2)}$$")
    assert markup.startswith('<div class="formula"><span class="key"><math ')
    assert markup.count("(2)") == 1 and "</math></span><span>(2)</span></div>" in markup


def test_a_narrow_page_breaks_a_formula_at_gaps_and_relations_outside_of_brackets() -> None:
    markup = render(r"$$a = \frac{b = c}{2}, \qquad (d = e) \approx f$$")
    assert re.sub(r'<math alttext="([^"]*)".*?</math>', r"[\1]", markup) == (
        r'<div class="formula"><span class="plain"><span>[a][= \frac{b = c}{2},]</span> '
        r"<span>[(d = e)][\approx f]</span></span></div>" + "\n"
    )


@pytest.mark.parametrize(
    ("words", "closed"),
    [
        ("at n − m = −3, not", "at n_−_m_=_−3, not"),
        ("大约 21 分钟，第 02 课", "大约 21_分钟，第_02_课"),
        ("about 50 minutes, equation (3)", "about 50_minutes, equation_(3)"),
        ("<code>n − m</code> and 3 apples", "<code>n − m</code> and 3 apples"),
    ],
)
def test_no_line_ends_inside_a_short_formula_or_before_a_unit(words: str, closed: str) -> None:
    assert unbroken(words).replace("\u00a0", "_") == closed
