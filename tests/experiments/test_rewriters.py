"""The eight trained rewriters: what each can do."""

from __future__ import annotations

import pytest
import torch

from posenc_lessons.experiments import reverse, rewrite_date
from posenc_lessons.experiments.trained.rewriters import (
    LETTERS,
    LONGEST,
    MOST_LETTERS,
    rewriting_task,
    share_right,
    trained_rewriter,
)

SAMPLE = 200
# The least share of sources that are rewritten correctly: dates, and 3 to 10 letters reversed.
RIGHT = {
    "sinusoidal": (0.99, 0.99),
    "learned": (0.99, 0.99),
    "shaw": (0.99, 0.9),
    "t5": (0.99, 0.9),
    "alibi": (0.99, 0.0),
    "rotary": (0.99, 0.95),
    "cope": (0.99, 0.9),
}


def dates() -> list[str]:
    return rewrite_date().draw((SAMPLE, LONGEST), torch.Generator().manual_seed(5))


def letters(length: int = MOST_LETTERS, shortest: int | None = 3) -> list[str]:
    return reverse(LETTERS, shortest).draw((SAMPLE, length), torch.Generator().manual_seed(6))


@pytest.mark.parametrize("name", RIGHT)
def test_a_trained_rewriter_rewrites(name: str) -> None:
    model = trained_rewriter(name)
    assert share_right(model, dates()) >= RIGHT[name][0]
    assert share_right(model, letters()) >= RIGHT[name][1]


def test_without_positions_neither_task_works() -> None:
    assert share_right(trained_rewriter("none"), dates()) < 0.3
    assert share_right(trained_rewriter("none"), letters()) < 0.1


def test_alibi_in_an_encoder_cannot_tell_left_from_right() -> None:
    """Its penalty is the same on both sides. This is enough for dates, whose parts look different."""
    assert share_right(trained_rewriter("alibi"), dates()) > 0.99
    assert share_right(trained_rewriter("alibi"), letters()) < 0.7


def test_beyond_the_trained_length_absolute_encodings_fail() -> None:
    longer = letters(MOST_LETTERS + 2, None)
    assert share_right(trained_rewriter("sinusoidal"), longer) < 0.1
    assert share_right(trained_rewriter("learned"), longer) < 0.1
    assert share_right(trained_rewriter("cope"), longer) > 0.5


def test_a_batch_is_half_dates_and_half_letters() -> None:
    task = rewriting_task()
    (source, so_far), targets, counted = task.batch(9, LONGEST, torch.Generator().manual_seed(0))
    texts = ["".join(task.source_symbols[i - task.first_symbol] for i in row if i) for row in source.tolist()]
    assert [set(text) <= set(LETTERS) for text in texts] == [False] * 5 + [True] * 4
    for text, target, row in zip(texts, targets, so_far, strict=True):
        assert task.decode(target) == task.solve(text)
        assert row[0] == task.start
    assert torch.equal(counted, targets != task.pad)
    assert len(task.batch(1, LONGEST, torch.Generator().manual_seed(0))[1]) == 1


def test_letters_stay_small_and_dates_get_their_capitals() -> None:
    task = rewriting_task()
    assert task.tidy("  badge ") == "badge" and task.solve("badge") == "egdab"
    assert task.tidy("７ march  2024") == "7 March 2024"
    assert task.solve(task.tidy("2024年3月7日")) == "2024-03-07"
