"""Do a lesson in its page from top to bottom, opened from a disk, and photograph it.

``python -m tests.browser.whole_lesson 00_start_here …`` exports these lessons, does each of them in Chinese
and English, on a laptop's screen and on a phone's, and leaves the photographs in ``build/whole_lesson``.
"""

from __future__ import annotations

import ast
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import nbformat
from playwright.sync_api import Locator, Page, ViewportSize, expect

from posenc_lessons.export import live_explorers
from posenc_lessons.export.one_language import in_language
from posenc_lessons.export.site import site
from posenc_lessons.files import write_all
from posenc_lessons.language import Language
from tests.browser.watching import LESSONS
from tests.support.pages import Watched, chromium

PHOTOGRAPHS = Path(__file__).parents[2] / "build" / "whole_lesson"
SCREENS: dict[str, ViewportSize] = {
    "laptop": {"width": 1366, "height": 641},
    "phone": {"width": 390, "height": 844},
}
SLICE = 2400  # CSS pixels of a page on one photograph
STOP = 4  # which of a cell's buttons it is: run, train, train shorter, edit, stop
CELL = 120_000  # milliseconds at most for a cell, and for Python to start
UNFOLDED = "for (const fold of document.querySelectorAll('main details:not(.solution)')) fold.open = true"


def export(lesson: str, language: Language, folder: Path) -> Path:
    """Write one lesson's page with all that it needs into ``folder``; return the page."""
    notebook = in_language(nbformat.read(LESSONS / f"{lesson}.ipynb", as_version=4), language)
    write_all({**site({f"{lesson}.ipynb": notebook}, language, live=True), **live_explorers.files()}, folder)
    return folder / f"{lesson}.html"


def answers(lesson: str) -> dict[str, str]:
    """Return for each exercise's cell a code that takes the course's solution in place of the stub."""
    cells = nbformat.read(LESSONS / f"{lesson}.ipynb", as_version=4).cells
    asked = (cell for cell in cells if cell.cell_type == "code" and cell.id.startswith("exercise-"))
    return {cell.id: _answer(cell.source) for cell in asked}


def _answer(source: str) -> str:
    imported, stub, *_, call = ast.parse(source).body
    assert isinstance(imported, ast.ImportFrom) and isinstance(stub, (ast.FunctionDef, ast.ClassDef))
    solutions = f"{imported.module}".replace(".exercises.", ".exercises.solutions.")
    return f"{ast.unparse(imported)}\nfrom {solutions} import {stub.name}\n\n{ast.unparse(call)}\n"


def do_lesson(page: Page, file: Path, solved: Mapping[str, str]) -> int:
    """Make every guess, run every cell and pass every exercise, in their order; return how many cells ran.

    Cells that train keep what was recorded. Raises AssertionError where a cell ends in an error that is not
    published, an exercise is not passed, or the page is wider than the screen.
    """
    page.goto(file.as_uri())
    page.evaluate(UNFOLDED)
    ran = 0
    for element in page.locator(".posenc-guess[data-guess], [data-cell]").all():
        if element.get_attribute("data-guess"):
            element.get_by_role("radio").first.check()
        elif element.get_attribute("data-trains") is None:
            done = run_cell(element, solved)
            ran += done
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, f"{wide} pixels hang out at the side"
    for verdict in page.locator(".posenc-settled").all():
        expect(verdict.locator(".guessed").filter(visible=True)).to_have_count(1)
    return ran


def run_cell(cell: Locator, solved: Mapping[str, str]) -> bool:
    """Run one cell, an exercise with its solution; return whether it ran, for some need a trained model."""
    name = cell.get_attribute("data-cell") or ""
    exercise = cell.get_attribute("data-exercise") is not None
    if exercise:
        cell.get_by_role("textbox").fill(solved[name])
    cell.locator(".deeds button").filter(visible=True).first.click()
    expect(cell.locator(".deeds button").nth(STOP)).to_be_hidden(timeout=CELL)
    said = cell.inner_text()
    failed = cell.locator(".ran pre.error").count()
    assert not failed or cell.get_attribute("data-raises") is not None, f"{name}: {said}"
    if exercise:
        expect(cell.locator(".solved")).to_be_visible()
    return cell.locator(".deeds [role=status]").inner_text() == ""


def photograph(page: Page, folder: Path) -> None:
    """Photograph all of the page, in slices."""
    folder.mkdir(parents=True, exist_ok=True)
    width = page.evaluate("innerWidth")
    height = page.evaluate("document.documentElement.scrollHeight")
    for number, top in enumerate(range(0, height, SLICE)):
        clip = {"x": 0, "y": top, "width": width, "height": min(SLICE, height - top)}
        page.screenshot(path=folder / f"{number:02}.png", clip=clip, full_page=True)  # type: ignore[arg-type]


def main(lessons: Sequence[str]) -> None:
    shutil.rmtree(PHOTOGRAPHS, ignore_errors=True)
    languages: tuple[Language, ...] = ("zh", "en")
    with chromium() as browser, tempfile.TemporaryDirectory() as folder:
        for lesson in lessons:
            for language in languages:
                file = export(lesson, language, Path(folder, lesson, language))
                for screen, size in SCREENS.items():
                    watched = Watched(browser, viewport=size)
                    ran = do_lesson(watched.page, file, answers(lesson))
                    photograph(watched.page, PHOTOGRAPHS / f"{lesson}-{language}-{screen}")
                    assert watched.errors == [], watched.errors
                    watched.close()
                    print(f"{lesson} {language} {screen}: {ran} cells ran", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:] or ["00_start_here"])
