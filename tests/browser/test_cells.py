"""The cells of a lesson's page: they are run, edited, checked, stopped and kept; scripts run them too."""

from __future__ import annotations

import json
import re
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Page, expect

from posenc_lessons import progress
from posenc_lessons.course.guess import GuessCard
from posenc_lessons.course.guesses import find
from posenc_lessons.export.in_page import in_page
from posenc_lessons.export.one_language import words_in_language
from tests.browser.lesson_pages import (
    DRAFT,
    EXERCISE,
    TRAINED,
    expect_stored,
    expect_text,
    opened,
    text_in,
)
from tests.browser.watching import EXPORTED, LESSONS, barriers
from tests.support.pace import wait_until
from tests.support.pages import Watched

RIGHT = "words if len(words) < 2 else [words[-1], *words[1:-1], words[0]]"
GUESS, SETTLED = "posenc-lessons:guess:rope-parameters", "posenc-lessons:settled:rope-parameters"


@pytest.mark.parametrize(("language", "check"), [("en", "Check"), ("zh", "检查")])
def test_an_exercise_judges_a_wrong_and_a_right_answer(
    language: str, check: str, lesson_folder: Path, watched: Watched
) -> None:
    cell = opened(watched.page, lesson_folder.as_uri(), language)
    editor, button = cell.get_by_role("textbox"), cell.get_by_role("button", name=check)
    stub = editor.input_value()
    for answer, mark in (("words[::-1]", "✘"), (RIGHT, "✔")):
        editor.fill(stub.replace("return ...", f"return {answer}"))
        expect(cell.locator(".solved")).to_be_hidden()
        if mark == "✔":
            editor.press("Shift+Enter")
        else:
            button.click()
        expect(cell.locator(".ran")).to_contain_text(mark)
    expect(cell.locator(".solved")).to_be_visible()
    expect(watched.page.locator(".tally")).to_contain_text(re.compile("1 of 1 exercises|1/1 道练习"))
    watched.page.locator(".work summary").first.click()
    for part in (f"[data-cell={EXERCISE}]", ".work"):
        assert barriers(watched.page, within=part) == []


def test_the_editor_loads_at_the_first_focus_and_keeps_typed_text(
    lesson_address: str, watched: Watched
) -> None:
    page = watched.page
    cell = opened(page, lesson_address, "en")
    typed = "def twice(x):"
    cell.locator("textarea").evaluate(
        "(area, typed) => { area.focus(); area.value = typed; area.dispatchEvent(new Event('input')); "
        "area.setSelectionRange(typed.length, typed.length); }",
        typed,
    )
    expect(cell.locator(".cm-content")).to_be_focused()
    expect(cell.locator(".cm-line .k")).to_have_text("def")
    page.keyboard.press("Enter")
    page.keyboard.type("return x")
    expect_text(cell, f"{typed}\n    return x")
    expect_stored(page, DRAFT, f"{typed}\n    return x")
    page.keyboard.press("ControlOrMeta+z")
    wait_until(lambda: text_in(cell) != f"{typed}\n    return x", lambda: text_in(cell), every=0.05)
    page.locator(".work summary").first.click()
    page.get_by_role("checkbox").check()
    assert cell.locator("textarea").input_value().startswith(typed)
    page.reload()
    cell.locator("textarea").focus()
    assert page.locator("script[src*=editor-]").count() == 0


def test_scripts_run_cells_without_changing_drafts(lesson_folder: Path, watched: Watched) -> None:
    page = watched.page
    cell = opened(page, lesson_folder.as_uri(), "en")
    stub = cell.get_by_role("textbox").input_value()
    run = "([cell, code]) => window.posenc.run(cell, code)"
    for code, begins in ((None, "…"), (stub.replace("...", RIGHT), "✔")):
        said = page.evaluate(run, [EXERCISE, code] if code else [EXERCISE])
        assert said["error"] is None and said["text"].startswith(begins), said
    assert page.evaluate(run, [EXERCISE, "1 / 0"])["error"].startswith("ZeroDivisionError")
    assert page.evaluate(run, ["nowhere"])["error"] == "There is no cell nowhere on this page."
    assert cell.get_by_role("textbox").input_value() == stub
    assert page.evaluate("localStorage.length") == 0


@pytest.mark.parametrize(
    ("language", "trains", "needs"),
    [("en", "< 1 min in JupyterLab", "needs a model"), ("zh", "JupyterLab 里 < 1 分钟", "需要一个模型")],
)
def test_training_runs_only_when_the_reader_asks_and_can_be_stopped(
    language: str, trains: str, needs: str, lesson_folder: Path, watched: Watched
) -> None:
    page = watched.page
    page.goto((lesson_folder / language / TRAINED.replace("ipynb", "html")).as_uri())
    cell, below = (page.locator(f"[data-cell={name}]") for name in ("train-copy", "rows-moved"))
    run, stop = re.compile("Run|运行"), re.compile("Stop|停止")
    expect(cell.get_by_role("status")).to_contain_text(trains)
    assert page.evaluate("posenc.run('train-copy')")["recorded"]
    below.get_by_role("button", name=run).click()
    expect(below.locator(".above")).to_contain_text(needs)
    expect(below.locator(".above a")).to_have_attribute("href", "#train-copy")
    expect(below.locator(".shown").first).to_be_visible()  # what was recorded stays
    cell.get_by_role("button", name=run).click()
    expect(cell.get_by_role("status")).to_contain_text("400")  # how many steps it takes
    cell.get_by_role("button", name=stop).click()
    expect(cell.get_by_role("button", name=run)).to_be_visible()
    cell.get_by_role("button", name=re.compile("Edit|修改")).click()
    editor = cell.get_by_role("textbox")
    (code,) = (source for name, source in page_cells(page) if name == "train-copy")
    editor.fill(code.replace("steps=400", "steps=4"))
    cell.get_by_role("button", name=run).click()
    expect(cell.locator(".ran")).to_contain_text("≈ 0.")
    below.get_by_role("button", name=run).click()
    expect(below.locator(".ran")).to_contain_text("32…47: 0.0")


def page_cells(page: Page) -> list[list[str]]:
    """Return the id and source of each code cell of the page."""
    cells: list[list[str]] = json.loads(page.locator("#lesson-cells").inner_text())
    return cells


def test_all_work_is_saved_to_a_file_and_loaded_from_it(
    lesson_address: str, watched: Watched, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = watched.page
    cell = opened(page, lesson_address, "en")
    stub = cell.locator("textarea").input_value()
    cell.locator("textarea").fill("mine = 1")
    expect_stored(page, DRAFT, "mine = 1")
    page.locator(".posenc-guess input").nth(1).check()
    assert page.evaluate("key => localStorage.getItem(key)", SETTLED) is None
    page.locator(".posenc-settled .guessed:not([hidden])").scroll_into_view_if_needed()  # its answer is seen
    page.wait_for_function("key => localStorage.getItem(key) === '1'", arg=SETTLED)
    page.evaluate("localStorage.setItem('posenc-lessons:solved:start_here.swap_ends', '1')")
    page.reload()
    tally, solved = page.locator(".tally"), "1 of 1 exercises solved"
    expect(tally).to_contain_text(solved)
    page.locator(".work summary").first.click()
    file = tmp_path / "work.json"
    with page.expect_download() as coming:
        page.get_by_role("button", name="Export all my work").click()
    coming.value.save_as(file)
    assert json.loads(file.read_text("utf-8")).keys() == EXPORTED.keys()
    monkeypatch.setenv("POSENC_LESSONS_HOME", str(tmp_path))  # JupyterLab can load the file too
    settled, done = frozenset({"rope-parameters"}), frozenset({"start_here.swap_ends"})
    found = progress.Progress({"rope-parameters": 1}, settled, done)
    assert progress.taken_in(file.read_bytes()) == (found, None) == progress.so_far()
    assert GuessCard(find("rope-parameters")).locked
    with page.expect_download() as coming:
        page.get_by_role("button", name="Download the notebook").click()
    notebook = nbformat.read(coming.value.path(), as_version=4)
    nbformat.validate(notebook)
    assert coming.value.suggested_filename == "00_start_here.ipynb"
    published = nbformat.read(LESSONS / "00_start_here.ipynb", as_version=4)
    sources = {each.id: each.source for each in words_in_language(published, "en").cells}
    assert {each.id: each.source for each in notebook.cells} == {**sources, EXERCISE: "mine = 1"}
    assert len(sources) > len(in_page(published).cells)  # with the cells that only JupyterLab shows

    page.get_by_role("button", name="Start over").click()
    expect(tally).to_contain_text(solved)
    page.get_by_role("button", name="Remove all").click()
    expect(tally).to_contain_text("0 of 1 exercises solved")
    assert text_in(cell) == stub and page.evaluate("localStorage.length") == 0
    assert page.locator(".posenc-guess input:checked").count() == 0
    broken = tmp_path / "broken.json"
    broken.write_text('{"guessed": []}', encoding="utf-8")
    page.locator("input[type=file]").set_input_files(broken)
    expect(page.locator(".work [role=status]")).to_contain_text("no record exported from the course")
    page.locator("input[type=file]").set_input_files(tmp_path / "progress.json")  # JupyterLab's own file
    expect(tally).to_contain_text(solved)
    assert page.evaluate("key => localStorage.getItem(key)", SETTLED) == "1"
    page.locator("input[type=file]").set_input_files(file)
    expect_text(cell, "mine = 1")
    expect(page.locator(".posenc-guess input").nth(1)).to_be_checked()
    assert page.evaluate("key => localStorage.getItem(key)", GUESS) == "1"


def test_a_recorded_picture_stays_after_an_edit_with_a_note(lesson_folder: Path, watched: Watched) -> None:
    watched.page.goto((lesson_folder / "en" / "picture.html").as_uri())
    watched.page.locator(".deeper > summary").click()
    cell = watched.page.locator("[data-cell=picture]")
    note, run = cell.locator(".recorded-note"), cell.get_by_role("button", name="Run")
    expect(note).to_be_hidden()
    cell.get_by_role("button", name="Edit").click()
    expect(cell.locator(".cm-content")).to_be_focused()
    cell.get_by_role("textbox").press("#")
    run.click()
    expect(note).to_be_visible()
    expect(cell.locator("img")).to_be_visible()
    cell.get_by_role("button", name="Reset cell").click()
    run.click()
    expect(run).to_be_visible()  # it is hidden while it runs
    expect(note).to_be_hidden()


def test_a_draft_of_an_older_version_is_kept_beside_the_new_version(
    lesson_address: str, watched: Watched
) -> None:
    cell = opened(watched.page, lesson_address, "en")
    draft = json.dumps({"code": "mine = 1", "of": "from an_older import version\n"})
    watched.page.evaluate("([key, draft]) => localStorage.setItem(key, draft)", [DRAFT, draft])
    watched.page.reload()
    expect(cell.get_by_role("textbox")).to_have_value("mine = 1")
    cell.locator(".changes summary", has_text="new version").click()
    expect(cell.locator(".changes pre")).to_contain_text("from posenc_lessons.exercises.start_here")
    cell.get_by_role("button", name="Reset cell").click()
    expect(cell.locator(".changes")).to_have_count(0)
    assert "swap_ends" in text_in(cell)


def test_one_cell_is_shown_in_a_frame_of_another_page(
    lesson_folder: Path, watched: Watched, tmp_path: Path
) -> None:
    lesson = (lesson_folder / "en" / "00_start_here.html").as_uri()
    page = tmp_path / "page.html"
    page.write_text(f'<iframe src="{lesson}?only={EXERCISE}" title="exercise"></iframe>', encoding="utf-8")
    watched.page.goto(page.as_uri())
    frame = watched.page.frame_locator("iframe")
    expect(frame.get_by_role("button", name="Check")).to_be_visible()
    expect(frame.get_by_role("link", name="Start here")).to_have_attribute("target", "_blank")
    expect(frame.locator("main > :visible")).to_have_count(4)  # the text, what runs here, the cell, the link
    expect(frame.locator("header:visible, footer:visible, .work:visible")).to_have_count(0)
