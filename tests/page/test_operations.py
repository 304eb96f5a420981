"""Operations on numbers, and along axes, are the same over the page's torch as over PyTorch."""

from __future__ import annotations

import math
import operator

import numpy as np
import pytest

from tests.page.operations import (
    ANY,
    FLOATING,
    INTEGERS,
    REAL,
    Arguments,
    Call,
    alike,
    assert_same_over_both,
    method,
    one,
    torch_function,
    two,
    with_places,
)


def along(call: Call) -> Call:
    """Return calls along the first axis, along the last, and with ``keepdim``."""
    return lambda t, x: [call(x, 0), call(x, -1), call(x, -1, True)]


def of_operator(name: str) -> Call:
    return lambda t, x, y: getattr(operator, name)(x, y)


def divided(name: str) -> Call:
    """Return calls that divide by 3, and by what is never 0."""
    divide = getattr(operator, name)
    return lambda t, x, y: [divide(x, 3), divide(x, y.abs() + 1)]


MATRICES = alike(1, FLOATING, least=2)
UNARY_FLOATING = ("sin", "cos", "exp", "log", "log1p", "sqrt", "sigmoid")

OPERATIONS: dict[str, tuple[Call, Arguments]] = {
    **{name: (torch_function(name), one(REAL)) for name in (*UNARY_FLOATING, "isfinite")},
    **{name: (method(name), one((*INTEGERS, *FLOATING))) for name in ("abs", "relu", "neg", "floor", "ceil")},
    **{f"{name}_": (method(f"{name}_"), one(FLOATING)) for name in ("neg", "frac", "sigmoid", "sqrt")},
    "frac": (method("frac"), one(FLOATING)),
    "conj": (lambda t, x: x.conj() * 1, one(("complex64", "complex128"))),
    "invert": (lambda t, x: ~x, one(("bool", *INTEGERS))),
    **{name: (torch_function(name), two()) for name in ("add", "mul", "div")},
    **{f"operator {name}": (of_operator(name), two()) for name in ("add", "mul", "truediv", "eq", "ne")},
    **{f"operator {name}": (of_operator(name), two(REAL)) for name in ("lt", "le", "gt", "ge")},
    **{f"operator {name}": (of_operator(name), alike(2, ("bool", *INTEGERS))) for name in ("and_", "or_")},
    **{f"operator {name}": (divided(name), alike(2, INTEGERS)) for name in ("floordiv", "mod")},
    "operator sub": (of_operator("sub"), two(ANY[1:])),
    "operator pow": (lambda t, x, y: [x.abs() ** 2, 2.5**y, x.abs() ** y.abs()], alike(2, FLOATING)),
    **{name: (torch_function(name), alike(2, REAL)) for name in ("maximum", "minimum")},
    "add_": (lambda t, x, y: x.add_(y), alike(2, (*INTEGERS, *FLOATING))),
    "+= of other types": (
        lambda t, x, y: x.__iadd__(y),
        two(REAL).filter(lambda x: isinstance(x[0], np.ndarray)),
    ),
    "-=": (lambda t, x, y: x.__isub__(y), alike(2, FLOATING)),
    "*=": (lambda t, x, y: x[..., :1].mul_(y[..., :1]), alike(2, FLOATING, least=1)),
    "mul out": (lambda t, x, y: t.mul(x, y, out=t.zeros_like(x)), alike(2, FLOATING)),
    "add out": (lambda t, x, y: t.add(x, y, out=t.zeros_like(x)[...]), alike(2, FLOATING)),
    "clamp": (
        lambda t, x: [x.clamp(-1, 2), x.clamp(min=0), x.clamp(max=1.5), t.clamp(x, 0, 1)],
        one((*INTEGERS, *FLOATING)),
    ),
    "clamp_": (method("clamp_", min=0), one(FLOATING)),
    "nan_to_num": (lambda t, x: [x.log().nan_to_num(), t.nan_to_num(x, nan=-1.0)], one(FLOATING)),
    "masked_fill": (lambda t, x, y: x.masked_fill(y > 0, -math.inf), alike(2, FLOATING)),
    "where": (
        lambda t, x, y: [t.where(x > 0, x, y), t.where(x > 0, 1.5, y)],
        alike(2, (*INTEGERS, *FLOATING)),
    ),
    "where of numbers": (lambda t, x: [t.where(x, 200.0, -200.0), t.where(x, 3, 0)], one(("bool",))),
    "addcmul": (lambda t, x, y, z: [t.addcmul(x, y, z), t.addcmul(x, y, z, value=-1)], alike(3, FLOATING)),
    "addcmul_": (lambda t, x, y, z: x.addcmul_(y, z, value=2), alike(3, FLOATING)),
    "lerp": (lambda t, x, y, z: t.lerp(x, y, z), alike(3, FLOATING)),
    "copy_": (lambda t, x, y: x.to(t.float32).copy_(y), alike(2, ("float64", "int64"))),
    "complex": (lambda t, x, y: t.complex(x, y), alike(2, FLOATING)),
    "polar": (lambda t, x: t.polar(t.ones_like(x), x.clamp(-9, 9)), one(FLOATING)),
    "as complex": (lambda t, x: t.view_as_complex(t.stack([x, x + 1], dim=-1)), one(FLOATING)),
    "as real": (
        lambda t, x: [t.view_as_real(x), t.view_as_real(x * 1j).flatten(-2), x.real, x.imag],
        one(("complex64", "complex128"), least=1),
    ),
    "equal": (lambda t, x, y: [t.equal(x, y), t.equal(x, x.clone())], alike(2, REAL)),
    "allclose": (lambda t, x, y: [t.allclose(x, y), t.allclose(x, x + 1e-9, atol=1e-6)], alike(2, FLOATING)),
    "bucketize": (
        lambda t, x: [t.bucketize(x, t.tensor([-1, 0, 2]), right=right) for right in (False, True)],
        one(("int64",)),
    ),
    "softmax": (lambda t, x: [x.softmax(-1), x.softmax(dim=0)], one(FLOATING, least=1)),
    "matmul": (
        lambda t, x, y: [x @ x.mT, x.mT @ x, x[..., 0] @ x[..., 0].mT.T if x.ndim == 2 else x],
        MATRICES.map(lambda x: (*x, 1)),
    ),
    "matmul of two types": (lambda t, x: x @ x.to(t.float64).mT, one(("float32",), least=2)),
    "einsum": (lambda t, x: t.einsum("...ij,...kj->...ik", x, x), one(FLOATING, least=2)),
    # along axes
    "sum": (lambda t, x: [x.sum(), x.sum(-1), x.sum(dim=(0,), keepdim=True)], one(ANY, least=1)),
    "mean": (lambda t, x: [x.mean(), x.mean(dim=-1, keepdim=True)], one(REAL, least=1)),
    "all, any": (
        lambda t, x: [x.all(), x.any(), x.all(dim=0), x.any(dim=-1, keepdim=True)],
        one(("bool", "int64", "float32"), least=1),
    ),
    "extremes": (
        lambda t, x: [x.max(), x.min(), *x.aminmax(), x.amax(dim=0), x.amin(-1, True)],
        one(least=1),
    ),
    "max along": (along(lambda x, *how: x.double().max(*how)), one(least=1)),
    "min along": (along(lambda x, *how: x.double().min(*how)), one(least=1)),
    "argmax": (along(lambda x, *how: x.double().argmax(*how)), one(least=1)),
    "argmax of all": (lambda t, x: x.double().argmax(), one(least=1)),
    "argsort": (
        lambda t, x: [x.argsort(dim=-1, stable=True), x.argsort(dim=0, stable=True, descending=True)],
        one(("int64", "float32"), least=1),
    ),
    "sort": (lambda t, x: [*x.sort(dim=0, stable=True)], one(("int64", "float32"), least=1)),
    "cumsum": (lambda t, x: [x.cumsum(0), x.cumsum(dim=-1)], one(REAL, least=1)),
    "cumsum_": (method("cumsum_", dim=-1), one(FLOATING, least=1)),
    "cummax": (lambda t, x: [*x.cummax(dim=0)], one(("int64", "float32"), least=1)),
    "diff": (
        lambda t, x: [x.diff(), x.diff(dim=0), x.diff(dim=-1, append=x[..., -1:]), x.diff(n=2)],
        one(("bool", "int64", *FLOATING), least=1),
    ),
    "nonzero": (lambda t, x: (x > 0).nonzero(), one()),
    "gather": (lambda t, x, at: x.gather(-1, at), with_places()),
    "scatter": (lambda t, x, at: x.scatter(-1, at[..., :1], 7.0), with_places()),
    "scatter_add": (lambda t, x, at, more: x.scatter_add(-1, at, more), with_places(2, ("float64", "int64"))),
    "scatter_add_": (
        lambda t, x, at, more: x.scatter_add_(-1, at, more),
        with_places(2, ("float64", "complex128")),
    ),
    "index_select": (lambda t, x, at: x.index_select(-1, at.flatten()), with_places()),
    "embedding": (lambda t, x, at: t.nn.functional.embedding(at, x.reshape(x.shape[-1], -1)), with_places()),
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_equals_pytorchs(name: str) -> None:
    assert_same_over_both(*OPERATIONS[name])
