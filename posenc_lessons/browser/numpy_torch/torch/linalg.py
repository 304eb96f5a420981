"""Linear algebra by Householder's reflections, because a page's NumPy has no LAPACK."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ._operations import operation
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


def _reflected(matrix: np.ndarray, *others: np.ndarray) -> list[np.ndarray]:
    """Make ``matrix`` [m, n] upper triangular by reflections, in float64, and ``others`` [m, …] too."""
    first, *rest = (np.array(item, np.float64) for item in (matrix, *others))
    for at in range(min(first.shape[0] - 1, first.shape[1])):
        mirror = first[at:, at].copy()
        length = np.sqrt((mirror * mirror).sum())
        if length == 0:
            continue
        mirror[0] += length if mirror[0] >= 0 else -length
        mirror /= np.sqrt((mirror * mirror).sum())
        for each in (first, *rest):
            each[at:] -= 2 * np.outer(mirror, mirror @ each[at:])
    return [np.triu(first), *rest]


def _solved(upper: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Solve ``upper`` x = ``right`` from the last row to the first."""
    match = np.zeros_like(right)
    for at in range(len(upper) - 1, -1, -1):
        match[at] = (right[at] - upper[at, at + 1 :] @ match[at + 1 :]) / upper[at, at]
    return match


def _full_rank(upper: np.ndarray) -> bool:
    steps = np.abs(np.diagonal(upper))
    return bool(len(steps)) and bool(steps.min() > steps.max() * 1e-13)


def _least_squares(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the x for which ``a`` x is nearest to ``b``; if there are several, the shortest."""
    rows, columns = a.shape
    if rows >= columns:
        upper, right = _reflected(a, b)
        if _full_rank(upper[:columns]):
            return _solved(upper[:columns], right[:columns])
    else:
        lower, basis = _reflected(a.T, np.eye(columns))
        if _full_rank(lower[:rows]):
            return basis[:rows].T @ _solved(lower[:rows].T[::-1, ::-1], b[::-1].astype(np.float64))[::-1]
    return _pseudo_inverse(a) @ b


def _pseudo_inverse(a: np.ndarray) -> np.ndarray:
    """Return the pseudo-inverse by the singular values, found by Jacobi's rotations of the columns."""
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
    rows, columns = A.array.shape
    upper, reflections = _reflected(A.array, np.eye(rows))
    short = min(rows, columns)
    kind = A.array.dtype
    return Factors(Tensor(reflections[:short].T.astype(kind)), Tensor(upper[:short].astype(kind)))


@_recorded
def lstsq(A: Tensor, B: Tensor, *, rcond: Any = None, driver: str | None = None) -> Fit:
    match = _stacked(_least_squares, A.array, B.array).astype(A.array.dtype)
    nothing = Tensor(np.zeros(0, A.array.dtype))
    return Fit(Tensor(match), nothing, nothing, nothing)


@operation
def pinverse(x: Tensor) -> Tensor:
    inverse = _least_squares(x.array, np.eye(len(x.array)))
    return Tensor(inverse.astype(x.array.dtype))


def norm(x: Tensor, ord: Any = None, dim: Any = None, keepdim: bool = False) -> Tensor:
    """Return the length of vectors; an ``ord`` for matrices, where it has another meaning, is refused."""
    axes = len(dim) if isinstance(dim, (tuple, list)) else x.ndim if dim is None else 1
    if ord is not None and axes > 1:
        raise NotImplementedError(lacking(f"torch.linalg.norm(ord={ord!r}) of matrices"))
    return _norm(x, 2 if ord is None else ord, dim, keepdim)


def __getattr__(name: str) -> Any:
    raise AttributeError(lacking(f"torch.linalg.{name}"))
