"""TeX as MathML: every formula of the course is converted."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import nbformat
import pytest

from posenc_lessons.course.lessons import lesson_files, shipped_lessons
from posenc_lessons.export.fonts import FONT
from posenc_lessons.export.markdown import formula
from tests.notebooks import bilingual

SHIPPED = shipped_lessons()
NOTEBOOKS = [path for path in lesson_files(SHIPPED) if path.suffix == ".ipynb"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=str)
def test_every_formula_of_the_course_can_be_converted(path: Path) -> None:
    for cell in nbformat.read(SHIPPED / path, as_version=4).cells:
        if cell.cell_type != "markdown":
            continue
        source = re.sub(r"```.*?```", "", cell.source, flags=re.DOTALL)
        found = [(tex, True) for tex in bilingual.display_formulas(source)]
        found += [(tex, False) for tex in bilingual.inline_formulas(source)]
        for tex, display in found:
            element = ElementTree.fromstring(formula(tex, display))
            said = "".join(element.itertext())
            assert said and not re.search(r"\\[a-z]{2}|&|\[\d+pt\]|undefined", said), tex
            assert element.get("display") == ("block" if display else "inline")


def test_a_formula_has_its_tex_as_alternative_text() -> None:
    assert 'alttext="a &lt; &quot;b&quot;"' in formula('a < "b"', display=False)


def test_lines_of_a_derivation_are_aligned() -> None:
    element = formula(r"\begin{aligned} a &= b \\[4pt] &= c \end{aligned}", display=True)
    assert element.count("<mtr>") == 2 and 'style="text-align:right"' in element


def test_a_minus_after_a_bracket_belongs_to_the_number() -> None:
    assert formula("(-1, a - b)", display=False).count('form="prefix" lspace="0"') == 1


def test_a_space_separates_a_function_from_its_argument() -> None:
    assert formula(r"\cos\alpha", display=False).count("<mspace") == 1
    assert formula(r"\cos\big(\alpha\big)", display=False).count("<mspace") == 0


@pytest.mark.parametrize("tex", [r"a_{", r"\sqrt{", r"\begin{pmatrix} 1"])
def test_an_invalid_formula_is_refused(tex: str) -> None:
    with pytest.raises(ValueError, match=r"cannot be read[\s\S]*读不懂"):
        formula(tex, display=False)


def test_the_font_of_formulas_is_small_and_knows_mathematics() -> None:
    ttlib = pytest.importorskip("fontTools.ttLib")
    font = ttlib.TTFont(FONT)
    assert "MATH" in font and FONT.stat().st_size < 120_000
    assert {0x1D465, 0x1D703, 0x2211, 0x221A, ord("("), 0x2225} <= set(font.getBestCmap())
    assert (FONT.parent / "OFL.txt").is_file()
