"""A reader's text is cut into words or characters, and its sentences end in the right places."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc_lessons.explorers.tokens import Token, character_tokens, word_tokens

PIECES = [
    "狗",
    "dog",
    " ",
    "。",
    ".",
    "!?",
    "……",
    "3.14",
    "，",
    ",",
    "👩‍👩‍👧",
    "🇨🇳",
    "e\u0301",
    "(",
    "'s",
    "\n",
    "$x$",
]
texts = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


def words(text: str) -> list[str]:
    return [token.text for token in word_tokens(text)]


def ends(tokens: tuple[Token, ...]) -> list[str]:
    return [token.text for token in tokens if token.ends_sentence]


def starts(tokens: tuple[Token, ...]) -> list[str]:
    return [token.text for token in tokens if token.starts_word]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("狗咬人。dog's bite!", ["狗", "咬", "人", "。", "dog's", "bite", "!"]),
        ("Really?! Yes... No……", ["Really", "?!", "Yes", "...", "No", "……"]),
        ("pi is 3.14, at 12:30", ["pi", "is", "3.14", ",", "at", "12:30"]),
        ("“他说：‘走！’”", ["“", "他", "说", "：", "‘", "走", "！", "’", "”"]),
        ("他跑了.她没跑.", ["他", "跑", "了", ".", "她", "没", "跑", "."]),
        ("a...b", ["a", "...", "b"]),
        ("👩‍👩‍👧 naïve (x)", ["👩‍👩‍👧", "naïve", "(", "x", ")"]),
        ("<b>x</b>", ["<b>x</b>"]),
        (" \t\n", []),
    ],
)
def test_words_and_marks(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_a_point_inside_a_number_or_a_word_ends_no_sentence() -> None:
    text = "3.14 kg at example.com. Go! 好。"
    assert ends(word_tokens(text)) == [".", "!", "。"]
    assert ends(character_tokens(text)) == [".", "!", "。"]


def test_several_sentence_ends_in_a_row_count_once() -> None:
    assert ends(word_tokens("What?! Yes……")) == ["?!", "……"]
    assert ends(character_tokens("What?! Yes……")) == ["!", "…"], "the last of them"


def test_words_start_at_the_same_places_in_both_units() -> None:
    text = "我看见 a dog, “它”跑了!"
    assert starts(word_tokens(text)) == ["我", "看", "见", "a", "dog", "它", "跑", "了"]
    assert starts(character_tokens(text)) == ["我", "看", "见", "a", "d", "它", "跑", "了"]


def test_a_character_is_what_a_reader_sees_as_one() -> None:
    characters = [token.text for token in character_tokens("é e\u0301 👩‍👩‍👧🇨🇳👍🏽 ❤️")]
    assert characters == ["é", " ", "e\u0301", " ", "👩‍👩‍👧", "🇨🇳", "👍🏽", " ", "❤️"]


@settings(max_examples=200, deadline=None)
@given(texts)
def test_nothing_is_lost_and_both_units_agree(text: str) -> None:
    assert "".join(token.text for token in character_tokens(text)) == text
    assert "".join(words(text)) == "".join(text.split())
    in_words, in_characters = word_tokens(text), character_tokens(text)
    assert len(ends(in_words)) == len(ends(in_characters))
    assert len(starts(in_words)) == len(starts(in_characters))
