"""A link restores an explorer, and nothing in a link is trusted."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc_lessons import choices
from posenc_lessons.explorers import EXPLORERS, RotationExplorer
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.links import LONGEST_LINK, Request, follow, made_with, read_link, write_link
from posenc_lessons.figures.theme import THEMES
from tests.explorers.values import random_value

NAMES = [explorer.name for explorer in EXPLORERS]


def test_every_explorer_has_its_own_name() -> None:
    assert len(set(NAMES)) == len(EXPLORERS)
    assert all(name.isidentifier() for name in NAMES)


def test_a_link_has_only_changed_settings() -> None:
    explorer = RotationExplorer()
    assert write_link(explorer, "zh") == "explorer=rotation&lang=zh"
    explorer.controls["m"].value = 7
    explorer.controls["locked"].value = True
    assert write_link(explorer, "en") == "explorer=rotation&lang=en&m=7&locked=1"


def test_a_link_names_the_theme_unless_it_is_light() -> None:
    explorer = RotationExplorer()
    explorer.theme = THEMES["projector"]
    assert write_link(explorer, "zh") == "explorer=rotation&lang=zh&mode=projector"
    assert read_link("explorer=rotation&mode=dark", NAMES).mode == "dark"
    assert read_link("explorer=rotation", NAMES).mode is None


@pytest.mark.parametrize("make", EXPLORERS, ids=lambda make: make.__name__)
def test_a_link_restores_an_explorer(make: type[Explorer]) -> None:
    before, after = make(), make()
    chance = random.Random(4)
    for name, control in before.controls.items():
        if name not in make.not_in_links:
            control.value = random_value(control, chance, ["a&b=c #50% 中文 ？"])
    asked = read_link(write_link(before, "zh"), NAMES)
    assert asked.explorer == make.name and asked.language == "zh" and asked.problems == ()
    assert follow(after, asked.values) == ()
    for name, value in before.parameters().items():
        assert after.parameters()[name] == pytest.approx(value), name
    before.close()
    after.close()


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("explorer=nonsense&m=3", "explorer=nonsense"),
        ("lang=fr", "lang=fr"),
        ("mode=<i>", "mode=<i>"),
        ("explorer=rotation&lang=<b>", "lang=<b>"),
        ("&".join(f"a{n}=1" for n in range(60)), "a0=1&a1=1"),
        ("explorer=%ff%fe", "explorer=%ff"),
        ("m=" + "3" * LONGEST_LINK, str(LONGEST_LINK)),
    ],
)
def test_settings_that_a_link_cannot_set_are_named(query: str, named: str) -> None:
    asked = read_link(query, NAMES)
    assert len(asked.problems) == 1
    assert named in asked.problems[0].zh and named in asked.problems[0].en
    assert asked.mode is None and asked.language is None


def test_made_with_leaves_out_the_device(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choices, "available_devices", lambda: ["cpu", "meta"])
    explorer = RotationExplorer(m=9, device="meta")
    assert made_with(explorer) == {"m": 9}


def test_an_empty_address_sets_nothing() -> None:
    assert read_link("", NAMES) == Request()
    assert read_link("m=5&utm_source=mail", NAMES).values == {}, "of no explorer"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("m", "five"),
        ("m", "1.5"),
        ("m", ""),
        ("base", "nan"),
        ("base", "inf"),
        ("base", "1e999"),
        ("pairing", "in_threes"),
        ("locked", "yes"),
        ("device", "cuda"),
        ("_initial", "1"),
        ("m" * 200, "1"),
    ],
)
def test_an_invalid_value_in_a_link_is_named_and_the_rest_followed(name: str, text: str) -> None:
    explorer = RotationExplorer()
    before = explorer.parameters()
    (problem,) = follow(explorer, {name: text, "n": "11"})
    assert name[:40] in problem.en and text in problem.zh
    assert explorer.parameters() == {**before, "n": 11}
    explorer.close()


@pytest.fixture(scope="module")
def rotation() -> Iterator[RotationExplorer]:
    explorer = RotationExplorer()
    yield explorer
    explorer.close()


@settings(max_examples=20, deadline=None)
@given(m=st.integers(-(10**30), 10**30), d=st.integers(-99, 999), base=st.floats(-1e300, 1e300))
def test_numbers_stay_within_their_sliders(rotation: RotationExplorer, m: int, d: int, base: float) -> None:
    explorer = rotation
    follow(explorer, {"m": str(m), "d": str(d), "base": repr(base)})
    for name in ("m", "d"):
        slider = explorer.controls[name]
        assert slider.min <= slider.value <= slider.max
        assert (slider.value - slider.min) % slider.step == 0
    assert 10**0.05 * 0.999 <= explorer.controls["base"].value <= 10**6 * 1.001
    assert explorer.message is None
