"""Modules have the same parts and starting values over the page's torch as over PyTorch, and train alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from posenc_lessons.browser.numpy_torch import torch as numpy_torch

# A large eps: the gradient of the keys' bias is 0 except for rounding, which Adam would scale to full steps.
TRAINED: dict[str, Callable[[Any, Any], tuple[Any, Any]]] = {
    "Adam": lambda t, p: (t.optim.Adam(p, lr=0.05, eps=1e-2, weight_decay=0.1), None),
    "AdamW": lambda t, p: (t.optim.AdamW(p, lr=0.05, eps=1e-2, betas=(0.8, 0.99)), None),
    "LambdaLR": lambda t, p: (
        optimizer := t.optim.Adam(p, lr=0.05, eps=1e-2),
        t.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1 / (step + 1)),
    ),
    "OneCycleLR": lambda t, p: (
        optimizer := t.optim.AdamW(p, lr=0.05, eps=1e-2),
        t.optim.lr_scheduler.OneCycleLR(optimizer, 0.1, total_steps=8),
    ),
}


def trained(t: Any, start: Callable[[Any, Any], tuple[Any, Any]]) -> list[np.ndarray]:
    """Return a small encoder after eight steps, with dropout."""
    t.manual_seed(3)
    layer = t.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
    model = t.nn.Sequential(t.nn.Embedding(7, 8), layer, t.nn.Linear(8, 7)).double()
    optimizer, schedule = start(t, model.parameters())
    for _ in range(7):
        tokens = t.randint(7, (4, 5))
        loss = t.nn.functional.cross_entropy(model(tokens).flatten(0, 1), tokens.flip(1).flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if schedule is not None:
            schedule.step()
    return [parameter.detach().numpy() for parameter in model.parameters()]


@pytest.mark.parametrize("name", TRAINED)
def test_training_goes_as_over_pytorch(name: str) -> None:
    for expected, actual in zip(*(trained(t, TRAINED[name]) for t in (torch, numpy_torch)), strict=True):
        np.testing.assert_allclose(actual, expected, rtol=1e-4, atol=1e-5)
