"""A lesson done in its page: cells run, are edited, checked, stopped and kept; scripts run them too."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from posenc_lessons import progress
from posenc_lessons.course import sections
from posenc_lessons.course.guess import GuessCard
from posenc_lessons.course.guesses import find
from posenc_lessons.export import live_explorers
from posenc_lessons.export.in_page import in_page
from posenc_lessons.export.one_language import in_language, words_in_language
from posenc_lessons.export.site import site
from posenc_lessons.files import write_all
from posenc_lessons.language import Language
from tests.browser.watching import EXPORTED, LESSONS, barriers
from tests.support.pace import wait_until
from tests.support.pages import Watched

TRAINED = "03_learned.ipynb"
EXERCISE = "exercise-swap-ends"
RIGHT = "words if len(words) < 2 else [words[-1], *words[1:-1], words[0]]"
DRAFT = f"posenc-lessons:draft:00_start_here:en:{EXERCISE}"
GUESS, SETTLED = "posenc-lessons:guess:rope-parameters", "posenc-lessons:settled:rope-parameters"
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
PYTHON = 60_000  # milliseconds at most until Python is up, which happens at the first cell


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("cells")
    languages: tuple[Language, ...] = ("zh", "en")
    for language in languages:
        pages = site({"picture.ipynb": with_picture()}, language, live=True)
        for lesson in ("00_start_here.ipynb", TRAINED):
            notebook = in_language(nbformat.read(LESSONS / lesson, as_version=4), language)
            pages.update(site({lesson: notebook}, language, live=True))
        write_all({**pages, **live_explorers.files()}, out / language)
    return out


def with_picture() -> nbformat.NotebookNode:
    """Return a notebook with an explorer, and a picture by Matplotlib in a section that is folded.

    Both were recorded as pictures, as by an export that runs nothing.
    """
    source = "from posenc_lessons.figures.rotary import pairing_figure\npairing_figure(8)"
    picture = nbformat.v4.new_output("display_data", {"image/png": PNG, "text/plain": "pairs"})
    explorer = "from posenc_lessons.explorers import ShuffleExplorer\nShuffleExplorer(arrangement=3)"
    cells = [
        nbformat.v4.new_markdown_cell("# Pairs", id="title"),
        nbformat.v4.new_code_cell(explorer, id="explorer", outputs=[picture]),
        nbformat.v4.new_markdown_cell("## Deeper", id="deeper", metadata={sections.FOLDED: True}),
        nbformat.v4.new_code_cell(source, id="picture", outputs=[picture]),
    ]
    return nbformat.v4.new_notebook(cells=cells)


@pytest.fixture
def watched(browser: Browser, folder: Path) -> Iterator[Watched]:
    """Watch a page in a new profile, beside an empty one that holds the storage they share.

    Without it a profile in memory sometimes loses its storage while its only page is loaded again.
    """
    watched = Watched(browser)
    empty = folder / "empty.html"
    empty.touch()
    beside = watched.context.new_page()
    beside.goto(empty.as_uri())
    beside.evaluate("localStorage.length")
    yield watched
    watched.close()
    assert watched.errors == []


def opened(page: Page, folder: Path, language: str) -> Locator:
    """Open the lesson from its disk and return the exercise's cell."""
    page.goto((folder / language / "00_start_here.html").as_uri())
    return page.locator(f"[data-cell={EXERCISE}]")


@pytest.mark.parametrize(("language", "check"), [("en", "Check"), ("zh", "检查")])
def test_an_exercise_is_answered_wrong_and_right(
    language: str, check: str, folder: Path, watched: Watched
) -> None:
    cell = opened(watched.page, folder, language)
    editor, button = cell.get_by_role("textbox"), cell.get_by_role("button", name=check)
    stub = editor.input_value()
    for answer, mark in (("words[::-1]", "✘"), (RIGHT, "✔")):
        editor.fill(stub.replace("return ...", f"return {answer}"))
        expect(cell.locator(".solved")).to_be_hidden()
        if mark == "✔":
            editor.press("Shift+Enter")
        else:
            button.click()
        expect(cell.locator(".ran")).to_contain_text(mark, timeout=PYTHON)
    expect(cell.locator(".solved")).to_be_visible()
    expect(watched.page.locator(".tally")).to_contain_text(re.compile("1 of 1 exercises|1/1 道练习"))
    watched.page.locator(".work summary").first.click()
    for part in (f"[data-cell={EXERCISE}]", ".work"):
        assert barriers(watched.page, within=part) == []


def test_the_editor_comes_with_the_first_focus_and_takes_over_what_was_typed(
    folder: Path, watched: Watched
) -> None:
    page = watched.page
    cell = opened(page, folder, "en")
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
    assert text_in(cell) == f"{typed}\n    return x"
    expect_stored(page, DRAFT, f"{typed}\n    return x")
    page.keyboard.press("ControlOrMeta+z")
    wait_until(lambda: text_in(cell) != f"{typed}\n    return x", lambda: text_in(cell), every=0.05)
    page.locator(".work summary").first.click()
    page.get_by_role("checkbox").check()
    assert cell.locator("textarea").input_value().startswith(typed)
    page.reload()
    cell.locator("textarea").focus()
    assert page.locator("script[src*=editor-]").count() == 0


def test_an_endless_loop_is_stopped_and_what_was_typed_stays(folder: Path, watched: Watched) -> None:
    cell = opened(watched.page, folder, "en")
    editor, check = cell.get_by_role("textbox"), cell.get_by_role("button", name="Check")
    stub = editor.input_value()
    editor.fill("while True: pass")
    check.click()
    expect(cell.locator(".deeds")).to_contain_text("Running …", timeout=PYTHON)
    cell.get_by_role("button", name="Stop").click()
    expect(cell.locator(".deeds")).to_contain_text("Stopped.")
    watched.page.reload()
    expect(editor).to_have_value("while True: pass")
    for code, said in (
        ("assert 1 == 2, 'no'", "AssertionError: no"),
        ("[0] * 10**9", "Python was started again"),
        ("while True: print('again ' * 99)", "too long"),
        ("1 +", "Line 1 is not Python"),
    ):
        editor.fill(code)
        check.click()
        expect(cell.locator(".ran")).to_contain_text(said, timeout=PYTHON)
        assert text_in(cell) == code
    cell.get_by_role("button", name="Reset cell").click()
    wait_until(lambda: text_in(cell) == stub, lambda: text_in(cell), every=0.05)


def test_scripts_run_cells_and_leave_drafts_alone(folder: Path, watched: Watched) -> None:
    page = watched.page
    cell = opened(page, folder, "en")
    stub = cell.get_by_role("textbox").input_value()
    run = "([cell, code]) => window.posenc.run(cell, code)"
    for code, begins in ((None, "…"), (stub.replace("...", RIGHT), "✔")):
        said = page.evaluate(run, [EXERCISE, code] if code else [EXERCISE])
        assert said["error"] is None and said["text"].startswith(begins), said
    assert page.evaluate(run, [EXERCISE, "1 / 0"])["error"].startswith("ZeroDivisionError")
    assert page.evaluate(run, ["nowhere"])["error"] == "There is no cell nowhere on this page."
    assert cell.get_by_role("textbox").input_value() == stub
    assert page.evaluate("localStorage.length") == 0


def test_a_damaged_draft_is_shown_as_it_was_found(folder: Path, watched: Watched) -> None:
    cell = opened(watched.page, folder, "en")
    watched.page.evaluate("key => localStorage.setItem(key, '{broken')", DRAFT)
    watched.page.reload()
    expect(cell.get_by_role("textbox")).to_have_value("{broken")
    expect(cell.locator(".deeds")).to_contain_text("damaged")


def test_training_starts_when_asked_ends_when_stopped_and_keeps_what_it_reached(
    folder: Path, watched: Watched
) -> None:
    page = watched.page
    page.goto((folder / "en" / TRAINED.replace("ipynb", "html")).as_uri())
    cell, below = (page.locator(f"[data-cell={name}]") for name in ("train-copy", "rows-moved"))
    assert page.evaluate("posenc.run('train-copy')")["recorded"]
    below.get_by_role("button", name="Run").click()
    expect(below.get_by_role("status")).to_contain_text("trains", timeout=PYTHON)
    cell.get_by_role("button", name=re.compile(r"Train it here \(about \d+ min\)")).click()
    expect(cell.get_by_role("status")).to_contain_text("of 400, about", timeout=PYTHON)
    expect(cell.get_by_role("progressbar")).to_be_visible()
    cell.get_by_role("button", name="Stop").click()
    expect(cell.get_by_role("status")).to_contain_text("kept what it had reached", timeout=PYTHON)
    assert "of 400 steps" in cell.inner_text()  # as in Jupyter: the model has its best weights
    below.get_by_role("button", name="Run").click()
    expect(below.locator(".ran")).to_contain_text("32…47: 0.0", timeout=PYTHON)


@pytest.mark.parametrize(("language", "shorter"), [("en", "Shorter run"), ("zh", "短一些的训练")])
def test_a_shorter_run_is_put_into_the_editor_where_the_reader_sees_it(
    language: str, shorter: str, folder: Path, watched: Watched
) -> None:
    page = watched.page
    page.goto((folder / language / TRAINED.replace("ipynb", "html")).as_uri())
    cell = page.locator("[data-cell=bug-inside-trained]")
    names = (shorter, "Stop|停止", "Reset|恢复")
    short, stop, reset = (cell.get_by_role("button", name=re.compile(name)) for name in names)
    expect(cell.locator(".differs")).to_contain_text(re.compile("400 of 800|400 步，原来 800 步"))
    short.click()
    expect(cell.get_by_role("textbox")).to_have_value(re.compile("steps=200"))
    expect(cell.get_by_role("status")).to_contain_text(re.compile("of 400, about|共 400 步"), timeout=PYTHON)
    expect(short).to_be_hidden()
    stop.click()
    expect(cell.locator(".ran")).to_contain_text("of 200 steps", timeout=PYTHON)
    reset.click()
    expect(short).to_be_visible()
    expect(cell.locator(".source")).to_contain_text("steps=400")


def test_all_work_goes_into_a_file_and_comes_back_from_it(
    folder: Path, watched: Watched, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = watched.page
    cell = opened(page, folder, "en")
    stub = cell.locator("textarea").input_value()
    cell.locator("textarea").fill("mine = 1")
    expect_stored(page, DRAFT, "mine = 1")
    page.locator(".posenc-guess input").nth(1).check()
    assert page.evaluate("key => localStorage.getItem(key)", SETTLED) is None
    page.locator(".posenc-settled .guessed:not([hidden])").scroll_into_view_if_needed()  # now it is read
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
    monkeypatch.setenv("POSENC_LESSONS_HOME", str(tmp_path))  # JupyterLab reads it as well
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
    assert len(sources) > len(in_page(published).cells)  # with what only JupyterLab shows

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
    page.locator("input[type=file]").set_input_files(tmp_path / "progress.json")  # JupyterLab's own
    expect(tally).to_contain_text(solved)
    assert page.evaluate("key => localStorage.getItem(key)", SETTLED) == "1"
    page.locator("input[type=file]").set_input_files(file)
    wait_until(lambda: text_in(cell) == "mine = 1", lambda: text_in(cell), every=0.05)
    expect(page.locator(".posenc-guess input").nth(1)).to_be_checked()
    assert page.evaluate("key => localStorage.getItem(key)", GUESS) == "1"


def test_two_tabs_follow_each_other_and_lose_nothing(folder: Path, watched: Watched) -> None:
    cell = opened(watched.page, folder, "en")
    second = watched.context.new_page()
    other = opened(second, folder, "en")
    cell.locator("textarea").fill("first = 1")
    expect(other.locator("textarea")).to_have_value("first = 1")
    # Both type at once: this tab has not heard of the other's text when its reader types.
    unheard = json.dumps({"code": "unheard = 2", "of": ""})
    watched.page.evaluate("([key, text]) => localStorage.setItem(key, text)", [DRAFT, unheard])
    cell.get_by_role("textbox").fill("second = 3")
    expect(cell.locator(".changes.other")).to_contain_text("Other code")
    cell.locator(".changes.other summary").click()
    cell.get_by_role("button", name="Use that one").click()
    wait_until(lambda: text_in(cell) == "unheard = 2", lambda: text_in(cell), every=0.05)
    expect_stored(watched.page, DRAFT, "unheard = 2")
    watched.page.reload()
    expect(cell.locator(".changes.other pre")).to_contain_text("+ second = 3")


def test_a_browser_that_keeps_nothing_is_told_of_and_its_page_still_exports(
    folder: Path, watched: Watched
) -> None:
    page = watched.page
    page.add_init_script(
        "Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError'); }"
    )
    cell = opened(page, folder, "en")
    cell.locator("textarea").fill("mine = 1")
    expect(cell.locator(".deeds")).to_contain_text("cannot keep what you type")
    page.locator(".posenc-guess input").first.check()
    expect(page.locator(".work [role=status]")).to_contain_text("cannot keep your work")
    page.locator(".work summary").first.click()
    with page.expect_download() as coming:
        page.get_by_role("button", name="Export all my work").click()
    work = json.loads(coming.value.path().read_text(encoding="utf-8"))
    assert [draft["code"] for draft in work["drafts"]] == ["mine = 1"]
    assert work["guessed"] == {"rope-parameters": 0}


def test_a_recorded_picture_stays_after_an_edit_and_says_so(folder: Path, watched: Watched) -> None:
    watched.page.goto((folder / "en" / "picture.html").as_uri())
    watched.page.locator(".deeper > summary").click()
    cell = watched.page.locator("[data-cell=picture]")
    note, run = cell.locator(".recorded-note"), cell.get_by_role("button", name="Run")
    expect(note).to_be_hidden()
    cell.get_by_role("button", name="Edit").click()
    expect(cell.locator(".cm-content")).to_be_focused()
    cell.get_by_role("textbox").press("#")
    run.click()
    expect(note).to_be_visible(timeout=PYTHON)
    expect(cell.locator("img")).to_be_visible()
    cell.get_by_role("button", name="Reset cell").click()
    run.click()
    expect(run).to_be_visible()  # it is hidden while it runs
    expect(note).to_be_hidden()


def test_after_stop_an_explorer_that_a_cell_made_is_as_the_reader_left_it(
    folder: Path, watched: Watched
) -> None:
    page = watched.page
    page.goto((folder / "en" / "picture.html").as_uri())
    page.locator(".deeper > summary").click()
    cell, other = (page.locator(f"[data-cell={name}]") for name in ("explorer", "picture"))
    cell.get_by_role("button", name="Run").click()
    expect(cell.locator("canvas[data-painted]")).to_be_visible(timeout=PYTHON)
    expect(cell.locator("img")).to_be_hidden()  # it is in the place of what was recorded
    slider = cell.get_by_role("slider", name="arrangement")
    slider.fill("5")
    other.get_by_role("button", name="Edit").click()
    other.get_by_role("textbox").fill("while True: pass")
    other.get_by_role("button", name="Run").click()
    expect(other.get_by_role("status")).to_contain_text("Running …", timeout=PYTHON)
    other.get_by_role("button", name="Stop").click()
    expect(other.get_by_role("status")).to_contain_text("Stopped.")
    slider.press("ArrowRight")
    expect(slider).to_have_value("6")
    painted = cell.locator("canvas").get_attribute("data-painted")
    cell.get_by_role("button", name="Reset", exact=True).click()
    expect(cell.locator("canvas")).not_to_have_attribute("data-painted", str(painted), timeout=PYTHON)
    expect(slider).to_have_value("3")


def test_a_draft_of_an_older_version_is_kept_and_its_difference_shown(folder: Path, watched: Watched) -> None:
    cell = opened(watched.page, folder, "en")
    draft = json.dumps({"code": "mine = 1", "of": "from an_older import version\n"})
    watched.page.evaluate("([key, draft]) => localStorage.setItem(key, draft)", [DRAFT, draft])
    watched.page.reload()
    expect(cell.get_by_role("textbox")).to_have_value("mine = 1")
    cell.locator(".changes summary", has_text="show difference").click()
    expect(cell.locator(".changes pre")).to_contain_text("- from an_older import version")
    expect(cell.locator(".changes pre")).to_contain_text("+ from posenc_lessons.exercises.start_here")
    cell.get_by_role("button", name="Reset cell").click()
    expect(cell.locator(".changes")).to_have_count(0)
    assert "swap_ends" in text_in(cell)


def test_one_cell_is_shown_in_a_frame_of_another_page(folder: Path, watched: Watched, tmp_path: Path) -> None:
    lesson = (folder / "en" / "00_start_here.html").as_uri()
    page = tmp_path / "page.html"
    page.write_text(f'<iframe src="{lesson}?only={EXERCISE}" title="exercise"></iframe>', encoding="utf-8")
    watched.page.goto(page.as_uri())
    frame = watched.page.frame_locator("iframe")
    expect(frame.get_by_role("button", name="Check")).to_be_visible()
    expect(frame.get_by_role("link", name="Start here")).to_have_attribute("target", "_blank")
    assert frame.locator("main > :visible").count() == 4  # the text, what runs here, the cell, the link
    assert frame.locator("header:visible, footer:visible, .work:visible").count() == 0


def text_in(cell: Locator) -> str:
    """Return what the cell's editor holds, plain or CodeMirror's."""
    editor = cell.get_by_role("textbox")
    return str(
        editor.evaluate(
            "e => e.value ?? [...e.querySelectorAll('.cm-line')].map(l => l.textContent).join('\\n')"
        )
    )


def expect_stored(page: Page, key: str, code: str) -> None:
    """Wait until the browser keeps that draft."""
    stored = "([key, code]) => JSON.parse(localStorage.getItem(key) ?? '{}').code === code"
    page.wait_for_function(stored, arg=[key, code])
