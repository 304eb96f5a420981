"""Operations give the same over the page's torch as over PyTorch for random shapes, types and numbers.

``test_calls.py`` has every operation; here are those in which types are mixed, shapes broadcast, numbers are
infinite, or something is refused.
"""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

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


def assigned(x: Any, index: Any, value: Any) -> Any:
    x[index] = value
    return x


def indexed(t: Any, x: Any) -> list[Any]:
    rows = t.tensor([0, -1, 0])
    plain = [x[0], x[-1:, None], x[[0, 0]], x[:, ::2]]
    return [*plain, x[..., rows], x[x > 0], x[rows[0]], x[rows[:, None], rows]]


def written_through_views(t: Any, x: Any) -> Any:
    """Write into views, which changes the tensor."""
    x.T[0].mul_(3)
    x[None][..., -1].mul_(2)
    x.reshape(-1)[:1].add_(1)
    x.view(1, *x.shape).neg_()
    x.detach().clamp_(max=5)
    return x.T.reshape(-1)


def drawn(how: str, *size: Any) -> Call:
    def draw(t: Any, seed: int) -> list[Any]:
        generator = t.Generator().manual_seed(seed)
        return [getattr(t, how)(*size, generator=generator) for _ in range(3)]

    return draw


SEEDS = st.tuples(st.integers(0, 2**62))
WHOLE = (*INTEGERS, *FLOATING)
MATRIX = one(FLOATING, least=2).filter(lambda x: x[0].ndim == 2)
SMALL = one(("bool", *INTEGERS, "float32")).filter(lambda x: bool((np.abs(x[0].astype(float)) < 1e9).all()))

OPERATIONS: dict[str, tuple[Call, Arguments]] = {
    **{name: (torch_function(name), one(REAL)) for name in ("sin", "exp", "log", "sigmoid", "isfinite")},
    **{name: (method(name), one(WHOLE)) for name in ("abs", "relu", "floor")},
    **{name: (method(name), one(FLOATING)) for name in ("neg_", "sqrt_", "frac")},
    "invert": (lambda t, x: ~x, one(("bool", *INTEGERS))),
    **{f"operator {name}": (of_operator(name), two()) for name in ("add", "mul", "truediv", "eq")},
    **{f"operator {name}": (of_operator(name), two(REAL)) for name in ("lt", "ge")},
    **{f"operator {name}": (of_operator(name), alike(2, ("bool", *INTEGERS))) for name in ("and_", "or_")},
    **{f"operator {name}": (divided(name), alike(2, INTEGERS)) for name in ("floordiv", "mod")},
    "operator sub": (of_operator("sub"), two(ANY[1:])),
    "operator pow": (lambda t, x, y: [x.abs() ** 2, 2.5**y, x.abs() ** y.abs()], alike(2, FLOATING)),
    **{name: (torch_function(name), alike(2, REAL)) for name in ("maximum", "minimum")},
    "add_": (lambda t, x, y: x.add_(y), alike(2, WHOLE)),
    "+= of other types": (of_operator("iadd"), two(REAL).filter(lambda x: isinstance(x[0], np.ndarray))),
    "mul out": (lambda t, x, y: t.mul(x, y, out=t.zeros_like(x)), alike(2, FLOATING)),
    "clamp": (lambda t, x: [x.clamp(-1, 2), x.clamp(min=0), x.clamp(max=1.5)], one(WHOLE)),
    "nan_to_num": (lambda t, x: [x.log().nan_to_num(), t.nan_to_num(x, nan=-1.0)], one(FLOATING)),
    "masked_fill": (lambda t, x, y: x.masked_fill(y > 0, -math.inf), alike(2, FLOATING)),
    "where": (lambda t, x, y: [t.where(x > 0, x, y), t.where(x > 0, 1.5, y)], alike(2, WHOLE)),
    "where of numbers": (lambda t, x: [t.where(x, 200.0, -200.0), t.where(x, 3, 0)], one(("bool",))),
    "addcmul_": (lambda t, x, y, z: x.addcmul_(y, z, value=2), alike(3, FLOATING)),
    "lerp": (lambda t, x, y, z: t.lerp(x, y, z), alike(3, FLOATING)),
    "copy_": (lambda t, x, y: x.to(t.float32).copy_(y), alike(2, ("float64", "int64"))),
    "as complex": (lambda t, x: t.view_as_complex(t.stack([x, x + 1], dim=-1)), one(FLOATING)),
    "equal": (lambda t, x, y: [t.equal(x, y), t.allclose(x, x + 1e-9, atol=1e-6)], alike(2, FLOATING)),
    "softmax": (lambda t, x: [x.softmax(-1), x.softmax(dim=0)], one(FLOATING, least=1)),
    "matmul of two types": (lambda t, x: x @ x.to(t.float64).mT, one(("float32",), least=2)),
    # along axes
    "sum": (lambda t, x: [x.sum(), x.sum(-1), x.sum(dim=(0,), keepdim=True)], one(ANY, least=1)),
    "mean": (lambda t, x: [x.mean(), x.mean(dim=-1, keepdim=True)], one(REAL, least=1)),
    "all, any": (lambda t, x: [x.all(), x.any(dim=-1, keepdim=True)], one(("bool", "float32"), least=1)),
    "extremes": (lambda t, x: [x.max(), *x.aminmax(), x.amax(dim=0), x.amin(-1, True)], one(least=1)),
    "max along": (along(lambda x, *how: x.double().max(*how)), one(least=1)),
    "argmin": (along(lambda x, *how: x.double().argmin(*how)), one(least=1)),
    "argsort": (lambda t, x: x.argsort(dim=0, stable=True, descending=True), one(WHOLE, least=1)),
    "sort": (lambda t, x: [*x.sort(dim=0, stable=True)], one(WHOLE, least=1)),
    "cumsum": (lambda t, x: [x.cumsum(0), x.cumsum(dim=-1)], one(REAL, least=1)),
    "cummax": (lambda t, x: [*x.cummax(dim=0)], one(WHOLE, least=1)),
    "diff": (lambda t, x: [x.diff(), x.diff(dim=-1, append=x[..., -1:]), x.diff(n=2)], one(REAL, least=1)),
    # places
    "gather": (lambda t, x, at: x.gather(-1, at), with_places()),
    "scatter": (lambda t, x, at: x.scatter(-1, at[..., :1], 7.0), with_places()),
    "scatter_add_": (
        lambda t, x, at, y: x.scatter_add_(-1, at, y),
        with_places(2, ("float64", "complex128")),
    ),
    "index_select": (lambda t, x, at: x.index_select(-1, at.flatten()), with_places()),
    "embedding": (lambda t, x, at: t.nn.functional.embedding(at, x.reshape(x.shape[-1], -1)), with_places()),
    "index": (indexed, one(REAL, least=2).map(lambda x: (np.tile(x[0], (2,) * x[0].ndim),))),
    "assign": (
        lambda t, x: assigned(assigned(x, (..., slice(1, None)), 3), x > 1, 0),
        one(FLOATING, least=1),
    ),
    "assign another type": (lambda t, x: assigned(x, x > 0, x[x > 0].double()), one(FLOATING, least=1)),
    "write through views": (written_through_views, MATRIX),
    # shapes and types
    "reshape": (lambda t, x: [x.reshape(-1), x.flatten(), x.flatten(0, -1), x.T.reshape(-1)], MATRIX),
    "reshape to what does not fit": (lambda t, x: x.reshape(x.numel() + 1), one()),
    "view of what is turned": (lambda t, x: x.mT.view(-1), one(FLOATING, least=2)),
    "expand": (lambda t, x: [x[..., :1].expand_as(x), x[None].expand(2, *(-1,) * x.ndim)], one(least=1)),
    "unbind, split": (lambda t, x: [*x.unbind(-1), *x.split(2, dim=0), *x, len(x)], one(least=1)),
    "roll": (lambda t, x: [x.roll(1, dims=-1), x.roll(-2, dims=0), x.roll(1)], one(least=1)),
    "cat of two types": (lambda t, x: t.cat([x, x.to(t.float64)]), one(REAL, least=1)),
    "strides": (
        lambda t, x: [x.stride(), x.mT.stride(-1), x[..., 1:].storage_offset(), x.mT.is_contiguous()],
        one(ANY, least=2).filter(lambda x: min(x[0].shape) > 1),
    ),
    "conversions": (
        lambda t, x: [x.double(), x.long(), x.bool(), x.to("cpu", t.float32), x.to(t.int32)],
        SMALL,
    ),
    "one number": (lambda t, x: [float(x.sum()), bool(x.amax() > 0)], one(("int64",), least=1)),
    "bool of several": (lambda t, x: bool(x), one().filter(lambda x: x[0].size != 1)),
    "promote_types": (
        lambda t, first, second: str(t.promote_types(getattr(t, first), getattr(t, second))),
        st.tuples(*(st.sampled_from((*ANY, "float16", "bfloat16")),) * 2),
    ),
    # random numbers
    **{f"randn {size}": (drawn("randn", *size), SEEDS) for size in ((3,), (15,), (16,), (17,), (5, 7))},
    "rand": (drawn("rand", 30), SEEDS),
    **{f"randperm {n}": (drawn("randperm", n), SEEDS) for n in (0, 1, 40)},
    "randint": (lambda t, seed: t.randint(-2, 9, (4, 5), generator=t.Generator().manual_seed(seed)), SEEDS),
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_equals_pytorchs(name: str) -> None:
    assert_same_over_both(*OPERATIONS[name])
