"""Gradients over the page's torch equal PyTorch's, operation by operation."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from posenc_lessons.browser.numpy_torch import torch as numpy_torch
from tests.page.cubed import cubed

Expression = Callable[..., Any]  # calls with the module and tensors that need gradients

MATRIX, ROW, CUBE = (3, 4), (4,), (2, 3, 4)

EXPRESSIONS: dict[str, tuple[Expression, tuple[tuple[int, ...], ...]]] = {
    "add": (lambda t, x, y: x + y, (MATRIX, ROW)),
    "radd": (lambda t, x: 2 + x, (MATRIX,)),
    "sub": (lambda t, x, y: x - y, (ROW, MATRIX)),
    "rsub": (lambda t, x: 1 - x, (MATRIX,)),
    "mul": (lambda t, x, y: x * y, (MATRIX, (3, 1))),
    "mul by itself": (lambda t, x: x * x, (MATRIX,)),
    "div": (lambda t, x, y: x / (y * y + 1), (MATRIX, ROW)),
    "rdiv": (lambda t, x: 1 / (x * x + 1), (MATRIX,)),
    "pow": (lambda t, x: (x * x) ** 1.5 + x**2 + x**3, (MATRIX,)),
    "pow of a tensor": (lambda t, x, y: (x * x + 1) ** y, (MATRIX, ROW)),
    "rpow": (lambda t, x: 2**x, (MATRIX,)),
    "remainder": (lambda t, x: x % 0.7, (MATRIX,)),
    "maximum": (lambda t, x, y: t.maximum(x, y) - t.minimum(x, y), (MATRIX, ROW)),
    "maximum, ties": (lambda t, x: t.maximum(x, x), (MATRIX,)),
    **{
        name: (lambda t, x, name=name: getattr(t, name)(x), (MATRIX,))
        for name in ("sin", "cos", "exp", "sigmoid", "tanh", "abs", "neg", "relu", "floor", "ceil", "round")
    },
    **{
        name: (lambda t, x, name=name: getattr(t, name)(x * x + 0.5), (MATRIX,))
        for name in ("log", "log1p", "sqrt", "rsqrt", "log2", "log10")
    },
    "clamp": (lambda t, x: x.clamp(-0.5, 0.5) + x.clamp(min=0), (MATRIX,)),
    "clamp by tensors": (lambda t, x, y: x.clamp(max=y), (MATRIX, ROW)),
    "masked_fill": (lambda t, x: x.masked_fill(x > 0, 0.0), (MATRIX,)),
    "where": (lambda t, x, y: t.where(x > 0, x, y), (MATRIX, ROW)),
    "addcmul": (lambda t, x, y, z: t.addcmul(x, y, z, value=0.5), (MATRIX, ROW, (3, 1))),
    "lerp": (lambda t, x, y: t.lerp(x, y, 0.3), (MATRIX, MATRIX)),
    "lerp by a tensor": (lambda t, x, y, z: t.lerp(x, y, z.sigmoid()), (MATRIX, MATRIX, ROW)),
    "softmax": (lambda t, x: x.softmax(dim=-1) + x.softmax(dim=0), (MATRIX,)),
    "log_softmax": (lambda t, x: x.log_softmax(dim=-1), (MATRIX,)),
    "logsumexp": (lambda t, x: x.logsumexp(dim=-1), (MATRIX,)),
    "double and back": (lambda t, x: x.double() * 2 + x.float(), (MATRIX,)),
    "matmul": (lambda t, x, y: x @ y, (MATRIX, (4, 5))),
    "matmul, batched": (lambda t, x, y: x @ y, (CUBE, (4, 5))),
    "matmul, broadcast": (lambda t, x, y: x @ y, (MATRIX, (2, 4, 5))),
    "matmul, vector left": (lambda t, x, y: x @ y, (ROW, (2, 4, 5))),
    "matmul, vector right": (lambda t, x, y: x @ y, (CUBE, ROW)),
    "matmul, two vectors": (lambda t, x, y: x @ y, (ROW, ROW)),
    "einsum": (lambda t, x, y: t.einsum("ij,bjk->bik", x, y), (MATRIX, (2, 4, 5))),
    "einsum, own letter": (lambda t, x, y: t.einsum("ij,k->k", x, y), (MATRIX, (5,))),
    "sum": (lambda t, x: x.sum() * x.sum(dim=0) + x.sum(dim=-1, keepdim=True), (MATRIX,)),
    "sum of several": (lambda t, x: x.sum(dim=(0, 2)), (CUBE,)),
    "mean": (lambda t, x: x.mean() * x.mean(dim=0), (MATRIX,)),
    "amax": (lambda t, x: x.amax(dim=-1) * x.amin(), (MATRIX,)),
    "amax, ties": (lambda t, x: t.cat([x, x]).amax(dim=0), (MATRIX,)),
    "max and where": (lambda t, x: x.max(dim=-1).values * x.min(dim=0, keepdim=True).values, ((4, 4),)),
    "max of all": (lambda t, x: x.max() - x.min(), (MATRIX,)),
    "sort": (lambda t, x: x.sort(dim=-1, descending=True).values * t.arange(4), (MATRIX,)),
    "prod": (lambda t, x: x.prod(dim=-1) + x.prod(), (MATRIX,)),
    "cumsum": (lambda t, x: x.cumsum(dim=-1) * x.cumsum(dim=0), (MATRIX,)),
    "diff": (lambda t, x: x.diff(dim=0) * x.diff(n=2, dim=0).sum(), ((5, 4),)),
    "std": (lambda t, x: x.std(dim=-1) + x.var(), (MATRIX,)),
    "norm": (lambda t, x: x.norm(dim=-1) + x.norm(), (MATRIX,)),
    "reshape": (lambda t, x: x.reshape(4, 3) * x.view(-1, 3) + x.flatten().unflatten(0, (4, 3)), (MATRIX,)),
    "squeeze": (lambda t, x: x[:, None].squeeze(1) * x.unsqueeze(-1).squeeze(-1), (MATRIX,)),
    "transpose": (lambda t, x: x.T @ x + x.mT @ x.transpose(0, 1).T, (MATRIX,)),
    "permute": (lambda t, x: x.permute(2, 0, 1) * x.movedim(-1, 0), (CUBE,)),
    "expand": (lambda t, x: x[None].expand(5, 3, 4) * x.expand_as(t.zeros(2, 3, 4)).sum(), (MATRIX,)),
    "repeat": (lambda t, x: x.repeat(2, 3, 1), (MATRIX,)),
    "repeat_interleave": (
        lambda t, x: x.repeat_interleave(2, dim=-1) * x.repeat_interleave(2).sum(),
        (MATRIX,),
    ),
    "flip and roll": (lambda t, x: x.flip(0) * x.roll(1, -1) + t.roll(x, (1, 2), (0, 1)), (MATRIX,)),
    "tril and triu": (lambda t, x: x.tril() * 2 + x.triu(1), ((4, 4),)),
    "unbind": (lambda t, x: x.unbind(dim=1)[0] * x.unbind(dim=1)[2], (MATRIX,)),
    "split and chunk": (lambda t, x: x.split(1, dim=-1)[1] * x.chunk(2, dim=-1)[1], (MATRIX,)),
    "cat and stack": (
        lambda t, x, y: t.cat([x, y], dim=-1).sum() * t.stack([x, y, x], dim=1),
        (MATRIX, MATRIX),
    ),
    "getitem": (lambda t, x: x[1:, ::2].sum() * x[0, 1] + x[..., None, -1], (MATRIX,)),
    "getitem by places": (lambda t, x: x[t.tensor([0, 0, 2])] * x[:, t.tensor([1, 1])].sum(), (MATRIX,)),
    "getitem by a mask": (lambda t, x: x[t.tensor([True, False, True])], (MATRIX,)),
    "iteration": (lambda t, x: sum(row * n for n, row in enumerate(x)), (MATRIX,)),
    "gather": (lambda t, x: x.gather(1, t.tensor([[0, 0], [3, 1], [2, 2]])), (MATRIX,)),
    "scatter": (lambda t, x, y: x.scatter(1, t.tensor([[0], [3], [2]]), y), (MATRIX, (3, 1))),
    "scatter_add": (
        lambda t, x, y: x.scatter_add(1, t.tensor([[0, 0], [3, 1], [2, 2]]), y),
        (MATRIX, (3, 2)),
    ),
    "index_select": (lambda t, x: x.index_select(0, t.tensor([2, 0, 2])), (MATRIX,)),
    "index_add": (lambda t, x, y: x.index_add(0, t.tensor([2, 0, 2]), y), (MATRIX, MATRIX)),
    "diagonal": (lambda t, x: x.diagonal() * x.diagonal(1).sum(), (MATRIX,)),
    "detach": (lambda t, x: x * x.detach(), (MATRIX,)),
    "setitem": (lambda t, x, y: written(t, x, y), (MATRIX, ROW)),
    "added in place": (lambda t, x, y: added(x * 1, y), (MATRIX, ROW)),
    "filled in place": (lambda t, x: (x * 1).masked_fill_(x > 0, 0.5) * x, (MATRIX,)),
    "relu in place": (lambda t, x: t.nn.functional.relu(x * 2, inplace=True) * 3, (MATRIX,)),
    "linear": (lambda t, x, w, b: t.nn.functional.linear(x, w, b), (CUBE, (5, 4), (5,))),
    "layer_norm": (lambda t, x, w, b: t.nn.functional.layer_norm(x, (4,), w, b), (CUBE, ROW, ROW)),
    "embedding": (lambda t, w: t.nn.functional.embedding(t.tensor([[0, 2], [2, 2]]), w), (MATRIX,)),
    "cross_entropy": (lambda t, x: t.nn.functional.cross_entropy(x, t.tensor([0, 3, 3])), (MATRIX,)),
    "complex views": (
        lambda t, x: t.view_as_real(t.view_as_complex(x.unflatten(-1, (2, 2))) * t.polar(x.exp(), x)[:, :2]),
        (MATRIX,),
    ),
    "real and imaginary": (lambda t, x, y: (t.complex(x, y) ** 2).real * t.complex(x, y).imag, (MATRIX,) * 2),
    **{
        name: (lambda t, x, name=name: getattr(t, name)(x.sigmoid() * 0.9), (MATRIX,))
        for name in ("acos", "asin", "atan", "deg2rad", "rad2deg", "erf", "expm1", "tan", "logit", "frac")
    },
    "square and reciprocal": (lambda t, x: (x.square() + 1).reciprocal(), (MATRIX,)),
    "atan2 and logaddexp": (lambda t, x, y: t.atan2(x, y) + t.logaddexp(x, y), (MATRIX, ROW)),
    "nan_to_num": (lambda t, x: (x / (x > 0)).nan_to_num(posinf=1.0, neginf=2.0) * x, (MATRIX,)),
    "index_put": (
        lambda t, x, y: (
            x.index_put((t.tensor([0, 2]), t.tensor([1, 1])), y)
            + x.index_put((t.tensor([0, 0]), t.tensor([1, 1])), y, accumulate=True)
        ),
        (MATRIX, (2,)),
    ),
    "index_fill and fill_": (
        lambda t, x: x.index_fill(1, t.tensor([1, 3]), 2.0) * (x * 1).fill_(3.0) + (x * 2).zero_(),
        (MATRIX,),
    ),
    "put": (lambda t, x, y: x.put(t.tensor([1, 5]), y) * 2, (MATRIX, (2,))),
    "diag": (lambda t, x: t.diag(x[:, 0]) * 2 + t.diag(x[:, :3], 1).sum(), (MATRIX,)),
    "diagonal_scatter": (lambda t, x, y: x.diagonal_scatter(y) * x, ((4, 4), ROW)),
    "scatter in place": (lambda t, x, y: (x * 1).scatter_(1, t.tensor([[0], [3], [2]]), y), (MATRIX, (3, 1))),
    "topk and median": (
        lambda t, x: x.topk(2, dim=1).values * x.median(dim=1, keepdim=True).values,
        (MATRIX,),
    ),
    "masked_select": (lambda t, x: x.masked_select(t.tensor([True, False, True, True])), (MATRIX,)),
    "cdist": (lambda t, x, y: t.cdist(x, y), (MATRIX, (5, 4))),
    "narrow and ravel": (lambda t, x: x.narrow(1, 1, 2).ravel() * x[:, :2].ravel(), (MATRIX,)),
    "outer and dot": (lambda t, x, y: t.outer(x, y) * t.dot(x, y), (ROW, ROW)),
    "mean by axis": (lambda t, x: x.mean(axis=0) * x, (MATRIX,)),
    "nanmean": (lambda t, x: x.masked_fill(x > 1, math.nan).nanmean(dim=0), (MATRIX,)),
    "gelu": (
        lambda t, x: t.nn.functional.gelu(x) + t.nn.functional.gelu(x, approximate="tanh"),
        (MATRIX,),
    ),
    "silu and softplus": (lambda t, x: t.nn.functional.silu(x) * t.nn.functional.softplus(x), (MATRIX,)),
    "logsigmoid": (lambda t, x: t.nn.functional.logsigmoid(x), (MATRIX,)),
    "rms_norm": (lambda t, x, w: t.nn.functional.rms_norm(x, (4,), w), (CUBE, ROW)),
    "layer_norm, bare": (lambda t, x: t.nn.functional.layer_norm(x, (3, 4)), (CUBE,)),
    "normalize": (lambda t, x: t.nn.functional.normalize(x, dim=-1), (MATRIX,)),
    "cosine_similarity": (lambda t, x, y: t.nn.functional.cosine_similarity(x, y, dim=-1), (MATRIX, MATRIX)),
    "mse_loss": (lambda t, x, y: t.nn.functional.mse_loss(x, y), (MATRIX, MATRIX)),
    "cross_entropy, some ignored": (
        lambda t, x: (
            t.nn.functional.cross_entropy(x, t.tensor([0, 9, 3]), ignore_index=9)
            + t.nn.functional.cross_entropy(x, t.tensor([0, 1, 3]), reduction="sum")
        ),
        (MATRIX,),
    ),
    "embedding with padding": (
        lambda t, w: t.nn.functional.embedding(t.tensor([[0, 2], [2, 2]]), w, padding_idx=2),
        (MATRIX,),
    ),
    "pad": (lambda t, x: t.nn.functional.pad(x, (1, 2, -1, 1), value=0.5) * 2, (MATRIX,)),
    **{
        f"interpolate, {mode}, {options}": (
            lambda t, x, mode=mode, options=options: t.nn.functional.interpolate(
                x if "bi" in mode else x[0], mode=mode, **options
            ),
            ((1, 2, 3, 4),),
        )
        for mode in ("nearest", "linear", "bilinear", "bicubic")
        for options in ({"size": 5}, {"scale_factor": 1.7}, {"size": 2, "align_corners": True})
        if not (mode == "nearest" and "align_corners" in options)
    },
    "used twice": (lambda t, x: (y := x * 2) * y + y.sin() * x, (MATRIX,)),
    "no_grad inside": (lambda t, x: x * undifferentiated(t, x), (MATRIX,)),
    "a Function": (lambda t, x: cubed(t, x * 2) + cubed(t, x, at_once=True), (MATRIX,)),
    "written after a sum": (lambda t, x: [(y := x * 1), (z := y.sum()), y.mul_(3), z * y][-1], (MATRIX,)),
    "filled with a gradient": (lambda t, x: t.zeros(3).fill_(x.sum()) * t.arange(3), (MATRIX,)),
    "index_add with alpha": (
        lambda t, x, y: x.index_add(0, t.tensor([2, 0]), y, alpha=0.5),
        (MATRIX, (2, 4)),
    ),
    "scatter_add in place": (
        lambda t, x, y: (x * 1).scatter_add_(1, t.tensor([[0, 0], [3, 1], [2, 2]]), y),
        (MATRIX, (3, 2)),
    ),
    "unbind of a row": (lambda t, x: x.unbind()[2] * x, (ROW,)),
    "norm of zeros": (lambda t, x: (x * 0).norm(dim=-1) + (x * 0).norm(), (MATRIX,)),
    "einsum without arrow": (lambda t, x, y: t.einsum("ij,jk", x, y), (MATRIX, (4, 2))),
    "einsum with dots": (lambda t, x, y: t.einsum("...ij,jk->...ik", x, y), (CUBE, (4, 2))),
    "complex einsum": (
        lambda t, x, y: t.einsum("ij,ij->i", t.complex(x, y), t.complex(y, x)).abs(),
        (MATRIX, MATRIX),
    ),
    "softmax's own axis": (lambda t, x: t.nn.functional.softmax(x), (MATRIX,)),
    "attention": (
        lambda t, q, k, v: t.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True),
        (CUBE, CUBE, CUBE),
    ),
}


def undifferentiated(t: Any, x: Any) -> Any:
    with t.no_grad():
        return x.exp()


def written(t: Any, x: Any, y: Any) -> Any:
    made = t.zeros(3, 4)
    made[0] = y
    made[1:, :2] = x[1:, 2:] * 2
    return made * made


def added(x: Any, y: Any) -> Any:
    x += y
    x *= y
    return x


def gradients(module: Any, expression: Expression, arrays: list[np.ndarray]) -> list[np.ndarray]:
    """Return an expression's value, and the gradient of its sum with fixed weights for each argument."""
    tensors = [module.tensor(array, dtype=module.float64).requires_grad_() for array in arrays]
    result = expression(module, *tensors)
    weights = np.cos(np.arange(result.numel(), dtype=float)).reshape(tuple(result.shape))
    (result * module.tensor(weights, dtype=result.dtype)).sum().backward()
    grads = [
        np.zeros_like(a) if x.grad is None else x.grad.numpy() for a, x in zip(arrays, tensors, strict=True)
    ]
    return [result.detach().numpy(), *grads]


@pytest.mark.filterwarnings("ignore:Implicit dimension")
@pytest.mark.parametrize("name", EXPRESSIONS)
def test_a_gradient_equals_pytorchs(name: str) -> None:
    expression, shapes = EXPRESSIONS[name]
    arrays = [np.random.default_rng(n).standard_normal(shape) for n, shape in enumerate(shapes)]
    expected, found = (gradients(module, expression, arrays) for module in (torch, numpy_torch))
    for theirs, ours in zip(expected, found, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-6)
