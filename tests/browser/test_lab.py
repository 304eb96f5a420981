"""The lessons in JupyterLab: one language, stills that become live, files that do not change."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from posenc_lessons.explorers import EXPLORERS, RotationExplorer
from posenc_lessons.explorers.doors_map import BEHIND
from posenc_lessons.explorers.panel_words import WORDS
from posenc_lessons.figures.four_doors import DOORS
from posenc_lessons.figures.theme import DARK
from posenc_lessons.language import HAN, Language
from tests.browser.watching import LESSONS, SWITCH, TOOLBAR, Watch, canvas_pixels, choose
from tests.support.pace import wait_until
from tests.support.pages import Lab, jupyter_lab, new_context, run_all, show_cell, write_notebook

NOTEBOOK = ".jp-NotebookPanel:not(.lm-mod-hidden) .jp-WindowedPanel-outer"
HEADINGS = ".jp-MarkdownOutput :is(h1, h2, h3, h4)"
LAPTOP = {"width": 1366, "height": 641}  # the part of a 1366 × 768 screen that a browser leaves
ROOM = 520  # CSS pixels of a notebook there
SWITCHED = """\
from posenc_lessons.course.switch import language_switch

language_switch()"""
# A cell that runs until the test ends it.
WAITING = """\
import time
from pathlib import Path

while not Path("end-of-waiting").exists():
    time.sleep(0.05)"""
# JupyterLab sends comm messages to threads of the kernel: one for widgets, one for the language.
THREADS = """async () => {
    const kernel = jupyterapp.shell.currentWidget.sessionContext.session.kernel;
    return (await kernel.requestListSubshell({}).done).content.subshell_id.length > 1;
}"""
SCROLLED = "jupyterapp.shell.currentWidget.content.outerNode.scrollTop"
MENUS = Path(__file__).with_name("cut_choices.js").read_text(encoding="utf-8")
SELECTS = "explorer.querySelector('.posenc-panel').shadowRoot.querySelectorAll('select')"
CUT_CHOICES = f"explorer => ({MENUS})([...{SELECTS}].filter(it => it.offsetParent))"
# The height of controls, picture and sentence together; what is outside the panel; names that do not fit;
# controls that something covers.
BOXES = """explorer => {
    const root = explorer.querySelector(".posenc-panel").shadowRoot;
    const shown = (found) => [...root.querySelectorAll(found)].filter((it) => it.checkVisibility());
    const panel = root.querySelector(".panel").getBoundingClientRect();
    const parts = shown(".settings, .present canvas, .reading").map((it) => it.getBoundingClientRect());
    const room = explorer.closest(".jp-WindowedPanel-outer").getBoundingClientRect();
    const middle = ({ x, y, width, height }) => [x + width / 2, y + height / 2];
    return {
        height: Math.max(...parts.map((it) => it.bottom)) - Math.min(...parts.map((it) => it.top)),
        outside: shown("canvas, .control, .reading, button")
            .filter((it) => it.getBoundingClientRect().right > panel.right + 1).map((it) => it.outerHTML),
        cut: shown(".name, .number, button").filter((it) => it.scrollWidth > it.clientWidth + 1)
            .map((it) => it.textContent),
        covered: shown("button, input, select")
            .map((it) => [it, ...middle(it.getBoundingClientRect())])
            .filter(([it, x, y]) => y > room.top && y < room.bottom)
            .filter(([it, x, y]) => !it.contains(root.elementFromPoint(x, y)))
            .map(([it]) => it.outerHTML),
    };
}"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    course = tmp_path_factory.mktemp("lab") / "course"
    shutil.copytree(LESSONS, course, ignore=shutil.ignore_patterns(".*"))
    shown = [
        f"from posenc_lessons.explorers import {each.__name__}\n\n{each.__name__}()" for each in EXPLORERS
    ]
    write_notebook(course / "all.ipynb", [SWITCHED, *shown])
    write_notebook(course / "busy.ipynb", [SWITCHED, shown[0], WAITING])
    sections = [f"## 第 {n} 节 · Section {n}\n\n" + "…\n\n" * 5 for n in range(10, 50)]
    write_notebook(course / "long.ipynb", [SWITCHED], sections)
    return course


@pytest.fixture(scope="module")
def lab_server(browser: Browser, folder: Path) -> Iterator[Lab]:
    """Start a separate JupyterLab, because tests of this module end kernels and save lessons."""
    with jupyter_lab(folder) as running:
        yield running


def top_of(page: Page, cell: str) -> None:
    """Wait until the cell of that id is at the top of the notebook."""
    page.wait_for_function(
        """([notebook, id]) => {
            const panel = jupyterapp.shell.currentWidget;
            const cell = panel.content?.widgets?.find((each) => each.model.id === id)?.node;
            const window = document.querySelector(notebook)?.getBoundingClientRect();
            return cell?.isConnected && Math.abs(cell.getBoundingClientRect().top - window.top) < 30;
        }""",
        arg=[NOTEBOOK, cell],
    )


def expect_no_chinese(headings: Locator) -> None:
    """Wait until no text of ``headings`` has Chinese in it; cells far down are rendered later."""
    wait_until(lambda: not any(map(HAN.search, headings.all_inner_texts())), headings.all_inner_texts)


def test_one_language_holds_everywhere_before_any_cell_has_run(lab: Lab, watch: Callable[[], Watch]) -> None:
    page = watch().page
    lab.open(page, "05_rotary.ipynb")
    choose(page, "en")
    page.evaluate("jupyterapp.commands.execute('toc:show-panel')")
    expect(page.locator(".posenc-lesson [lang=zh]:visible")).to_have_count(0)
    contents = page.locator(".jp-tocItem-content")
    expect(contents.first).to_have_text("05 Rotary (RoPE)")
    expect(contents.nth(30)).to_be_attached()
    expect_no_chinese(contents)
    expect_no_chinese(page.locator(HEADINGS))
    lab.open(page, "02_sinusoidal.ipynb")  # opened after the choice
    expect(page.locator(".posenc-lesson [lang=zh]:visible")).to_have_count(0)
    expect(page.locator(HEADINGS).first).to_have_text(re.compile("02 .*Sinusoidal positions"))
    expect(page.locator(HEADINGS).first.locator("[lang=zh]")).to_be_hidden()
    choose(page, "zh")
    expect(page.locator(".posenc-lesson [lang=en]:visible")).to_have_count(0)
    expect(page.locator(HEADINGS).first.locator("[lang=zh]")).to_be_visible()
    choose(page, "both")
    expect(page.locator(HEADINGS).first.locator("[lang=en]")).to_be_visible()


def test_toolbar_and_first_cell_switch_together_and_explorers_follow(
    lab: Lab, watch: Callable[[], Watch]
) -> None:
    page = watch().page
    lab.open(page, "01_why_position.ipynb")
    page.locator(".posenc-still").first.get_by_role("button").click()
    show_cell(page, "shuffle-explorer")
    explorer = page.locator(".posenc-explorer").first
    explorer.locator("canvas[data-painted]").wait_for()
    choose(page, "en")
    expect(explorer.get_by_role("button", name="Reset", exact=True)).to_be_attached()
    show_cell(page, "setup")
    switch = page.locator(SWITCH)
    expect(switch.get_by_role("button", name="English")).to_have_class(re.compile("mod-active"))
    switch.get_by_role("button", name="中文").click()
    expect(page.locator(TOOLBAR).get_by_role("button", name="中文", pressed=True)).to_be_visible()
    show_cell(page, "shuffle-explorer")
    expect(explorer.get_by_role("button", name="恢复初始值", exact=True)).to_be_attached()


def test_a_language_chosen_while_a_cell_runs_reaches_explorers_and_switch(
    lab: Lab, folder: Path, watch: Callable[[], Watch]
) -> None:
    page = watch().page
    page.set_viewport_size({"width": 1280, "height": 1600})  # JupyterLab keeps only visible cells in the page
    lab.open(page, "busy.ipynb")
    page.evaluate("void jupyterapp.commands.execute('notebook:run-all-cells')")
    explorer = page.locator(".posenc-explorer")
    explorer.locator("canvas[data-painted]").wait_for()
    page.wait_for_function(THREADS)
    choose(page, "en")
    choose(page, "zh")
    (folder / "end-of-waiting").touch()
    expect(explorer.get_by_role("button", name="恢复初始值", exact=True)).to_be_attached()
    switch = page.locator(SWITCH)
    expect(switch.get_by_role("button", name="中文")).to_have_class(re.compile("mod-active"))
    expect(page.locator(TOOLBAR).get_by_role("button", name="中文", pressed=True)).to_be_visible()
    choose(page, "both")
    expect(explorer.get_by_role("button", name="恢复初始值 · Reset", exact=True)).to_be_attached()


def test_opening_a_lesson_does_not_change_its_file(
    lab: Lab, folder: Path, watch: Callable[[], Watch]
) -> None:
    page = watch().page
    before = (folder / "03_learned.ipynb").read_bytes()
    lab.open(page, "03_learned.ipynb")
    completed = "jupyterapp.shell.currentWidget.content.model.getMetadata('language_info').version"
    page.wait_for_function(completed)  # JupyterLab has received the kernel's messages
    choose(page, "en")
    choose(page, "both")
    page.wait_for_function("!jupyterapp.shell.currentWidget.content.model.dirty")
    assert (folder / "03_learned.ipynb").read_bytes() == before


def test_the_next_day_stills_are_shown_and_one_press_makes_them_live(
    lab: Lab, folder: Path, watch: Callable[[], Watch]
) -> None:
    watched = watch()
    page = watched.page
    lesson = nbformat.read(folder / "04_relative.ipynb", as_version=4)
    lesson.cells = [cell for cell in lesson.cells if cell.id in ("setup", "distance-explorer")]
    nbformat.write(lesson, folder / "day_two.ipynb")
    lab.open(page, "day_two.ipynb")
    choose(page, "en")
    assert run_all(page)
    page.locator(".posenc-explorer canvas[data-painted]").wait_for()
    expect(page.locator(".posenc-still")).to_have_count(0)
    page.evaluate("jupyterapp.commands.execute('docmanager:save')")
    page.goto("about:blank")
    lab.end_kernels()

    lab.open(page, "day_two.ipynb")
    still = page.locator(".posenc-still").filter(has=page.locator("img"))
    expect(still).to_be_visible()
    expect(page.get_by_text("Error displaying widget")).to_be_hidden()
    assert still.locator("img").evaluate("picture => picture.decode().then(() => picture.naturalWidth)") > 900
    expect(still).to_contain_text("This has not run yet.")
    still.get_by_role("button", name="Bring the pictures to life").click()
    page.locator(".posenc-explorer canvas[data-painted]").wait_for()
    expect(page.locator(".posenc-still")).to_have_count(0)
    expect(page.locator(SWITCH)).to_be_visible()
    watched.errors[:] = [each for each in watched.errors if "widget model not found" not in each]


def test_one_press_starts_the_explorers_notebook_with_whole_tab_names(
    lab: Lab, watch: Callable[[], Watch]
) -> None:
    page = watch().page
    page.set_viewport_size(LAPTOP)
    lab.open(page, "explorer.ipynb")
    choose(page, "en")
    still = page.locator(".posenc-still").filter(has_text="One press runs the cells it needs").last
    still.get_by_role("button", name="Bring the pictures to life").click()
    tabs = page.locator(".posenc-explorer").get_by_role("tab")
    expect(tabs).to_have_text([explorer.title.show("en") for explorer in EXPLORERS], use_inner_text=True)
    cut = tabs.evaluate_all("tabs => tabs.filter((tab) => tab.scrollWidth > tab.clientWidth + 1).length")
    assert cut == 0
    tabs.last.click()
    page.get_by_role("tabpanel").locator("canvas[data-painted]:visible").wait_for()


def test_links_lead_to_their_cell(lab: Lab, watch: Callable[[], Watch]) -> None:
    page = watch().page
    lab.open(page, "00_start_here.ipynb")
    cards = page.locator(".posenc-doors").get_by_role("link", name=re.compile(r"^\d "))
    expect(cards).to_have_count(len(DOORS))
    spoken: Language
    for spoken in ("zh", "en"):
        choose(page, spoken)
        for number, door in enumerate(DOORS):
            said = f"{door.number} {door.name.show(spoken)} .* {BEHIND[door.number][0].name.show(spoken)}"
            expect(cards.nth(number)).to_have_accessible_name(re.compile(f"^{said}$"))
    scores = cards.nth(2)
    expect(scores).to_have_attribute("href", re.compile("/files/04_relative"))  # JupyterLab will follow it
    scores.press("Enter")
    top_of(page, "distance-explorer")


@pytest.fixture(scope="module")
def explorers(browser: Browser, lab_server: Lab) -> Iterator[Page]:
    """Open all explorers in one notebook on a laptop's screen."""
    context = new_context(browser, viewport=LAPTOP)
    page = context.new_page()
    lab_server.open(page, "all.ipynb")
    assert run_all(page)
    yield page
    context.close()


def shown(page: Page, number: int) -> Locator:
    """Scroll to explorer number ``number``; the first cell of the notebook has none."""
    show_cell(page, number + 1)
    found = page.locator(f".jp-Cell[data-windowed-list-index='{number + 1}'] .posenc-explorer")
    found.evaluate("explorer => explorer.scrollIntoView()")
    found.locator("canvas[data-painted]").wait_for()
    return found


def expect_to_fit(explorer: Locator, name: str) -> None:
    """Wait until all of an explorer fits the notebook's room, a little after it becomes visible."""

    def trouble() -> list[str]:
        boxes = explorer.evaluate(BOXES)
        high = [f"{boxes['height']} pixels high"] if boxes["height"] > ROOM else []
        return [*high, *boxes["outside"], *boxes["cut"], *boxes["covered"], *explorer.evaluate(CUT_CHOICES)]

    wait_until(lambda: not trouble(), lambda: f"{name}: {trouble()}", every=0.1)


@pytest.mark.parametrize("spoken", ["both", "zh", "en"])
def test_every_explorer_fits_on_a_laptops_screen(explorers: Page, spoken: Language) -> None:
    expect(explorers.locator(NOTEBOOK)).to_have_js_property("offsetHeight", ROOM)
    choose(explorers, spoken)
    for number, make in enumerate(EXPLORERS):
        explorer = shown(explorers, number)
        expect(explorer.get_by_role("heading")).to_have_text(make.title.show(spoken))
        expect_to_fit(explorer, make.name)


def test_rare_settings_are_folded_and_can_be_unfolded(explorers: Page) -> None:
    choose(explorers, "en")
    explorer = shown(explorers, EXPLORERS.index(RotationExplorer))
    more = explorer.locator("summary", has_text=WORDS["rare"].en)
    (rare,) = RotationExplorer.rare
    slider = explorer.get_by_role("slider", name=RotationExplorer().label(rare).en)
    expect(slider).to_be_hidden()
    more.click()
    expect(slider).to_be_visible()
    more.click()
    expect(slider).to_be_hidden()
    expect(explorer.get_by_label("device")).to_have_count(0)


def test_pictures_are_dark_in_a_dark_jupyterlab(explorers: Page) -> None:
    paper = [int(DARK.paper[place : place + 2], 16) for place in (1, 3, 5)]
    # While JupyterLab changes its style, the notebook has none for a moment. JupyterLab may then scroll to
    # the top, and show no cells elsewhere until the wheel turns.
    explorers.evaluate(f"{SCROLLED} = 0")
    canvas = explorers.locator(".jp-Cell[data-windowed-list-index='1'] .present canvas[data-painted]")
    for theme, dark in (("JupyterLab Dark", True), ("JupyterLab Light", False)):
        explorers.evaluate(f"jupyterapp.commands.execute('apputils:change-theme', {{ theme: '{theme}' }})")
        canvas.wait_for()
        explorers.wait_for_function(
            """([canvas, paper, dark]) => {
                const [r, g, b] = canvas.getContext("2d").getImageData(2, 2, 1, 1).data;
                return (r === paper[0] && g === paper[1] && b === paper[2]) === dark;
            }""",
            arg=[canvas.element_handle(), paper, dark],
        )
        assert (canvas_pixels(canvas)[2, 2].tolist() == paper) == dark
