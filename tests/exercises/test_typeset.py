"""A message begins with what is wrong; code, formulas and wrong values are set apart."""

import re

import pytest

from posenc_lessons.exercises.typeset import in_two, marked, typeset
from tests.exercises.every import every_exercise


@pytest.mark.parametrize(
    ("message", "lead", "hint"),
    [
        ("The rank is off: a full turn is 2π.", "The rank is off.", "A full turn is 2π."),
        ("Off: dim=1 is the heads.", "Off.", "dim=1 is the heads."),
        ("You took x[:, 0]; base ** 2 is right. So.", "You took x[:, 0].", "base ** 2 is right. So."),
        ("漏了 2π：转一圈是 2π。", "漏了 2π。", "转一圈是 2π。"),
        ("Only this.", "Only this.", ""),
    ],
)
def test_a_message_is_its_first_sentence_and_a_hint(message: str, lead: str, hint: str) -> None:
    assert in_two(message) == (lead, hint)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("以 √d_k 除", "以 |d|k| 除"),
        ("R_mᵀ, kθ_i, a_{n−m}", "|R|m|ᵀ, k|θ|i|, |a|n−m|"),
        ("base^(−2i/(d/2)) < 1", "base|−2i/(d/2)| &lt; 1"),
        ("layer(x)[order]，dim=-1 of [B, h, d_head]", "|layer(x)[order]|，|dim=-1| of |[B, h, d_head]|"),
        (
            "say max_len or .long(), not softmax(q kᵀ), .T.",
            "say |max_len| or |.long()|, not softmax(q kᵀ), |.T|.",
        ),
    ],
)
def test_code_and_formulas_are_set(text: str, shown: str) -> None:
    assert re.sub("(<[^>]*>)+", "|", typeset(text)) == shown


def test_wrong_values_are_marked() -> None:
    assert re.findall(">([^<]*)</mark>", marked("[[1, 5],\n [3, 9]]", "[[1, 2],\n [3, 4]]")) == ["5", "9"]
    assert marked("[1, 2]", "[3, 4]").count("<mark") == 2 and "mark" not in marked("shape [2]", "[1]")


@every_exercise
def test_the_message_for_each_mistake_is_followed_by_yours_and_right(exercise) -> None:  # type: ignore[no-untyped-def]
    for mistake in exercise.mistakes:
        said = repr(exercise.check(mistake.wrong)).splitlines()
        for language in ("你的", "应当是"), ("yours", "right"):
            assert all(any(line.startswith(f"    {label}: ") for line in said) for label in language)
