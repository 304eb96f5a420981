"""Errors in a lesson's page: a sentence reports them, a run can be ended, and typed text is kept."""

from __future__ import annotations

import json
import re
from pathlib import Path

from playwright.sync_api import Route, expect

from tests.browser.lesson_pages import DRAFT, expect_stored, expect_text, opened, text_in
from tests.support.pages import Watched
from tests.support.site import plain_server

MOST_HIGH = 1500  # CSS pixels: greatest height of a cell with any output


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
    watched.page.reload()
    expect(editor).to_have_value("while True: pass")
    for code, said in (
        ("assert 1 == 2, 'no'", "AssertionError: no"),
        ("[0] * 10**9", "Python was started again"),
        ("while True: print('again ' * 99)", "too long"),
        ("while True: print()", "too long"),
        ("1 +", "Line 1 is not Python"),
    ):
        editor.fill(code)
        check.click()
        expect(cell.locator(".ran")).to_contain_text(said)
        assert text_in(cell) == code
        assert cell.evaluate("each => each.clientHeight") < MOST_HIGH
    cell.get_by_role("button", name="Reset cell").click()
    expect_text(cell, stub)


def test_a_damaged_draft_is_shown_as_it_was_found(lesson_address: str, watched: Watched) -> None:
    cell = opened(watched.page, lesson_address, "en")
    watched.page.evaluate("key => localStorage.setItem(key, '{broken')", DRAFT)
    watched.page.reload()
    expect(cell.get_by_role("textbox")).to_have_value("{broken")
    expect(cell.locator(".deeds")).to_contain_text("damaged")


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
    expect(page.locator(".work [role=status]")).to_contain_text("cannot keep your work")
    page.locator(".work summary").first.click()
    with page.expect_download() as coming:
        page.get_by_role("button", name="Export all my work").click()
    work = json.loads(coming.value.path().read_text(encoding="utf-8"))
    assert [draft["code"] for draft in work["drafts"]] == ["mine = 1"]
    assert work["guessed"] == {"rope-parameters": 0}


def test_after_stop_an_explorer_of_a_cell_keeps_its_settings(lesson_folder: Path, watched: Watched) -> None:
    page = watched.page
    page.goto((lesson_folder / "en" / "picture.html").as_uri())
    page.locator(".deeper > summary").click()
    cell, other = (page.locator(f"[data-cell={name}]") for name in ("explorer", "picture"))
    cell.get_by_role("button", name="Run").click()
    expect(cell.locator("canvas[data-painted]")).to_be_visible()
    expect(cell.locator("img")).to_be_hidden()  # it replaces the recorded output
    slider = cell.get_by_role("slider", name="arrangement")
    slider.fill("5")
    other.get_by_role("button", name="Edit").click()
    other.get_by_role("textbox").fill("while True: pass")
    other.get_by_role("button", name="Run").click()
    expect(other.get_by_role("status")).to_contain_text("Running …")
    other.get_by_role("button", name="Stop").click()
    expect(other.get_by_role("status")).to_contain_text("Stopped.")
    slider.press("ArrowRight")
    expect(slider).to_have_value("6")
    painted = cell.locator("canvas").get_attribute("data-painted")
    cell.get_by_role("button", name="Reset", exact=True).click()
    expect(cell.locator("canvas")).not_to_have_attribute("data-painted", str(painted))
    expect(slider).to_have_value("3")


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
            button_there = page.get_by_role("button", name=button)
            button_there.click()
            failed = page.get_by_role("status").filter(has_text="Python did not start")
            expect(failed).to_be_visible()
            down = False
            button_there.click()
            expect(page.locator(come)).to_be_visible()
    watched.errors.clear()  # errors of the requests without an answer
