"""Formulas of every lesson fit on a laptop and on a phone; code fits on a laptop, and scrolls on a phone."""

from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Browser

from posenc_lessons.course.lessons import lesson_names
from posenc_lessons.export.one_language import words_in_language
from posenc_lessons.export.site import FOLDERS, site
from posenc_lessons.files import write_all
from tests.browser.watching import LESSONS
from tests.support.pages import new_context

WIDTHS = (1366, *(pytest.param(width, marks=pytest.mark.sweep) for width in (390, 1920)))
CUT = """() => {
    for (const fold of document.querySelectorAll("details")) fold.open = true;
    return [...document.querySelectorAll(".formula, .source pre")]
        .filter((box) => box.scrollWidth > box.clientWidth + 1)
        .filter((box) => innerWidth > 640 || box.matches(".formula"))
        .map((box) => box.textContent.slice(0, 60));
}"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write every lesson's page in both languages, without outputs."""
    out = tmp_path_factory.mktemp("lessons")
    read = {
        f"{name}.ipynb": nbformat.read(LESSONS / f"{name}.ipynb", as_version=4)
        for name in lesson_names(LESSONS)
    }
    for notebook in read.values():
        for cell in notebook.cells:
            if cell.cell_type == "code":
                cell.outputs = []
    both = {
        language: {name: words_in_language(notebook, language) for name, notebook in read.items()}
        for language in FOLDERS
    }
    write_all(site(both), out)
    return out


@pytest.mark.parametrize("width", WIDTHS)
def test_formulas_and_code_fit(width: int, folder: Path, browser: Browser) -> None:
    with new_context(browser, viewport={"width": width, "height": 800}) as context:
        page = context.new_page()
        for language in FOLDERS:
            for name in lesson_names(LESSONS):
                page.goto((folder / language / f"{name}.html").as_uri())
                page.evaluate("document.fonts.ready")
                page.wait_for_timeout(0)
                assert page.evaluate(CUT) == [], (language, name)
