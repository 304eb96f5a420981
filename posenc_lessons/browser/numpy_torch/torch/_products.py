"""Products of matrices, and sums of products by letters."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from ._errors import product_error
from ._operations import function, operation
from ._rules import Pairs, rule
from ._tape import COMPOSED, Made
from ._tensor import Tensor
from ._types import lacking

COMPOSED.update(("outer", "dot"))


@operation
def matmul(x: Tensor, other: Tensor) -> Tensor:
    if x.dtype is not other.dtype:
        raise RuntimeError(f"expected both matrices to have one dtype, got {x.dtype} and {other.dtype}")
    try:
        return Tensor(np.matmul(x.array, other.array))
    except ValueError as error:
        raise product_error(x.shape, other.shape) from error


setattr(Tensor, "__matmul__", matmul)  # noqa: B010


@rule("matmul")
def _matmul(g: Any, out: Made, x: Tensor, other: Tensor) -> Pairs:
    remaining, right = x.array, other.array
    column = right.ndim == 1
    if remaining.ndim == 1 and column:
        return (x, g * right), (other, g * remaining)
    row = remaining.ndim == 1
    remaining = remaining[None] if row else remaining
    right = right[:, None] if column else right
    g = g[..., None, :] if row else g
    g = g[..., None] if column else g

    def to_left() -> np.ndarray:
        product = g @ right.swapaxes(-1, -2).conj()
        return product[..., 0, :] if row else product

    def to_right() -> np.ndarray:
        if right.ndim == 2:  # all rows in one product, which also adds up the parts of a stack
            return _rows(remaining).T.conj() @ _rows(g)
        return remaining.swapaxes(-1, -2).conj() @ g

    return (x, to_left), (other, lambda: to_right()[..., 0] if column else to_right())


def _rows(array: np.ndarray) -> np.ndarray:
    """Return the rows of a stack of matrices as one matrix."""
    return array.reshape(-1, array.shape[-1])


@function
def einsum(equation: str, *operands: Tensor) -> Tensor:
    return Tensor(np.einsum(equation, *(operand.array for operand in operands)))


@rule("einsum")
def _einsum(g: Any, out: Made, equation: str, *operands: Tensor) -> Iterator[tuple[Any, Any]]:
    """Yield each operand's gradient: an einsum of the result's gradient and the other operands."""
    inside, arrow, outside = equation.replace(" ", "").partition("->")
    letters = inside.split(",")
    if any(len(set(own)) < len(own.replace("...", ".")) for own in letters):
        raise NotImplementedError(lacking("the gradient of einsum with a letter twice in one operand"))
    if not arrow:
        once = sorted(letter for letter in set(inside) - {",", "."} if inside.count(letter) == 1)
        outside = ("..." if "..." in inside else "") + "".join(once)
    for at, (own, operand) in enumerate(zip(letters, operands, strict=True)):
        if not operand.requires_grad:
            continue
        names = [outside, *letters[:at], *letters[at + 1 :]]
        arrays = [g, *(other.array.conj() for n, other in enumerate(operands) if n != at)]
        # An axis that is in no other operand was summed by itself: its gradient is the same at every place.
        alone = "".join(letter for letter in own if letter not in "".join(names))
        if alone:
            sizes = dict(zip(own, operand.array.shape, strict=True))
            names.append(alone)
            arrays.append(np.ones([sizes[letter] for letter in alone], g.dtype))
        shared = "..." if any("..." in name for name in names) and "..." not in own else ""
        yield operand, np.einsum(f"{','.join(names)}->{shared}{own}", *arrays)


@operation
def outer(x: Tensor, vec2: Tensor) -> Tensor:
    return x[:, None] * vec2[None]


@operation
def dot(x: Tensor, tensor: Tensor) -> Tensor:
    if x.ndim != 1 or tensor.ndim != 1:
        raise RuntimeError(f"1D tensors expected, but got {x.ndim}D and {tensor.ndim}D tensors")
    return matmul(x, tensor)
