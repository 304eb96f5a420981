"""Indices, views, shapes and types are the same over the page's torch as over PyTorch."""

from __future__ import annotations

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
    assert_same_over_both,
    method,
    one,
    torch_function,
)


def assigned(t: Any, x: Any, value: Any) -> Any:
    x[..., 1:] = value
    x[x > 1] = 0
    return x


def assigned_by(x: Any, index: Any, value: Any) -> Any:
    x[index] = value
    return x


def indexed(t: Any, x: Any) -> list[Any]:
    rows = t.tensor([0, -1, 0])
    return [
        x[0],
        x[-1:, None],
        x[..., rows],
        x[[0, 0]],
        x[x > 0],
        x[rows[0]],
        x[:, ::2],
        x[rows[:, None], rows],
    ]


def through_views(t: Any, x: Any) -> Any:
    """Write into a view, which changes the tensor."""
    x.T[0].mul_(3)
    x[None][..., -1].mul_(2)
    x.reshape(-1)[:1].add_(1)
    x.view(1, *x.shape).neg_()
    x.detach().clamp_(max=5)
    return x.T.reshape(-1)


OPERATIONS: dict[str, tuple[Call, Arguments]] = {
    "index": (indexed, one(REAL, least=2).map(lambda x: (np.tile(x[0], (2,) * x[0].ndim),))),
    "assign": (lambda t, x: assigned(t, x, 3), one(FLOATING, least=1)),
    "assign another type by places": (
        lambda t, x: [assigned_by(x, x > 0, x[x > 0].double()), assigned_by(x, slice(1), x[:1].double())],
        one(FLOATING, least=1),
    ),
    "write through views": (through_views, one(FLOATING, least=2).filter(lambda x: x[0].ndim == 2)),
    "backwards": (lambda t, x: x[::-1], one(least=1)),
    "reshape": (
        lambda t, x: [x.reshape(-1), x.reshape(1, *x.shape), x.flatten(), x.flatten(0, -1), x.T.reshape(-1)],
        one(FLOATING, least=2).filter(lambda x: x[0].ndim == 2),
    ),
    "reshape to what does not fit": (lambda t, x: x.reshape(x.numel() + 1), one()),
    "view of what is turned": (lambda t, x: x.mT.view(-1), one(FLOATING, least=2)),
    "unflatten": (lambda t, x: x.repeat_interleave(2, dim=-1).unflatten(-1, (-1, 2)), one(least=1)),
    "axes": (
        lambda t, x: [x.transpose(0, -1), x.movedim(0, -1), x.mT],
        one(least=2),
    ),
    "expand": (
        lambda t, x: [x.expand(3, *x.shape), x[..., :1].expand_as(x), x[None].expand(2, *(-1,) * x.ndim)],
        one(least=1),
    ),
    "expand to what does not fit": (
        lambda t, x: x.expand(*x.shape[:-1], x.shape[-1] + 1),
        one(least=1).filter(lambda x: x[0].shape[-1] > 1),
    ),
    "unbind, split": (lambda t, x: [*x.unbind(-1), *x.split(2, dim=0), *x, len(x)], one(least=1)),
    "flip, roll": (
        lambda t, x: [x.flip(-1), x.flip(0), x.roll(1, dims=-1), x.roll(-2, dims=0), x.roll(1)],
        one(least=1),
    ),
    "repeat_interleave": (method("repeat_interleave", 2, dim=0), one(least=1)),
    "triangles": (lambda t, x: [x.tril(), x.triu(1), x.tril(-1)], one(least=2)),
    "cat, stack": (
        lambda t, x: [t.cat([x, x]), t.cat((x, x), dim=-1), t.stack([x, x], dim=-1), t.stack((x, x))],
        one(least=1),
    ),
    "cat of two types": (lambda t, x: t.cat([x, x.to(t.float64)]), one(REAL, least=1)),
    "stack of what does not fit": (lambda t, x: t.stack([x, x[..., :0]]), one(least=1)),
    "atleast_1d": (torch_function("atleast_1d"), one()),
    "what it is": (
        lambda t, x: [
            x.numel(),
            list(x.shape),
            x.ndim,
            x.size(0),
            x.is_floating_point(),
            x.is_complex(),
            x.stride(),
            x.mT.stride(-1),
            x[..., 1:].storage_offset(),
            x.mT.is_contiguous(),
            x.mT.contiguous(),
            x.tolist(),
        ],
        one(ANY, least=2).filter(lambda x: min(x[0].shape) > 1),
    ),
    "conversions": (
        lambda t, x: [
            x.double(),
            x.float(),
            x.long(),
            x.bool(),
            x.to("cpu", t.float32),
            x.to(x),
            x.new_zeros(2, 3),
            x.clone(),
            x.to(t.int32),
        ],
        one(("bool", *INTEGERS, "float32")).filter(lambda x: bool((np.abs(x[0].astype(float)) < 1e9).all())),
    ),
    "one number": (
        lambda t, x: [float(x.sum()), x.sum().item(), bool(x.amax() > 0), f"{x.sum().item():.3f}"],
        one(("int64",), least=1),
    ),
    "bool of several": (lambda t, x: bool(x), one().filter(lambda x: x[0].size != 1)),
    "index of what is no integer": (lambda t, x: range(x.sum()), one(("float32",))),
    "iteration over one number": (lambda t, x: list(x.sum()), one()),
    "promote_types": (
        lambda t, first, second: str(t.promote_types(getattr(t, first), getattr(t, second))),
        st.tuples(*(st.sampled_from((*ANY, "float16", "bfloat16")),) * 2),
    ),
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_equals_pytorchs(name: str) -> None:
    assert_same_over_both(*OPERATIONS[name])
