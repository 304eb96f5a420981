"""What a reader takes in the hand on the page: arrows, cards, gates, with a pointer and with a finger."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from posenc_lessons import language
from posenc_lessons.explorers import GateExplorer, RotationExplorer, ShuffleExplorer
from posenc_lessons.explorers.base import Explorer
from tests.support.site import Visit, serving


@pytest.fixture(scope="module")
def shared(browser: Browser, page_folder: Path) -> Iterator[Visit]:
    """The page in English, its Python up."""
    with serving(page_folder) as address:
        opened = Visit(browser, address).open("explorer=rotation&lang=en")
        yield opened
        opened.close()


@pytest.fixture
def visit(shared: Visit) -> Visit:
    """The same page, beside explorers of our own in the same language."""
    language.choose("en")
    return shared


def place(visit: Visit, make: type[Explorer], panel: str, x: float, y: float) -> tuple[float, float]:
    """Where on the screen (x, y) of ``panel``, in the units of its axes, is at the explorer's start."""
    explorer = make()
    scene = explorer.present_scene()[0]
    explorer.close()
    shown = next(each for each in scene.panels if each.name == panel)
    left, top, wide, high = shown.box
    across = (x - shown.x.start) / (shown.x.end - shown.x.start)
    up = (y - shown.y.start) / (shown.y.end - shown.y.start)
    box = visit.canvas.bounding_box()
    assert box is not None
    scale = box["width"] / scene.width
    return box["x"] + scale * (left + across * wide), box["y"] + scale * (top + (1 - up) * high)


def drag(visit: Visit, make: type[Explorer], panel: str, *places: tuple[float, float]) -> None:
    mouse = visit.page.mouse
    mouse.move(*place(visit, make, panel, *places[0]))
    expect(visit.canvas).to_have_css("cursor", "grab")
    mouse.down()
    visit.settle()
    for at in places[1:]:
        mouse.move(*place(visit, make, panel, *at))
        expect(visit.canvas).to_have_css("cursor", "grabbing")
        visit.settle()
    mouse.up()


def test_an_arrow_is_turned_by_the_pointer(visit: Visit) -> None:
    visit.show(RotationExplorer.name)
    twin = RotationExplorer()
    arrow = twin.compute(twin.parameters())["turned_key"]
    angle, rate = math.atan2(arrow[1], arrow[0]), 10000.0 ** (-6 / 32)
    aims = [angle + turns * rate for turns in (0, 4, 8, 12)]
    drag(visit, RotationExplorer, "plane", *[(0.7 * math.cos(aim), 0.7 * math.sin(aim)) for aim in aims])
    assert visit.settings() == {"n": str(9 + 12)}
    visit.expect_same_as(RotationExplorer)
    twin.close()


def test_a_word_is_dragged_and_the_picture_comes_to_rest(visit: Visit) -> None:
    visit.show(ShuffleExplorer.name)
    drag(visit, ShuffleExplorer, "cards", (0.0, 0.0), (1.0, 0.0), (2.0, 0.0))
    assert set(visit.settings()) == {"order"}
    visit.expect_same_as(ShuffleExplorer)


def test_a_gate_is_opened_by_a_press(visit: Visit) -> None:
    visit.show(GateExplorer.name)
    visit.page.mouse.click(*place(visit, GateExplorer, "gates", 5.0, 0.5))
    visit.settle()
    assert visit.settings() == {"turned": "5"}
    visit.expect_same_as(GateExplorer)
