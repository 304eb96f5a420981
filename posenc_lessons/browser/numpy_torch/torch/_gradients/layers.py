"""Derivatives of layers' operations."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._tape import Made
from .._tensor import Tensor
from .rules import Pairs, rule


@rule("embedding")
def _embedding(
    g: Any, out: Made, input: Tensor, weight: Tensor, padding_idx: int | None = None, **_: Any
) -> Pairs:
    made = np.zeros_like(weight.array)
    at = input.array.ravel()
    order = np.argsort(at, kind="stable")
    firsts = np.flatnonzero(np.diff(at[order], prepend=-1))  # the start of each row of ``weight``
    if len(firsts):
        made[at[order][firsts]] = np.add.reduceat(g.reshape(len(at), -1)[order], firsts, axis=0)
    if padding_idx is not None:
        made[padding_idx] = 0
    return ((weight, made),)


@rule("linear")
def _linear(g: Any, out: Made, input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Pairs:
    rows, given = g.reshape(-1, g.shape[-1]), input.array.reshape(-1, input.array.shape[-1])
    return (
        (input, lambda: (rows @ weight.array.conj()).reshape(input.array.shape)),
        (weight, lambda: rows.T @ given.conj()),
        (bias, lambda: rows.sum(axis=0)),
    )


@rule("layer_norm")
def _layer_norm(
    g: Any,
    out: Made,
    input: Tensor,
    normalized_shape: Any,
    weight: Any = None,
    bias: Any = None,
    eps: float = 1e-5,
) -> Pairs:
    axes = tuple(range(-len(normalized_shape), 0))
    centred = input.array - input.array.mean(axis=axes, keepdims=True)
    scale = 1 / np.sqrt((centred**2).mean(axis=axes, keepdims=True) + eps)
    normed = centred * scale

    def to_input() -> np.ndarray:
        inner = g if weight is None else g * weight.array
        means = inner.mean(axis=axes, keepdims=True), (inner * normed).mean(axis=axes, keepdims=True)
        return (inner - means[0] - normed * means[1]) * scale

    return (input, to_input), (weight, lambda: g * normed), (bias, g)


@rule("cross_entropy")
def _cross_entropy(
    g: Any,
    out: Made,
    input: Tensor,
    target: Tensor,
    ignore_index: int = -100,
    reduction: str = "mean",
) -> Pairs:
    from_largest = np.exp(input.array - input.array.max(axis=1, keepdims=True))
    shares = from_largest / from_largest.sum(axis=1, keepdims=True)
    counted = target.array != ignore_index
    at = np.where(counted, target.array, 0)[:, None]
    np.put_along_axis(shares, at, np.take_along_axis(shares, at, axis=1) - 1, axis=1)
    each = np.broadcast_to(g, target.array.shape) / (counted.sum() if reduction == "mean" else 1)
    return ((input, shares * np.where(counted, each, 0)[:, None]),)
