"""Gradients over the page's torch are requested as in PyTorch, and what would be wrong is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from posenc_lessons.browser.numpy_torch import torch as numpy_torch


def cubed(t: Any, x: Any, at_once: bool = False) -> Any:
    """Return x³ by a Function with the wrong gradient 5·x², which shows whether that one is used."""

    def back(ctx: Any, gradient: Any) -> Any:
        (saved,) = ctx.saved_tensors
        return 5 * saved**2 * gradient

    def keep_and_cube(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x**3

    if at_once:
        names = {"forward": staticmethod(keep_and_cube)}
    else:
        names = {
            "forward": staticmethod(lambda x: x**3),
            "setup_context": staticmethod(lambda ctx, inputs, output: ctx.save_for_backward(*inputs)),
        }
    return type("Cubed", (t.autograd.Function,), {**names, "backward": staticmethod(back)}).apply(x)


REFUSED: dict[str, tuple[type[Exception], Callable[[Any, Any], Any], str]] = {
    "no derivative": (NotImplementedError, lambda t, x: x.cummax(0).values.sum().backward(), "cummax"),
    "a view written": (NotImplementedError, lambda t, x: (x * 1)[0].add_(1), "view"),
    "linalg, several": (NotImplementedError, lambda t, x: t.linalg.qr(x).R.sum().backward(), "linalg.qr"),
    "einsum, a trace": (NotImplementedError, lambda t, x: t.einsum("ii->", x @ x.T).backward(), "einsum"),
    "a whole with a view": (
        NotImplementedError,
        lambda t, x: [(y := x * 1), y[0], (v := y[1]), y.add_(1), v],
        "view",
    ),
    "a plain view written": (
        NotImplementedError,
        lambda t, x: [(y := t.zeros(3)), (v := y[:2]), v.add_(x[0, :2])],
        "view",
    ),
    "random numbers": (NotImplementedError, lambda t, x: (x * 1).normal_(), "random"),
    "a result written": (RuntimeError, lambda t, x: result_written(t, x), "inplace"),
    "saved and written": (RuntimeError, lambda t, x: saved_and_written(t, x), "inplace"),
    "a leaf written": (RuntimeError, lambda t, x: x.add_(1), "leaf"),
    "an argument written": (RuntimeError, lambda t, x: changed_after_use(x), "inplace"),
    "twice": (RuntimeError, lambda t, x: [(y := x.sum()).backward(), y.backward()], "second time"),
    "many numbers": (RuntimeError, lambda t, x: (x * 1).backward(), "scalar"),
    "no gradient": (RuntimeError, lambda t, x: x.detach().sum().backward(), "does not require grad"),
    "numpy": (RuntimeError, lambda t, x: x.numpy(), "detach"),
    "a flag inside": (RuntimeError, lambda t, x: (x * 1).requires_grad_(False), "leaf"),
    "unused": (
        RuntimeError,
        lambda t, x: t.autograd.grad(t.ones(1, requires_grad=True).sum(), x),
        "unused|not",
    ),
}


def result_written(t: Any, x: Any) -> Any:
    y = x.exp()
    with t.no_grad():
        y.mul_(2)
    y.sum().backward()


def saved_and_written(t: Any, x: Any) -> Any:
    y = x * 1
    product = cubed(t, y)
    y.mul_(2)
    product.sum().backward()


def changed_after_use(x: Any) -> Any:
    y = x * 1
    product = y * y
    y.mul_(2)
    product.sum().backward()


@pytest.mark.parametrize("name", REFUSED)
def test_wrong_gradients_are_refused(name: str) -> None:
    error, do, words = REFUSED[name]
    with pytest.raises(error, match=words):
        do(numpy_torch, numpy_torch.arange(6.0).reshape(2, 3).requires_grad_())


ASKED: dict[str, Callable[[Any, Any], Any]] = {
    "added up": lambda t, x: [(x * x).sum().backward() for _ in range(2)] and x.grad,
    "kept for twice": lambda t, x: [
        (y := (x * x).sum()).backward(retain_graph=True),
        y.backward(),
        x.grad,
    ][2],
    "weighted": lambda t, x: (x * x).backward(gradient=t.full_like(x, 3.0)) or x.grad,
    "by name": lambda t, x: t.autograd.grad((x**3).sum(), x)[0],
    "by name, of an inner one": lambda t, x: t.autograd.grad(((y := x * 2) ** 2).sum(), y)[0],
    "in bfloat16": lambda t, x: [(x.bfloat16() * 1.7).float().sum().backward(), x.grad][1],
    "of a view and the whole": lambda t, x: (x.T @ x + x[0]).sum().backward() or x.grad,
}


@pytest.mark.parametrize("how", ASKED)
def test_gradients_are_requested_as_in_pytorch(how: str) -> None:
    expected, match = (
        ASKED[how](t, t.arange(6.0).reshape(2, 3).requires_grad_()) for t in (torch, numpy_torch)
    )
    assert not match.requires_grad
    np.testing.assert_allclose(match.numpy(), expected.numpy(), rtol=1e-6)


def test_no_grad_records_nothing() -> None:
    x = numpy_torch.ones(2, requires_grad=True)
    for off in (numpy_torch.no_grad(), numpy_torch.inference_mode()):
        with off:
            assert not (x * 2).requires_grad
    assert (x * 2).requires_grad
