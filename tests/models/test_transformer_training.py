"""Every encoding trains: the loss falls on a task of each kind."""

from __future__ import annotations

import pytest
import torch

from posenc_lessons.experiments import (
    PairTask,
    accuracy,
    copy_back,
    reverse,
    rewrite_date,
    sort,
    train,
)
from posenc_lessons.models import COURSE_ENCODINGS, DecoderOnly, Seq2Seq

BRIEFLY = {"batch_size": 16, "length": 8, "learning_rate": 1e-2, "progress": False}


def falls(losses: list[float], to: float) -> None:
    first, last = losses[0], sum(losses[-5:]) / 5
    assert last < to * first, (first, last)


@pytest.mark.parametrize(
    "name",
    [name if name == "rotary" else pytest.param(name, marks=pytest.mark.sweep) for name in COURSE_ENCODINGS],
)
def test_a_language_model_learns_to_copy(name: str) -> None:
    torch.manual_seed(0)
    task = copy_back(1, vocab_size=6)
    model = DecoderOnly(6, 16, 2, 2, name, max_len=8)
    history = train(model, task, steps=60, **BRIEFLY)
    falls(history.loss, 0.9 if name == "none" else 0.7)  # a causal mask by itself gives some order


@pytest.mark.parametrize(
    ("task", "padded"),
    [
        (reverse(), False),  # as lesson 07 trains them
        (sort(), False),
        (reverse(shortest=3), True),
        (sort(shortest=3), True),
        (rewrite_date(), True),
    ],
    ids=lambda value: value.name if isinstance(value, PairTask) else str(value),
)
def test_only_tasks_with_padding_pass_source_real(task: PairTask, padded: bool) -> None:
    recorded: list[torch.Tensor] = []

    class Listening(Seq2Seq):
        def forward(self, source: torch.Tensor, target: torch.Tensor, **more: torch.Tensor) -> torch.Tensor:
            recorded.extend(more.values())
            assert set(more) == ({"source_real"} if padded else set())
            if padded:
                assert torch.equal(more["source_real"], source != PairTask.pad)
            return super().forward(source, target, **more)

    model = Listening(task.source_vocab, task.target_vocab, 8, 2, 1)
    train(model, task, steps=2, **BRIEFLY | {"length": 18})
    accuracy(model, task, 18)
    assert len(recorded) == (3 if padded else 0)
