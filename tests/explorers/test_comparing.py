"""A picture that is kept: what it shows, in which language and theme, how it is told from the present one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from posenc_lessons import language
from posenc_lessons.explorers import EXPLORERS, RaceExplorer, RotationExplorer, ShuffleExplorer
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.comparing import KEPT, NO_DIFFERENCE, KeptPicture
from posenc_lessons.figures import canvas_data
from posenc_lessons.figures.theme import DARK, LIGHT, Theme
from posenc_lessons.figures.with_theme import with_theme
from posenc_lessons.language import Language

MEETINGS: list[tuple[Language, Theme]] = [("en", LIGHT), ("zh", LIGHT), ("zh", DARK)]


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
    before = language.current()
    language.choose("en")
    yield
    language.choose(before)


def kept_by(explorer: Explorer) -> KeptPicture:
    """What is kept beside the present picture of ``explorer``."""
    _, kept = explorer._pictures.children
    assert isinstance(kept, KeptPicture)
    return kept


def names(explorer: Explorer) -> tuple[str, str]:
    """The names of the kept picture and of the present one."""
    return kept_by(explorer)._which.value, explorer._pictures._which.value


@pytest.mark.parametrize("make", EXPLORERS, ids=lambda make: make.name)
def test_what_is_kept_stays_while_settings_change_and_follows_language_and_theme(
    make: type[Explorer],
) -> None:
    explorer = make()
    parameters = explorer.parameters()
    scene = explorer.scene(parameters, explorer.compute(parameters))
    explorer._keep.value = True
    explorer.follow_try(0)
    for spoken, theme in MEETINGS:
        language.choose(spoken)
        explorer.theme = theme
        canvas, shown = kept_by(explorer).canvas, with_theme(scene, theme)
        assert (canvas.stage, canvas.axes) == (canvas_data.stage(shown, spoken), canvas_data.axes(shown))
        assert {name: getattr(canvas, name) for name in canvas_data.data(shown)} == canvas_data.data(shown)
        assert canvas.alt.startswith(KEPT.show(spoken)) and canvas.alt.endswith(scene.alt.show(spoken))
    explorer.close()
    assert canvas.comm is None


def test_names_say_in_which_settings_the_two_pictures_differ() -> None:
    explorer = RotationExplorer()
    explorer._keep.value = True
    assert NO_DIFFERENCE.en in names(explorer)[0]
    explorer.restore({"m": 7, "locked": True, "base": 1e6, "pairing": "half_split"})
    assert (
        "query at m: 5; move together (n−m stays): off; base: 10,000.0; pairing: inter" in names(explorer)[0]
    )
    assert "query at m: 7; move together (n−m stays): on; base: 1,000,000.0; pairing: " in names(explorer)[1]
    explorer.reset()
    assert NO_DIFFERENCE.en in names(explorer)[0]
    explorer.close()


def test_texts_and_several_choices_are_named_too_and_never_become_markup() -> None:
    shuffle, race = ShuffleExplorer(sentence="<b>dog</b> " * 9), RaceExplorer(encodings=("none", "rotary"))
    for explorer, changed in ((shuffle, {"sentence": "cat"}), (race, {"encodings": ()})):
        explorer._keep.value = True
        explorer.restore(changed)
    assert "sentence: “&lt;b&gt;dog&lt;/b&gt; &lt;b&gt;dog&lt;/b&gt; &lt;b…”" in names(shuffle)[0]
    assert "sentence: “cat”" in names(shuffle)[1]
    assert "encodings to train: none, RoPE" in names(race)[0]
    assert "encodings to train: none<" in names(race)[1]
    shuffle.close()
    race.close()


def test_pressed_again_it_is_gone_with_its_widgets_and_the_next_is_of_the_settings_of_then() -> None:
    explorer = ShuffleExplorer()
    explorer._keep.value = True
    first = kept_by(explorer)
    explorer._keep.value = False
    assert len(explorer._pictures.children) == 1 and first.canvas.comm is None
    explorer.controls["arrangement"].value = 1
    explorer._keep.value = True
    assert kept_by(explorer).parameters["arrangement"] == 1
    explorer.close()


def test_settings_without_a_picture_leave_what_is_kept_and_cannot_be_kept() -> None:
    explorer = ShuffleExplorer()
    explorer._keep.value = True
    explorer.controls["sentence"].value = ""
    assert explorer.message is not None
    language.choose("zh")
    assert kept_by(explorer).canvas.alt.startswith(KEPT.zh)
    explorer._keep.value = False
    explorer._keep.value = True
    assert not explorer._keep.value and len(explorer._pictures.children) == 1
    assert explorer.message is not None
    explorer.close()
