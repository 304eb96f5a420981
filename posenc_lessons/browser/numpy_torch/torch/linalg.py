"""Linear algebra by reflections and rotations, because a page's NumPy has no LAPACK."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ._reductions import norm as _norm
from ._tape import recorded
from ._tensor import Tensor
from ._types import lacking


def _recorded(given: Any) -> Any:
    """Record an operation without a derivative here, so that asking for its gradient is an error."""
    return recorded(f"linalg.{given.__name__}", np.errstate(all="ignore")(given))


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
        for each in (first, reflections):
            each[at:] -= 2 * np.outer(mirror, mirror @ each[at:])
    return np.triu(first), reflections


def _pseudo_inverse(a: np.ndarray) -> np.ndarray:
    """Return the pseudo-inverse by the singular values, found by Jacobi's rotations of the columns.

    Its product with ``b`` is the x for which ``a`` x is nearest to ``b``; if there are several, the shortest.
    """
    if a.shape[0] < a.shape[1]:
        return _pseudo_inverse(a.T).T
    rotated, basis = a.astype(np.float64), np.eye(a.shape[1])
    for _ in range(60):
        largest = 0.0
        for i in range(a.shape[1] - 1):
            for j in range(i + 1, a.shape[1]):
                one, two = rotated[:, i], rotated[:, j]
                across, first, second = one @ two, one @ one, two @ two
                if abs(across) <= 1e-15 * np.sqrt(first * second) or across == 0:
                    continue
                largest = max(largest, abs(across) / np.sqrt(first * second))
                slope = (second - first) / (2 * across)
                tangent = (1.0 if slope >= 0 else -1.0) / (abs(slope) + np.sqrt(1 + slope * slope))
                cosine = 1 / np.sqrt(1 + tangent * tangent)
                turn = np.array([[cosine, cosine * tangent], [-cosine * tangent, cosine]])
                rotated[:, [i, j]] = rotated[:, [i, j]] @ turn
                basis[:, [i, j]] = basis[:, [i, j]] @ turn
        if largest < 1e-14:
            break
    lengths = np.sqrt((rotated * rotated).sum(axis=0))
    stored = lengths > max(a.shape) * np.finfo(a.dtype).eps * lengths.max(initial=0)
    inverse = np.where(stored, 1 / np.where(stored, lengths, 1), 0)
    return (basis * inverse**2) @ rotated.T


def _stacked(compute: Any, *arrays: np.ndarray) -> np.ndarray:
    """Apply ``compute`` to the matrices of a stack one by one."""
    front = np.broadcast_shapes(*(item.shape[:-2] for item in arrays))
    wide = [
        np.broadcast_to(item, (*front, *item.shape[-2:])).reshape(-1, *item.shape[-2:]) for item in arrays
    ]
    result = np.stack([compute(*item) for item in zip(*wide, strict=True)])
    return result.reshape(*front, *result.shape[-2:])


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
    match = _stacked(lambda a, b: _pseudo_inverse(a) @ b, A.array, B.array).astype(A.array.dtype)
    nothing = Tensor(np.zeros(0, A.array.dtype))
    return Fit(Tensor(match), nothing, nothing, nothing)


def norm(x: Tensor, ord: Any = None, dim: Any = None, keepdim: bool = False) -> Tensor:
    """Return the length of vectors; an ``ord`` for matrices, where it has another meaning, is refused."""
    axes = len(dim) if isinstance(dim, (tuple, list)) else x.ndim if dim is None else 1
    if ord is not None and axes > 1:
        raise NotImplementedError(lacking(f"torch.linalg.norm(ord={ord!r}) of matrices"))
    return _norm(x, 2 if ord is None else ord, dim, keepdim)
