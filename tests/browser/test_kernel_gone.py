"""A page whose kernel has ended, and a kernel whose page was reloaded."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from posenc_lessons import language
from posenc_lessons.explorers import SinusoidExplorer
from tests.browser.watching import Shown, Watch, choose
from tests.support.pages import Lab, run_all

pytestmark = pytest.mark.sweep

KERNEL_GONE = ("Cannot send", "widget model not found", "Canceled future", "Kernel")
ENDS = {
    "restart": "void jupyterapp.commands.execute('kernelmenu:restart')",
    "crash": "void jupyterapp.shell.currentWidget.sessionContext.session.kernel"
    ".requestExecute({ code: 'import os; os._exit(1)' }).done.catch(() => {})",
}


def opened(lab: Lab, page: Page) -> Shown:
    """Open the notebook in ``page`` in English; return its first explorer, which is not reset.

    In two languages a title may need a line that the still lacks.
    """
    lab.ask("posenc-lessons/choice", "POST", {"language": "en"})
    language.choose("en")
    lab.open(page, "explorers.ipynb")
    return Shown(page.locator(".posenc-explorer").first, SinusoidExplorer())


def to_the_first_cell(page: Page) -> None:
    """Bring the first cell into sight, without which JupyterLab hides it."""
    page.evaluate("document.querySelector('.jp-WindowedPanel-outer').scrollTop = 0")


def overlook(watched: Watch, *messages: str) -> None:
    """Ignore JupyterLab's messages about a kernel that is slow or gone; anything else is still an error."""
    watched.errors[:] = [error for error in watched.errors if not any(part in error for part in messages)]


def test_a_reloaded_page_shows_the_present_picture_and_works(lab: Lab, watch: Callable[[], Watch]) -> None:
    watched = watch()
    explorer = opened(lab, watched.page)
    assert run_all(watched.page)
    explorer.slider("position").press("ArrowRight")
    explorer.expect_picture(position=25)
    watched.page.evaluate("jupyterapp.commands.execute('docmanager:save')")
    explorer = opened(lab, watched.page)
    explorer.expect_picture(position=25)
    expect(explorer.slider("position")).to_have_attribute("aria-valuetext", "25")
    explorer.slider("position").press("ArrowRight")
    explorer.expect_picture(position=26)
    # If a kernel sends its widgets slowly, JupyterLab says so once and shows them when they arrive.
    overlook(watched, "widget model not found")


@pytest.mark.parametrize("end", ENDS)
def test_a_lost_kernel_is_reported_and_running_again_restores(
    end: str, lab: Lab, watch: Callable[[], Watch]
) -> None:
    watched = watch()
    page = watched.page
    explorer = opened(lab, page)
    assert run_all(page)
    explorer.expect_picture(position=24)
    notice = explorer.root.locator("xpath=./*[@role='alert']")
    expect(notice).to_be_hidden()
    page.evaluate(ENDS[end])
    page.locator(".jp-Dialog .jp-mod-accept").click()
    expect(notice).to_contain_text("Run this cell again")
    choose(page, "zh")  # the switch works without a kernel
    expect(notice).to_contain_text("请重新运行这个单元格")
    explorer.expect_picture(position=24)  # the last picture stays
    assert run_all(page)
    expect(notice).to_be_hidden()
    # The new kernel knows the language chosen without a kernel.
    label = explorer.twin.controls["position"].label.zh
    expect(explorer.root.get_by_role("slider", name=label, exact=True)).to_be_attached()
    choose(page, "en")
    overlook(watched, *KERNEL_GONE)
    to_the_first_cell(page)
    explorer.slider("position").press("ArrowRight")
    explorer.expect_picture(position=25)
