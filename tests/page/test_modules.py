"""Modules have the same parts and starting values over the page's torch as over PyTorch, and train alike."""

from __future__ import annotations

import copy
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


def parts_of_modules(t: Any, x: Any) -> list[Any]:
    """Return names, shared parameters, buffers, copies, conversions and hooks of a module with parts."""

    class Part(t.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.table = t.nn.Parameter(t.ones(3))
            self.register_parameter("nothing", None)
            self.register_buffer("counts", t.arange(3))
            self.register_buffer("scale", t.full((3,), 2.0))

        def forward(self, x: Any, plus: float = 0.0) -> Any:
            return x * self.table * self.scale + self.counts + plus

    part = Part()
    whole = t.nn.ModuleList([part, t.nn.Identity(), part])
    copied = copy.deepcopy(whole).to(t.float64).eval()
    copied[0].table.data = copied[0].table.data * 3
    copied[0].scale = t.full((3,), 5.0)
    hook = part.register_forward_hook(lambda module, inputs, output: output + len(inputs))
    hooked = part(x, plus=1.0)
    hook.remove()
    names = [name for name, _ in whole.named_parameters()]
    flags = [part.nothing is None, copied.training, copied[0].training, part.training, copied[0] is copied[2]]
    kinds = [str(item.dtype) for item in (copied[0].table, copied[0].counts, copied[0].scale)]
    sizes = [len(whole), len(list(whole.modules())), len(list(whole.parameters()))]
    return [names, flags, kinds, sizes, hooked, part(x), copied[0](x)]


def plain(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, (torch.Tensor, numpy_torch.Tensor)):
        return value.detach().numpy()
    return value


def assert_same(expected: Any, found: Any) -> None:
    assert type(expected) is type(found), f"{expected} ≠ {found}"
    if isinstance(expected, list):
        assert len(expected) == len(found)
        for pair in zip(expected, found, strict=True):
            assert_same(*pair)
    elif isinstance(expected, np.ndarray):
        assert (expected.dtype, expected.shape) == (found.dtype, found.shape)
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)
    else:
        assert expected == found


def test_parts_of_modules_are_pytorchs() -> None:
    expected, actual = (plain(parts_of_modules(t, t.ones(2, 3))) for t in (torch, numpy_torch))
    assert_same(expected, actual)
