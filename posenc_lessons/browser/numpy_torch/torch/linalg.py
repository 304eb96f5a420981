"""Linear algebra by reflections, because a page's NumPy has no LAPACK."""

from typing import Any, NamedTuple

import numpy as np

from ._reductions import norm as _norm
from ._tape import recorded
from ._tensor import Tensor
from ._types import lacking


def _recorded(operation: Any) -> Any:
    """Record an operation without a derivative here, so that asking for its gradient is an error."""
    return recorded(f"linalg.{operation.__name__}", np.errstate(all="ignore")(operation))


class Factors(NamedTuple):
    Q: Tensor
    R: Tensor


class Fit(NamedTuple):
    solution: Tensor
    residuals: Tensor
    rank: Tensor
    singular_values: Tensor


def _reflected(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Make ``matrix`` [m, n] upper triangular by Householder's reflections, in float64; return them too."""
    first, reflections = np.array(matrix, np.float64), np.eye(len(matrix))
    for at in range(min(first.shape[0] - 1, first.shape[1])):
        mirror = first[at:, at].copy()
        length = np.sqrt((mirror * mirror).sum())
        if length == 0:
            continue
        mirror[0] += length if mirror[0] >= 0 else -length
        mirror /= np.sqrt((mirror * mirror).sum())
        for array in (first, reflections):
            array[at:] -= 2 * np.outer(mirror, mirror @ array[at:])
    return np.triu(first), reflections


@_recorded
def qr(A: Tensor, mode: str = "reduced") -> Factors:
    if A.ndim != 2 or mode != "reduced":
        raise NotImplementedError(lacking("torch.linalg.qr of stacks or other modes"))
    upper, reflections = _reflected(A.array)
    short = min(A.array.shape)
    kind = A.array.dtype
    return Factors(Tensor(reflections[:short].T.astype(kind)), Tensor(upper[:short].astype(kind)))


@_recorded
def lstsq(A: Tensor, B: Tensor, *, rcond: Any = None, driver: str | None = None) -> Fit:
    if A.ndim != 2 or A.shape[0] < A.shape[1]:
        raise NotImplementedError(lacking("torch.linalg.lstsq of stacks or of more unknowns than rows"))
    upper, reflections = _reflected(A.array)
    width, sizes = A.shape[1], np.abs(upper.diagonal())
    if sizes.min() <= len(upper) * np.finfo(A.array.dtype).eps * sizes.max():
        raise NotImplementedError(lacking("torch.linalg.lstsq of dependent columns"))
    x = reflections @ B.array
    for row in reversed(range(width)):
        x[row] = (x[row] - upper[row, row + 1 : width] @ x[row + 1 : width]) / upper[row, row]
    nothing = Tensor(np.zeros(0, A.array.dtype))
    return Fit(Tensor(x[:width].astype(A.array.dtype)), nothing, nothing, nothing)


def norm(x: Tensor, ord: Any = None, dim: Any = None, keepdim: bool = False) -> Tensor:
    """Return the length of vectors; an ``ord`` for matrices, where it has another meaning, is refused."""
    axes = len(dim) if isinstance(dim, (tuple, list)) else x.ndim if dim is None else 1
    if ord is not None and axes > 1:
        raise NotImplementedError(lacking(f"torch.linalg.norm(ord={ord!r}) of matrices"))
    return _norm(x, 2 if ord is None else ord, dim, keepdim)
