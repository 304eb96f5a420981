"""Wrong answers that were written apart from the exercises are named as the mistakes that they make."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.nn import functional as F

from posenc_lessons.exercises.by_name import find_exercise


def frequencies_mixed_by_logarithms(config: dict[str, Any]) -> Tensor:
    scaling, d = config["rope_scaling"], config["hidden_size"] // config["num_attention_heads"]
    theta = config["rope_theta"] ** (-torch.arange(0, d, 2).double() / d)
    turns = scaling["original_max_position_embeddings"] * theta / (2 * torch.pi)
    low, high = scaling["low_freq_factor"], scaling["high_freq_factor"]
    share = ((turns - low) / (high - low)).clamp(0, 1)
    return (share * theta.log() + (1 - share) * (theta / scaling["factor"]).log()).exp()


def accuracy_of_every_late_answer(right: Tensor, counted: Tensor) -> Tensor:
    late = right[..., -(right.shape[-1] // 4) :].double().mean(dim=(1, 2))
    return torch.stack([late.mean(), late.min(), late.max()])


def gradient_by_assignment(grad_output: Tensor, positions: Tensor, max_len: int) -> Tensor:
    gradient = torch.zeros(max_len, grad_output.shape[-1], dtype=grad_output.dtype)
    for sentence, row in zip(grad_output, positions, strict=True):
        for vector, position in zip(sentence, row.tolist(), strict=True):
            gradient[position] = vector
    return gradient


def weights_as_if_counted_from_0(weights: Tensor, k: int, queries: Tensor, keys: Tensor) -> Tensor:
    ahead = torch.arange(len(keys)) - torch.arange(len(queries))[:, None]
    rows = F.one_hot(ahead.clamp(-k, k) + k, 2 * k + 1).to(weights)
    return torch.einsum("...ij,ijr->...ir", weights, rows)


def rotated_clockwise(x: Tensor, positions: Tensor, base: float) -> Tensor:
    theta = base ** (-torch.arange(0, x.shape[-1], 2).double() / x.shape[-1])
    angles = (positions[..., None] * theta)[:, None]
    a, b = x.double().chunk(2, dim=-1)
    return torch.cat([a * angles.cos() + b * angles.sin(), b * angles.cos() - a * angles.sin()], dim=-1)


def rotated_with_the_new_first_half(x: Tensor, positions: Tensor, base: float) -> Tensor:
    theta = base ** (-torch.arange(0, x.shape[-1], 2).double() / x.shape[-1])
    angles = (positions[..., None] * theta)[:, None]
    a, b = x.double().chunk(2, dim=-1)
    a = a * angles.cos() - b * angles.sin()
    return torch.cat([a, a * angles.sin() + b * angles.cos()], dim=-1)


def counted_from_the_beginning(scores: Tensor, mask: Tensor, most: float) -> Tensor:
    gates = torch.where(mask, 1 / (1 + (-scores).exp()), torch.zeros(()))
    return torch.where(mask, gates.cumsum(-1).clamp(max=most), torch.zeros(()))


def table_of_slow_pairs(positions: Tensor, d_model: int, base: float) -> Tensor:
    rows = []
    for position in positions.tolist():
        angles = [position / base ** (pair / d_model) for pair in range(d_model // 2)]
        rows.append([wave for angle in angles for wave in (_sin(angle), _cos(angle))])
    return torch.tensor(rows)


def _sin(angle: float) -> float:
    return torch.tensor(angle, dtype=torch.float64).sin().item()


def _cos(angle: float) -> float:
    return torch.tensor(angle, dtype=torch.float64).cos().item()


@pytest.mark.parametrize(
    ("name", "answer", "words"),
    [
        ("longer_than_trained.llama_frequencies", frequencies_mixed_by_logarithms, "You mixed logarithms"),
        ("longer_than_trained.beyond", accuracy_of_every_late_answer, "Answers that do not count"),
        ("learned.table_gradient", gradient_by_assignment, "Yours keeps only the last"),
        ("relative.weights_by_distance", weights_as_if_counted_from_0, "You count from 0"),
        ("rotary.rotate", rotated_clockwise, "Your rotation is transposed"),
        ("rotary.rotate", rotated_with_the_new_first_half, "the old one was overwritten"),
        ("cope.positions", counted_from_the_beginning, "The cumsum runs in the wrong direction"),
        ("sinusoidal.my_table", table_of_slow_pairs, "yours is i/d"),
        ("why_position.causal_mask", lambda n: ~torch.ones(n, n).tril().bool(), "here True means may look"),
    ],
)
def test_a_wrong_answer_is_named(name: str, answer: Callable[..., Any], words: str) -> None:
    verdict = find_exercise(name).check(answer)
    assert verdict.status == "wrong" and words in verdict.message.en
