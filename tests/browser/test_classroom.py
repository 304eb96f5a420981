"""Two learners at once in real browsers, on the server that a class gets."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import psutil
import pytest
from playwright.sync_api import Browser, expect

from posenc_lessons import language
from posenc_lessons.classroom.settings import FORKS
from posenc_lessons.explorers import RotationExplorer, SinusoidExplorer
from posenc_lessons.explorers.base import Explorer
from tests.browser.watching import LESSONS, Shown, Watch
from tests.support.pace import patience
from tests.support.pages import kernels, voila

pytestmark = pytest.mark.skipif(not FORKS, reason="kernels are forked on Linux alone")


@pytest.fixture(scope="module")
def room(browser: Browser) -> Iterator[tuple[str, psutil.Process]]:
    module = "posenc_lessons.classroom.server"
    with voila(LESSONS / "explorer.ipynb", "--Explorers.learners=2", module=module) as address:
        port = f"--Voila.port={urlsplit(address).port}"
        (server,) = (each for each in psutil.Process().children() if port in each.cmdline())
        yield address, server


def shown(watched: Watch, make: type[Explorer], **parameters: Any) -> Shown:
    return Shown(watched.page.locator(".posenc-explorer:visible"), make(**parameters))


def wait_for_kernels(server: psutil.Process, count: int) -> None:
    deadline = time.monotonic() + patience()
    while len(kernels(server)) != count:
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_two_learners_at_once_and_each_kernel_goes_with_its_page(
    room: tuple[str, psutil.Process], watch: Callable[[], Watch]
) -> None:
    address, server = room
    one, other = watch(), watch()
    one.page.goto(f"{address}&explorer=rotation&m=5&lang=en")
    other.page.goto(f"{address}&explorer=sinusoid&position=30&lang=zh")
    for step in (1, 2, 3):
        language.choose("en")
        rotation = shown(one, RotationExplorer, m=5)
        rotation.slider("m").focus()
        rotation.slider("m").press("ArrowRight")
        rotation.expect_picture(m=5 + step)
        language.choose("zh")
        sinusoid = shown(other, SinusoidExplorer, position=30)
        sinusoid.slider("position").focus()
        sinusoid.slider("position").press("ArrowLeft")
        sinusoid.expect_picture(position=30 - step)
    wait_for_kernels(server, 2)

    with one.page.expect_download() as saved:  # a page that hands out a file has not been left
        one.page.get_by_role("button", name="Save PNG").click()
    assert saved.value.suggested_filename == "rotation.png"
    language.choose("en")
    rotation = shown(one, RotationExplorer)
    rotation.slider("m").press("ArrowRight")
    rotation.expect_picture(m=9)

    (before,) = {each.pid for each in kernels(server)} - {_newest(server).pid}
    one.page.reload()
    shown(one, RotationExplorer).expect_picture(m=9)
    wait_for_kernels(server, 2)
    assert before not in {each.pid for each in kernels(server)}, "the page that was left gave its kernel back"
    other.page.close(run_before_unload=True)
    wait_for_kernels(server, 1)
    expect(one.page.locator(".posenc-session")).to_be_hidden()


def _newest(server: psutil.Process) -> psutil.Process:
    return max(kernels(server), key=psutil.Process.create_time)
