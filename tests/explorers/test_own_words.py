"""A reader's own sentence in the distance and rotation explorers: words at positions, and what is refused."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc_lessons.explorers import DistanceExplorer, RotationExplorer
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.distance import LONGEST
from posenc_lessons.explorers.links import follow, read_link, write_link
from posenc_lessons.explorers.rotation import MOST_WORDS, angle_between
from posenc_lessons.explorers.rotation_words import query_and_key
from posenc_lessons.figures.rotation import WORDS
from posenc_lessons.figures.scene import Labels, Panel, Scene
from posenc_lessons.figures.words import placed_words, position_ticks, word_at, words_panel

MIXED = "狗追 the cat 👩‍👩‍👧"


def panel(scene: Scene | None, name: str) -> Panel:
    assert scene is not None
    return next(panel for panel in scene.panels if panel.name == name)


def labels(panel: Panel) -> dict[str, tuple[str, ...]]:
    """Return the texts of the panel's labels by the name of their layer."""
    return {layer.name: layer.texts for layer in panel.layers if isinstance(layer, Labels)}


@pytest.mark.parametrize(("make", "most"), [(DistanceExplorer, LONGEST), (RotationExplorer, MOST_WORDS)])
def test_a_sentence_is_in_the_link_and_one_too_long_is_refused(make: type[Explorer], most: int) -> None:
    explorer = make()
    explorer.controls["sentence"].value = MIXED
    assert explorer.message is None
    again = make()
    assert follow(again, read_link(write_link(explorer, "en"), [make.name]).values) == ()
    assert again.controls["sentence"].value == MIXED
    typed = "word " * 500
    explorer.controls["sentence"].value = typed
    assert explorer.message is not None and explorer.hides_picture
    assert all("500" in said and str(most) in said for said in (explorer.message.zh, explorer.message.en))
    assert explorer.controls["sentence"].value == typed
    for fits in ("word " * most, "", " \u3000\n"):
        explorer.controls["sentence"].value = fits
        assert explorer.message is None


def test_the_matrix_has_the_size_of_the_sentence_unless_a_slider_is_larger() -> None:
    explorer = DistanceExplorer()
    explorer.controls["sentence"].value = MIXED
    assert (explorer.controls["len_q"].value, explorer.controls["len_k"].value) == (5, 5)
    explorer.controls["len_k"].value = 7
    matrix = panel(explorer.shown, "matrix")
    assert [label for _, label in matrix.x.shown_ticks()] == [
        *("0 狗", "1 追", "2 the", "3 cat", "4 👩‍👩‍👧", "5", "6"),
    ]
    assert len(matrix.y.shown_ticks()) == 5
    explorer.controls["sentence"].value = "狗追 a cat 👩‍👩‍👧"  # other words, as many
    assert explorer.controls["len_k"].value == 7
    explorer.restore({"query": 0, "key": 6})
    assert "i = 0 “狗”" in explorer.reading.en and "j = 6:" in explorer.reading.en


def test_the_arrows_are_the_words_at_their_positions() -> None:
    explorer = RotationExplorer(sentence="the dog bites the man", m=0, n=3, vectors=2)
    assert labels(panel(explorer.shown, "plane")) == {"q": ("the",), "k": ("the",)}
    first = explorer.compute(explorer.parameters())
    explorer.controls["m"].value = 3
    here = explorer.compute(explorer.parameters())
    np.testing.assert_array_equal(first["query"], here["query"])  # the same word, wherever it stands
    assert not np.allclose(first["turned_query"], here["turned_query"])
    explorer.controls["m"].value = 1
    assert not np.allclose(explorer.compute(explorer.parameters())["query"], here["query"])
    assert "“dog”" in explorer.reading.zh and "“dog”" in explorer.reading.en
    explorer.controls["n"].value = 90
    assert labels(panel(explorer.shown, "plane"))["k"] == ("k",)
    assert "beyond the sentence" in explorer.reading.en and "在句子之外" in explorer.reading.zh
    outside = explorer.compute({**explorer.parameters(), "sentence": ""})
    np.testing.assert_array_equal(outside["key"], explorer.compute(explorer.parameters())["key"])


def test_a_press_on_a_word_moves_the_nearer_position() -> None:
    explorer = RotationExplorer(sentence="a b c d e f", m=0, n=5)
    words = "abcdef"
    at = {each.which: each.middle for each in placed_words(words, 0, 5, WORDS[2])}
    explorer.point("words", at[2], 0.5)
    assert (explorer.controls["m"].value, explorer.controls["n"].value) == (2, 5)
    explorer.point("words", at[4], 0.5)
    assert (explorer.controls["m"].value, explorer.controls["n"].value) == (2, 4)
    explorer.controls["locked"].value = True
    explorer.point("words", at[0], 0.5)
    assert (explorer.controls["m"].value, explorer.controls["n"].value) == (0, 2)


def test_an_angle_above_half_a_circle_is_given_in_both_ways() -> None:
    explorer = RotationExplorer(m=0, n=1)
    for n in range(1, 60):
        explorer.controls["n"].value = n
        numbers = explorer.compute(explorer.parameters())
        pair = explorer.controls["pair"].value
        turn = math.degrees(numbers["key_angles"][pair] - numbers["query_angles"][pair])
        total = angle_between(numbers["query"], numbers["key"]) + turn
        assert ("same direction" in explorer.reading.en) == (abs(total) > 180)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.sampled_from(["狗", "dog", "extraordinarily", "a"]), min_size=1, max_size=60),
    st.integers(0, 90),
    st.integers(0, 90),
)
def test_words_in_a_row_do_not_overlap_and_show_the_query(words: list[str], m: int, n: int) -> None:
    room = 300.0
    placed = placed_words(words, m, n, room)
    assert all(0 <= each.middle <= room for each in placed)
    assert all(b.which == a.which + 1 and b.middle - a.middle > 12 for a, b in itertools.pairwise(placed))
    there = {each.which for each in placed}
    assert m >= len(words) or m in there
    assert all(word_at(words, m, n, room, each.middle) == each.which for each in placed)
    shown = labels(words_panel(words, m, n, (0, 0, room, 32)))
    assert len(shown["positions"]) == len(placed)
    assert bool(shown["key_word"]) == (n in there)


def test_ticks_beyond_the_words_are_numbers_and_are_thinned() -> None:
    assert position_ticks(["a", "b"], 3) == ((0.0, "0 a"), (1.0, "1 b"), (2.0, "2"))
    assert position_ticks(["a", "b"], 1) == ((0.0, "0 a"),)
    assert len(position_ticks(["猫"] * 64, 64)) <= 18


def test_a_words_query_and_key_depend_only_on_word_and_seed() -> None:
    assert query_and_key("dog", "狗", 0, 8).tolist() == query_and_key("dog", "狗", 0, 8).tolist()
    assert query_and_key("dog", "狗", 0, 8)[0].tolist() != query_and_key("dog", "狗", 1, 8)[0].tolist()
    assert query_and_key("dog", None, 3, 8)[1].tolist() == query_and_key(None, None, 3, 8)[1].tolist()
