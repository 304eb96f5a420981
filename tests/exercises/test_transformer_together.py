"""The decoder that lesson 07's six exercises make together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

from posenc_lessons.exercises.solutions import transformer as solutions
from posenc_lessons.exercises.transformer import check_greedy, put_together, together

PARTS = (
    solutions.split_heads,
    solutions.contributions,
    solutions.causal_padding_mask,
    solutions.add_and_norm,
    solutions.cached_step,
    solutions.greedy,
)


@pytest.mark.sweep
def test_the_solutions_together_make_a_decoder_that_writes() -> None:
    verdict = put_together(*PARTS)
    assert verdict.passed and "“facad” it made “dacaf”" in verdict.message.en


def test_each_special_token_has_its_own_number() -> None:
    others = (together.TURN, together.END, together.PAD)
    assert sorted((*range(len(together.LETTERS)), *others)) == list(range(len(together.LETTERS) + 3))


@pytest.mark.parametrize("kind", [tuple, torch.LongTensor, lambda tokens: torch.LongTensor([tokens])])
def test_tokens_may_come_in_a_tuple_or_a_tensor_with_or_without_a_batch(kind: Callable[..., Any]) -> None:
    verdict = check_greedy(lambda *given: kind(solutions.greedy(*given)))
    assert verdict.passed, verdict


def _open(*_: Any) -> Any:
    return ...


def test_unsolved_exercises_are_named() -> None:
    verdict = put_together(PARTS[0], _open, *PARTS[2:5], _open)
    assert verdict.status == "not yet" and "Exercises 2, 6 " in verdict.message.en
