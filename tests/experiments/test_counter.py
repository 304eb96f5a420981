"""The trained counter counts further than it was trained, and its gates can be read."""

from __future__ import annotations

import pytest
import torch

from posenc_lessons.encodings.cope import CoPE
from posenc_lessons.experiments import accuracy
from posenc_lessons.experiments.tasks.counting import INCREMENT, PASS, RESET
from posenc_lessons.experiments.trained.counter import (
    CLEAREST,
    LENGTH,
    N_HEADS,
    N_LAYERS,
    counting_task,
    gate_logits,
    trained_counter,
)

COMMANDS = torch.tensor(
    [PASS, INCREMENT, PASS, RESET, INCREMENT, INCREMENT, PASS, PASS, INCREMENT, RESET, PASS]
)


def test_the_shipped_counter_also_counts_beyond_the_trained_length() -> None:
    model, task = trained_counter(), counting_task()
    assert accuracy(model, task, LENGTH) > 0.94
    assert accuracy(model, task, 3 * LENGTH, from_position=LENGTH) > 0.99
    assert model(COMMANDS[None]).argmax(dim=-1)[0, 3:].tolist() == [0, 1, 2, 2, 2, 3, 0, 0]


def test_the_clearest_head_closes_its_gates_at_tokens_that_do_not_count() -> None:
    """Tokens that do not count add nothing to positions, so positions are numbers of events."""
    gates = gate_logits(trained_counter(), COMMANDS)[CLEAREST].sigmoid()
    seen = torch.ones(len(COMMANDS), len(COMMANDS), dtype=torch.bool).tril()
    shut = seen & (COMMANDS == PASS)
    assert gates[shut].mean() < 0.1
    assert gates[seen & ~shut].mean() > 0.9


def test_the_returned_gates_are_those_of_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    inside: list[torch.Tensor] = []
    bias = CoPE.score_bias
    monkeypatch.setattr(CoPE, "score_bias", lambda *args: (inside.append(args[-1]), bias(*args))[1])
    logits = gate_logits(trained_counter(), COMMANDS)
    assert logits.shape == (N_LAYERS, N_HEADS, len(COMMANDS), len(COMMANDS))
    torch.testing.assert_close(logits, torch.cat(inside), rtol=1e-5, atol=1e-5)
