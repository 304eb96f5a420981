"""The trained counter counts further than it was trained, and its gates can be read."""

from __future__ import annotations

import pytest
import torch

from posenc_lessons.encodings.cope import CoPE, cope_bias
from posenc_lessons.experiments import accuracy
from posenc_lessons.experiments.tasks.counting import INCREMENT, PASS, RESET
from posenc_lessons.experiments.trained.counter import (
    CLEAREST,
    D_HEAD,
    D_MODEL,
    LENGTH,
    N_HEADS,
    N_LAYERS,
    N_POSITIONS,
    counting_task,
    gate_logits,
    gates,
    new_counter,
    train_counter,
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
    told = gates(trained_counter(), COMMANDS)[CLEAREST]
    seen = torch.ones(len(COMMANDS), len(COMMANDS), dtype=torch.bool).tril()
    shut = seen & (COMMANDS == PASS)
    assert told[shut].mean() < 0.1
    assert told[seen & ~shut].mean() > 0.9


def test_the_returned_gates_are_those_of_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    inside: list[torch.Tensor] = []
    real = CoPE.score_bias

    def watched(
        self: CoPE,
        query: torch.Tensor,
        key: torch.Tensor,
        at: torch.Tensor,
        keys_at: torch.Tensor,
        scores: torch.Tensor,
    ):  # type: ignore[no-untyped-def]
        inside.append(scores)
        bias = real(self, query, key, at, keys_at, scores)
        torch.testing.assert_close(bias, cope_bias(query, scores, self.table))
        return bias

    monkeypatch.setattr(CoPE, "score_bias", watched)
    found = gate_logits(trained_counter(), COMMANDS)
    assert found.shape == (N_LAYERS, N_HEADS, len(COMMANDS), len(COMMANDS))
    torch.testing.assert_close(found, torch.cat(inside), rtol=1e-5, atol=1e-5)
    torch.testing.assert_close(gates(trained_counter(), COMMANDS), found.sigmoid(), rtol=0, atol=0)


def test_reading_gates_leaves_no_hooks_even_after_an_error() -> None:
    model = new_counter()
    gate_logits(model, COMMANDS)
    with pytest.raises((ValueError, IndexError)):
        gate_logits(model, torch.tensor([99]))
    assert not any(part._forward_hooks for part in model.modules())


def test_a_new_counter_is_reproducible_and_keeps_the_callers_random_state() -> None:
    torch.manual_seed(0)
    expected = torch.rand(3)
    torch.manual_seed(0)
    first, again, other = new_counter(seed=1), new_counter(seed=1), new_counter(seed=2)
    assert torch.equal(torch.rand(3), expected)
    for a, b in zip(first.parameters(), again.parameters(), strict=True):
        assert torch.equal(a, b)
    assert not torch.equal(first.embedding.table.weight, other.embedding.table.weight)


def test_any_encoding_can_take_its_place() -> None:
    assert isinstance(new_counter().layers[0].attention.encoding, CoPE)
    assert new_counter().layers[0].attention.encoding.table.shape == (N_POSITIONS, D_HEAD)
    for encoding in ("shaw", "rotary", CoPE(D_HEAD, LENGTH + 1)):
        model = new_counter(encoding)
        assert model(COMMANDS[None]).shape == (1, len(COMMANDS), counting_task().n_answers)
        assert model.layers[0].attention.d_model == D_MODEL


def test_training_improves_it_and_settings_can_be_overridden() -> None:
    model = new_counter()
    history = train_counter(model, steps=30, progress=False)
    assert len(history.loss) == 30
    assert history.loss[-1] < 0.8 * history.loss[0]
