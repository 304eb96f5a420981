"""More of the cells of a lesson's page: its editor, what is kept and exported, and what can go wrong."""

import json
import re
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Route, expect

from posenc_lessons import progress
from posenc_lessons.course.guess import Guess, GuessCard
from posenc_lessons.export.in_page import in_page
from posenc_lessons.export.one_language import words_in_language
from posenc_lessons.language import Text
from tests.browser.lesson_pages import DRAFT, EXERCISE, KEPT, expect_stored, expect_text, opened, text_in
from tests.browser.watching import EXPORTED, LESSONS
from tests.support.pace import wait_until
from tests.support.pages import Watched
from tests.support.site import plain_server

pytestmark = pytest.mark.sweep

GUESS, SETTLED = "posenc-lessons:guess:rope-parameters", "posenc-lessons:settled:rope-parameters"
MOST_HIGH = 1500  # CSS pixels: greatest height of a cell with any output


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
    page.locator(".notes > summary").click()
    page.get_by_role("checkbox").check()
    assert cell.locator("textarea").input_value().startswith(typed)
    page.reload()
    cell.locator("textarea").focus()
    assert page.locator("script[src*=editor-]").count() == 0


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
    page.locator(".posenc-settled .posenc-verdict").scroll_into_view_if_needed()  # its answer is seen
    page.wait_for_function("key => localStorage.getItem(key) === '1'", arg=SETTLED)
    page.evaluate("localStorage.setItem('posenc-lessons:solved:start_here.swap_ends', '1')")
    page.reload()
    tally, solved = page.locator(".tally"), "1 of 1 exercises solved"
    expect(tally).to_contain_text(solved)
    page.locator(".notes > summary").click()
    file = tmp_path / "work.json"
    with page.expect_download() as coming:
        page.get_by_role("button", name="Export all my work").click()
    coming.value.save_as(file)
    assert json.loads(file.read_text("utf-8")).keys() == EXPORTED.keys()
    monkeypatch.setenv("POSENC_LESSONS_HOME", str(tmp_path))  # JupyterLab can load the file too
    settled, solutions = frozenset({"rope-parameters"}), frozenset({"start_here.swap_ends"})
    work = progress.Progress({"rope-parameters": 1}, settled, solutions)
    assert progress.taken_in(file.read_bytes()) == (work, None) == progress.so_far()
    card = GuessCard(Guess("rope-parameters", Text("?", "?"), (Text("A", "A"), Text("B", "B"))))
    assert card.locked and card.picked == 1
    with page.expect_download() as coming:
        page.get_by_role("button", name="Download the notebook").click()
    notebook = nbformat.read(coming.value.path(), as_version=4)
    nbformat.validate(notebook)
    assert coming.value.suggested_filename == "00_start_here.ipynb"
    published = nbformat.read(LESSONS / "00_start_here.ipynb", as_version=4)
    sources = {cell.id: cell.source for cell in words_in_language(published, "en").cells}
    assert {cell.id: cell.source for cell in notebook.cells} == {**sources, EXERCISE: "mine = 1"}
    assert len(sources) > len(in_page(published).cells)  # with the cells that only JupyterLab shows

    page.get_by_role("button", name="Start over").click()
    expect(tally).to_contain_text(solved)
    page.get_by_role("button", name="Remove all").click()
    expect(tally).to_contain_text("0 of 1 exercises solved")
    assert text_in(cell) == stub and page.evaluate(KEPT) == []
    assert page.locator(".posenc-guess input:checked").count() == 0
    broken = tmp_path / "broken.json"
    broken.write_text('{"guessed": []}', encoding="utf-8")
    page.locator("input[type=file]").set_input_files(broken)
    expect(page.locator(".work-said")).to_contain_text("no record exported from the course")
    page.locator("input[type=file]").set_input_files(tmp_path / "progress.json")  # JupyterLab's own file
    expect(tally).to_contain_text(solved)
    assert page.evaluate("key => localStorage.getItem(key)", SETTLED) == "1"
    page.locator("input[type=file]").set_input_files(file)
    expect_text(cell, "mine = 1")
    expect(page.locator(".posenc-guess input").nth(1)).to_be_checked()
    assert page.evaluate("key => localStorage.getItem(key)", GUESS) == "1"


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
    expect(frame.locator("main > :visible")).to_have_count(3)  # the text, the cell, the link
    expect(frame.locator("header:visible, footer:visible, .work:visible")).to_have_count(0)


# ---- What can go wrong ----


def test_an_endless_loop_can_be_stopped_and_typed_text_stays(lesson_address: str, watched: Watched) -> None:
    cell = opened(watched.page, lesson_address, "en")
    editor, check = cell.get_by_role("textbox"), cell.get_by_role("button", name="Check")
    stub = editor.input_value()
    editor.fill("print('earlier')")
    check.click()
    expect(cell.locator(".ran")).to_have_text("earlier")
    editor.fill("while True: pass")
    check.click()
    expect(cell.locator(".deeds")).to_contain_text("Running …")
    cell.get_by_role("button", name="Stop").click()
    expect(cell.locator(".deeds")).to_contain_text("Stopped.")
    expect(cell.locator(".ran")).to_be_empty()
    watched.page.evaluate("localStorage.setItem('posenc-lessons:solved:start_here.swap_ends', '1')")
    watched.page.reload()
    expect(cell.locator(".solved")).to_have_text("✔ Solved")
    expect(editor).to_have_value("while True: pass")
    for code, message in (
        ("assert 1 == 2, 'no'", "AssertionError: no"),
        ("[0] * 10**9", "Python was started again"),
        ("while True: print('again ' * 99)", "too long"),
        ("while True: print()", "too long"),
        ("1 +", "Line 1 is not Python"),
    ):
        editor.fill(code)
        check.click()
        expect(cell.locator(".ran")).to_contain_text(message)
        assert text_in(cell) == code
        expect(cell.locator(".editing.faulty")).to_have_count(int("too long" not in message))
        assert cell.evaluate("cell => cell.clientHeight") < MOST_HIGH
    expect(cell.locator(".solved")).to_have_text("Solved earlier; this version does not pass.")
    cell.get_by_role("button", name="Reset cell").click()
    expect_text(cell, stub)


def test_two_tabs_follow_each_other_and_lose_nothing(lesson_address: str, watched: Watched) -> None:
    cell = opened(watched.page, lesson_address, "en")
    second = watched.context.new_page()
    other = opened(second, lesson_address, "en")
    cell.locator("textarea").fill("first = 1")
    expect(other.locator("textarea")).to_have_value("first = 1")
    # Both type at once: this tab does not know the other's text yet when its reader types.
    unheard = json.dumps({"code": "unheard = 2", "of": ""})
    watched.page.evaluate("([key, text]) => localStorage.setItem(key, text)", [DRAFT, unheard])
    cell.get_by_role("textbox").fill("second = 3")
    expect(cell.locator(".changes.other")).to_contain_text("Other code")
    cell.locator(".changes.other summary").click()
    cell.get_by_role("button", name="Use that one").click()
    expect_text(cell, "unheard = 2")
    expect_stored(watched.page, DRAFT, "unheard = 2")
    watched.page.reload()
    expect(cell.locator(".changes.other pre")).to_have_text("second = 3")


def test_without_storage_the_page_says_so_and_still_exports(lesson_address: str, watched: Watched) -> None:
    page = watched.page
    page.add_init_script(
        "Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError'); }"
    )
    cell = opened(page, lesson_address, "en")
    cell.locator("textarea").fill("mine = 1")
    expect(cell.locator(".deeds")).to_contain_text("cannot keep what you type")
    page.locator(".posenc-guess input").first.check()
    expect(page.locator(".work-said")).to_contain_text("cannot keep your work")
    page.locator(".notes > summary").click()
    with page.expect_download() as coming:
        page.get_by_role("button", name="Export all my work").click()
    work = json.loads(coming.value.path().read_text(encoding="utf-8"))
    assert [draft["code"] for draft in work["drafts"]] == ["mine = 1"]
    assert work["guessed"] == {"rope-parameters": 0}


def test_python_that_failed_to_load_is_requested_again(lesson_folder: Path, watched: Watched) -> None:
    page = watched.page
    down = True

    def answer(route: Route) -> None:
        if down:
            route.abort()
        else:
            route.continue_()

    page.route(re.compile(r"/live/parts/.*\.(bin|wasm)$"), answer)
    with plain_server(lesson_folder) as address:
        for name, button, come in (
            ("00_start_here", "Check", "[data-cell=exercise-swap-ends] .ran :text('Not yet')"),
            ("stills", "Make it live", "figure[data-explorer] canvas[data-painted]"),
        ):
            down = True
            page.goto(f"{address}/en/{name}.html")
            start = page.get_by_role("button", name=button)
            start.click()
            failed = page.get_by_role("status").filter(has_text="Python did not start")
            expect(failed).to_be_visible()
            down = False
            start.click()
            expect(page.locator(come)).to_be_visible()
    watched.errors.clear()  # errors of the requests without an answer
