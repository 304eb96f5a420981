"""The induction models answer what they were trained for, and one of them forms a sink."""

from __future__ import annotations

import pytest

from posenc_lessons.experiments.trained import induction
from posenc_lessons.experiments.trained.induction import (
    LENGTH,
    NOTHING,
    START,
    WINDOW,
    answers,
    encode,
    fresh_texts,
    losses,
    window_mask,
)
from posenc_lessons.experiments.trained.induction import trained_induction as trained


def test_the_right_answers_for_banana() -> None:
    right, counted = answers(encode("banana")[None])
    n, a = (induction.LETTERS.index(letter) for letter in "na")
    assert right[0, 1:].tolist() == [NOTHING, NOTHING, NOTHING, n, a, n]
    assert counted.tolist() == [[False, *[True] * 6]]


def test_texts_begin_with_the_start_token_and_repeat_letters() -> None:
    texts = fresh_texts(64)
    assert (texts[:, 0] == START).all() and texts[:, 1:].max() < START
    right, _ = answers(texts)
    assert 0.4 < (right[:, 20:] != NOTHING).float().mean() < 0.95


@pytest.mark.parametrize(
    ("name", "most"), [("rotary", 0.003), ("learned", 0.12), ("windowed", 0.4), ("sink", 0.4)]
)
def test_models_are_as_accurate_as_their_description_says(name: str, most: float) -> None:
    mask = window_mask(LENGTH + 1, WINDOW) if name in ("windowed", "sink") else None
    assert losses(trained(name), fresh_texts(), mask=mask).nanmean() < most
