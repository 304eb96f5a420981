"""The tries, and hovering with the pointer."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from posenc_lessons import language
from posenc_lessons.explorers import EXPLORERS, DistanceExplorer, RaceExplorer
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.definition import Try
from posenc_lessons.figures import canvas_data
from posenc_lessons.figures.scene import Scene
from posenc_lessons.language import Language, Text

TRIES = [(make, each) for make in EXPLORERS for each in make.tries]


def picture(scene: Scene | None) -> tuple[object, ...]:
    """Return everything that is painted of ``scene``."""
    assert scene is not None
    return canvas_data.stage(scene, "en"), canvas_data.axes(scene), canvas_data.data(scene)


@pytest.fixture(params=["zh", "en"])
def spoken(request: pytest.FixtureRequest) -> Iterator[Language]:
    before = language.current()
    language.choose(request.param)
    yield request.param
    language.choose(before)


@pytest.mark.parametrize(
    ("make", "tried"), TRIES, ids=lambda each: getattr(each, "__name__", None) or each.name.en
)
def test_each_try_shows_a_different_picture_without_an_error(
    make: type[Explorer], tried: Try, spoken: Language
) -> None:
    explorer = make()
    before = explorer.parameters()
    shown = explorer.shown
    explorer.follow_try(make.tries.index(tried))
    assert explorer.message is None
    after = explorer.parameters()
    changed = {name for name in after if after[name] != before[name]}
    assert changed, "nothing would happen"
    assert set(tried.values) <= set(after)
    assert {name: after[name] for name in tried.values} == tried.settings(), "a range cut it short"
    if changed != {"locked"}:  # which shows only once something moves
        assert picture(explorer.shown) != picture(shown)
    explorer.close()


@pytest.mark.parametrize("make", EXPLORERS)
def test_an_explorer_has_three_to_five_tries_with_different_names(make: type[Explorer]) -> None:
    assert 3 <= len(make.tries) <= 5
    for spoken in ("zh", "en"):
        names = [getattr(each.name, spoken) for each in make.tries]
        assert len(set(names)) == len(names)
    controls = make().controls
    assert make.rare | make.needs_kernel <= set(controls)
    assert make.plays is None or hasattr(controls[make.plays], "max")


@pytest.mark.parametrize("make", EXPLORERS, ids=lambda make: make.name)
def test_hovering_changes_no_setting(make: type[Explorer]) -> None:
    explorer = make()
    before = explorer.parameters()
    for panel in explorer.present_scene()[0].panels:
        for share in (0.1, 0.5, 0.9):
            x, y = (axis.start + share * (axis.end - axis.start) for axis in (panel.x, panel.y))
            explorer.point(panel.name, x, y, "hover")
            assert explorer.parameters() == before, panel.name
    explorer.close()


def test_hovering_shows_what_a_press_would_choose_and_sets_nothing() -> None:
    explorer = DistanceExplorer()
    before, said = explorer.parameters(), explorer.reading
    here = ("matrix", 6.2, 0.7)
    explorer.point(*here, "hover")
    assert explorer.parameters() == before
    hovered = explorer.reading
    assert "i = 1" in hovered.en and "j = 6" in hovered.en
    explorer.point(*here, "leave")
    assert (explorer.parameters(), explorer.reading) == (before, said)
    explorer.point(*here, "press")
    assert (explorer.controls["query"].value, explorer.controls["key"].value) == (1, 6)
    assert explorer.reading == hovered


def test_hovering_does_not_clear_a_message() -> None:
    explorer = DistanceExplorer()
    message = Text("别动", "stay")
    explorer.show_message(message, in_place=False)
    said = explorer.reading
    explorer.point("matrix", 6.2, 0.7, "hover")
    assert (explorer.message, explorer.reading) == (message, said)


def test_hovering_over_the_race_keeps_the_highlight() -> None:
    explorer = RaceExplorer(highlight="rotary")
    said = explorer.reading
    explorer.point("curves", 5.0, -0.03, "hover")
    assert explorer.reading != said
    explorer.point("curves", 5.0, -0.03, "leave")
    assert (explorer.reading, explorer.controls["highlight"].value) == (said, "rotary")
