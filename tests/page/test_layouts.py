"""The painter's layout of a picture, and the place of the pointer."""

from collections.abc import Sequence
from typing import Any

import pytest

from posenc_lessons.explorers import EXPLORERS
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.figures import canvas_data
from posenc_lessons.figures.theme import LIGHT, PROJECTOR, Theme
from tests.page.node_scripts import answered, needs_node

ROOMS = [(2000, None), (980, 380), (1500, 900), (700, None), (390, 439), (358, 300), (342, None)]
EQUAL = ("clocks", "plane", "dials", "dial", "scores", "picture", "share")  # panels with circles and squares
LEAST_TYPE = 11  # CSS pixels: the least size of a tick label, which is 11 at type 1
SCRIPT = """
const painter = await import(`${panel}/layout.js`);
const {stage, axes, rooms} = given;
const laid = rooms.map(([width, height]) => painter.layoutFor(stage, width, height ?? Infinity));
const quarters = laid.map(layout => Object.entries(layout.panels).map(([name, {box: [x, y, w, h]}]) =>
    [name, painter.pointed(stage, axes, x + w / 4, y + h / 4, layout)]));
answer({laid, quarters});
"""

pytestmark = needs_node


def asked(
    make: type[Explorer],
    theme: Theme,
    rooms: Sequence[tuple[int, int | None]] = ROOMS,
) -> dict[str, Any]:
    """Return the painter's layout of that explorer's first picture in each of the ``rooms``."""
    explorer = make(theme=theme)
    scene = explorer.present_scene()[0]
    explorer.close()
    picture = {"stage": canvas_data.stage(scene, "both"), "axes": canvas_data.axes(scene)}
    told: dict[str, Any] = {**picture, "rooms": rooms}
    return {**told, **answered(SCRIPT, told)}


@pytest.mark.parametrize("theme", [LIGHT, PROJECTOR], ids=lambda theme: theme.name)
@pytest.mark.parametrize("make", EXPLORERS, ids=lambda make: make.name)
def test_in_any_room_words_are_legible_and_panels_do_not_overlap(make: type[Explorer], theme: Theme) -> None:
    said = asked(make, theme)
    for (width, _), layout, quarters in zip(ROOMS, said["laid"], said["quarters"], strict=True):
        pages = layout.get("pages", [[]])
        assert layout["width"] <= width * len(pages) and layout["type"] * 11 >= LEAST_TYPE - 1e-9
        for at, names in enumerate(pages):
            boxes = [layout["panels"][name]["box"] for name in names]
            assert all(at * width <= left and left + wide <= (at + 1) * width for left, _, wide, _ in boxes)
        assert_inside_and_apart(layout)
        for name, where in quarters:
            assert where["panel"] == name
            assert_pointed(where, said["axes"][name], layout["panels"][name]["box"], equal=name in EQUAL)


def assert_pointed(where: dict[str, float], axes: dict[str, Any], box: Sequence[float], equal: bool) -> None:
    """Assert that ``where``, a quarter from the left and top of ``box``, has the values of ``axes`` there."""
    x, y = axes["x"], axes["y"]
    halves = [
        (x["end"] - x["start"]) / 2,
        (y["start"] - y["end"]) / 2,
    ]  # from the middle to the right and down
    found = [(x["start"] + x["end"]) / 2 - where["x"], (y["start"] + y["end"]) / 2 - where["y"]]
    reach = [2 * one / half for one, half in zip(found, halves, strict=True)]
    assert min(reach) == pytest.approx(1), "all of one axis is there, and of the other"
    if equal:
        assert abs(found[0]) / box[2] == pytest.approx(abs(found[1]) / box[3]), "circles are round"
    else:
        assert max(reach) == pytest.approx(1)


def assert_inside_and_apart(layout: dict[str, Any]) -> None:
    boxes = {name: panel["box"] for name, panel in layout["panels"].items()}
    for name, (left, top, wide, high) in boxes.items():
        assert wide > 4 and high > 4 and left >= 0 and top >= 0, name
        assert left + wide <= layout["width"] and top + high <= layout["height"], name
        for x, y, w, h in (box for other, box in boxes.items() if other != name):
            assert left + wide <= x or x + w <= left or top + high <= y or y + h <= top, name


@pytest.mark.parametrize("make", EXPLORERS, ids=lambda make: make.name)
def test_on_a_phone_panels_are_on_pages_with_the_hero_first(
    make: type[Explorer],
) -> None:
    said = asked(make, LIGHT, [(390, 439), (390, None), (390, 200)])
    layout, column, low = said["laid"]
    panels = said["stage"]["panels"]
    large = {name for name, panel in panels.items() if panel["box"][2] >= 40}  # the others are colour keys
    heroes = {name for name, panel in panels.items() if panel["hero"]}
    named = [name for page in layout["pages"] for name in page]
    assert sorted(named) == sorted(large) and set(named[: len(heroes)]) == heroes
    assert layout["height"] <= 439 and layout["width"] == 390 * len(layout["pages"])
    assert column["pages"] == [named], "where nothing limits its height, all stand on one page"
    assert len(low["pages"]) >= len(layout["pages"]) and low["height"] < layout["height"]
    for name in heroes & {each for each in large if panels[each]["box"][2] == panels[each]["box"][3]}:
        _, _, wide, high = layout["panels"][name]["box"]
        assert wide == pytest.approx(high), "a square stays one"
        assert wide > 200
