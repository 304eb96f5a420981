"""Programs of random operations have PyTorch's gradients over the page's torch, or are refused: broadcasting,
views, writing in place, reuse, no_grad, detach, two floating types. ``calls.py`` has each operation alone; a
program needs one operation of each kind: views, copies, sums, and those that keep arguments or results."""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc_lessons.browser.numpy_torch import torch as numpy_torch

Step = tuple[int, int, int, int]  # number of the operation, and of its tensors


def _bounded(t: Any, x: Any) -> Any:
    """Return ``x`` clamped to -2 … 2, so that nothing overflows."""
    return 2 * t.tanh(x / 2)


ONE: dict[str, Callable[[Any, Any], Any]] = {
    **{name: lambda t, x, name=name: getattr(t, name)(x) for name in ("exp", "relu", "floor")},
    "softmax": lambda t, x: x.softmax(dim=-1),
    "sum": lambda t, x: x.sum(dim=-1, keepdim=True),
    "max": lambda t, x: x.max(dim=-1, keepdim=True).values,
    "mT": lambda t, x: x.mT,
    "reshape": lambda t, x: x.reshape(-1, 1),
    "unsqueeze": lambda t, x: x.unsqueeze(0),
    "first": lambda t, x: x[0],
    "every second": lambda t, x: x[..., ::2],
    "by places": lambda t, x: x[t.tensor([0, 0, -1])],
    "by a mask": lambda t, x: x[x > 0],
    "gather": lambda t, x: x.gather(-1, t.zeros_like(x, dtype=t.long)),
    "expand": lambda t, x: x.expand(2, *x.shape),
    "double": lambda t, x: x.double(),
    "detach": lambda t, x: x.detach(),
    "clone": lambda t, x: x.clone(),
    "contiguous": lambda t, x: x.contiguous(),
    "no_grad": lambda t, x: _without(t, lambda: x * 2),
}
TWO: dict[str, Callable[[Any, Any, Any], Any]] = {
    "add": lambda t, x, y: x + y,
    "mul": lambda t, x, y: x * y,
    "div": lambda t, x, y: x / (y * y + 1),
    "where": lambda t, x, y: t.where(x > 0, x, y),
    "matmul": lambda t, x, y: x @ y.mT,
    "cat": lambda t, x, y: t.cat([x.flatten(), y.flatten()]),
    "scatter_add": lambda t, x, y: x.scatter_add(0, t.zeros_like(y, dtype=t.long), y),
}
WRITING: dict[str, Callable[[Any, Any, Any], Any]] = {
    "add_": lambda t, x, y: x.add_(y),
    "mul_": lambda t, x, y: x.mul_(y),
    "iadd": lambda t, x, y: x.__iadd__(y),
    "sin_": lambda t, x, y: x.sin_(),
    "clamp_": lambda t, x, y: x.clamp_(min=0),
    "copy_": lambda t, x, y: x.copy_(y),
    "fill_": lambda t, x, y: x.fill_(y.sum()),
    "masked_fill_": lambda t, x, y: x.masked_fill_(x.detach() > 0, 0.25),
    "scatter_add_": lambda t, x, y: x.scatter_add_(0, t.zeros_like(y, dtype=t.long), y),
    "setitem": lambda t, x, y: _set(x, 0, y),
    "setitem of a slice": lambda t, x, y: _set(x, (..., slice(None, 1)), y.sum()),
    "setitem by a mask": lambda t, x, y: _set(x, x.detach() > 0, 0.5),
    "no_grad and mul_": lambda t, x, y: _without(t, lambda: x.mul_(0.5)),
    "detach and mul_": lambda t, x, y: x.detach().mul_(0.5),
}
OPERATIONS: list[tuple[str, Callable[..., Any], int]] = [
    *((name, do, 1) for name, do in ONE.items()),
    *((name, do, 2) for name, do in TWO.items()),
    *((name, do, 2) for name, do in WRITING.items()),
]


def _without(t: Any, do: Callable[[], Any]) -> Any:
    with t.no_grad():
        return do()


def _set(x: Any, at: Any, y: Any) -> Any:
    x[at] = y
    return x


def run(t: Any, leaves: list[np.ndarray], steps: list[Step], failed: set[int]) -> list[np.ndarray | None]:
    """Return the last values and the leaves' gradients; ``failed`` are the steps that PyTorch refuses."""
    argument = [t.tensor(array, dtype=t.float64).requires_grad_() for array in leaves]
    existing = [*argument, *(x * 1 for x in argument)]
    for number, (which, first, second, form) in enumerate(steps):
        if number in failed and t is numpy_torch:
            continue
        _, do, arity = OPERATIONS[which % len(OPERATIONS)]
        x, y = existing[first % len(existing)], existing[second % len(existing)]
        try:
            result = do(t, x) if arity == 1 else do(t, x, y)
            if result.numel() <= 200 and result.dtype.is_floating_point:
                existing.append(result if form % 2 or do in WRITING.values() else _bounded(t, result))
        except (RuntimeError, IndexError, ValueError):
            if t is not torch:
                raise
            failed.add(number)
    end = sum((x.double() * (n + 1)).sum() for n, x in enumerate(existing))
    value = end.detach().numpy()
    end.backward()
    grads = [None if x.grad is None else x.grad.numpy() for x in argument]
    return [value, *grads]


SHAPES = [(3, 4), (4,), (1, 4), (3, 1), (2, 3, 4), (1,)]


@settings(max_examples=400, deadline=None)
@given(
    shapes=st.lists(st.sampled_from(SHAPES), min_size=1, max_size=3),
    steps=st.lists(st.tuples(*[st.integers(0, 999)] * 4), min_size=1, max_size=8),
)
def test_gradients_equal_pytorchs_or_are_refused(shapes: list[tuple[int, ...]], steps: list[Step]) -> None:
    leaves = [np.random.default_rng(n).standard_normal(shape) for n, shape in enumerate(shapes)]
    failed: set[int] = set()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            expected = run(torch, leaves, steps, failed)
        except RuntimeError:
            return  # the page's torch may still have the values before a write, which PyTorch refuses
        try:
            match = run(numpy_torch, leaves, steps, failed)
        except (NotImplementedError, IndexError, ValueError):  # the last two have no axes
            return
        except RuntimeError as error:
            assert "inplace operation" in str(error) or "dimension" in str(error), (
                error,
                told(steps, failed),
            )
            return
    for theirs, ours in zip(expected, match, strict=True):
        zero = np.zeros(())
        np.testing.assert_allclose(
            zero if ours is None else ours,
            zero if theirs is None else theirs,
            rtol=1e-4,
            atol=1e-4,
            err_msg=told(steps, failed),
        )


def told(steps: list[Step], failed: set[int]) -> str:
    """Return the program in words."""
    finished = [step for number, step in enumerate(steps) if number not in failed]
    return "; ".join(
        f"{OPERATIONS[which % len(OPERATIONS)][0]} of {x}, {y}, {form}" for which, x, y, form in finished
    )
