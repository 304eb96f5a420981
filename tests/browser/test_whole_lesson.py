"""The first lesson of the site, opened from a disk on a phone's screen, can be done from top to bottom."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Mapping
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from posenc_lessons.export import exporting
from tests.browser.watching import LESSONS
from tests.support.pages import watched_page

pytestmark = pytest.mark.sweep

LESSON = "00_start_here"
STOP = 2  # the number of Stop among a cell's buttons: run, edit, stop
UNFOLDED = "for (const fold of document.querySelectorAll('main details:not(.solution)')) fold.open = true"
RECORDED = "cell => window.posenc.run(cell)"
# At a lesson's head.
COUNTED = re.compile(r"(\d+) (?:格能在这里运行|格代码都能|run here)|\((\d+)\) runs here")


def answers(lesson: str) -> dict[str, str]:
    """Return code for each exercise's cell that uses the course's solution and not the stub."""
    cells = nbformat.read(LESSONS / f"{lesson}.ipynb", as_version=4).cells
    exercises = (cell for cell in cells if cell.cell_type == "code" and cell.id.startswith("exercise-"))
    return {cell.id: _answer(cell.source) for cell in exercises}


def _answer(source: str) -> str:
    imported, stub, *_, call = ast.parse(source).body
    assert isinstance(imported, ast.ImportFrom) and isinstance(stub, (ast.FunctionDef, ast.ClassDef))
    check = getattr(importlib.import_module(f"{imported.module}"), imported.names[0].name)
    solution = f"from {check.solution.__module__} import {check.solution.__name__} as {stub.name}"
    return f"{ast.unparse(imported)}\n{solution}\n\n{ast.unparse(call)}\n"


def test_a_lesson_can_be_done_from_top_to_bottom(browser: Browser, tmp_path: Path) -> None:
    """Make every guess, run every cell, pass every exercise; explorers become live by a tap."""
    exporting.export(exporting.Options("both", "site", (LESSON,), tmp_path), LESSONS, lambda _: None)
    solutions = answers(LESSON)
    with watched_page(browser, viewport={"width": 390, "height": 844}, has_touch=True) as page:
        page.goto((tmp_path / "zh" / f"{LESSON}.html").as_uri())
        page.evaluate(UNFOLDED)
        for element in page.locator(".posenc-guess[data-guess], [data-cell]").all():
            if element.get_attribute("data-guess"):
                element.get_by_role("radio").first.check()
            else:
                do_cell(page, element, solutions)
        count = int(next(iter(re.findall(r"\d+", page.locator(".tally").inner_text()))))
        head = COUNTED.search(page.locator(".runs").inner_text())
        assert head and count == int(head[1] or head[2]) >= 1 + len(solutions)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        for verdict in page.locator(".posenc-settled").all():
            expect(verdict.locator(".posenc-verdict").filter(visible=True)).to_have_count(1)


def do_cell(page: Page, cell: Locator, solutions: Mapping[str, str]) -> None:
    """Run one cell, an exercise with its solution; cells that train keep their recorded outputs."""
    name = cell.get_attribute("data-cell") or ""
    if any(cell.get_attribute(mark) is not None for mark in ("data-trains", "data-recorded")):
        result = page.evaluate(RECORDED, name)
        assert result["recorded"] and result["error"] is None, result
        return
    figure = cell.locator("figure[data-explorer]")
    if figure.locator("img").filter(visible=True).count():
        figure.locator("img").filter(visible=True).first.tap()
        expect(figure.locator(".present canvas[data-painted]").first).to_be_visible()
    if exercise := cell.get_attribute("data-exercise") is not None:
        cell.get_by_role("textbox").fill(solutions[name])
    cell.locator(".deeds button").filter(visible=True).first.click()
    expect(cell.locator(".deeds button").nth(STOP)).to_be_hidden()
    fails = cell.locator(".ran pre.error").count()
    assert not fails or cell.get_attribute("data-raises") is not None, f"{name}: {cell.inner_text()}"
    if exercise:
        expect(cell.locator(".solved")).to_be_visible()
