"""The induction models answer what they were trained for, and one of them forms a sink."""

from __future__ import annotations

import pytest
import torch

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


def test_at_new_letters_attention_goes_to_the_start_or_the_sink() -> None:
    texts = fresh_texts(32)
    new = answers(texts)[0] == NOTHING
    new[:, :WINDOW] = False
    with torch.no_grad():
        to_start = trained("rotary")(texts, need_weights=True)[1][1][:, 0, :, 0]
        mask = window_mask(LENGTH + 1, WINDOW)
        to_sink = 1 - trained("sink")(texts, mask=mask, need_weights=True)[1][1][:, 0].sum(dim=-1)
    assert to_start[new].mean() > 0.5
    assert to_sink[new].mean() > 0.9


def test_only_models_trained_with_a_window_work_without_the_start() -> None:
    texts = fresh_texts(32)
    new = answers(texts)[0] == NOTHING
    new[:, : WINDOW + 1] = False
    loss = {
        (name, first): losses(trained(name), texts, mask=window_mask(LENGTH + 1, WINDOW, first))[new].mean()
        for name in ("rotary", "windowed", "sink")
        for first in (0, 1)
    }
    assert loss["rotary", 0] > 5 > 1 > loss["rotary", 1]
    assert max(loss["windowed", 0], loss["sink", 0]) < 1
