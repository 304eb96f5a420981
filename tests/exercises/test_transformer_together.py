"""The decoder that lesson 07's six exercises make together."""

from __future__ import annotations

from typing import Any

from posenc_lessons.exercises.solutions import transformer as solutions
from posenc_lessons.exercises.transformer import put_together, together

PARTS = (
    solutions.split_heads,
    solutions.contributions,
    solutions.causal_padding_mask,
    solutions.add_and_norm,
    solutions.cached_step,
    solutions.greedy,
)


def test_the_solutions_together_make_a_decoder_that_writes() -> None:
    verdict = put_together(*PARTS)
    assert verdict.passed and "“facad” it made “dacaf”" in verdict.message.en


def test_each_special_token_has_its_own_number() -> None:
    others = (together.TURN, together.END, together.PAD)
    assert sorted((*range(len(together.LETTERS)), *others)) == list(range(len(together.LETTERS) + 3))


def _open(*_: Any) -> Any:
    return ...


def test_unsolved_exercises_are_named() -> None:
    verdict = put_together(PARTS[0], _open, *PARTS[2:5], _open)
    assert verdict.status == "not yet" and "Exercises 2, 6 " in verdict.message.en
