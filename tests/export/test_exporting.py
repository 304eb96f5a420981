"""An export takes the lessons of the folder, with any number, and no other files."""

import dataclasses
from pathlib import Path

import nbformat
import pytest

from posenc_lessons.export.exporting import (
    WHOLE,
    Options,
    export,
    lesson_named,
)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a course of two lessons, 09 and 10, which link to each other."""
    folder = tmp_path_factory.mktemp("course")
    for lesson, other in (("09_before", "10_after"), ("10_after", "09_before")):
        text = f"# {lesson[:2]} 课 · Lesson\n\n[{other[:2]}]({other}.ipynb)"
        cells = [nbformat.v4.new_markdown_cell(text, id="title")]
        nbformat.write(nbformat.v4.new_notebook(cells=cells), folder / f"{lesson}.ipynb")
    (folder / "questions").mkdir()
    asked = nbformat.v4.new_markdown_cell("# 问 · Asked?\n\n[10](../10_after.ipynb)", id="title")
    nbformat.write(nbformat.v4.new_notebook(cells=[asked]), folder / "questions" / "asked.ipynb")
    return folder


@pytest.mark.parametrize("form", ["site", "ipynb", "nbgrader"])
def test_a_lesson_beyond_09_is_exported_in_every_form(form: str, source: Path, tmp_path: Path) -> None:
    options = Options("en", form, (), tmp_path, run=False, live=False)
    written = export(options, source, lambda text: pytest.fail(text.en))
    assert [name for name in written if "10_after" in name]
    assert any("asked" in name for name in written) == (form in WHOLE)
    if form == "site":
        index = (tmp_path / "index.html").read_text(encoding="utf-8")
        assert index.index('<a href="09_before.html">') < index.index('<a href="10_after.html">')
        assert 'rel="next" href="10_after.html"' in (tmp_path / "09_before.html").read_text(encoding="utf-8")


def test_a_sitemap_comes_with_an_address(source: Path, tmp_path: Path) -> None:
    (tmp_path / "explorers").mkdir()
    (tmp_path / "explorers" / "index.html").touch()
    options = Options("en", "site", (), tmp_path, run=False, live=False)
    assert "sitemap.xml" not in export(options, source, print)
    export(dataclasses.replace(options, address="https://example.org"), source, print)
    listed = (tmp_path / "sitemap.xml").read_text(encoding="utf-8")
    for page in ("questions/asked.html", "explorers/", ""):
        assert f"<loc>https://example.org/{page}</loc>" in listed


@pytest.mark.parametrize(
    ("wanted", "name"),
    [("9", "09_before"), ("10", "10_after"), ("10_after", "10_after")]
    + [(asked, "questions/asked") for asked in ("asked", "questions/asked")],
)
def test_a_lesson_is_asked_for_by_its_number_or_name_and_a_question_by_its_name(
    wanted: str, name: str, source: Path
) -> None:
    assert lesson_named(wanted, source) == name
