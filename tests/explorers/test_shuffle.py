"""The shuffle explorer: how it cuts sentences, and whether its claims about order are true."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc_lessons.explorers import ShuffleExplorer
from posenc_lessons.explorers.base import Complaint
from posenc_lessons.explorers.shuffle import (
    ENCODINGS,
    MOST_WORDS,
    arrange,
    random_attention,
    word_vectors,
    words_of,
)


def test_a_chinese_character_is_a_word_and_other_words_end_at_spaces() -> None:
    assert words_of("狗咬人 dog's 𠮷 👩‍👩‍👧") == ["狗", "咬", "人", "dog's", "𠮷", "👩‍👩‍👧"]


@pytest.mark.parametrize("sentence", ["", " \n\t ", "\u3000"])
def test_an_empty_sentence_is_a_complaint_in_both_languages(sentence: str) -> None:
    with pytest.raises(Complaint) as caught:
        words_of(sentence)
    assert "空" in caught.value.text.zh and "empty" in caught.value.text.en


def test_too_long_a_sentence_is_refused_with_its_length_and_kept() -> None:
    explorer = ShuffleExplorer()
    typed = "word " * 500
    explorer.controls["sentence"].value = typed
    assert explorer.message is not None
    assert "500" in explorer.message.en and str(MOST_WORDS) in explorer.message.zh
    assert explorer.controls["sentence"].value == typed
    explorer.controls["sentence"].value = "word " * MOST_WORDS
    assert explorer.message is None


@given(st.integers(1, MOST_WORDS), st.integers(0, 24))
def test_every_arrangement_is_a_permutation(n_words: int, arrangement: int) -> None:
    assert sorted(arrange(n_words, arrangement)) == list(range(n_words))


def test_the_first_two_arrangements_are_as_written_and_backwards() -> None:
    assert arrange(4, 0) == [0, 1, 2, 3]
    assert arrange(4, 1) == [3, 2, 1, 0]


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.sampled_from(["狗", "咬", "人", "the", "dog", "man", "🐕"]), min_size=1, max_size=MOST_WORDS),
    st.integers(0, 24),
)
def test_without_an_encoding_attention_only_moves_with_the_words(words: list[str], arrangement: int) -> None:
    order = arrange(len(words), arrangement)
    vectors = word_vectors(words)
    attention = random_attention("none", "cpu")
    with torch.no_grad():
        _, weights = attention(torch.stack([vectors, vectors[order]]), need_weights=True)
    torch.testing.assert_close(weights[1, 0], weights[0, 0][order][:, order], rtol=0, atol=2e-6)


@pytest.mark.parametrize("encoding", [name for name in ENCODINGS if name != "none"])
def test_with_an_encoding_attention_also_changes(encoding: str) -> None:
    explorer = ShuffleExplorer(encoding=encoding, arrangement=1)
    parameters = explorer.parameters()
    arrays = explorer.compute(parameters)
    order = arrays["order"]
    assert abs(arrays["after"] - arrays["before"][order][:, order]).max() > 0.05
    assert "Order has come in" in explorer.caption(parameters, arrays).en


def test_a_causal_mask_by_itself_gives_some_order() -> None:
    explorer = ShuffleExplorer(causal=True, arrangement=1)
    parameters = explorer.parameters()
    assert "Order has come in" in explorer.caption(parameters, explorer.compute(parameters)).en


def test_the_same_word_has_the_same_vector_everywhere() -> None:
    torch.testing.assert_close(word_vectors(["dog", "人"])[0], word_vectors(["人", "dog"])[1], rtol=0, atol=0)


def test_making_an_explorer_keeps_the_learners_random_state() -> None:
    torch.manual_seed(0)
    expected = torch.rand(3)
    torch.manual_seed(0)
    random_attention.cache_clear()
    ShuffleExplorer(encoding="learned")
    assert torch.equal(torch.rand(3), expected)


def drag(explorer: ShuffleExplorer, *places: float) -> None:
    for kind, x in zip(("press", *["drag"] * len(places)), places, strict=False):
        explorer.point("cards", x, 0.0, kind)


def order(explorer: ShuffleExplorer) -> list[int]:
    return list(explorer.compute(explorer.parameters())["order"])


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
    explorer.close()


def test_the_readers_order_stays_until_the_number_of_words_changes() -> None:
    explorer = ShuffleExplorer(order="3 1 2", sentence="a b c", arrangement=5)
    assert order(explorer) == [2, 0, 1]
    explorer.controls["sentence"].value = "x y z"
    assert order(explorer) == [2, 0, 1]
    explorer.controls["sentence"].value = "x y z and"
    assert explorer.controls["order"].value == "" and explorer.message is None
    explorer.reset()
    assert order(explorer) == [2, 0, 1] and explorer.controls["arrangement"].value == 5
    explorer.close()


@pytest.mark.parametrize("typed", ["1", "1 2 2", "0 1 2", "1 2 3 4", "c a b", "１ ２ ３"])
def test_an_invalid_order_is_a_complaint(typed: str) -> None:
    explorer = ShuffleExplorer(sentence="a b c")
    explorer.controls["order"].value = typed
    assert explorer.message is not None and "1 to 3" in explorer.message.en
    drag(explorer, 0.0, 1.0)
    explorer.controls["order"].value = "2，3, 1"
    assert explorer.message is None and order(explorer) == [1, 2, 0]
    explorer.close()
