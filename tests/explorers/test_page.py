"""The page around the explorers, without a browser."""

from __future__ import annotations

import numpy as np
import pytest
import traitlets

from posenc_lessons import choices, language
from posenc_lessons.classroom.app import app
from posenc_lessons.course.switch import language_switch
from posenc_lessons.explorers import EXPLORERS
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.live import LiveCanvas
from posenc_lessons.figures.scene import Scene
from posenc_lessons.figures.theme import DARK, PROJECTOR, Theme


def test_the_page_speaks_the_language_remembered_from_its_first_moment() -> None:
    assert choices.remember(language="en") is None
    language_switch().close()  # as in a new kernel, the switch is made anew
    page = app()
    assert language.current() == "en"
    assert page.tabs.titles == tuple(explorer.title.en for explorer in EXPLORERS)
    assert page.page.spoken == "en" and page.page.title == "Position-encoding explorer"
    assert page.address.label == "Copy link" and page.address.shown == "explorer=shuffle&lang=en"


def test_the_page_changes_language() -> None:
    page = app()
    assert page.page.spoken == "zh-CN" and " · " in page.page.keyboard
    language.choose("zh")
    assert page.page.title == "位置编码探索器" and " · " not in page.page.keyboard


def test_titles_stand_below_the_page_s_own() -> None:
    page = app()
    assert page.explorer._title.value == "<h2>打乱句子 · Shuffle</h2>"
    language.choose("zh")
    assert page.explorer._title.value == "<h2>打乱句子</h2>"
    assert EXPLORERS[0]()._title.value == "<h3>打乱句子</h3>"


def test_a_page_shows_the_mode_chosen_in_every_tab_and_says_so_in_its_link() -> None:
    page = app()
    first = page.explorer
    page.page.mode = "dark"
    assert first.theme == DARK and page.address.shown == "explorer=shuffle&lang=both&mode=dark"
    assert first.canvas.stage["theme"]["ink"] == DARK.ink
    page.tabs.selected_index = 1
    assert page.explorer.theme == DARK
    page.page.mode = "projector"
    page.tabs.selected_index = 0
    assert first.theme == PROJECTOR and first.canvas.stage["theme"]["type"] == 1.3
    page.page.mode = "light"
    assert page.address.shown == "explorer=shuffle&lang=both"
    assert app().page.mode == "light"  # a new page knows nothing of it


def test_an_explorer_opened_in_the_dark_was_never_light(monkeypatch: pytest.MonkeyPatch) -> None:
    painted: list[Theme] = []
    paint = LiveCanvas.paint

    def noting(canvas: LiveCanvas, scene: Scene, spoken: language.Language) -> None:
        painted.append(scene.theme)
        paint(canvas, scene, spoken)

    page = app()
    page.page.mode = "dark"
    monkeypatch.setattr(LiveCanvas, "paint", noting)
    for index in range(1, len(EXPLORERS)):
        page.tabs.selected_index = index
    assert painted == [DARK] * (len(EXPLORERS) - 1), "each once, and dark"


def test_a_link_brings_the_mode() -> None:
    page = app()
    page.address.asked = "explorer=rotation&mode=projector&lang=en"
    page.address.arrived = True
    assert page.page.mode == "projector" and page.explorer.theme == PROJECTOR and page.problems.value == ""
    assert page.page.modes["projector"] == "projector (large type)"


def test_a_mode_that_does_not_exist_is_refused() -> None:
    with pytest.raises(traitlets.TraitError, match="dark"):
        app().page.mode = "<b>"


def test_a_still_is_in_the_light_of_its_canvas() -> None:
    explorer = EXPLORERS[0]()
    explorer.theme = DARK
    assert tuple(explorer.still().pixels(1)[0, 0, :3]) == (0x14, 0x17, 0x1C)


@pytest.mark.parametrize("make", EXPLORERS, ids=lambda make: make.__name__)
def test_whatever_pointing_does_the_controls_do_too(make: type[Explorer]) -> None:
    pointed, controlled = make(), make()
    for panel in pointed.present_scene()[0].panels:
        for across, up in np.random.default_rng(3).random((4, 2)):
            x = panel.x.start + across * (panel.x.end - panel.x.start)
            y = panel.y.start + up * (panel.y.end - panel.y.start)
            pointed.canvas.pointer = {"panel": panel.name, "x": x, "y": y}
            controlled.restore(pointed.parameters())
            assert controlled.canvas.alt == pointed.canvas.alt
            assert controlled._reading.value == pointed._reading.value
    pointed.close()
    controlled.close()
