"""A page whose kernel is gone says so, and one button begins anew where the reader was."""

from __future__ import annotations

import json
import re
import time
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import psutil
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect

from posenc_lessons import language
from posenc_lessons.classroom.settings import FORKS
from posenc_lessons.explorers import (
    AttentionExplorer,
    GateExplorer,
    RotationExplorer,
    ShuffleExplorer,
    SinusoidExplorer,
)
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.session import WORDS
from posenc_lessons.figures.theme import THEMES
from tests.browser.gate import Gate, gate
from tests.browser.watching import LESSONS, Shown, Watch
from tests.support.pace import patience
from tests.support.pages import TOKEN, kernels, voila

PAGE = LESSONS / "explorer.ipynb"
# What browser, kernel connection and ipywidgets say themselves of a kernel or a server that is gone; anything
# else is still an error.
GONE = re.compile(
    r"Cannot send|Canceled future|ERR_CONNECTION|ERR_EMPTY_RESPONSE|status of 40[34]|Kernel .*doesn't exist"
    r"|Connection lost|WebSocket connection to .* failed|widget model not found|Kernel connection is disposed"
)


@pytest.fixture(scope="module")
def address(browser: Browser) -> Iterator[str]:
    with voila(PAGE) as served:
        yield served


@pytest.fixture
def gated(address: str) -> Iterator[tuple[Gate, str]]:
    port = urlsplit(address).port
    assert port is not None
    with gate(port) as made:
        yield made, address.replace(str(port), str(made.port))


@pytest.fixture(autouse=True)
def both_languages() -> Iterator[None]:
    yield
    language.choose("both")


def open_page(page: Page, address: str, query: str = "") -> None:
    page.goto(f"{address}&{query}")
    wait_for_picture(page)


def wait_for_picture(page: Page) -> None:
    page.locator(".posenc-explorer:visible canvas[data-painted]").first.wait_for()


def shown(page: Page, make: type[Explorer], **parameters: Any) -> Shown:
    return Shown(page.locator(".posenc-explorer:visible"), make(**parameters))


def open_tab(page: Page, make: type[Explorer]) -> Shown:
    page.get_by_role("tab", name=make.title.show(), exact=True).click()
    heading = page.get_by_role("heading", name=make.title.show(), exact=True)
    return Shown(page.locator(".posenc-explorer:visible", has=heading), make())


def notice(page: Page) -> Locator:
    return page.locator(".posenc-session")


def again(page: Page) -> Locator:
    return notice(page).get_by_role("button")


def kernel_id(page: Page) -> str:
    said = page.evaluate("document.getElementById('jupyter-config-data').textContent")
    return str(json.loads(said)["kernelId"])


def process_of(kernel: str) -> psutil.Process | None:
    """The process of the kernel, a descendant of this one; None when there is none."""
    for process in psutil.Process().children(recursive=True):
        try:
            if any(kernel in part for part in process.cmdline()):
                return process
        except psutil.Error:
            continue  # it ended while it was looked at
    return None


def wait_until_ended(kernel: str) -> None:
    deadline = time.monotonic() + patience()
    while (process := process_of(kernel)) is not None and process.status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < deadline, "its kernel lives on"
        time.sleep(0.1)


def kill(page: Page) -> None:
    process = process_of(kernel_id(page))
    assert process is not None
    process.kill()


def cull(page: Page, address: str) -> None:
    """What a server does to an idle kernel: it ends it, and says nothing to the page."""
    root = address.partition("/?")[0]
    request = urllib.request.Request(
        f"{root}/api/kernels/{kernel_id(page)}", method="DELETE", headers={"Authorization": f"token {TOKEN}"}
    )
    urllib.request.urlopen(request, timeout=10).close()


def forgive(watched: Watch) -> None:
    watched.errors[:] = [said for said in watched.errors if not GONE.search(said)]


def test_after_a_crash_one_button_brings_everything_back(address: str, watch: Callable[[], Watch]) -> None:
    watched = watch()
    page = watched.page
    open_page(page, address, "explorer=rotation&m=5&lang=en&mode=dark")
    language.choose("en")
    rotation = shown(page, RotationExplorer, m=5, theme=THEMES["dark"])
    rotation.expect_picture(m=5)
    rotation.slider("m").focus()
    rotation.slider("m").press("ArrowRight")
    rotation.expect_picture(m=6)
    gates = open_tab(page, GateExplorer)
    gates.control("rule").select_option("the chosen token")
    gates.control("chosen").fill("cat")
    shuffle = open_tab(page, ShuffleExplorer)
    shuffle.control("sentence").fill("cats & dogs 100% <b>")
    expect(notice(page)).to_be_hidden()
    kill(page)
    expect(notice(page).get_by_role("alert")).to_contain_text(WORDS["crashed"].en)
    expect(page.get_by_text("Run this cell again")).to_be_hidden()  # there is no cell
    # Typed, ticked and chosen after the end: the kernel has never heard of it.
    shuffle.control("sentence").press_sequentially(" 又来", delay=5)
    shuffle.control("causal").click()
    shuffle.slider("arrangement").focus()
    shuffle.slider("arrangement").press("ArrowRight")
    page.get_by_role("button", name="projector (large type)").click()
    page.get_by_role("button", name="中文", exact=True).click()
    language.choose("zh")
    old = kernel_id(page)
    again(page).click()
    page.wait_for_function(f"!document.body.innerHTML.includes('{old}')")
    wait_for_picture(page)
    wait_until_ended(old)  # what the server had started in its place
    forgive(watched)
    expect(notice(page)).to_be_hidden()
    shuffle = shown(page, ShuffleExplorer, theme=THEMES["projector"])
    typed = "cats & dogs 100% <b> 又来"
    shuffle.expect_picture(sentence=typed, causal=True, arrangement=3)
    expect(shuffle.control("sentence")).to_have_value(typed)
    expect(page.get_by_role("button", name="投影（大字）")).to_have_attribute("aria-pressed", "true")
    rotation = open_tab(page, RotationExplorer)
    rotation.twin.theme = THEMES["projector"]
    rotation.expect_picture(m=6)
    gates = open_tab(page, GateExplorer)
    gates.twin.theme = THEMES["projector"]
    gates.expect_picture(rule="chosen", chosen="cat")


def move(page: Page) -> None:
    shown(page, SinusoidExplorer).slider("position").focus()
    page.keyboard.press("ArrowRight")


def open_the_lid(page: Page) -> None:
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


@pytest.mark.parametrize("come_back", [move, open_the_lid])
def test_a_session_that_was_ended_for_idleness_is_told_when_the_reader_comes_back(
    come_back: Callable[[Page], None], address: str, watch: Callable[[], Watch]
) -> None:
    watched = watch()
    page = watched.page
    open_page(page, address, "explorer=sinusoid&length=300&lang=zh")
    language.choose("zh")
    sinusoid = shown(page, SinusoidExplorer)
    sinusoid.expect_picture(length=300)
    cull(page, address)
    come_back(page)
    expect(notice(page).get_by_role("alert")).to_contain_text(WORDS["ended"].zh)
    again(page).press("Enter")
    page.wait_for_event("load")
    wait_for_picture(page)
    forgive(watched)
    position = 25 if come_back is move else 24
    shown(page, SinusoidExplorer).expect_picture(length=300, position=position)


@pytest.mark.parametrize("mode", THEMES)
def test_the_notice_is_for_everyone(mode: str, address: str, watch: Callable[[], Watch]) -> None:
    watched = watch()
    page = watched.page
    page.set_viewport_size({"width": 1024, "height": 768})
    open_page(page, address, f"explorer=rotation&lang=both&mode={mode}")
    kill(page)
    alert = notice(page).get_by_role("alert")
    expect(alert).to_contain_text(WORDS["crashed"].en)
    expect(alert).to_contain_text(WORDS["crashed"].zh)
    page.get_by_role("button", name="English", exact=True).click()  # the switch needs no kernel
    expect(alert.get_by_text(WORDS["crashed"].zh)).to_be_hidden()
    expect(notice(page).get_by_role("button", name=WORDS["again"].en, exact=True)).to_be_visible()
    page.get_by_role("button", name="中文", exact=True).click()
    expect(alert.get_by_text(WORDS["crashed"].en)).to_be_hidden()
    expect(notice(page).get_by_role("button", name=WORDS["again"].zh, exact=True)).to_be_in_viewport()
    found = Axe().run(page, context=".posenc-session").response["violations"]
    assert found == []
    size = notice(page).evaluate("it => parseFloat(getComputedStyle(it).fontSize)")
    assert size >= (20 if mode == "projector" else 14)
    forgive(watched)


def test_a_short_break_heals_in_silence_and_a_long_one_is_told(
    gated: tuple[Gate, str], watch: Callable[[], Watch]
) -> None:
    door, address = gated
    watched = watch()
    page = watched.page
    open_page(page, address, "explorer=rotation&m=5&lang=en")
    language.choose("en")
    rotation = shown(page, RotationExplorer)
    rotation.expect_picture(m=5)
    door.shut()
    rotation.slider("m").focus()
    rotation.slider("m").press("ArrowRight")  # waits until the connection is back
    page.wait_for_timeout(6_000)
    expect(notice(page)).to_be_hidden()
    door.open()
    rotation.expect_picture(m=6)
    expect(notice(page)).to_be_hidden()
    door.shut()
    expect(notice(page).get_by_role("alert")).to_contain_text(WORDS["away"].en)
    again(page).click()
    expect(notice(page).get_by_role("alert")).to_contain_text(WORDS["still_away"].en)
    assert page.url.startswith(address)  # not the browser's own page for a server that is not there
    rotation.slider("m").press("ArrowRight")
    door.open()
    expect(notice(page)).to_be_hidden()
    rotation.expect_picture(m=7)
    forgive(watched)


def test_a_kernel_that_died_behind_a_broken_connection_is_told(
    gated: tuple[Gate, str], watch: Callable[[], Watch]
) -> None:
    door, address = gated
    watched = watch()
    page = watched.page
    open_page(page, address)
    door.shut()
    kill(page)
    page.wait_for_timeout(4_000)  # the server has started another in its place
    door.open()
    expect(notice(page).get_by_role("alert")).to_contain_text(WORDS["crashed"].en)
    forgive(watched)


def test_a_server_that_was_started_anew_does_not_know_the_page(
    gated: tuple[Gate, str], watch: Callable[[], Watch]
) -> None:
    door, address = gated
    watched = watch()
    page = watched.page
    open_page(page, address)
    with voila(PAGE, token="another") as other:
        door.shut()
        door.target = urlsplit(other).port or 0
        door.open()
        alert = notice(page).get_by_role("alert")
        expect(alert).to_contain_text(WORDS["refused"].en)
        again(page).click()
        expect(alert).to_contain_text(WORDS["refused"].en)
        page.goto("about:blank")  # its goodbye is refused too
        forgive(watched)


@pytest.mark.skipif(not FORKS, reason="kernels are forked on Linux alone")
def test_so_it_is_on_the_server_of_a_class(watch: Callable[[], Watch]) -> None:
    before = set(psutil.Process().children())
    with voila(PAGE, "--Explorers.learners=2", module="posenc_lessons.classroom.server") as address:
        (server,) = set(psutil.Process().children()) - before
        watched = watch()
        page = watched.page
        open_page(page, address, "explorer=rotation&m=7&lang=en")
        language.choose("en")
        shown(page, RotationExplorer).expect_picture(m=7)
        (kernel,) = kernels(server)
        kernel.kill()
        expect(notice(page).get_by_role("alert")).to_contain_text(WORDS["crashed"].en)
        for end in ("culled", "left"):
            again(page).click()
            page.wait_for_event("load")
            wait_for_picture(page)
            shown(page, RotationExplorer).expect_picture(m=7)
            assert len(kernels(server)) == 1
            if end == "culled":
                cull(page, address)
                open_the_lid(page)
                expect(notice(page).get_by_role("alert")).to_contain_text(WORDS["ended"].en)
        page.goto("about:blank")
        psutil.wait_procs(kernels(server), timeout=patience())
        assert kernels(server) == []
        forgive(watched)


def test_leaving_the_page_ends_its_kernel(address: str, watch: Callable[[], Watch]) -> None:
    page = watch().page
    open_page(page, address)
    old = kernel_id(page)
    assert process_of(old) is not None
    page.goto("about:blank")
    wait_until_ended(old)
    open_page(page, address)
    old = kernel_id(page)
    page.close(run_before_unload=True)
    wait_until_ended(old)


def test_loaded_again_the_page_shows_the_same_and_frees_the_old_kernel(
    address: str, watch: Callable[[], Watch]
) -> None:
    page = watch().page
    open_page(page, address, "explorer=attention&lang=zh")
    language.choose("zh")
    attention = shown(page, AttentionExplorer)
    attention.control("text").fill("2024年3月7日")
    long = "长" * 2500  # no link holds it
    gates = open_tab(page, GateExplorer)
    gates.control("text").fill(long)
    expect(gates.alert).to_contain_text("2500")
    page.get_by_role("button", name="复制链接").click()
    expect(page.get_by_role("status").filter(has_text="没有写进 文字")).to_be_visible()
    old = kernel_id(page)
    page.reload()
    expect(page.get_by_role("alert").filter(has_text="2500")).to_be_visible()
    wait_until_ended(old)
    assert kernel_id(page) != old
    gates = shown(page, GateExplorer)
    expect(gates.control("text")).to_have_value(long)
    expect(open_tab(page, AttentionExplorer).control("text")).to_have_value("2024年3月7日")


def test_a_link_opened_in_the_same_tab_is_followed_not_what_was_there_before(
    address: str, watch: Callable[[], Watch]
) -> None:
    page = watch().page
    open_page(page, address, "explorer=rotation&m=5&lang=en")
    language.choose("en")
    shown(page, RotationExplorer).expect_picture(m=5)
    open_page(page, address, "explorer=rotation&m=9&lang=en")
    shown(page, RotationExplorer).expect_picture(m=9)
