"""Every section of the study notes is treated by cells of some lesson, and the table links to them."""

from __future__ import annotations

import re
from itertools import chain
from pathlib import Path

from nbformat import v4, write

from posenc_lessons.course import coverage
from posenc_lessons.course.coverage import DOCUMENTS, SECTIONS, covered
from posenc_lessons.course.lessons import shipped_lessons
from posenc_lessons.language import HAN

HOW_MANY = {0: 8, 1: 6, 2: 3, 3: 8, 4: 6}  # sections of each set of notes


def test_every_section_is_in_the_table_once() -> None:
    expected = [f"§{notes}.{number}" for notes, last in HOW_MANY.items() for number in range(1, last + 1)]
    assert list(SECTIONS) == expected


def test_titles_are_in_both_languages_and_all_different() -> None:
    titles = [*SECTIONS.values(), *DOCUMENTS]
    for title in titles:
        assert HAN.search(title.zh) and not HAN.search(title.en)
    assert len({title.zh for title in titles}) == len({title.en for title in titles}) == len(titles)


def test_every_section_is_treated_and_cells_name_only_real_sections() -> None:
    assert covered(shipped_lessons()).keys() == SECTIONS.keys()


def test_the_table_links_to_cells() -> None:
    table = coverage.table()
    page = table._repr_mimebundle_()["text/html"]
    assert 'href="01_why_position.ipynb#cell-id=shuffle-explorer"' in page
    places = chain.from_iterable(
        chain.from_iterable(of.values()) for of in covered(shipped_lessons()).values()
    )
    assert page.count("#cell-id=") == len(list(places))
    assert page.count('<div lang="zh">') == page.count('<div lang="en">')
    assert all(section in repr(table) for section in SECTIONS)


def test_the_table_takes_lessons_beyond_09_and_lessons_without_sections(
    tmp_path: Path,
) -> None:
    for lesson, treated in (("09_new", {}), ("10_more", {"covers": ["§1.5", "§4.6"]})):
        cells = [
            v4.new_markdown_cell("# 课 · Lesson", id="title"),
            v4.new_code_cell("1", id="one", metadata=treated),
        ]
        write(v4.new_notebook(cells=cells), tmp_path / f"{lesson}.ipynb")
    assert covered(tmp_path) == {"§1.5": {"10_more": ["one"]}, "§4.6": {"10_more": ["one"]}}
    table = coverage.table(tmp_path)
    assert (
        '<a href="10_more.ipynb">10</a> · <a href="10_more.ipynb#cell-id=one">one</a>'
        in (table._repr_mimebundle_()["text/html"])
    )
    assert re.search(r"§1\.5 .* → 10$", repr(table), re.M)
