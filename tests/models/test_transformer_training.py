"""Every encoding trains: the loss falls on a task of each kind."""

from __future__ import annotations

import pytest
import torch

from posenc_lessons.models import (
    ENCODING_NAMES,
    DecoderOnly,
    Seq2Seq,
    accuracy,
    copy_back,
    count_since_reset,
    reverse,
    train,
)

every_encoding = pytest.mark.parametrize("name", ENCODING_NAMES)
BRIEFLY = {"batch_size": 16, "length": 8, "learning_rate": 1e-2, "progress": False}


def falls(losses: list[float], to: float) -> None:
    first, last = losses[0], sum(losses[-5:]) / 5
    assert last < to * first, (first, last)


@every_encoding
@pytest.mark.parametrize("norm_first", [True, False])
def test_a_language_model_learns_to_copy(name: str, norm_first: bool) -> None:
    torch.manual_seed(0)
    task = copy_back(1, vocab_size=6)
    model = DecoderOnly(6, 16, 2, 2, name, max_len=8, norm_first=norm_first)
    history = train(model, task, steps=60, **BRIEFLY)
    falls(history.loss, 0.9 if name == "none" else 0.7)  # a causal mask alone lets some order in


@every_encoding
def test_a_language_model_learns_to_count(name: str) -> None:
    torch.manual_seed(0)
    task = count_since_reset(3)
    model = DecoderOnly(task.vocab_size, 16, 2, 2, name, max_len=8, n_answers=task.n_answers)
    falls(train(model, task, steps=60, **BRIEFLY).loss, 0.7)


@every_encoding
def test_a_translator_learns_to_reverse(name: str) -> None:
    torch.manual_seed(0)
    task = reverse("abcd")
    model = Seq2Seq(task.source_vocab, task.target_vocab, 16, 2, 1, name, max_len=8)
    falls(train(model, task, steps=80, **BRIEFLY | {"length": 3}).loss, 0.8)


def test_dropout_and_position_go_together() -> None:
    torch.manual_seed(0)
    task = copy_back(2, vocab_size=6)
    model = DecoderOnly(6, 32, 2, 2, "rotary", dropout=0.1)
    falls(train(model, task, steps=150, **BRIEFLY | {"learning_rate": 5e-3}).loss, 0.5)
    assert accuracy(model, task, 8) > 0.9
