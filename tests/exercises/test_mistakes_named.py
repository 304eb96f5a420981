"""Wrong answers that were written apart from the exercises are named as the mistakes that they make."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.nn import functional as F

from posenc_lessons.exercises.by_name import find_exercise


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


@pytest.mark.parametrize(
    ("name", "answer", "words"),
    [
        ("learned.table_gradient", gradient_by_assignment, "Yours keeps only the last"),
        ("relative.weights_by_distance", weights_as_if_counted_from_0, "You count from 0"),
        ("rotary.rotate", rotated_clockwise, "Your rotation is transposed"),
        ("rotary.rotate", rotated_with_the_new_first_half, "the old one was overwritten"),
        ("cope.positions", counted_from_the_beginning, "The cumsum runs in the wrong direction"),
        ("why_position.causal_mask", lambda n: ~torch.ones(n, n).tril().bool(), "here True means may look"),
    ],
)
def test_a_wrong_answer_is_named(name: str, answer: Callable[..., Any], words: str) -> None:
    verdict = find_exercise(name).check(answer)
    assert verdict.status == "wrong" and words in verdict.message.en
