"""Each lesson has a drawn sign, with few bytes."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from posenc_lessons.export.motifs import MOTIFS, motif
from tests.support.duties import assert_complete
from tests.support.exported import NAMES, exported

LESSONS = sorted(name[:2] for name in NAMES if re.match(r"\d\d_", name))
MOST = 6000  # bytes


def test_every_lesson_has_a_sign() -> None:
    assert_complete(LESSONS, MOTIFS, "MOTIFS (export/motifs.py) has no sign for lesson {}", "no lesson is {}")


@pytest.mark.parametrize("number", LESSONS)
def test_a_sign_shows_something_in_few_bytes(number: str) -> None:
    drawn = motif(number)
    assert len(drawn.encode()) < MOST
    svg = ElementTree.fromstring(drawn)
    assert svg.attrib["aria-hidden"] == "true"
    assert not [*svg.iter("text")]
    assert sum(len(path.attrib["d"]) for path in svg.iter("path")) > 60
    assert "nan" not in drawn and "inf" not in drawn


def test_the_signs_differ() -> None:
    assert len({motif(number) for number in LESSONS}) == len(LESSONS)


def test_a_card_starts_with_its_lessons_sign() -> None:
    index = exported("en", ["05_rotary.ipynb", "glossary.ipynb"])["index.html"].decode()
    assert f'<li><div class="motif">{motif("05")}</div><h3>' in index
