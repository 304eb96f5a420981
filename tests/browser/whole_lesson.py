"""Do lessons of the course's web site from top to bottom, opened from a disk, and photograph them.

``python -m tests.browser.whole_lesson 00_start_here …`` exports a site of these lessons, does each of them in
Chinese and English, on a laptop's screen and on a phone's, and writes photographs to ``build/whole_lesson``.
``--site FOLDER`` uses a site that was exported before, ``--screen`` only one of the two screens.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import re
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import nbformat
from playwright.sync_api import Locator, Page, expect

from posenc_lessons.export import exporting
from posenc_lessons.export.site import FOLDERS
from tests.browser.watching import LESSONS
from tests.support.pages import Watched, chromium

PHOTOGRAPHS = Path(__file__).parents[2] / "build" / "whole_lesson"
SCREENS: dict[str, dict[str, Any]] = {
    "laptop": {"viewport": {"width": 1366, "height": 641}},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True},
}
SLICE = 2400  # CSS pixels of a page on one photograph
STOP = 2  # the number of Stop among a cell's buttons: run, edit, stop
CELL = 600_000  # milliseconds at most for a cell and for the start of Python; a few cells take half a minute
UNFOLDED = "for (const fold of document.querySelectorAll('main details:not(.solution)')) fold.open = true"
RECORDED = "cell => window.posenc.run(cell)"
COUNTED = re.compile(
    r"(\d+) (?:格能在这里运行|格代码都能|run here)|\((\d+)\) runs here"
)  # at a lesson's head


def export(lessons: Sequence[str], folder: Path) -> None:
    """Run these lessons and write their site in both languages into ``folder``."""
    options = exporting.Options("both", "site", tuple(lessons), folder)
    exporting.export(options, LESSONS, lambda said: print(said.en, flush=True))


def answers(lesson: str) -> dict[str, str]:
    """Return code for each exercise's cell that uses the course's solution and not the stub."""
    cells = nbformat.read(LESSONS / f"{lesson}.ipynb", as_version=4).cells
    asked = (cell for cell in cells if cell.cell_type == "code" and cell.id.startswith("exercise-"))
    return {cell.id: _answer(cell.source) for cell in asked}


def _answer(source: str) -> str:
    imported, stub, *_, call = ast.parse(source).body
    assert isinstance(imported, ast.ImportFrom) and isinstance(stub, (ast.FunctionDef, ast.ClassDef))
    check = getattr(importlib.import_module(f"{imported.module}"), imported.names[0].name)
    solution = check.solution
    taken = f"from {solution.__module__} import {solution.__name__} as {stub.name}"
    return f"{ast.unparse(imported)}\n{taken}\n\n{ast.unparse(call)}\n"


def do_lesson(page: Page, file: Path, solved: Mapping[str, str], touched: bool) -> int:
    """Make every guess, run every cell and pass every exercise, in order; return how many cells ran.

    Explorers become live in the places of their stills: by a tap if ``touched``, otherwise by running the
    cell. Cells that train keep their recorded outputs. Raises AssertionError if a cell ends in an error that
    is not published, an exercise is not passed, the page's head says another number of cells, or the page is
    wider than the screen.
    """
    page.goto(file.as_uri())
    page.evaluate(UNFOLDED)
    for element in page.locator(".posenc-guess[data-guess], [data-cell]").all():
        if element.get_attribute("data-guess"):
            element.get_by_role("radio").first.check()
        elif any(element.get_attribute(mark) is not None for mark in ("data-trains", "data-recorded")):
            said = page.evaluate(RECORDED, element.get_attribute("data-cell"))
            assert said["recorded"] and said["error"] is None, said
        else:
            still = element.locator("figure[data-explorer] img").filter(visible=True)
            if touched and still.count():
                still.first.tap()
                expect_alive(element)
            run_cell(element, solved)
            if element.locator("figure[data-explorer]").count():
                expect_alive(element)
    ran = int(next(iter(re.findall(r"\d+", page.locator(".tally").inner_text()))))
    head = COUNTED.search(page.locator(".runs").inner_text())
    assert head and ran == int(head[1] or head[2]), f"{ran} cells ran: {page.locator('.runs').inner_text()}"
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, f"{wide} pixels hang out at the side"
    for verdict in page.locator(".posenc-settled").all():
        expect(verdict.locator(".guessed").filter(visible=True)).to_have_count(1)
    return ran


def expect_alive(cell: Locator) -> None:
    """Wait until the explorer of the cell has replaced its still and is painted."""
    figure = cell.locator("figure[data-explorer]")
    expect(figure.locator("canvas[data-painted]").first).to_be_visible(timeout=CELL)
    expect(figure.locator("img").filter(visible=True)).to_have_count(0)
    expect(cell.locator(".ran canvas")).to_have_count(0)


def run_cell(cell: Locator, solved: Mapping[str, str]) -> None:
    """Run one cell, an exercise with its solution."""
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


def photograph(page: Page, folder: Path) -> None:
    """Photograph the whole page, in slices."""
    folder.mkdir(parents=True, exist_ok=True)
    page.evaluate("scrollTo(0, 0)")  # puts elements that stay in view in their normal places
    width = page.evaluate("innerWidth")
    height = page.evaluate("document.documentElement.scrollHeight")
    for number, top in enumerate(range(0, height, SLICE)):
        clip = {"x": 0, "y": top, "width": width, "height": min(SLICE, height - top)}
        page.screenshot(path=folder / f"{number:02}.png", clip=clip, full_page=True)  # type: ignore[arg-type]


def main() -> None:
    parser = argparse.ArgumentParser("python -m tests.browser.whole_lesson", description=__doc__)
    parser.add_argument("lessons", nargs="*", default=["00_start_here"])
    parser.add_argument("--site", type=Path, metavar="FOLDER")
    parser.add_argument("--screen", choices=SCREENS)
    chosen = parser.parse_args()
    made = nullcontext(chosen.site) if chosen.site else tempfile.TemporaryDirectory()
    with made as folder, chromium() as browser:
        if not chosen.site:
            export(chosen.lessons, Path(folder))
        for lesson in chosen.lessons:
            for language, its_folder in FOLDERS.items():
                for screen in [chosen.screen] if chosen.screen else SCREENS:
                    photographs = PHOTOGRAPHS / f"{lesson}-{language}-{screen}"
                    shutil.rmtree(photographs, ignore_errors=True)
                    watched = Watched(browser, **SCREENS[screen])
                    file = Path(folder, its_folder, f"{lesson}.html").absolute()
                    ran = do_lesson(watched.page, file, answers(lesson), touched=screen == "phone")
                    photograph(watched.page, photographs)
                    assert watched.errors == [], watched.errors
                    watched.close()
                    print(f"{lesson} {language} {screen}: {ran} cells ran", flush=True)


if __name__ == "__main__":
    main()
