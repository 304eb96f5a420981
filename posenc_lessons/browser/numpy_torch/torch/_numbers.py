"""Operations on one number, or on two: arithmetic, comparisons, functions, each with its derivative.

Types and broadcasting are PyTorch's.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ._errors import broadcast_error
from ._operations import TORCH, array_of, elementwise, in_place, into
from ._rules import Pairs, rule
from ._tape import Made
from ._tensor import Tensor
from ._types import NUMBERS, result_type


def paired(*operands: Any) -> tuple[np.ndarray, ...]:
    """Return tensors and Python numbers as arrays of one type, that of their result."""
    plain = [_plain(array_of(operand)) for operand in operands]
    kind = result_type(*plain).array
    return tuple(np.asarray(operand, kind) for operand in plain)


def _plain(x: Any) -> Any:
    if isinstance(x, np.generic):
        return x.item()
    return x if isinstance(x, NUMBERS) else np.asarray(x)


# ---- of two numbers ----


def _binary(name: str, operator: str, compute: Callable[..., Any]) -> None:
    """Make the function, the method, the in-place method, and the ``operator`` with its forms."""

    def compute_result(x: Any, y: Any, *, out: Any = None) -> Tensor:
        try:
            result = compute(*paired(x, y))
            return Tensor(result) if out is None else into(out, result)
        except ValueError as error:  # NumPy's error for shapes that do not broadcast
            raise broadcast_error(np.shape(array_of(x)), np.shape(array_of(y))) from error

    compute_result.__name__ = name
    result = elementwise(compute_result)

    def usable(y: Any) -> bool:
        return isinstance(y, (Tensor, np.ndarray, np.generic, *NUMBERS))

    forms: dict[str, Callable[..., Tensor]] = {
        f"__{operator}__": result,
        f"__r{operator}__": lambda x, y: result(y, x),
        f"__i{operator}__": lambda x, y: in_place(result, x, y),
    }
    for form, do in forms.items() if operator else ():
        setattr(Tensor, form, lambda x, y, _do=do: _do(x, y) if usable(y) else NotImplemented)


def _in_floats(compute: Any) -> Any:
    """Return ``compute`` for two arrays of one type, whole numbers as float32."""

    def computed(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        whole = x.dtype.kind in "bi"
        return compute(x.astype(np.float32), y.astype(np.float32)) if whole else compute(x, y)

    return computed


for _name, _operator, _compute in (
    ("add", "add", np.add),
    ("sub", "sub", np.subtract),
    ("mul", "mul", np.multiply),
    ("div", "truediv", _in_floats(np.true_divide)),
    ("floor_divide", "floordiv", np.floor_divide),
    ("remainder", "mod", np.remainder),
    ("pow", "pow", np.power),
    ("bitwise_and", "and", np.bitwise_and),
    ("bitwise_or", "or", np.bitwise_or),
    ("bitwise_xor", "xor", np.bitwise_xor),
    ("bitwise_right_shift", "rshift", np.right_shift),
    ("bitwise_left_shift", "lshift", np.left_shift),
    ("eq", "eq", np.equal),
    ("ne", "ne", np.not_equal),
    ("lt", "lt", np.less),
    ("le", "le", np.less_equal),
    ("gt", "gt", np.greater),
    ("ge", "ge", np.greater_equal),
    ("maximum", "", np.maximum),
    ("minimum", "", np.minimum),
    ("logical_and", "", np.logical_and),
    ("logical_or", "", np.logical_or),
    ("atan2", "", _in_floats(np.arctan2)),
):
    _binary(_name, _operator, _compute)


@rule("add", any_values=True)
def _add(g: Any, out: Made, x: Any, y: Any) -> Pairs:
    return (x, g), (y, g)


@rule("sub", any_values=True)
def _sub(g: Any, out: Made, x: Any, y: Any) -> Pairs:
    return (x, g), (y, lambda: -g)


@rule("mul")
def _mul(g: Any, out: Made, x: Any, y: Any) -> Pairs:
    return (x, lambda: g * np.conj(array_of(y))), (y, lambda: g * np.conj(array_of(x)))


@rule("div")
def _div(g: Any, out: Made, x: Any, y: Any) -> Pairs:
    below = np.conj(array_of(y))
    return (x, lambda: g / below), (y, lambda: -g * np.conj(out.array) / below)


@rule("pow")
def _pow(g: Any, out: Made, x: Any, y: Any) -> Pairs:
    base, power = array_of(x), array_of(y)
    slope = power * np.power(base, np.subtract(power, 1), dtype=g.dtype)
    yield x, np.where(np.equal(power, 0), 0, g * np.conj(slope))
    if isinstance(y, Tensor) and y.requires_grad:
        logarithm = np.log(np.where(np.equal(base, 0), 1, base))
        yield y, g * np.conj(out.array) * np.where(np.equal(base, 0), 0, logarithm)


@rule("remainder")
def _remainder(g: Any, out: Made, x: Any, y: Any) -> Pairs:
    return (x, g), (y, lambda: -g * np.floor(np.divide(array_of(x), array_of(y))))


@rule("maximum", "minimum")
def _larger(g: Any, out: Made, x: Any, y: Any) -> Pairs:
    """Divide the gradient among equal numbers."""
    mine, theirs = np.equal(array_of(x), out.array), np.equal(array_of(y), out.array)
    both = 0.5 * (mine & theirs)
    return (x, g * (mine - both)), (y, g * (theirs - both))


@rule("atan2")
def _atan2(g: Any, out: Made, y: Any, x: Any) -> Pairs:
    above, right = array_of(y), array_of(x)
    squared = above * above + right * right
    return (y, g * right / squared), (x, -g * above / squared)


# ---- of one number ----


def _unary(
    name: str, compute: Callable[..., Any], derivative: Callable[..., Any] | None, floating: bool
) -> None:
    """Make an operation; ``floating``: integers become float32. ``derivative`` gets x and the result."""

    def result(x: Tensor) -> Tensor:
        integers = x.array.dtype.kind in "bi"
        return Tensor(compute(x.array.astype(np.float32) if integers and floating else x.array))

    result.__name__ = name
    elementwise(result)
    if derivative is not None:

        @rule(name)
        def back(g: Any, out: Made, x: Tensor) -> Pairs:
            return ((x, g * derivative(x.array, out.array)),)


def _sigmoid(x: np.ndarray) -> np.ndarray:
    one = x.dtype.type(1)
    return one / (one + np.exp(-x))


def _of_floats(compute: Callable[..., Any]) -> Callable[[np.ndarray], np.ndarray]:
    return lambda x: compute(x) if x.dtype.kind == "f" else x


Row = tuple[Callable[..., Any], Callable[..., Any] | None]

_FLOATING: dict[str, Row] = {
    "sin": (np.sin, lambda x, y: np.cos(x)),
    "cos": (np.cos, lambda x, y: -np.sin(x)),
    "tanh": (np.tanh, lambda x, y: 1 - y * y),
    "acos": (np.arccos, lambda x, y: -1 / np.sqrt(1 - x * x)),
    "exp": (np.exp, lambda x, y: y),
    "expm1": (np.expm1, lambda x, y: y + 1),
    "log": (np.log, lambda x, y: 1 / x),
    "log2": (np.log2, lambda x, y: 1 / (x * math.log(2))),
    "log10": (np.log10, lambda x, y: 1 / (x * math.log(10))),
    "log1p": (np.log1p, lambda x, y: 1 / (x + 1)),
    "sqrt": (np.sqrt, lambda x, y: 0.5 / y),
    "rsqrt": (lambda x: x.dtype.type(1) / np.sqrt(x), lambda x, y: -0.5 * y**3),
    "reciprocal": (lambda x: x.dtype.type(1) / x, lambda x, y: -y * y),
    "sigmoid": (_sigmoid, lambda x, y: y * (1 - y)),
    "deg2rad": (np.deg2rad, lambda x, y: math.pi / 180),
    "rad2deg": (np.rad2deg, lambda x, y: 180 / math.pi),
}
_OF_ANY_TYPE: dict[str, Row] = {
    "abs": (np.abs, lambda x, y: np.sign(x)),
    "neg": (np.negative, lambda x, y: -1),
    "relu": (lambda x: np.maximum(x, x.dtype.type(0)), lambda x, y: y > 0),
    "frac": (lambda x: x - np.trunc(x), lambda x, y: 1),
    "floor": (_of_floats(np.floor), lambda x, y: 0),
    "ceil": (_of_floats(np.ceil), lambda x, y: 0),
    "sign": (np.sign, lambda x, y: 0),
    "conj": (np.conj, None),
    "isnan": (np.isnan, None),
    "isinf": (np.isinf, None),
    "isfinite": (np.isfinite, None),
    "bitwise_not": (np.invert, None),
    "logical_not": (np.logical_not, None),
}
for _rows in (_FLOATING, _OF_ANY_TYPE):
    for _name, (_compute, _derivative) in _rows.items():
        _unary(_name, _compute, _derivative, floating=_rows is _FLOATING)
for _operator, _name in {"neg": "neg", "abs": "abs", "invert": "bitwise_not"}.items():
    setattr(Tensor, f"__{_operator}__", TORCH[_name])


@rule("conj", any_values=True)
def _conj(g: Any, out: Made, x: Tensor) -> Pairs:
    return ((x, np.conj(g)),)
