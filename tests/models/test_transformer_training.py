"""Training passes a model the padding of a task that has some."""

from __future__ import annotations

import pytest
import torch

from posenc_lessons.experiments import PairTask, accuracy, reverse, rewrite_date, train
from posenc_lessons.models import Seq2Seq

BRIEFLY = {"batch_size": 16, "length": 8, "learning_rate": 1e-2, "progress": False}


@pytest.mark.parametrize(
    ("task", "padded"),
    [(reverse(), False), (reverse(shortest=3), True), (rewrite_date(), True)],
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
