"""The warm-up of lesson 00: its check accepts the solution and names what is wrong with the rest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from posenc_lessons.exercises.solutions.start_here import swap_ends
from posenc_lessons.exercises.start_here import check_swap_ends
from tests.exercises.naming import names

Words = list[str]


def test_other_right_answers_pass() -> None:
    def by_slices(words: Words) -> Words:
        return words[-1:] + words[1:-1] + words[:1] if len(words) > 1 else words

    assert check_swap_ends(by_slices).passed


def forgot_to_return(words: Words) -> None:
    list(words)


def test_a_function_that_returns_nothing_is_not_yet() -> None:
    assert check_swap_ends(forgot_to_return).status == "not yet"


def nothing_moved(words: Words) -> Words:
    return list(words)


def reversed_all(words: Words) -> Words:
    return words[::-1]


def first_lost(words: Words) -> Words:
    swapped = list(words)
    swapped[0] = swapped[-1]
    swapped[-1] = swapped[0]
    return swapped


def last_lost(words: Words) -> Words:
    return [*words[:-1], words[0]]


def rotated(words: Words) -> Words:
    return [*words[1:], words[0]]


def rotated_back(words: Words) -> Words:
    return [words[-1], *words[:-1]]


def first_two(words: Words) -> Words:
    return [words[1], words[0], *words[2:]]


def in_place(words: Words) -> Words:
    words[0], words[-1] = words[-1], words[0]
    return words


def one_string(words: Words) -> str:
    return " ".join(swap_ends(words))


def invented(words: Words) -> Words:
    return ["what"] * len(words)


def by_slices_forgetting_one_word(words: Words) -> Words:
    return [words[-1], *words[1:-1], words[0]]


@pytest.mark.parametrize(
    ("answer", "zh", "en"),
    [
        (nothing_moved, "什么也没换", "nothing has moved"),
        (reversed_all, "倒过来", "reversed"),
        (first_lost, "原来的第一个不见了", "old first word is lost"),
        (last_lost, "原来的最后一个不见了", "old last word is lost"),
        (rotated, "转了一格", "rotated"),
        (rotated_back, "转了一格", "rotated"),
        (first_two, "前两个词", "first two words"),
        (in_place, "复制一份", "Copy first"),
        (one_string, "列表", "list"),
        (invented, "应当是", "should be"),
        (by_slices_forgetting_one_word, "['one']", "['one']"),
    ],
)
def test_the_mistake_is_named(answer: Callable[[Words], Any], zh: str, en: str) -> None:
    names(check_swap_ends(answer), zh, en)
