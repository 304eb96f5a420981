"""A lesson's page in the default round: its cells run and are checked, its explorers and guesses work."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.lesson_pages import EXERCISE, KEPT, RIGHT, TRAINED, opened
from tests.browser.watching import barriers
from tests.support.pages import Watched


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
    expect(watched.page.locator(".solved:is(h2, h3)")).to_have_count(1)
    expect(cell.locator(".next a")).to_be_visible()
    expect(watched.page.locator(".tally")).to_contain_text(re.compile("1 of 1 exercises|1/1 道练习"))
    watched.page.locator(".notes > summary").click()
    for part in (f"[data-cell={EXERCISE}]", ".work"):
        assert barriers(watched.page, within=part) == []


def test_scripts_run_cells_without_changing_drafts(lesson_folder: Path, watched: Watched) -> None:
    page = watched.page
    cell = opened(page, lesson_folder.as_uri(), "en")
    stub = cell.get_by_role("textbox").input_value()
    run = "([cell, code]) => window.posenc.run(cell, code)"
    for code, begins in ((None, "…"), (stub.replace("...", RIGHT), "✔")):
        result = page.evaluate(run, [EXERCISE, code] if code else [EXERCISE])
        assert result["error"] is None and result["text"].startswith(begins), result
    assert page.evaluate(run, [EXERCISE, "1 / 0"])["error"].startswith("ZeroDivisionError")
    assert page.evaluate(run, ["nowhere"])["error"] == "There is no cell nowhere on this page."
    assert cell.get_by_role("textbox").input_value() == stub
    assert page.evaluate(KEPT) == []


@pytest.mark.parametrize(
    ("language", "trains", "needs"),
    [
        ("en", "< 1 min in JupyterLab", "needs a model"),
        pytest.param("zh", "JupyterLab 里 < 1 分钟", "需要一个模型", marks=pytest.mark.sweep),
    ],
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
    expect(cell.get_by_role("status")).to_contain_text("200")  # how many steps it takes
    cell.get_by_role("button", name=stop).click()
    expect(cell.get_by_role("button", name=run)).to_be_visible()
    cell.get_by_role("button", name=re.compile("Edit|修改")).click()
    editor = cell.get_by_role("textbox")
    (code,) = (source for name, source in page_cells(page) if name == "train-copy")
    editor.fill(code.replace("steps=200", "steps=4"))
    cell.get_by_role("button", name=run).click()
    expect(cell.locator(".ran")).to_contain_text("≈ 0.")
    below.get_by_role("button", name=run).click()
    expect(below.locator(".ran")).to_contain_text(re.compile(r"… [\d.]+\s+0\.0"))


def page_cells(page: Page) -> list[list[str]]:
    """Return the id and source of each code cell of the page."""
    cells: list[list[str]] = json.loads(page.locator("#lesson-cells").inner_text())
    return cells


def test_resetting_a_cell_brings_back_what_was_recorded(lesson_folder: Path, watched: Watched) -> None:
    page = watched.page
    page.goto((lesson_folder / "en" / "picture.html").as_uri())
    page.locator(".deeper > summary").click()
    live, picture = (page.locator(f"[data-cell={name}]") for name in ("explorer", "picture"))
    note, run = picture.locator(".recorded-note"), picture.get_by_role("button", name="Run")
    expect(note).to_be_hidden()
    picture.get_by_role("button", name="Edit").click()
    picture.get_by_role("textbox").press("#")
    run.click()
    expect(note).to_be_visible()  # no page has Matplotlib
    expect(picture.locator("img")).to_be_visible()
    picture.get_by_role("button", name="Reset cell").click()
    expect(note).to_be_hidden()
    live.get_by_role("button", name="Run").click()
    expect(live.locator(".present canvas[data-painted]")).to_be_visible()
    expect(live.locator("img")).to_be_hidden()  # the live explorer replaces the recorded output
    live.get_by_role("button", name="Edit").click()
    live.locator(".cm-content").press("#")
    live.get_by_role("button", name="Reset cell").click()
    expect(live.locator("img")).to_be_visible()
    expect(live.locator(".ran")).to_be_empty()


@pytest.mark.parametrize("media", ["link", "paper"])
def test_a_folded_section_opens_for_a_link_and_for_printing(
    media: str, lesson_folder: Path, watched: Watched
) -> None:
    page, address = watched.page, (lesson_folder / "en" / "picture.html").as_uri()
    page.goto(f"{address}#picture" if media == "link" else address)
    if media == "paper":
        expect(page.locator("#picture")).to_be_hidden()
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(page.locator("#picture")).to_be_visible()


@pytest.mark.parametrize("saves_data", [False, True])
def test_a_still_becomes_live_by_itself_where_it_stands(
    saves_data: bool, lesson_folder: Path, watched: Watched
) -> None:
    page, loaded = watched.page, list[str]()
    page.on("request", lambda request: loaded.append(request.url))
    if saves_data:
        page.add_init_script("Object.defineProperty(navigator, 'connection', {value: {saveData: true}})")
    page.goto((lesson_folder / "en" / "stills.html").as_uri())
    figure = page.locator("figure[data-explorer]")
    figure.scroll_into_view_if_needed()
    if saves_data:
        assert not any("/parts/" in url for url in loaded)
        figure.get_by_role("button", name="Make it live").click()
    expect(figure.locator(".present canvas[data-painted]")).to_be_visible()
    expect(figure.locator("img").filter(visible=True)).to_have_count(0)
    slider = figure.get_by_role("slider").first
    value = slider.input_value()
    slider.press("ArrowRight")
    expect(slider).not_to_have_value(value)
    assert barriers(page, within="figure") == []


def test_a_guess_is_kept_and_answered(lesson_address: str, watched: Watched) -> None:
    page = watched.page
    opened(page, lesson_address, "en")
    page.locator(".posenc-guess input").nth(1).check()
    page.reload()
    expect(page.locator(".posenc-guess input").nth(1)).to_be_checked()
    question, answer = page.locator(".posenc-guess"), page.locator(".posenc-settled .posenc-verdict")
    expect(answer).to_have_text("You guessed B; the answer is C.")
    expect(question.locator(".posenc-verdict")).to_be_hidden()
    question.get_by_role("link", name="To the answer").click()
    expect(question.locator(".posenc-verdict")).to_have_text("You guessed B; the answer is C.")
    page.get_by_role("link", name="Back to the question").click()
    expect(question.locator(".posenc-verdict")).to_be_in_viewport()
