"""Where a number comes from: every card shows the number that is drawn, and its lines add up to it."""

import math
import random
import re
from collections.abc import Iterator

import numpy as np
import pytest

from posenc_lessons import language
from posenc_lessons.explorers import EXPLORERS, RotationExplorer, ShuffleExplorer
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.cards.card import Card, Mark, Step, Term, as_data, drawn, extent, said
from posenc_lessons.explorers.cards.every import CARDS, card_of
from posenc_lessons.explorers.controls import Choice, TickBox
from posenc_lessons.explorers.host import Host
from posenc_lessons.figures.scene import Arrows, Labels, Layer
from posenc_lessons.language import HAN, Text
from tests.explorers.values import random_value

CLOSE = {"rel": 2e-4, "abs": 2e-5}  # the picture's numbers are float32, the card's float64


@pytest.fixture(params=[kind for kind in EXPLORERS if kind.name in CARDS], ids=lambda kind: kind.name)
def explorer(request: pytest.FixtureRequest) -> Iterator[Explorer]:
    started = request.param()
    yield started
    started.close()


def angle_of(explorer: Explorer, mark: Mark, layer: Arrows) -> float:
    """Return the angle drawn at ``mark``: of an arrow, of a clock's hand, between a dial's two hands."""
    assert explorer.shown is not None
    (panel,) = (panel for panel in explorer.shown.panels if panel.name == mark.panel)
    up = -1 if panel.y.start > panel.y.end else 1

    across, along = layer.end[mark.column] - layer.start[mark.column]
    angle = math.degrees(math.atan2(up * along, across))
    if mark.panel == "dials":
        (key,) = (other for other in panel.layers if other.name == "key")
        assert isinstance(key, Arrows)
        across, along = key.end[mark.column] - key.start[mark.column]
        return math.degrees(math.atan2(up * along, across)) - angle
    return 90 - angle if mark.panel == "clocks" else angle  # clocks run from the top


def marks_of(explorer: Explorer, chance: random.Random) -> Iterator[tuple[Mark, Layer]]:
    """Yield the first and the last mark of every layer that can be asked about, and a few others."""
    assert explorer.shown is not None
    for panel in explorer.shown.panels:
        for layer in panel.layers:
            rows, columns = extent(layer) if layer.name in panel.asked else (0, 0)
            count = rows * columns
            numbers = (
                dict.fromkeys([0, count - 1, *chance.sample(range(count), min(5, count))]) if count else ()
            )
            for mark in (Mark(panel.name, layer.name, *divmod(at, columns)) for at in numbers):
                if not math.isnan(drawn(layer, mark)):
                    yield mark, layer


def settings_of(explorer: Explorer, chance: random.Random) -> Iterator[None]:
    """Set ``explorer`` to its start, its tries, every choice and tick, and twelve times to random values."""
    yield
    for at in range(len(explorer.tries)):
        explorer.follow_try(at)
        yield
    for control in explorer.controls.values():
        values = [value for _, value in control.options] if isinstance(control, Choice) else []
        for value in [not control.value] if isinstance(control, TickBox) else values:
            explorer.restore({**explorer.initial, control.name: value})
            yield
    for _ in range(12):
        for control in chance.sample(list(explorer.controls.values()), 3):
            control.value = random_value(control, chance)
        yield


def test_every_card_shows_the_number_that_is_drawn(explorer: Explorer) -> None:
    chance, panels = random.Random(5), set()
    for _ in settings_of(explorer, chance):
        for mark, layer in marks_of(explorer, chance) if explorer.message is None else ():
            card = card_of(explorer, mark)
            assert card is not None, mark
            assert all(place.zh and place.en for place in (card.title, *card.places))
            if isinstance(layer, Arrows):
                off = math.remainder(card.value - angle_of(explorer, mark, layer), 360)
                assert abs(off) < 0.05, (mark, explorer.parameters())
            else:
                close = (
                    {"abs": 0.051} if isinstance(layer, Labels) else CLOSE
                )  # labels have a decimal or none
                assert card.value == pytest.approx(drawn(layer, mark), **close), (mark, explorer.parameters())
            panels.add(mark.panel)
    assert panels == set(CARDS[explorer.name]), "a card that no picture asks for"


def test_cards_are_short_and_in_the_readers_language(explorer: Explorer) -> None:
    for mark, _ in marks_of(explorer, random.Random(3)):
        cards = []
        for spoken in ("zh", "en"):
            with language.shown_in(spoken):
                card = card_of(explorer, mark)
                assert card is not None
                cards.append(as_data(card))
        zh, en = cards
        assert HAN.search(zh["title"]) and not HAN.search(en["title"])
        assert len(en["lines"]) <= 13 and en["lines"][-1][3] == "total"
        assert [line[2] for line in zh["lines"]] == [line[2] for line in en["lines"]], "numbers are the same"
        for line in en["lines"]:
            assert not re.search(r"(?<![\w-])-[\d.]|nan", " ".join(line)), line


def test_a_mark_that_is_gone_has_no_card_and_no_error(explorer: Explorer) -> None:
    host = Host(explorer)
    mark, layer = next(marks_of(explorer, random.Random(0)))
    rows, columns = extent(layer)
    assert host.answer("number", ["elsewhere", layer.name, 0, 0])["card"] is None
    for row, column in ((rows, 0), (0, columns), (-1, 0), (0, -1)):
        assert host.answer("number", [mark.panel, layer.name, row, column])["card"] is None
    answer = host.answer("number", [mark.panel, mark.layer, mark.row, mark.column])
    assert answer["card"]["lines"] and host.present_view()["alert"] == ""
    assert "finite" in host.answer("number", [mark.panel, layer.name, math.nan, 0])["alert"]
    explorer.show_message(Text("坏了", "broken"))
    assert card_of(explorer, mark) is None, "the picture that shows it is hidden"


def test_a_weight_that_the_mask_hides_names_the_mask() -> None:
    card = card_of(ShuffleExplorer(causal=True, encoding="sinusoidal"), Mark("before", "weights", 1, 2))
    assert card is not None and card.value == 0 and card.sum == -math.inf
    assert card.terms[-1].name.en == "hidden by the causal mask"


def test_the_parts_of_a_score_add_up_to_it() -> None:
    explorer = RotationExplorer()
    score, *parts = (card_of(explorer, Mark("score", "here", 0, 0, pair)) for pair in range(-1, 16))
    assert score is not None
    assert math.fsum(part.value for part in parts if part) == pytest.approx(score.value)


def test_a_long_sum_is_shortened_and_still_adds_up() -> None:
    name = Text("项", "term")
    card = Card(name, (), "", terms=tuple(Term(name, (0.5, float(n))) for n in range(40)))
    assert card.sum == card.value == 390
    lines = as_data(card)["lines"]
    terms = [float(line[2].replace("−", "-")) for line in lines if line[3] == "term"]
    assert len(lines) == 6 and sum(terms) == 390 and lines[-1][2:] == ["= 390", "total"]
    assert lines[1][1] == "0.500 × 1" and lines[3][1] == "…"
    short = Card(name, (), "", before=(Step(name, "", 2.0),), terms=(Term(name, (2.0, -3.0)),))
    assert [line[1:] for line in as_data(short)["lines"]][1] == ["2 × (−3)", "−6", "term"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        *((0.0, "0"), (-0.0, "0"), (3.0, "3"), (-12.0, "−12"), (1204.0, "1,204"), (0.63, "0.630")),
        *((0.05726, "0.0573"), (-1.23456, "−1.235"), (12.3456, "12.35"), (123.456, "123.5")),
        *((12345.6, "12,346"), (0.00002134, "2.1×10⁻⁵"), (-0.0004, "−4.0×10⁻⁴"), (-math.inf, "−∞")),
    ],
)
def test_numbers_on_cards_have_about_four_digits(value: float, text: str) -> None:
    assert said(value) == text and said(np.float64(value), "°") == text + "°"
