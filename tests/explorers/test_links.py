"""A link names what changed, and nothing in a link is trusted."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc_lessons.explorers import EXPLORERS, RotationExplorer
from posenc_lessons.explorers.links import LONGEST_LINK, follow, made_with, read_link, write_link
from posenc_lessons.figures.theme import THEMES

NAMES = [explorer.name for explorer in EXPLORERS]


def test_a_link_has_only_changed_settings_and_a_theme_that_is_not_light() -> None:
    explorer = RotationExplorer()
    assert write_link(explorer, "zh") == "explorer=rotation&lang=zh"
    explorer.restore({"m": 7, "locked": True})
    assert write_link(explorer, "en") == "explorer=rotation&lang=en&m=7&locked=1"
    explorer.theme = THEMES["projector"]
    assert write_link(explorer, "en") == "explorer=rotation&lang=en&mode=projector&m=7&locked=1"
    assert read_link("explorer=rotation&mode=dark", NAMES).mode == "dark"
    assert read_link("explorer=rotation", NAMES).mode is None


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
    request = read_link(query, NAMES)
    (problem,) = request.problems
    assert named in problem.zh and named in problem.en
    assert request.mode is None and request.language is None


def test_made_with_names_only_what_is_not_the_default() -> None:
    assert made_with(RotationExplorer(m=9, n=9)) == {"m": 9}


def test_a_link_that_names_no_explorer_sets_nothing() -> None:
    assert read_link("m=5&utm_source=mail", NAMES).values == {}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        *(("m", text) for text in ("five", "1.5", "")),
        *(("base", text) for text in ("nan", "inf", "1e999")),
        ("pairing", "in_threes"),
        ("locked", "yes"),
        ("_initial", "1"),
        ("m" * 200, "1"),
    ],
)
def test_an_invalid_value_in_a_link_is_named_and_the_rest_followed(name: str, text: str) -> None:
    explorer = RotationExplorer()
    values = explorer.parameters()
    (problem,) = follow(explorer, {name: text, "n": "11"})
    assert name[:40] in problem.en and text in problem.zh
    assert explorer.parameters() == {**values, "n": 11}


@settings(max_examples=20, deadline=None)
@given(m=st.integers(-(10**30), 10**30), d=st.integers(-99, 999), base=st.floats(-1e300, 1e300))
def test_numbers_stay_within_their_sliders(m: int, d: int, base: float) -> None:
    explorer = RotationExplorer()
    follow(explorer, {"m": str(m), "d": str(d), "base": repr(base)})
    for slider in (explorer.slider("m"), explorer.slider("d")):
        assert slider.min <= slider.value <= slider.max and (slider.value - slider.min) % slider.step == 0
    assert 10**0.05 * 0.999 <= explorer.controls["base"].value <= 10**6 * 1.001
    assert explorer.message is None
    explorer.close()
