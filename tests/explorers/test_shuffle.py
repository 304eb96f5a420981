"""The shuffle explorer: how it cuts sentences, and whether its claims about order are true."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc_lessons.explorers import ShuffleExplorer
from posenc_lessons.explorers.base import Complaint
from posenc_lessons.explorers.shuffle import MOST_WORDS, OWN, arrange, words_of
from posenc_lessons.explorers.word_vectors import word_vectors


def order(explorer: ShuffleExplorer) -> list[int]:
    return list(explorer.compute(explorer.parameters())["order"])


def test_a_chinese_character_is_a_word_and_other_words_end_at_spaces() -> None:
    assert words_of("狗咬人 dog's 𠮷 👩‍👩‍👧") == ["狗", "咬", "人", "dog's", "𠮷", "👩‍👩‍👧"]
    for sentence in ("", " \n\t\u3000"):
        with pytest.raises(Complaint) as empty:
            words_of(sentence)
        assert "空" in empty.value.text.zh and "empty" in empty.value.text.en


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.sampled_from(["狗", "咬", "人", "the", "dog", "man", "🐕"]), min_size=1, max_size=MOST_WORDS),
    st.integers(0, 5),
)
def test_without_an_encoding_attention_only_moves_with_the_words(words: list[str], arrangement: int) -> None:
    places = arrange(len(words), arrangement)
    assert sorted(places) == list(range(len(words)))
    assert arrangement > 1 or places == sorted(places, reverse=arrangement == 1), "as written, and backwards"
    explorer = ShuffleExplorer(sentence=" ".join(words), arrangement=arrangement)
    arrays = explorer.compute(explorer.parameters())
    np.testing.assert_allclose(arrays["after"], arrays["before"][places][:, places], rtol=0, atol=2e-6)
    moved = places != sorted(places)
    assert ("every number is as it was" if moved else "see which numbers change") in explorer.reading.en
    explorer.close()


@pytest.mark.parametrize("settings", [{"encoding": "sinusoidal"}, {"encoding": "learned"}, {"causal": True}])
def test_an_encoding_or_a_causal_mask_lets_order_in(settings: dict[str, object]) -> None:
    explorer = ShuffleExplorer(arrangement=1, **settings)
    arrays = explorer.compute(explorer.parameters())
    places = arrays["order"]
    assert abs(arrays["after"] - arrays["before"][places][:, places]).max() > 0.05
    assert "Order has come in" in explorer.reading.en


def test_every_word_has_its_own_vector_wherever_it_stands() -> None:
    (dog, man), (again, _) = word_vectors(["dog", "人"]), word_vectors(["dog", "狗"])
    assert torch.equal(dog, again) and not torch.allclose(dog, man)
    assert torch.equal(word_vectors(["狗", "咬", "人"]), word_vectors(["dog", "bites", "man"]))


def drag(explorer: ShuffleExplorer, *places: float) -> None:
    for kind, y in zip(("press", *["drag"] * len(places)), places, strict=False):
        explorer.point("cards", 0.0, y, kind)


def test_a_word_is_dragged_to_another_place_and_the_others_make_room() -> None:
    explorer = ShuffleExplorer(sentence="a b c d e", arrangement=0)
    drag(explorer, 1.2)
    assert order(explorer) == [0, 1, 2, 3, 4], "taken and put back"
    drag(explorer, 1.2, 2.1, 3.4)
    assert order(explorer) == [0, 2, 3, 1, 4] and explorer.controls["order"].value == "1 3 4 2 5"
    drag(explorer, 4.0, -0.4)
    assert order(explorer) == [4, 0, 2, 3, 1]
    explorer.controls["arrangement"].value = 1
    assert order(explorer) == [4, 3, 2, 1, 0] and explorer.controls["order"].value == ""


def test_the_readers_order_stays_until_the_number_of_words_changes() -> None:
    explorer = ShuffleExplorer(order="3 1 2", sentence="a b c")
    assert explorer.controls["arrangement"].value == OWN
    for sentence in ("a b c", "x y z"):
        explorer.controls["sentence"].value = sentence
        assert order(explorer) == [2, 0, 1]
    explorer.controls["sentence"].value = "x y z and"
    assert explorer.controls["order"].value == "" and explorer.message is None
    assert explorer.controls["arrangement"].value == 1
    explorer.reset()
    assert order(explorer) == [2, 0, 1]


def test_an_own_order_begins_as_the_arrangement_before_and_ends_with_it() -> None:
    explorer = ShuffleExplorer(sentence="a b c", arrangement=0)
    explorer.controls["arrangement"].value = OWN
    assert explorer.controls["order"].value == "1 2 3" and explorer.controls["arrangement"].value == OWN
    explorer.controls["order"].value = ""
    assert explorer.controls["arrangement"].value == 0


@pytest.mark.parametrize("typed", ["1", "1 2 2", "0 1 2", "1 2 3 4", "c a b", "１ ２ ３"])
def test_an_invalid_order_is_a_complaint(typed: str) -> None:
    explorer = ShuffleExplorer(sentence="a b c")
    explorer.controls["order"].value = typed
    assert explorer.message is not None and "1 to 3" in explorer.message.en
    drag(explorer, 0.0, 1.0)
    explorer.controls["order"].value = "2，3, 1"
    assert explorer.message is None and order(explorer) == [1, 2, 0]
