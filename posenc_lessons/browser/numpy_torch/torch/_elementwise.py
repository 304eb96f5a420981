"""Operations number by number that have arguments of their own: bounds, masks, parts of complex numbers."""

from typing import Any

import numpy as np

from ._errors import check_fits
from ._narrow import rounded
from ._numbers import paired
from ._operations import TORCH, array_of, elementwise, function, in_place, method, operation
from ._rules import Pairs, rule
from ._tape import COMPOSED, Made, check_writable, written
from ._tensor import Tensor
from ._types import DTYPES, FLOAT32, INT64, result_type

COMPOSED.update(("square", "addcmul", "polar", "logsumexp", "log_softmax"))


@elementwise
def clamp(x: Tensor, min: Any = None, max: Any = None) -> Tensor:
    low, high = (array_of(bound) for bound in (min, max))
    kind = result_type(*(bound for bound in (x.array, low, high) if bound is not None)).array
    low, high = (None if bound is None else np.asarray(bound, kind) for bound in (low, high))
    return Tensor(np.clip(x.array.astype(kind, copy=False), low, high))


@rule("clamp")
def _clamp(g: Any, out: Made, x: Tensor, min: Any = None, max: Any = None) -> Pairs:
    low = -np.inf if min is None else array_of(min)
    high = np.inf if max is None else array_of(max)
    yield x, g * ((x.array >= low) & (x.array <= high))
    yield min, lambda: g * (x.array < low)
    yield max, lambda: g * (x.array > high)


@elementwise
def round(x: Tensor, *, decimals: int = 0) -> Tensor:
    return Tensor(np.round(x.array, decimals))


@rule("round", any_values=True)
def _round(g: Any, out: Made, x: Tensor, **_: Any) -> Pairs:
    return ((x, np.zeros_like(g)),)


@elementwise
def square(x: Tensor) -> Tensor:
    return x * x


@elementwise
def masked_fill(x: Tensor, mask: Tensor, value: Any) -> Tensor:
    check_fits(value, x.dtype)
    return Tensor(np.where(mask.array, np.asarray(array_of(value), x.array.dtype), x.array))


@rule("masked_fill")
def _masked_fill(g: Any, out: Made, x: Tensor, mask: Tensor, value: Any) -> Pairs:
    return (x, lambda: np.where(mask.array, 0, g)), (value, lambda: np.where(mask.array, g, 0))


@function
def where(condition: Tensor, x: Any, y: Any) -> Tensor:
    return Tensor(np.where(condition.array, *paired(x, y)))


setattr(Tensor, "where", lambda x, condition, other: where(condition, x, other))  # noqa: B010


@rule("where")
def _where(g: Any, out: Made, condition: Tensor, x: Any, y: Any) -> Pairs:
    return (x, lambda: np.where(condition.array, g, 0)), (y, lambda: np.where(condition.array, 0, g))


@elementwise
def nan_to_num(x: Tensor, nan: float = 0.0, posinf: Any = None, neginf: Any = None) -> Tensor:
    """Replace NaN by ``nan``, and infinities by the largest finite numbers unless others are given."""
    return Tensor(np.nan_to_num(x.array, nan=nan, posinf=posinf, neginf=neginf))


@rule("nan_to_num")
def _nan_to_num(g: Any, out: Made, x: Tensor, **_: Any) -> Pairs:
    return ((x, g * np.isfinite(x.array)),)


@elementwise
def addcmul(x: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: float = 1) -> Tensor:
    product = TORCH["mul"](tensor1, tensor2)
    return TORCH["add"](x, product if value == 1 else TORCH["mul"](product, value))


@method
def copy_(x: Tensor, source: Tensor) -> Tensor:
    if check_writable(x, (source,)):
        everywhere = Tensor(np.ones((), bool))
        return in_place(lambda x, source: TORCH["where"](everywhere, source, x), x, source)
    x.array[...] = rounded(source.array) if x.rounds else source.array
    written(x.array)
    return x


@function
def complex(real: Tensor, imag: Tensor) -> Tensor:
    kind = DTYPES["complex64"] if real.dtype is FLOAT32 else DTYPES["complex128"]
    both = np.empty(np.broadcast_shapes(real.array.shape, imag.array.shape), kind.array)
    both.real, both.imag = real.array, imag.array
    return Tensor(both)


@rule("complex", any_values=True)
def _complex(g: Any, out: Made, real: Tensor, imag: Tensor) -> Pairs:
    return (real, g.real), (imag, g.imag)


@function
def polar(abs: Tensor, angle: Tensor) -> Tensor:
    return complex(*(TORCH["mul"](abs, TORCH[part](angle)) for part in ("cos", "sin")))


@operation
def equal(x: Tensor, other: Tensor) -> bool:
    return np.array_equal(x.array, other.array)


@operation
def isclose(
    x: Tensor, other: Tensor, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> Tensor:
    if x.dtype is not other.dtype:
        raise RuntimeError(f"{x.dtype} did not match {other.dtype}")
    return Tensor(np.isclose(x.array, other.array, rtol, atol, equal_nan))


@operation
def allclose(
    x: Tensor, other: Tensor, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> bool:
    return bool(isclose(x, other, rtol, atol, equal_nan).array.all())


@function
def bucketize(input: Tensor, boundaries: Tensor, *, right: bool = False) -> Tensor:
    places = np.searchsorted(boundaries.array, input.array, side="right" if right else "left")
    return Tensor(np.asarray(places, INT64.array))


@operation
def softmax(x: Tensor, dim: int | None = None, dtype: Any = None) -> Tensor:
    if dim is None:
        raise TypeError('softmax() received an invalid combination of arguments: "dim" is missing')
    array = x.array if dtype is None else x.array.astype(dtype.array)
    powers = np.exp(array - array.max(axis=dim, keepdims=True))
    return Tensor(powers / powers.sum(axis=dim, keepdims=True))


@rule("softmax")
def _softmax(g: Any, out: Made, x: Tensor, dim: int, dtype: Any = None) -> Pairs:
    inner = (g * out.array).sum(axis=dim, keepdims=True)
    return ((x, (g - inner) * out.array),)


@operation
def logsumexp(x: Tensor, dim: Any, keepdim: bool = False) -> Any:
    largest = x.array.max(axis=dim, keepdims=True)
    largest = Tensor(np.where(np.isfinite(largest), largest, largest.dtype.type(0)))
    logarithm = TORCH["log"](TORCH["sum"](TORCH["exp"](x - largest), dim, True)) + largest
    return logarithm if keepdim else TORCH["squeeze"](logarithm, dim)


@operation
def log_softmax(x: Tensor, dim: int, dtype: Any = None) -> Tensor:
    x = x if dtype is None else x.to(dtype)
    return x - logsumexp(x, dim, True)


@rule("clone", "contiguous", any_values=True)
def _same(g: Any, out: Made, x: Tensor, **_: Any) -> Pairs:
    return ((x, g),)


@rule("to", any_values=True)
def _to(g: Any, out: Made, x: Tensor, kind: Any) -> Pairs:
    return ((x, g),)


@rule("part", any_values=True)
def _part(g: Any, out: Made, x: Tensor, part: str) -> Pairs:
    return ((x, g if part == "real" else 1j * g),)
