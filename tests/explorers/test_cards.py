"""Where a number comes from: every card shows the number that is drawn, and its lines add up to it."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterator

import numpy as np
import pytest

from posenc_lessons import language
from posenc_lessons.explorers import EXPLORERS
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.cards.card import Card, Mark, Step, Term, as_data, drawn, extent, said
from posenc_lessons.explorers.cards.finding import CARDS, card_of
from posenc_lessons.explorers.controls import Choice
from posenc_lessons.explorers.host import Host
from posenc_lessons.figures.scene import Arrows, Layer, Scene
from posenc_lessons.language import Text
from tests.explorers.values import random_value

SETTINGS, MARKS = 12, 5  # random settings of each explorer, and marks of each layer
CLOSE = {"rel": 2e-4, "abs": 2e-5}  # the picture's numbers are float32, the card's float64


def angle(layer: Arrows, at: int, down: bool) -> float:
    """Return the angle of an arrow, degrees anticlockwise; ``down``: the y axis points down."""
    across, up = layer.end[at] - layer.start[at]
    return math.degrees(math.atan2(-up if down else up, across))


def agrees(explorer: Explorer, mark: Mark, layer: Layer, card: Card) -> bool:
    if isinstance(layer, Arrows):
        return agrees_with_arrow(explorer, mark, layer, card)
    return card.value == pytest.approx(drawn(layer, mark), **CLOSE)


def agrees_with_arrow(explorer: Explorer, mark: Mark, layer: Arrows, card: Card) -> bool:
    """Compare a card's angle with the arrow, or with the angle between the two hands of its dial."""
    assert explorer.shown is not None
    (panel,) = (panel for panel in explorer.shown.panels if panel.name == mark.panel)
    down = panel.y.start > panel.y.end
    shown = angle(layer, mark.column, down)
    if mark.panel == "dials":
        (key,) = (each for each in panel.layers if each.name == "key")
        assert isinstance(key, Arrows)
        shown = angle(key, mark.column, down) - shown
    if mark.panel == "clocks":  # clockwise from the top
        shown = 90 - shown
    return abs(math.remainder(card.value - shown, 360)) < 0.05


def asked_layers(scene: Scene) -> Iterator[tuple[str, Layer]]:
    for panel in scene.panels:
        for layer in panel.layers:
            if layer.name in panel.asked:
                yield panel.name, layer


def marks_of(explorer: Explorer, chance: random.Random) -> Iterator[tuple[Mark, Layer]]:
    """Yield some marks of every layer that can be asked about: the first, the last and others."""
    assert explorer.shown is not None
    for panel, layer in asked_layers(explorer.shown):
        rows, columns = extent(layer)
        there = [
            mark
            for row in range(rows)
            for column in range(columns)
            if not math.isnan(drawn(layer, mark := Mark(panel, layer.name, row, column)))
        ]
        chosen = chance.sample(there, min(MARKS, len(there)))
        for mark in dict.fromkeys([*there[:1], *there[-1:], *chosen]):
            yield mark, layer


def settings_of(explorer: Explorer, chance: random.Random) -> Iterator[None]:
    """Set ``explorer`` to its start, to its tries, to every choice, and to random values."""
    yield
    for at in range(len(explorer.tries)):
        explorer.follow_try(at)
        yield
    explorer.reset()
    for control in explorer.controls.values():
        if isinstance(control, Choice) and control.name != "device" and not isinstance(control.value, tuple):
            for _, value in control.options:
                control.value = value
                yield
            explorer.reset()
    for _ in range(SETTINGS):
        for control in chance.sample(list(explorer.controls.values()), 3):
            control.value = random_value(control, chance)
        yield


@pytest.fixture(params=[kind for kind in EXPLORERS if kind.name in CARDS], ids=lambda kind: kind.name)
def explorer(request: pytest.FixtureRequest) -> Iterator[Explorer]:
    made = request.param()
    yield made
    made.close()


def test_every_card_shows_the_number_that_is_drawn(explorer: Explorer) -> None:
    chance = random.Random(5)
    seen = set()
    for _ in settings_of(explorer, chance):
        if explorer.message is not None:
            continue
        for mark, layer in marks_of(explorer, chance):
            card = card_of(explorer, mark)
            assert card is not None, mark
            assert agrees(explorer, mark, layer, card), (
                mark,
                drawn(layer, mark),
                card.value,
                explorer.parameters(),
            )
            assert all(place.zh and place.en for place in (card.title, *card.places))
            seen.add(mark.panel)
    assert seen == set(CARDS[explorer.name]), "a card that no picture asks for"


def test_cards_are_short_and_in_the_readers_language(explorer: Explorer) -> None:
    chance = random.Random(3)
    for mark, _ in marks_of(explorer, chance):
        said_in = {}
        for spoken in ("zh", "en"):
            with language.shown_in(spoken):
                card = card_of(explorer, mark)
                assert card is not None
                said_in[spoken] = as_data(card)
        zh, en = said_in["zh"], said_in["en"]
        assert zh["title"] != en["title"] and len(zh["lines"]) == len(en["lines"]) <= 13
        assert [line[2] for line in zh["lines"]] == [line[2] for line in en["lines"]], "numbers are the same"
        assert not re.search(r"[一-鿿]", en["title"]) and en["lines"][-1][3] == "total"
        for line in en["lines"]:
            assert not re.search(r"(?<![\w-])-[\d.]|nan", " ".join(line)), line


def test_a_mark_that_is_gone_has_no_card_and_no_error(explorer: Explorer) -> None:
    host = Host(explorer)
    assert explorer.shown is not None
    panel, layer = next(asked_layers(explorer.shown))
    rows, columns = extent(layer)
    assert host.answer("number", ["elsewhere", layer.name, 0, 0])["card"] is None
    for row, column in ((rows, 0), (0, columns), (-1, 0), (0, -1)):
        assert host.answer("number", [panel, layer.name, row, column])["card"] is None
    there = next(mark for mark, _ in marks_of(explorer, random.Random(0)) if mark.panel == panel)
    answer = host.answer("number", [panel, there.layer, there.row, there.column])
    assert answer["card"]["lines"] and host.present_view()["alert"] == ""
    assert "finite" in host.answer("number", [panel, layer.name, math.nan, 0])["alert"]
    explorer.show_message(Text("坏了", "broken"))
    assert card_of(explorer, there) is None, "the picture that shows it is hidden"


def test_a_long_sum_is_shortened_and_still_adds_up() -> None:
    name = Text("项", "term")
    card = Card(name, (), "", terms=tuple(Term(name, (0.5, float(n))) for n in range(40)))
    assert card.sum == card.value == 390
    lines = as_data(card)["lines"]
    shown = [float(line[2].replace("−", "-")) for line in lines if line[3] == "term"]
    assert len(lines) == 8 and sum(shown) == 390 and lines[-1][2:] == ["= 390", "total"]
    assert lines[1][1] == "0.500 × 1" and lines[4][1] == "…"
    short = Card(name, (), "", before=(Step(name, "", 2.0),), terms=(Term(name, (2.0, -3.0)),))
    assert [line[1:] for line in as_data(short)["lines"]][1] == ["2 × (−3)", "−6", "term"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        *(
            (0.0, "0"),
            (-0.0, "0"),
            (3.0, "3"),
            (-12.0, "−12"),
            (1204.0, "1,204"),
            (0.63, "0.630"),
            (0.05726, "0.0573"),
        ),
        *((-1.23456, "−1.235"), (12.3456, "12.35"), (123.456, "123.5"), (12345.6, "12,346")),
        *((0.00002134, "2.1×10⁻⁵"), (-0.0004, "−4.0×10⁻⁴"), (math.inf, "∞"), (-math.inf, "−∞")),
    ],
)
def test_numbers_on_cards_have_about_four_digits(value: float, text: str) -> None:
    assert said(value) == text
    assert said(np.float64(value), "°") == text + "°"
