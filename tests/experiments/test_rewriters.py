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
    trained_rewriter,
)
from posenc_lessons.models import Seq2Seq, translate

SAMPLE = 200
# The least and the largest share of sources rewritten correctly: dates, and 3 to 10 letters reversed.
# ALiBi's penalty is the same on both sides, which is enough for dates, whose parts look different.
SHARES = {
    "none": ((0, 0.3), (0, 0.1)),
    "sinusoidal": ((0.99, 1), (0.99, 1)),
    "learned": ((0.99, 1), (0.99, 1)),
    "shaw": ((0.99, 1), (0.9, 1)),
    "t5": ((0.99, 1), (0.9, 1)),
    "alibi": ((0.99, 1), (0, 0.7)),
    "rotary": ((0.99, 1), (0.95, 1)),
    "cope": ((0.99, 1), (0.9, 1)),
}


def share_right(model: Seq2Seq, sources: list[str]) -> float:
    """Return the share of ``sources`` that the model rewrites without a mistake (no teacher forcing)."""
    task = rewriting_task()
    longest = max(map(len, sources))
    tokens = torch.stack([task.encode(source, longest) for source in sources])
    most = max(len(task.solve(source)) for source in sources) + 1
    written = translate(model, tokens, task.start, task.end, most, tokens != task.pad)
    pairs = zip(written, sources, strict=True)
    return sum(task.decode(answer) == task.solve(source) for answer, source in pairs) / len(sources)


def dates() -> list[str]:
    return rewrite_date().draw((SAMPLE, LONGEST), torch.Generator().manual_seed(5))


def letters(length: int = MOST_LETTERS, shortest: int | None = 3) -> list[str]:
    return reverse(LETTERS, shortest).draw((SAMPLE, length), torch.Generator().manual_seed(6))


@pytest.mark.parametrize("name", SHARES)
def test_a_trained_rewriter_rewrites_as_its_table_says(name: str) -> None:
    model, (of_dates, of_letters) = trained_rewriter(name), SHARES[name]
    assert of_dates[0] <= share_right(model, dates()) <= of_dates[1]
    assert of_letters[0] <= share_right(model, letters()) <= of_letters[1]
