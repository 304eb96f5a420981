"""The lessons in JupyterLab: languages, links, and explorers that fit a laptop's screen."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from posenc_lessons import language
from posenc_lessons.explorers import EXPLORERS, RotationExplorer
from posenc_lessons.figures.theme import DARK
from posenc_lessons.language import Language
from tests.browser.watching import SWITCH_CELL, Shown, Watch, canvas_pixels, choose
from tests.support.pace import wait_until
from tests.support.pages import Lab, new_context, run_all, show_cell, write_notebook
from tests.test_project import read

pytestmark = pytest.mark.sweep

NOTEBOOK = ".jp-NotebookPanel:not(.lm-mod-hidden) .jp-WindowedPanel-outer"
LAPTOP = {"width": 1366, "height": 641}  # the part of a 1366 × 768 screen that a browser leaves
ROOM = 520  # CSS pixels of a notebook there
MENUS = Path(__file__).with_name("cut_choices.js").read_text(encoding="utf-8")
# What is wrong with an explorer's place: its height, what is outside, what does not fit or is covered.
TROUBLE = f"""(explorer, most) => {{
    const root = explorer.querySelector(".posenc-panel").shadowRoot;
    const visible = (selector) => [...root.querySelectorAll(selector)].filter((it) => it.checkVisibility());
    const box = (it) => it.getBoundingClientRect();
    const parts = visible(".settings, .present canvas, .present .reading").map(box);
    const height = Math.max(...parts.map((it) => it.bottom)) - Math.min(...parts.map((it) => it.top));
    const room = box(explorer.closest(".jp-WindowedPanel-outer"));
    const edge = box(root.querySelector(".panel")).right;
    const covered = (it) => {{
        const [x, y] = [box(it).x + box(it).width / 2, box(it).y + box(it).height / 2];
        return y > room.top && y < room.bottom && !it.contains(root.elementFromPoint(x, y));
    }};
    return [
        ...(height > most ? [`${{height}} pixels high`] : []),
        ...visible("canvas, .control, .reading, button").filter((it) => box(it).right > edge + 1),
        ...visible(".name, .number, button").filter((it) => it.scrollWidth > it.clientWidth + 1),
        ...visible("button, input, select").filter(covered),
        ...({MENUS})([...root.querySelectorAll("select")].filter((it) => it.offsetParent)),
    ].map((it) => it.outerHTML ?? it);
}}"""


def notebook_of(make: type) -> str:
    return f"from posenc_lessons.explorers import {make.__name__}\n\n{make.__name__}()"


def test_a_guess_leads_to_its_verdict_and_an_answer_that_has_not_run_leads_back(
    lab: Lab, watch: Callable[[], Watch]
) -> None:
    page = watch().page
    lab.open(page, "02_sinusoidal.ipynb")
    choose(page, "en")
    show_cell(page, "settle-row-of-zero")
    page.get_by_role("button", name="Back to the question").first.click()
    active = "jupyterapp.shell.currentWidget.content.activeCell.model.id"
    wait_until(lambda: page.evaluate(f"{active} === 'guess-row-of-zero'"), lambda: page.evaluate(active))
    page.get_by_role("button", name="Choose an answer").first.click()
    page.get_by_role("radio").first.check()
    page.get_by_role("button", name="To the answer").first.click()
    expect(page.get_by_text("You guessed A").first).to_be_visible()


def test_opening_a_lesson_does_not_change_its_file(
    lab: Lab, lab_folder: Path, watch: Callable[[], Watch]
) -> None:
    page = watch().page
    content = (lab_folder / "03_learned.ipynb").read_bytes()
    lab.open(page, "03_learned.ipynb")
    completed = "jupyterapp.shell.currentWidget.content.model.getMetadata('language_info').version"
    page.wait_for_function(completed)  # JupyterLab has received the kernel's messages
    choose(page, "en")
    choose(page, "both")
    page.wait_for_function("!jupyterapp.shell.currentWidget.content.model.dirty")
    assert (lab_folder / "03_learned.ipynb").read_bytes() == content


def test_explorers_and_other_widgets_move_each_other_in_boxes(
    lab: Lab, lab_folder: Path, watch: Callable[[], Watch]
) -> None:
    _, example = re.findall(r"^```python\n(.*?)^```", read("README.md"), re.M | re.S)
    write_notebook(lab_folder / "boxes.ipynb", [SWITCH_CELL, example])
    page = watch().page
    lab.open(page, "boxes.ipynb")
    choose(page, "en")
    assert run_all(page)
    panels = page.locator(".jp-OutputArea-output .lm-Widget > .posenc-explorer")
    expect(panels).to_have_count(3)
    slow, fast, rotation = panels.all()
    slow.get_by_role("slider", name="cursor m", exact=True).press("ArrowRight")
    expect(fast.get_by_role("spinbutton", name="cursor m", exact=True)).to_have_value("25")
    for _ in range(60):  # a held key
        page.keyboard.down("ArrowRight")
    page.keyboard.up("ArrowRight")
    expect(fast.get_by_role("spinbutton", name="cursor m", exact=True)).to_have_value("85")
    language.choose("en")  # of the twin
    turned = Shown(rotation, RotationExplorer())
    page.locator(".widget-slider").get_by_role("slider").press("ArrowRight")
    expect(turned.number("m")).to_have_value("6")
    turned.slider("m").press("ArrowRight")
    expect(page.locator(".widget-readout")).to_have_text("7")
    expect(page.locator(".widget-html-content").last).to_have_text("m = 7")
    page.locator(".widget-readout").fill("70")
    page.locator(".widget-readout").press("Enter")
    turned.twin.controls["m"].value = 70
    reading = turned.twin.reading.en
    expect(rotation.locator(".present .reading")).to_have_text(reading, use_inner_text=True)


VIEWS = """\
import ipywidgets
from IPython.display import display
from posenc_lessons.explorers import RotationExplorer

rotation, slider = RotationExplorer().widget, ipywidgets.IntSlider(value=5)
ipywidgets.jslink((slider, "value"), (rotation, "m"))  # without the kernel
output, grid = ipywidgets.Output(), ipywidgets.GridspecLayout(2, 1, height="1600px")
with output:
    display(rotation)
grid[0, 0], grid[1, 0] = ipywidgets.Tab([ipywidgets.VBox([slider, rotation])]), output
grid
"""


def test_two_views_of_an_explorer_in_a_tab_and_an_output_follow_a_slider_linked_in_the_browser(
    lab: Lab, lab_folder: Path, watch: Callable[[], Watch]
) -> None:
    write_notebook(lab_folder / "views.ipynb", [SWITCH_CELL, VIEWS])
    page = watch().page
    lab.open(page, "views.ipynb")
    choose(page, "en")
    assert run_all(page)
    panels = page.locator(".jp-OutputArea-output .posenc-explorer")
    expect(panels).to_have_count(2)
    page.locator(".widget-slider").get_by_role("slider").press("ArrowRight")
    for panel in panels.all():
        expect(panel.get_by_role("spinbutton", name="query at m", exact=True)).to_have_value("6")
    panels.last.get_by_role("slider", name="query at m", exact=True).press("ArrowRight")
    expect(page.locator(".widget-readout")).to_have_text("7")


@pytest.fixture(scope="module")
def explorers(browser: Browser, lab_server: Lab, lab_folder: Path) -> Iterator[Page]:
    """Open all explorers in one notebook on a laptop's screen."""
    write_notebook(lab_folder / "all.ipynb", [SWITCH_CELL, *map(notebook_of, EXPLORERS)])
    context = new_context(browser, viewport=LAPTOP)
    page = context.new_page()
    lab_server.open(page, "all.ipynb")
    assert run_all(page)
    yield page
    context.close()


def explorer_at(page: Page, number: int) -> Locator:
    """Scroll to explorer number ``number``; the first cell of the notebook has none."""
    show_cell(page, number + 1)
    explorer = page.locator(f".jp-Cell[data-windowed-list-index='{number + 1}'] .posenc-explorer")
    explorer.evaluate("explorer => explorer.scrollIntoView()")
    explorer.locator("canvas[data-painted]").first.wait_for()
    return explorer


@pytest.mark.parametrize("spoken", ["both", "zh", "en"])
def test_every_explorer_fits_on_a_laptops_screen(explorers: Page, spoken: Language) -> None:
    expect(explorers.locator(NOTEBOOK)).to_have_js_property("offsetHeight", ROOM)
    choose(explorers, spoken)
    for number, make in enumerate(EXPLORERS):
        explorer = explorer_at(explorers, number)
        expect(explorer.get_by_role("heading")).to_have_text(make.title.show(spoken))
        trouble: Callable[[], Any] = lambda explorer=explorer: explorer.evaluate(TROUBLE, ROOM)  # noqa: E731
        wait_until(lambda trouble=trouble: not trouble(), trouble, every=0.1)  # a little after it is visible


def test_pictures_are_dark_in_a_dark_jupyterlab(explorers: Page) -> None:
    paper = [int(DARK.paper[place : place + 2], 16) for place in (1, 3, 5)]
    # While JupyterLab changes its style, the notebook has none for a moment. JupyterLab may then scroll to
    # the top, and show no cells elsewhere until the wheel turns.
    explorers.evaluate("jupyterapp.shell.currentWidget.content.outerNode.scrollTop = 0")
    canvas = explorers.locator(".jp-Cell[data-windowed-list-index='1'] .present canvas[data-painted]")
    for theme, dark in (("JupyterLab Dark", True), ("JupyterLab Light", False)):
        explorers.evaluate(f"jupyterapp.commands.execute('apputils:change-theme', {{ theme: '{theme}' }})")
        canvas.wait_for()
        wait_until(lambda dark=dark: (canvas_pixels(canvas)[2, 2].tolist() == paper) == dark)
