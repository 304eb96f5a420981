"""Live explorers in an exported page, in a real browser."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Browser, expect

from posenc_lessons.explorers import RotationExplorer, ShuffleExplorer
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.export import live_explorers, stills
from posenc_lessons.export.one_language import in_language
from posenc_lessons.export.site import site
from posenc_lessons.files import write_all
from tests.support.pages import Watched
from tests.support.site import plain_server

pytestmark = pytest.mark.sweep


@pytest.fixture(scope="module")
def alive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a bilingual lesson with two explorers, as after a run."""
    out = tmp_path_factory.mktemp("alive")
    two = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# 两个 · Two")])
    for made in (RotationExplorer(m=7), ShuffleExplorer(arrangement=3)):
        cell = nbformat.v4.new_code_cell("Explorer()")
        cell.outputs = [output(made)]
        two.cells.append(cell)
    pages = site({"two.ipynb": in_language(two, "both")}, "both", live=True)
    write_all({**pages, **live_explorers.files()}, out)
    return out


def output(explorer: Explorer) -> nbformat.NotebookNode:
    """Return the output of an explorer's cell after a run for pages."""
    data, metadata = stills.with_still(explorer)
    explorer.close()
    data["image/png"] = base64.b64encode(data["image/png"]).decode()
    return nbformat.v4.new_output("execute_result", data, metadata=metadata)


@pytest.fixture
def served(alive: Path) -> Iterator[str]:
    """Serve the same from a plain web server."""
    with plain_server(alive) as address:
        yield address


def test_two_explorers_share_one_python_and_follow_the_language(served: str, browser: Browser) -> None:
    watched = Watched(browser)
    page = watched.page
    asked: list[str] = []
    workers: list[object] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("worker", lambda worker: workers.append(worker))
    page.goto(f"{served}/two.html")
    rotation, shuffle = page.locator("figure[data-explorer]").all()
    for figure in (rotation, shuffle):
        figure.scroll_into_view_if_needed()
        assert figure is shuffle or not any("/parts/" in url for url in asked)  # reading loads no Python
        figure.get_by_role("button", name="Make it live").click()
    expect(shuffle.locator(".present canvas")).to_have_attribute("data-painted", re.compile(r"\d"))
    expect(rotation.get_by_role("slider", name="query at m")).to_have_value("7")
    expect(shuffle.get_by_role("slider", name="arrangement")).to_have_value("3")
    page.get_by_label("中文", exact=True).check()
    expect(rotation.get_by_role("slider", name="查询位置 m", exact=True)).to_be_visible()
    expect(shuffle.get_by_role("slider", name="arrangement")).to_have_count(0)
    page.get_by_label("English", exact=True).check()
    for figure in (rotation, shuffle):
        figure.get_by_role("button", name="Reset", exact=True).click()
        expect(figure.get_by_text(re.compile("[\u4e00-\u9fff]")).filter(visible=True)).to_have_count(0)
    assert len(workers) == 1
    assert [url for url in asked if not url.startswith((served, "data:", "blob:"))] == []
    watched.close()
    assert watched.errors == []
