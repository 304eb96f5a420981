"""What a reader is asked to try, and what a pointer does that only hovers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from posenc_lessons import language
from posenc_lessons.explorers import EXPLORERS, DistanceExplorer, RaceExplorer, ShuffleExplorer
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.definition import Try
from posenc_lessons.language import Language

TRIES = [(make, each) for make in EXPLORERS for each in make.tries]


@pytest.fixture(params=["zh", "en"])
def spoken(request: pytest.FixtureRequest) -> Iterator[Language]:
    before = language.current()
    language.choose(request.param)
    yield request.param
    language.choose(before)


@pytest.mark.parametrize(
    ("make", "tried"), TRIES, ids=lambda each: getattr(each, "__name__", None) or each.name.en
)
def test_each_try_shows_another_picture_without_complaint(
    make: type[Explorer], tried: Try, spoken: Language
) -> None:
    explorer = make()
    before = explorer.parameters()
    shown = explorer.canvas.get_state()
    explorer.follow_try(make.tries.index(tried))
    assert explorer.message is None
    after = explorer.parameters()
    changed = {name for name in after if after[name] != before[name]}
    assert changed, "nothing would happen"
    assert set(tried.values) <= set(after)
    assert {name: after[name] for name in tried.values} == tried.settings(), "a range cut it short"
    if changed != {"locked"}:  # which shows only once something moves
        now = explorer.canvas.get_state()
        assert any(now[name] != shown.get(name) for name in now if name != "edition")
    explorer.close()


@pytest.mark.parametrize("make", EXPLORERS)
def test_an_explorer_has_three_to_five_tries_with_names_of_their_own(make: type[Explorer]) -> None:
    assert 3 <= len(make.tries) <= 5
    for spoken in ("zh", "en"):
        names = [getattr(each.name, spoken) for each in make.tries]
        assert len(set(names)) == len(names)
    controls = make().controls
    assert make.rare | make.needs_kernel <= set(controls)
    assert make.plays is None or hasattr(controls[make.plays], "max")


def test_in_a_notebook_one_button_walks_through_them_and_says_what_to_watch(spoken: Language) -> None:
    explorer = ShuffleExplorer()
    first, second, *_ = explorer.tries
    assert explorer._next.description.endswith(" 1/4 →") and explorer._tip.layout.display == "none"
    for tried in (first, second):
        explorer._next.click()
        assert tried.look_for.show(spoken) in explorer._tip.value
    assert explorer._next.description.endswith(" 3/4 →") and explorer._tip.layout.display != "none"
    assert explorer.parameters() == {**explorer.initial, **second.settings()}
    explorer.reset()
    assert explorer._next.description.endswith(" 1/4 →") and explorer._tip.layout.display == "none"
    explorer.close()


@pytest.mark.parametrize("make", EXPLORERS, ids=lambda make: make.name)
def test_a_pointer_that_hovers_anywhere_changes_no_setting(make: type[Explorer]) -> None:
    explorer = make()
    before = explorer.parameters()
    for panel in explorer.present_scene()[0].panels:
        for share in (0.1, 0.5, 0.9):
            x, y = (axis.start + share * (axis.end - axis.start) for axis in (panel.x, panel.y))
            explorer.canvas.pointer = {"panel": panel.name, "x": x, "y": y, "kind": "hover"}
            assert explorer.parameters() == before, panel.name
    explorer.close()


def test_hovering_shows_what_a_press_would_choose_and_sets_nothing() -> None:
    explorer = DistanceExplorer()
    before, said = explorer.parameters(), explorer.said
    here = {"panel": "matrix", "x": 6.2, "y": 0.7}
    explorer.canvas.pointer = {**here, "kind": "hover"}
    assert explorer.parameters() == before
    hovered = explorer.said
    assert "i = 1" in hovered.en and "j = 6" in hovered.en
    explorer.canvas.pointer = {**here, "kind": "leave"}
    assert (explorer.parameters(), explorer.said) == (before, said)
    explorer.canvas.pointer = {**here, "kind": "press"}
    assert (explorer.controls["query"].value, explorer.controls["key"].value) == (1, 6)
    assert explorer.said == hovered


def test_a_pointer_that_crosses_the_race_clears_no_highlight() -> None:
    explorer = RaceExplorer(highlight="rotary")
    said = explorer.said
    explorer.canvas.pointer = {"panel": "curves", "x": 5.0, "y": -0.03, "kind": "hover"}
    assert explorer.said != said
    explorer.canvas.pointer = {"panel": "curves", "x": 5.0, "y": -0.03, "kind": "leave"}
    assert (explorer.said, explorer.controls["highlight"].value) == (said, "rotary")
