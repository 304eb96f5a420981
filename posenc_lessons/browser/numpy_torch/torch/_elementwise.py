"""Operations number by number: arithmetic, comparisons, functions; types and broadcasting are PyTorch's."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ._errors import broadcast_error, check_fits, product_error
from ._narrow import rounded
from ._operations import TORCH, array_of, elementwise, function, in_place, into, method, operation
from ._tape import check_writable, needs_grad, recorded, written
from ._tensor import Tensor
from ._types import DTYPES, FLOAT32, INT64, NUMBERS, lacking, result_type


def paired(*operands: Any) -> tuple[np.ndarray, ...]:
    """Return tensors and Python numbers as arrays of one type, that of their result."""
    given = [_plain(array_of(operand)) for operand in operands]
    kind = result_type(*given).array
    return tuple(np.asarray(each, kind) for each in given)


def _plain(x: Any) -> Any:
    if isinstance(x, np.generic):
        return x.item()
    return x if isinstance(x, NUMBERS) else np.asarray(x)


def _divided(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    if x.dtype.kind in "bi":
        x, y = x.astype(np.float32), y.astype(np.float32)
    return np.true_divide(x, y)


def _binary(name: str, short: str, compute: Callable[..., Any]) -> None:
    """Make the function, the method, the in-place method, and the operator ``short`` with its forms."""

    @np.errstate(all="ignore")
    def compute_result(x: Any, y: Any) -> Tensor:
        try:
            return Tensor(compute(*paired(x, y)))
        except ValueError as error:  # NumPy's error for shapes that do not broadcast
            raise broadcast_error(np.shape(array_of(x)), np.shape(array_of(y))) from error

    result = recorded(name, compute_result)

    def with_out(x: Any, y: Any, *, out: Tensor | None = None) -> Tensor:
        return result(x, y) if out is None else into(out, result(x, y).array)

    def usable(y: Any) -> bool:
        return isinstance(y, (Tensor, np.ndarray, np.generic, *NUMBERS))

    with_out.__name__ = name
    elementwise(with_out)
    operators: dict[str, Callable[..., Tensor]] = {
        f"__{short}__": result,
        f"__r{short}__": lambda x, y: result(y, x),
        f"__i{short}__": lambda x, y: in_place(result, x, y),
    }
    for operator, do in operators.items() if short else ():
        setattr(Tensor, operator, lambda x, y, _do=do: _do(x, y) if usable(y) else NotImplemented)


for _name, _short, _compute in (
    ("add", "add", np.add),
    ("sub", "sub", np.subtract),
    ("mul", "mul", np.multiply),
    ("div", "truediv", _divided),
    ("floor_divide", "floordiv", np.floor_divide),
    ("remainder", "mod", np.remainder),
    ("pow", "pow", np.power),
    ("bitwise_and", "and", np.bitwise_and),
    ("bitwise_or", "or", np.bitwise_or),
    ("eq", "eq", np.equal),
    ("ne", "ne", np.not_equal),
    ("lt", "lt", np.less),
    ("le", "le", np.less_equal),
    ("gt", "gt", np.greater),
    ("ge", "ge", np.greater_equal),
    ("maximum", "", np.maximum),
    ("minimum", "", np.minimum),
    ("bitwise_xor", "xor", np.bitwise_xor),
    ("bitwise_left_shift", "lshift", np.left_shift),
    ("bitwise_right_shift", "rshift", np.right_shift),
    ("logical_and", "", np.logical_and),
    ("logical_or", "", np.logical_or),
    ("logical_xor", "", np.logical_xor),
    ("logaddexp", "", np.logaddexp),
    ("atan2", "", np.arctan2),
    ("nextafter", "", np.nextafter),
):
    _binary(_name, _short, _compute)


def _unary(name: str, compute: Callable[..., Any], to_floating: bool) -> None:
    def result(x: Tensor) -> Tensor:
        integers = x.array.dtype.kind in "bi"
        return Tensor(compute(x.array.astype(np.float32) if integers and to_floating else x.array))

    result.__name__ = name
    elementwise(result)


def _sigmoid(x: np.ndarray) -> np.ndarray:
    one = x.dtype.type(1)
    return one / (one + np.exp(-x))


def _floating_alone(compute: Callable[..., Any]) -> Callable[[np.ndarray], np.ndarray]:
    return lambda x: compute(x) if x.dtype.kind == "f" else x


_FLOATING: dict[str, Callable[..., Any]] = {
    "sin": np.sin,
    "cos": np.cos,
    "exp": np.exp,
    "log": np.log,
    "log1p": np.log1p,
    "log2": np.log2,
    "log10": np.log10,
    "sqrt": np.sqrt,
    "rsqrt": lambda x: x.dtype.type(1) / np.sqrt(x),
    "reciprocal": lambda x: x.dtype.type(1) / x,
    "tan": np.tan,
    "tanh": np.tanh,
    "acos": np.arccos,
    "asin": np.arcsin,
    "atan": np.arctan,
    "expm1": np.expm1,
    "exp2": np.exp2,
    "erf": lambda x: np.asarray(np.frompyfunc(math.erf, 1, 1)(x)).astype(x.dtype),
    "deg2rad": np.deg2rad,
    "rad2deg": np.rad2deg,
    "sigmoid": _sigmoid,
}
_OF_ANY_TYPE: dict[str, Callable[..., Any]] = {
    "abs": np.abs,
    "neg": np.negative,
    "floor": _floating_alone(np.floor),
    "ceil": _floating_alone(np.ceil),
    "trunc": _floating_alone(np.trunc),
    "sign": np.sign,
    "isnan": np.isnan,
    "isinf": np.isinf,
    "frac": lambda x: x - np.trunc(x),
    "conj": np.conj,
    "relu": lambda x: np.maximum(x, x.dtype.type(0)),
    "isfinite": np.isfinite,
    "bitwise_not": np.invert,
    "logical_not": np.logical_not,
}
for _functions in (_FLOATING, _OF_ANY_TYPE):
    for _name, _function in _functions.items():
        _unary(_name, _function, to_floating=_functions is _FLOATING)
for _operator, _name in {"neg": "neg", "abs": "abs", "invert": "bitwise_not"}.items():
    setattr(Tensor, f"__{_operator}__", TORCH[_name])


@elementwise
def clamp(x: Tensor, min: Any = None, max: Any = None) -> Tensor:
    low, high = (array_of(bound) for bound in (min, max))
    kind = result_type(*(each for each in (x.array, low, high) if each is not None)).array
    low, high = (None if each is None else np.asarray(each, kind) for each in (low, high))
    return Tensor(np.clip(x.array.astype(kind, copy=False), low, high))


@elementwise
def round(x: Tensor, *, decimals: int = 0) -> Tensor:
    return Tensor(np.round(x.array, decimals))


@elementwise
def square(x: Tensor) -> Tensor:
    return x * x


@elementwise
def logit(x: Tensor) -> Tensor:
    found: Tensor = TORCH["log"](x / (1 - x))
    return found


@elementwise
def masked_fill(x: Tensor, mask: Tensor, value: Any) -> Tensor:
    check_fits(value, x.dtype)
    return Tensor(np.where(mask.array, np.asarray(array_of(value), x.array.dtype), x.array))


@function
def where(condition: Tensor, x: Any, y: Any) -> Tensor:
    return Tensor(np.where(condition.array, *paired(x, y)))


setattr(Tensor, "where", lambda x, condition, other: where(condition, x, other))  # noqa: B010


@elementwise
def nan_to_num(x: Tensor, nan: float = 0.0, posinf: Any = None, neginf: Any = None) -> Tensor:
    """Replace NaN by ``nan``, and infinities by the largest finite numbers unless others are given."""
    return Tensor(np.nan_to_num(x.array, nan=nan, posinf=posinf, neginf=neginf))


@elementwise
def addcmul(x: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: float = 1) -> Tensor:
    product = TORCH["mul"](tensor1, tensor2)
    return TORCH["add"](x, product if value == 1 else TORCH["mul"](product, value))


@elementwise
def lerp(x: Tensor, end: Tensor, weight: Any) -> Tensor:
    if not needs_grad((x, end, weight)):
        start, stop, share = paired(x, end, weight)
        straight = stop - start
        return Tensor(np.where(np.abs(share) < 0.5, start + share * straight, stop - straight * (1 - share)))
    way = TORCH["sub"](end, x)
    near = np.abs(np.asarray(array_of(weight))) < 0.5
    return where(Tensor(near), x + weight * way, TORCH["sub"](end, way * (1 - weight)))


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
    made = np.empty(np.broadcast_shapes(real.array.shape, imag.array.shape), kind.array)
    made.real, made.imag = real.array, imag.array
    return Tensor(made)


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
    found = np.searchsorted(boundaries.array, input.array, side="right" if right else "left")
    return Tensor(np.asarray(found, INT64.array))


@operation
def softmax(x: Tensor, dim: int | None = None, dtype: Any = None) -> Tensor:
    if dim is None:
        raise TypeError('softmax() received an invalid combination of arguments: "dim" is missing')
    array = x.array if dtype is None else x.array.astype(dtype.array)
    powers = np.exp(array - array.max(axis=dim, keepdims=True))
    return Tensor(powers / powers.sum(axis=dim, keepdims=True))


@operation
def logsumexp(x: Tensor, dim: Any, keepdim: bool = False) -> Tensor:
    largest = x.array.max(axis=dim, keepdims=True)
    largest = Tensor(np.where(np.isfinite(largest), largest, largest.dtype.type(0)))
    found: Tensor = TORCH["log"](TORCH["sum"](TORCH["exp"](x - largest), dim, True)) + largest
    return found if keepdim else TORCH["squeeze"](found, dim)


@operation
def log_softmax(x: Tensor, dim: int, dtype: Any = None) -> Tensor:
    x = x if dtype is None else x.to(dtype)
    return x - logsumexp(x, dim, True)


@operation
def outer(x: Tensor, vec2: Tensor) -> Tensor:
    return x[:, None] * vec2[None]


@operation
def dot(x: Tensor, tensor: Tensor) -> Tensor:
    if x.ndim != 1 or tensor.ndim != 1:
        raise RuntimeError(f"1D tensors expected, but got {x.ndim}D and {tensor.ndim}D tensors")
    return matmul(x, tensor)


@operation
def matmul(x: Tensor, other: Tensor) -> Tensor:
    if x.dtype is not other.dtype:
        raise RuntimeError(f"expected both matrices to have one dtype, got {x.dtype} and {other.dtype}")
    try:
        return Tensor(np.matmul(x.array, other.array))
    except ValueError as error:
        raise product_error(x.shape, other.shape) from error


setattr(Tensor, "__matmul__", matmul)  # noqa: B010


@function
def einsum(equation: str, *operands: Tensor) -> Tensor:
    return Tensor(np.einsum(equation, *(each.array for each in operands)))


@function
def cdist(x1: Tensor, x2: Tensor, p: float = 2.0) -> Tensor:
    """Return the distance of each row of ``x1`` from each row of ``x2``."""
    if p != 2:
        raise NotImplementedError(lacking(f"torch.cdist(p={p})"))
    squares = [TORCH["sum"](each * each, -1, True) for each in (x1, x2)]
    apart: Tensor = squares[0] + squares[1].mT - 2 * matmul(x1, x2.mT)
    return TORCH["sqrt"](clamp(apart, min=0))
