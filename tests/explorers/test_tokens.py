"""A reader's text is cut into words, and its sentences end in the right places."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc_lessons.explorers.tokens import Token, word_tokens

PIECES = ["狗", "dog", "。", ".", "!?", "……", "3.14", "，", ",", "👩‍👩‍👧", "🇨🇳"]
PIECES += ["e\u0301", "(", "'s", "$x$", " ", "\n"]


def texts(tokens: tuple[Token, ...], which: str = "text") -> list[str]:
    """Return the texts of ``tokens``: of all, or of those that are ``which``."""
    return [token.text for token in tokens if getattr(token, which)]


@pytest.mark.parametrize(
    ("text", "words"),
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
def test_words_and_marks(text: str, words: list[str]) -> None:
    assert texts(word_tokens(text)) == words


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("3.14 kg at example.com. Go! 好。", [".", "!", "。"]),
        ("What?! Yes……", ["?!", "……"]),  # several in a row count once
    ],
)
def test_sentences_end_at_marks_outside_of_numbers_and_words(text: str, ends: list[str]) -> None:
    assert texts(word_tokens(text), "ends_sentence") == ends


def test_marks_are_no_words() -> None:
    assert texts(word_tokens("我看见 a dog, “它”跑了!"), "is_word") == [
        "我",
        "看",
        "见",
        "a",
        "dog",
        "它",
        "跑",
        "了",
    ]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_nothing_is_lost(text: str) -> None:
    assert "".join(texts(word_tokens(text))) == "".join(text.split())
