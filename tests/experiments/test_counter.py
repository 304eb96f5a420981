"""The gates of the counter can be read."""

from __future__ import annotations

import pytest
import torch

from posenc_lessons.encodings.cope import CoPE
from posenc_lessons.experiments.tasks.counting import INCREMENT, PASS, RESET
from posenc_lessons.experiments.trained.counter import (
    N_HEADS,
    N_LAYERS,
    gate_logits,
    new_counter,
)

COMMANDS = torch.tensor(
    [PASS, INCREMENT, PASS, RESET, INCREMENT, INCREMENT, PASS, PASS, INCREMENT, RESET, PASS]
)


def test_the_returned_gates_are_those_of_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    inside: list[torch.Tensor] = []
    bias = CoPE.score_bias
    monkeypatch.setattr(CoPE, "score_bias", lambda *args: (inside.append(args[-1]), bias(*args))[1])
    logits = gate_logits(new_counter(), COMMANDS)
    assert logits.shape == (N_LAYERS, N_HEADS, len(COMMANDS), len(COMMANDS))
    torch.testing.assert_close(logits, torch.cat(inside), rtol=1e-5, atol=1e-5)
