"""Derivatives of products of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._tape import Made
from .._tensor import Tensor
from .._types import lacking
from .rules import Pairs, rule


@rule("matmul")
def _matmul(g: Any, out: Made, x: Tensor, other: Tensor) -> Pairs:
    left, right = x.array, other.array
    column = right.ndim == 1
    if left.ndim == 1 and column:
        return (x, g * right), (other, g * left)
    rows = left.ndim == 1
    left = left[None] if rows else left
    right = right[:, None] if column else right
    g = g[..., None, :] if rows else g
    g = g[..., None] if column else g

    def to_left() -> np.ndarray:
        made = g @ right.swapaxes(-1, -2).conj()
        return made[..., 0, :] if rows else made

    def to_right() -> np.ndarray:
        if right.ndim == 2:  # all rows in one product, which also adds up the parts of a stack
            return _flat(left).T.conj() @ _flat(g)
        return left.swapaxes(-1, -2).conj() @ g

    return (x, to_left), (other, lambda: to_right()[..., 0] if column else to_right())


def _flat(array: np.ndarray) -> np.ndarray:
    """Return the rows of a stack of matrices as one matrix."""
    return array.reshape(-1, array.shape[-1])


@rule("einsum")
def _einsum(g: Any, out: Made, equation: str, *operands: Tensor) -> Pairs:
    """Yield each operand's gradient: an einsum of the result's gradient and the other operands."""
    inside, arrow, outside = equation.replace(" ", "").partition("->")
    letters = inside.split(",")
    if any(len(set(own)) < len(own.replace("...", ".")) for own in letters):
        raise NotImplementedError(lacking("the gradient of einsum with a letter twice in one operand"))
    if not arrow:
        once = sorted(each for each in set(inside) - {",", "."} if inside.count(each) == 1)
        outside = ("..." if "..." in inside else "") + "".join(once)
    for at, (own, operand) in enumerate(zip(letters, operands, strict=True)):
        if not operand.requires_grad:
            continue
        others = [
            (name, each.array.conj())
            for n, (name, each) in enumerate(zip(letters, operands, strict=True))
            if n != at
        ]
        names, arrays = [outside, *(name for name, _ in others)], [g, *(array for _, array in others)]
        there = set("".join(names))
        alone = "".join(
            letter for letter in own if letter not in there
        )  # an axis summed by itself: its gradient is the same at every place
        if alone:
            names.append(alone)
            sizes = dict(zip(own, operand.array.shape, strict=True))
            arrays.append(np.ones([sizes[letter] for letter in alone], g.dtype))
        shared = "..." if any("..." in name for name in names) and "..." not in own else ""
        yield operand, np.einsum(f"{','.join(names)}->{shared}{own}", *arrays)
