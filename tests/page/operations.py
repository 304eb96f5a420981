"""Arguments for an operation, drawn at random, and what it gives over PyTorch and over the page's torch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc_lessons.browser.numpy_torch import torch as numpy_torch

Call = Callable[..., Any]  # operations of the module and of tensors
Arguments = st.SearchStrategy[tuple[Any, ...]]

INTEGERS = ("int32", "int64")
FLOATING = ("float32", "float64")
REAL = ("bool", *INTEGERS, *FLOATING)
ANY = (*REAL, "complex64", "complex128")
NUMBERS = (2, -3, 0.5, -1.25)


def filled(draw: Any, shape: tuple[int, ...], kinds: tuple[str, ...]) -> np.ndarray:
    """Draw an array of this shape; floating-point ones may contain infinities and NaN."""
    kind = draw(st.sampled_from(kinds))
    chance = np.random.default_rng(draw(st.integers(0, 2**16)))
    if kind == "bool":
        return np.asarray(chance.random(shape) < 0.5)
    if kind in INTEGERS:
        return np.asarray(chance.integers(-6, 7, shape), kind)
    result = chance.normal(size=shape) * 3
    if kind in FLOATING and draw(st.booleans()):
        result = np.where(
            chance.random(shape) < 0.2, chance.choice([0.0, -0.0, np.inf, -np.inf, 1e30], shape), result
        )
    if kind not in FLOATING:
        result = result + 1j * chance.normal(size=shape)
    return np.asarray(result, kind)


def shapes(least: int = 0, most: int = 3, smallest: int = 1) -> st.SearchStrategy[tuple[int, ...]]:
    return st.lists(st.integers(smallest, 4), min_size=least, max_size=most).map(tuple)


def broadcast(draw: Any, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Draw a shape that broadcasts with ``shape``: some axes are 1, some leading axes are missing."""
    stored = shape[draw(st.integers(0, len(shape))) :]
    return tuple(draw(st.sampled_from((1, size))) for size in stored)


def one(kinds: tuple[str, ...] = REAL, least: int = 0) -> Arguments:
    return st.composite(lambda draw: (filled(draw, draw(shapes(least)), kinds),))()


def two(kinds: tuple[str, ...] = ANY) -> Arguments:
    """Draw two arrays of any types whose shapes fit, or one array and a Python number."""

    @st.composite
    def drawn(draw: Any) -> tuple[Any, ...]:
        shape = draw(shapes())
        first = filled(draw, shape, kinds)
        if draw(st.booleans()):
            return first, filled(draw, broadcast(draw, shape), kinds)
        numbers = (first, draw(st.sampled_from(NUMBERS)))
        return numbers if draw(st.booleans()) else numbers[::-1]

    return drawn()


def alike(count: int, kinds: tuple[str, ...], least: int = 0) -> Arguments:
    """Draw ``count`` arrays of one type whose shapes broadcast to that of the first."""

    @st.composite
    def drawn(draw: Any) -> tuple[Any, ...]:
        shape, kind = draw(shapes(least)), (draw(st.sampled_from(kinds)),)
        return tuple(filled(draw, shape if not n else broadcast(draw, shape), kind) for n in range(count))

    return drawn()


def with_places(count: int = 1, kinds: tuple[str, ...] = FLOATING) -> Arguments:
    """Draw an array, places along its last axis, and ``count`` − 1 arrays of the shape of the places."""

    @st.composite
    def drawn(draw: Any) -> tuple[Any, ...]:
        shape, kind = draw(shapes(1)), (draw(st.sampled_from(kinds)),)
        chance = np.random.default_rng(draw(st.integers(0, 2**16)))
        wide = (*shape[:-1], draw(st.integers(1, 5)))
        beyond = draw(st.sampled_from((0, 0, 0, 1)))  # sometimes a place that does not exist
        places = chance.integers(-beyond, shape[-1] + beyond, wide)
        return (filled(draw, shape, kind), places, *(filled(draw, wide, kind) for _ in range(count - 1)))

    return drawn()


def method(name: str, *arguments: Any, **named: Any) -> Call:
    return lambda t, x, *more: getattr(x, name)(*more, *arguments, **named)


def torch_function(name: str, *arguments: Any, **named: Any) -> Call:
    return lambda t, *tensors: getattr(t, name)(*tensors, *arguments, **named)


def assert_same_over_both(call: Call, arguments: Arguments) -> None:
    """Assert that numbers, types, shapes and refusals are the same, also what is left in the arguments."""

    @settings(max_examples=20)
    @given(arguments)
    def same(given: tuple[Any, ...]) -> None:
        expected, match = (outcome(module, call, given) for module in (torch, numpy_torch))
        assert_same(expected, match)

    same()


def outcome(module: Any, call: Call, given: tuple[Any, ...]) -> Any:
    """Return the result and the arguments after the call, or that it was refused."""
    tensors = [module.tensor(item) if isinstance(item, np.ndarray) else item for item in given]
    try:
        return plain([call(module, *tensors), tensors])
    except (RuntimeError, ValueError, IndexError, TypeError):
        return "refused"


def plain(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, (torch.Tensor, numpy_torch.Tensor)):
        return (
            value.detach().resolve_conj().numpy()
            if isinstance(value, torch.Tensor)
            else value.detach().numpy()
        )
    return value


def assert_same(expected: Any, found: Any) -> None:
    assert type(expected) is type(found), f"{expected} ≠ {found}"
    if isinstance(expected, list):
        assert len(expected) == len(found)
        for pair in zip(expected, found, strict=True):
            assert_same(*pair)
    elif isinstance(expected, np.ndarray):
        assert (expected.dtype, expected.shape) == (found.dtype, found.shape)
        near = 1e-5 if expected.dtype in (np.float32, np.complex64) else 1e-12
        np.testing.assert_allclose(found, expected, rtol=near, atol=near)
    else:
        assert expected == found
