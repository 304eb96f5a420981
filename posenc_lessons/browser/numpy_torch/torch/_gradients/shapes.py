"""Derivatives of operations that change the shape or order of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._operations import TORCH, shape_of
from .._tape import Made
from .._tensor import Tensor
from .rules import Pairs, rule


@rule("reshape", "flatten", "squeeze", "unsqueeze", any_values=True)
def _reshape(g: Any, out: Made, x: Tensor, *_: Any, **__: Any) -> Pairs:
    return ((x, g.reshape(x.array.shape)),)


@rule("transpose", any_values=True)
def _transpose(g: Any, out: Made, x: Tensor, dim0: int, dim1: int) -> Pairs:
    return ((x, g.swapaxes(dim0, dim1)),)


@rule("T", any_values=True)
def _all_turned(g: Any, out: Made, x: Tensor) -> Pairs:
    return ((x, g.T),)


@rule("permute", any_values=True)
def _permute(g: Any, out: Made, x: Tensor, *dims: Any) -> Pairs:
    return ((x, g.transpose(np.argsort([axis % g.ndim for axis in shape_of(dims)]))),)


@rule("movedim", any_values=True)
def _movedim(g: Any, out: Made, x: Tensor, source: Any, destination: Any) -> Pairs:
    return ((x, np.moveaxis(g, destination, source)),)


@rule("expand", any_values=True)
def _expand(g: Any, out: Made, x: Tensor, *_: Any) -> Pairs:
    return ((x, g),)


@rule("repeat", any_values=True)
def _repeat(g: Any, out: Made, x: Tensor, *sizes: Any) -> Pairs:
    times = shape_of(sizes)
    own = (1,) * (len(times) - x.array.ndim) + x.array.shape
    tiled = g.reshape([size for pair in zip(times, own, strict=True) for size in pair])
    return ((x, tiled.sum(axis=tuple(range(0, 2 * len(own), 2)))),)


@rule("repeat_interleave", any_values=True)
def _repeat_interleave(g: Any, out: Made, x: Tensor, repeats: int, dim: int | None = None) -> Pairs:
    if dim is None:
        return ((x, g.reshape(-1, repeats).sum(axis=-1).reshape(x.array.shape)),)
    dim %= g.ndim
    parts = g.reshape(*g.shape[:dim], -1, repeats, *g.shape[dim + 1 :])
    return ((x, parts.sum(axis=dim + 1)),)


@rule("flip", any_values=True)
def _flip(g: Any, out: Made, x: Tensor, *dims: Any) -> Pairs:
    return ((x, np.flip(g, shape_of(dims))),)


@rule("roll", any_values=True)
def _roll(g: Any, out: Made, x: Tensor, shifts: Any, dims: Any = None) -> Pairs:
    back = tuple(-each for each in shifts) if isinstance(shifts, (tuple, list)) else -shifts
    return ((x, np.roll(g, back, dims)),)


@rule("tril", any_values=True)
def _tril(g: Any, out: Made, x: Tensor, diagonal: int = 0) -> Pairs:
    return ((x, np.tril(g, diagonal)),)


@rule("triu", any_values=True)
def _triu(g: Any, out: Made, x: Tensor, diagonal: int = 0) -> Pairs:
    return ((x, np.triu(g, diagonal)),)


def _piece(name: str, g: Any, x: Tensor, *how: Any, place: int = 0, **named: Any) -> Pairs:
    """Return the gradient of one of several pieces."""
    made = np.zeros_like(x.array)
    TORCH[name](Tensor(made), *how, **named)[place].array[...] = g
    return ((x, made),)


@rule("unbind", any_values=True)
def _unbind(g: Any, out: Made, x: Tensor, *how: Any, **named: Any) -> Pairs:
    return _piece("unbind", g, x, *how, **named)


@rule("split", any_values=True)
def _split(g: Any, out: Made, x: Tensor, *how: Any, **named: Any) -> Pairs:
    return _piece("split", g, x, *how, **named)


@rule("cat", any_values=True)
def _cat(g: Any, out: Made, tensors: Any, dim: int = 0) -> Pairs:
    cuts = np.cumsum([each.array.shape[dim] for each in tensors])[:-1]
    return zip(tensors, np.split(g, cuts, axis=dim), strict=True)


@rule("stack", any_values=True)
def _stack(g: Any, out: Made, tensors: Any, dim: int = 0) -> Pairs:
    return zip(tensors, np.moveaxis(g, dim, 0), strict=True)
