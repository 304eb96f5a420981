"""Explorers and a lesson in JupyterLab: keys and pointer reach the kernel, pictures equal Python's stills."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from posenc_lessons import language
from posenc_lessons.explorers import ShuffleExplorer, SinusoidExplorer
from posenc_lessons.language import HAN
from tests.browser.watching import SHARPNESS, SWITCH, Shown, Watch, choose
from tests.support.pace import wait_until
from tests.support.pages import Lab, run_all, show_cell, watched_page

CELLS = "jupyterapp.shell.currentWidget.content.widgets.length"
HEADINGS = ".jp-MarkdownOutput :is(h1, h2, h3, h4)"


@pytest.fixture(scope="module")
def notebook(browser: Browser, lab_server: Lab) -> Iterator[Watch]:
    """Open a page with the switch and two explorers."""
    watched = Watch(browser)
    lab_server.open(watched.page, "explorers.ipynb")
    assert run_all(watched.page)
    yield watched
    watched.close()


@pytest.fixture
def shared(notebook: Watch, lab: Lab) -> Iterator[Watch]:
    """Return that page with both explorers reset; it must have no console errors afterwards."""
    notebook.errors.clear()
    choose(notebook.page, "both")
    notebook.tell("sinusoid.reset()", "shuffle.reset()")
    yield notebook
    assert notebook.errors == []


@pytest.fixture
def page(shared: Watch) -> Page:
    return shared.page


@pytest.fixture
def sinusoid(page: Page) -> Shown:
    return Shown(page.locator(".posenc-explorer").nth(0), SinusoidExplorer())


@pytest.fixture
def shuffle(page: Page) -> Shown:
    return Shown(page.locator(".posenc-explorer").nth(1), ShuffleExplorer())


# ---- Controls and pointer ----


def test_keys_move_slider_number_words_and_picture(sinusoid: Shown) -> None:
    choose(sinusoid.root.page, "en")  # in two languages a title may need a line that the still lacks
    language.choose("en")
    sinusoid.expect_picture(position=24)
    size = sinusoid.canvas.evaluate("it => [it.width / it.offsetWidth, it.height / it.offsetHeight]")
    assert size == pytest.approx([SHARPNESS, SHARPNESS], abs=0.01), "sharp on this screen"
    sinusoid.slider("position").press("ArrowRight")
    expect(sinusoid.number("position")).to_have_value("25")
    sinusoid.expect_picture(position=25)
    expect(
        sinusoid.root.get_by_text(re.compile("positions m = 25 .* with itself is 32.00")).first
    ).to_be_visible()
    expect(sinusoid.slider("position")).to_have_attribute("aria-valuetext", "25")
    expect(sinusoid.canvas).to_have_attribute("aria-label", re.compile("clocks of position 25 and"))
    sinusoid.root.get_by_text("More settings").click()
    sinusoid.slider("length").focus()
    for _ in range(60):  # a held key
        sinusoid.root.page.keyboard.down("ArrowRight")
    sinusoid.root.page.keyboard.up("ArrowRight")
    expect(sinusoid.number("length")).to_have_value("188")
    sinusoid.expect_picture(position=25, length=188)


def test_every_control_reaches_the_picture_and_keeps_its_keys_from_jupyterlab(
    page: Page, shuffle: Shown
) -> None:
    cells = page.evaluate(CELLS)
    shuffle.control("arrangement").select_option(index=2)
    shuffle.control("encoding").select_option(index=1)
    shuffle.control("causal").check()
    box = shuffle.control("sentence")
    box.fill("")
    expect(shuffle.alert).to_contain_text("The sentence is empty")
    expect(shuffle.alert).to_contain_text("句子是空的")
    box.press_sequentially("dd x a bb 狗")  # in JupyterLab's command mode each of these letters is a command
    expect(shuffle.alert).to_be_empty()
    shuffle.expect_picture(arrangement=2, encoding="sinusoidal", causal=True, sentence="dd x a bb 狗")
    assert page.evaluate(CELLS) == cells
    shuffle.button("恢复初始值 · Reset").click()
    shuffle.expect_picture()
    expect(box).to_have_value(shuffle.twin.controls["sentence"].value)


def test_keys_ask_the_kernel_where_a_number_comes_from(sinusoid: Shown) -> None:
    frame, card = sinusoid.root.locator(".present .frame"), sinusoid.root.locator(".card:popover-open")
    frame.focus()
    for key in ("ArrowRight", "]", "ArrowDown", "ArrowDown"):  # from the curve to the table
        frame.press(key)
    expect(card.locator(".value").last).to_have_text("= 0.909")  # sin 2: row 2, column 0
    frame.press("Escape")
    expect(card).to_have_count(0)


def test_changes_by_a_cell_reach_the_panel_and_a_kept_picture_stays(shared: Watch, sinusoid: Shown) -> None:
    sinusoid.button("Compare").press("Enter")
    shared.tell("sinusoid.controls['position'].value = 25")
    expect(sinusoid.number("position")).to_have_value("25")
    choose(shared.page, "en")
    for name, position in (
        ("kept", "Kept picture: cursor m 24"),
        ("present", "Present picture: cursor m 25"),
    ):
        expect(sinusoid.root.locator(f".{name} .which")).to_have_text(position)
    expect(sinusoid.root.get_by_role("slider", name="cursor m", exact=True)).to_be_visible()
    sinusoid.button("End comparison").press("Enter")
    expect(sinusoid.root.locator(".kept")).to_be_hidden()


# ---- Languages, and a lesson ----


@pytest.mark.parametrize(
    ("locale", "spoken", "hidden"),
    [("zh-CN", "zh", "en"), pytest.param("de-DE", "en", "zh", marks=pytest.mark.sweep)],
)
def test_the_first_view_has_the_language_of_the_browser(
    lab: Lab, browser: Browser, locale: str, spoken: str, hidden: str
) -> None:
    kept: list[object] = []
    with watched_page(browser, locale=locale) as page:

        def before_any_choice(route: Route) -> None:
            kept.append(route.request.post_data_json)
            route.fulfill(json={"language": None, "solved": []})

        page.route("**/posenc-lessons/choice*", before_any_choice)
        lab.open(page, "03_learned.ipynb")
        expect(page.locator(f".posenc-lesson [lang={spoken}]").first).to_be_visible()
        expect(page.locator(f".posenc-lesson [lang={hidden}]:visible")).to_have_count(0)
        guess = {"language": spoken, "chosen": False}
        wait_until(lambda: guess in kept, lambda: f"kernels do not learn of it: {kept}")


def test_the_toolbar_leads_to_the_next_exercise_and_folded_code_takes_no_room(
    lab: Lab, watch: Callable[[], Watch]
) -> None:
    page = watch().page
    lab.open(page, "05_rotary.ipynb")
    choose(page, "en")
    folded = page.locator(".jp-Cell[data-windowed-list-index='2'] .jp-InputPlaceholder")
    expect(folded).to_be_visible()
    assert folded.evaluate("it => it.closest('.jp-Cell-inputWrapper').nextElementSibling.offsetTop") < 12
    where = page.locator(".posenc-where")
    expect(where).to_have_text("Exercise 1/3 ↓")
    where.click()
    expect(page.get_by_role("heading", name="Exercise 1: a batch")).to_be_in_viewport()
    expect(where).to_have_text(re.compile("^§ 9/10 · Exercise"))
    exercise = page.locator(".jp-CodeCell", has_text="check_rotate(rotate)")
    exercise.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.type("\ntorch.zeros(1)")  # the lesson's imports have not run
    page.keyboard.press("Control+Enter")
    expect(exercise.locator(".jp-OutputArea-output").last).to_have_text(re.compile(r"tensor\(\[0\.\]\)"))


def test_the_list_of_files_has_titles_and_code_one_language(lab: Lab, watch: Callable[[], Watch]) -> None:
    page = watch().page
    lab.open(page, "05_rotary.ipynb")
    show_cell(page, "one-pair-numbers")
    titles, code = (
        page.locator(".jp-DirListing-itemText"),
        page.locator(".cm-content", has_text="def R(angle)"),
    )
    for spoken, title, comment in (
        ("en", "05 Rotary (RoPE)", "# 2×2, anticlockwise"),
        ("zh", "05 旋转位置编码（RoPE）", "# 2×2，逆时针"),
    ):
        choose(page, spoken)
        expect(titles.and_(page.locator(f"[data-posenc-title='{title}']"))).to_be_visible()
        expect(code.locator(".cm-line").first).to_have_text(re.compile(f"{comment}$"))
    code.locator(".cm-line").first.click()
    expect(code.locator(".cm-line").first).to_contain_text("逆时针 · 2×2, anticlockwise")


def test_one_language_holds_in_a_lesson_before_any_cell_has_run(lab: Lab, watch: Callable[[], Watch]) -> None:
    page = watch().page
    lab.open(page, "05_rotary.ipynb")
    choose(page, "en")
    page.evaluate("jupyterapp.commands.execute('toc:show-panel')")
    contents, headings = page.locator(".jp-tocItem-content"), page.locator(HEADINGS)
    expect(contents.first).to_have_text("05 Rotary (RoPE)")
    expect(contents.nth(30)).to_be_attached()
    for words in (contents, headings):  # cells far down are rendered later
        wait_until(
            lambda words=words: not any(map(HAN.search, words.all_inner_texts())), words.all_inner_texts
        )
    expect(page.locator(".posenc-lesson [lang=zh]:visible")).to_have_count(0)
    choose(page, "zh")
    expect(headings.first.locator("[lang=zh]")).to_be_visible()
    expect(page.locator(".posenc-lesson [lang=en]:visible")).to_have_count(0)


def test_the_next_day_stills_are_shown_and_one_press_makes_them_live(
    lab: Lab, lab_folder: Path, watch: Callable[[], Watch]
) -> None:
    page = watch().page
    lesson = nbformat.read(lab_folder / "04_relative.ipynb", as_version=4)
    lesson.cells = [cell for cell in lesson.cells if cell.id in ("setup", "distance-explorer")]
    nbformat.write(lesson, lab_folder / "day_two.ipynb")
    lab.open(page, "day_two.ipynb")
    choose(page, "en")
    picture = page.locator(".jp-OutputArea-output img")
    assert picture.evaluate("picture => picture.decode().then(() => picture.naturalWidth)") > 900
    english = picture.get_attribute("src") or ""
    for spoken in ("zh", "both"):  # the still follows the language
        choose(page, spoken)
        expect(picture).not_to_have_attribute("src", english)
    choose(page, "en")
    expect(picture).to_have_attribute("src", english)
    still = page.locator(".posenc-still")  # one, although two cells have not run
    expect(still).to_contain_text("One press runs the cells it needs")
    still.get_by_role("button", name="Bring the pictures to life").click()
    page.locator(".posenc-explorer canvas[data-painted]").wait_for()
    expect(still).to_have_count(0)
    expect(page.locator(SWITCH)).to_be_hidden()  # the toolbar has it
