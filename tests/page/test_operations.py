"""Operations of the page's torch give the same numbers, types, shapes and refusals as PyTorch's."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc_lessons.browser.numpy_torch import torch as numpy_torch

Call = Callable[..., Any]  # operations of the module and of tensors

INTEGERS = ("int32", "int64")
FLOATING = ("float32", "float64")
REAL = ("bool", *INTEGERS, *FLOATING)
ANY = (*REAL, "complex64", "complex128")
NUMBERS = (2, -3, 0.5, -1.25)


def filled(draw: Any, shape: tuple[int, ...], kinds: tuple[str, ...]) -> np.ndarray:
    """Draw an array of this shape; floating-point ones may contain infinities and NaN."""
    kind = draw(st.sampled_from(kinds))
    chance = np.random.default_rng(draw(st.integers(0, 2**16)))
    if kind == "bool":
        return np.asarray(chance.random(shape) < 0.5)
    if kind in INTEGERS:
        return np.asarray(chance.integers(-6, 7, shape), kind)
    made = chance.normal(size=shape) * 3
    if kind in FLOATING and draw(st.booleans()):
        made = np.where(
            chance.random(shape) < 0.2, chance.choice([0.0, -0.0, np.inf, -np.inf, 1e30], shape), made
        )
    if kind not in FLOATING:
        made = made + 1j * chance.normal(size=shape)
    return np.asarray(made, kind)


def shapes(least: int = 0, most: int = 3, smallest: int = 1) -> st.SearchStrategy[tuple[int, ...]]:
    return st.lists(st.integers(smallest, 4), min_size=least, max_size=most).map(tuple)


def broadcast(draw: Any, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Draw a shape that broadcasts with ``shape``: some axes are 1, some leading axes are missing."""
    kept = shape[draw(st.integers(0, len(shape))) :]
    return tuple(draw(st.sampled_from((1, size))) for size in kept)


def one(kinds: tuple[str, ...] = REAL, least: int = 0) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.composite(lambda draw: (filled(draw, draw(shapes(least)), kinds),))()


def two(kinds: tuple[str, ...] = ANY) -> st.SearchStrategy[tuple[Any, ...]]:
    """Draw two arrays of any types whose shapes fit, or one array and a Python number."""

    @st.composite
    def drawn(draw: Any) -> tuple[Any, ...]:
        shape = draw(shapes())
        first = filled(draw, shape, kinds)
        if draw(st.booleans()):
            return first, filled(draw, broadcast(draw, shape), kinds)
        numbers = (first, draw(st.sampled_from(NUMBERS)))
        return numbers if draw(st.booleans()) else numbers[::-1]

    return drawn()


def alike(count: int, kinds: tuple[str, ...], least: int = 0) -> st.SearchStrategy[tuple[Any, ...]]:
    """Draw ``count`` arrays of one type whose shapes broadcast to that of the first."""

    @st.composite
    def drawn(draw: Any) -> tuple[Any, ...]:
        shape, kind = draw(shapes(least)), (draw(st.sampled_from(kinds)),)
        return tuple(filled(draw, shape if not n else broadcast(draw, shape), kind) for n in range(count))

    return drawn()


def with_places(count: int = 1, kinds: tuple[str, ...] = FLOATING) -> st.SearchStrategy[tuple[Any, ...]]:
    """Draw an array, places along its last axis, and ``count`` − 1 arrays of the shape of the places."""

    @st.composite
    def drawn(draw: Any) -> tuple[Any, ...]:
        shape, kind = draw(shapes(1)), (draw(st.sampled_from(kinds)),)
        chance = np.random.default_rng(draw(st.integers(0, 2**16)))
        wide = (*shape[:-1], draw(st.integers(1, 5)))
        beyond = draw(st.sampled_from((0, 0, 0, 1)))  # sometimes a place that does not exist
        places = chance.integers(-beyond, shape[-1] + beyond, wide)
        return (filled(draw, shape, kind), places, *(filled(draw, wide, kind) for _ in range(count - 1)))

    return drawn()


def along(call: Call) -> Call:
    """Return calls along the first axis, along the last, and with ``keepdim``."""
    return lambda t, x: [call(x, 0), call(x, -1), call(x, -1, True)]


def method(name: str, *arguments: Any, **named: Any) -> Call:
    return lambda t, x, *more: getattr(x, name)(*more, *arguments, **named)


def torch_function(name: str, *arguments: Any, **named: Any) -> Call:
    return lambda t, *tensors: getattr(t, name)(*tensors, *arguments, **named)


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


def modules(t: Any, x: Any) -> list[Any]:
    nn = t.nn
    linear, norm = nn.Linear(4, 3), nn.LayerNorm(4)
    embedding = nn.Embedding(5, 4)
    for parameters in (linear.parameters(), norm.parameters(), embedding.parameters()):
        for number, parameter in enumerate(parameters):
            parameter.data = (t.arange(parameter.numel()) % 7 - number).to(x.dtype).reshape(
                parameter.shape
            ) / 7
    dropout, root = nn.Dropout(0.5).eval(), nn.RMSNorm(4, 1e-6, device="cpu", dtype=x.dtype)
    return [linear(x), norm(x), root(x), dropout(embedding(t.tensor([[0, 4], [2, 2]]))), nn.Identity()(x)]


def parts_of_modules(t: Any, x: Any) -> list[Any]:
    """Return names, shared parameters, buffers, copies, conversions and hooks of a module with parts."""

    class Part(t.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.table = t.nn.Parameter(t.ones(3))
            self.register_parameter("nothing", None)
            self.register_buffer("counts", t.arange(3))
            self.register_buffer("scale", t.full((3,), 2.0))

        def forward(self, x: Any, plus: float = 0.0) -> Any:
            return x * self.table * self.scale + self.counts + plus

    part = Part()
    whole = t.nn.ModuleList([part, t.nn.Identity(), part])
    copied = copy.deepcopy(whole).to(t.float64).eval()
    copied[0].table.data = copied[0].table.data * 3
    copied[0].scale = t.full((3,), 5.0)
    hook = part.register_forward_hook(lambda module, inputs, output: output + len(inputs))
    hooked = part(x, plus=1.0)
    hook.remove()
    names = [name for name, _ in whole.named_parameters()]
    kept = [part.nothing is None, copied.training, copied[0].training, part.training, copied[0] is copied[2]]
    kinds = [str(each.dtype) for each in (copied[0].table, copied[0].counts, copied[0].scale)]
    sizes = [len(whole), len(list(whole.modules())), len(list(whole.parameters()))]
    return [names, kept, kinds, sizes, hooked, part(x), copied[0](x)]


def attention(mask: str) -> Call:
    def attend(t: Any, q: Any, k: Any, v: Any) -> Any:
        how: dict[str, Any] = {"is_causal": True} if mask == "causal" else {}
        if mask == "numbers":
            how["attn_mask"] = (q @ k.mT).abs()
        if mask == "bool":  # the first row is fully masked
            how["attn_mask"] = t.ones(q.shape[-2], k.shape[-2], dtype=t.bool).tril(-1)
        return t.nn.functional.scaled_dot_product_attention(q, k, v, **how)

    return attend


def drawn(how: str, *size: Any) -> Call:
    def draw(t: Any, seed: int) -> list[Any]:
        generator = t.Generator().manual_seed(seed)
        return [getattr(t, how)(*size, generator=generator) for _ in range(3)]

    return draw


def started(t: Any, seed: int) -> list[Any]:
    """Return parameters drawn from the shared random stream, and restore its state."""
    t.manual_seed(seed)
    with t.random.fork_rng(devices=[]):
        t.manual_seed(seed + 1)
        inside = [*t.nn.Linear(5, 7).parameters(), *t.nn.Embedding(3, 6).parameters()]
        inside.append(t.nn.init.normal_(t.zeros(4, 5), std=0.3))
        inside.append(t.nn.init.xavier_uniform_(t.zeros(4, 5)))
    return [*inside, t.rand(3)]


SEEDS = st.tuples(st.integers(0, 2**62))
MATRICES = alike(1, FLOATING, least=2)
HEADS = st.tuples(*(st.just(np.random.default_rng(n).normal(size=(2, 3, 4, 5))) for n in range(3)))

UNARY_FLOATING = ("sin", "cos", "exp", "log", "log1p", "sqrt", "sigmoid")

OPERATIONS: dict[str, tuple[Call, st.SearchStrategy[tuple[Any, ...]]]] = {
    **{name: (torch_function(name), one(REAL)) for name in (*UNARY_FLOATING, "isfinite")},
    **{name: (method(name), one((*INTEGERS, *FLOATING))) for name in ("abs", "relu", "neg", "floor", "ceil")},
    **{f"{name}_": (method(f"{name}_"), one(FLOATING)) for name in ("neg", "frac", "sigmoid", "sqrt")},
    "frac": (method("frac"), one(FLOATING)),
    "conj": (lambda t, x: x.conj() * 1, one(("complex64", "complex128"))),
    "invert": (lambda t, x: ~x, one(("bool", *INTEGERS))),
    **{name: (torch_function(name), two()) for name in ("add", "mul", "div")},
    **{
        f"operator {name}": (call, two())
        for name, call in {
            "+": lambda t, x, y: x + y,
            "*": lambda t, x, y: x * y,
            "/": lambda t, x, y: x / y,
            "==": lambda t, x, y: x == y,
            "!=": lambda t, x, y: x != y,
        }.items()
    },
    **{
        f"operator {name}": (call, two(REAL))
        for name, call in {
            "<": lambda t, x, y: x < y,
            "<=": lambda t, x, y: x <= y,
            ">": lambda t, x, y: x > y,
            ">=": lambda t, x, y: x >= y,
        }.items()
    },
    "operator -": (lambda t, x, y: x - y, two(ANY[1:])),
    "operator **": (lambda t, x, y: [x.abs() ** 2, 2.5**y, x.abs() ** y.abs()], alike(2, FLOATING)),
    "operator //": (lambda t, x, y: [x // 3, x // (y.abs() + 1)], alike(2, ("int32", "int64"))),
    "operator %": (lambda t, x, y: [x % 3, x % (y.abs() + 1)], alike(2, ("int32", "int64"))),
    "operator &": (lambda t, x, y: x & y, alike(2, ("bool", *INTEGERS))),
    "operator |": (lambda t, x, y: x | y, alike(2, ("bool", *INTEGERS))),
    "maximum": (torch_function("maximum"), alike(2, REAL)),
    "minimum": (torch_function("minimum"), alike(2, REAL)),
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
    # shapes
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
    # making
    "made": (
        lambda t, n: [
            t.zeros(n, 2),
            t.ones((n,), dtype=t.bool),
            t.zeros_like(t.arange(n)),
            t.ones_like(t.arange(n), dtype=t.float64),
            t.full((2, n), 3),
            t.full((n,), 0.5),
            t.full_like(t.arange(n), 4),
            t.empty(n, 0, dtype=t.float64),
            t.arange(n),
            t.arange(1, n + 1, 2),
            t.arange(n, dtype=t.float32),
            t.arange(0.0, n, 0.5),
            t.arange(-n, n + 1),
            t.tensor(n),
            t.tensor([1.5] * n),
            t.tensor([[n, 2]], dtype=t.float64),
            t.tensor([True] * n),
            t.tensor([n, 0.5]),
            t.tensor([t.tensor(1), t.tensor(n)]),
        ],
        st.tuples(st.integers(1, 5)),
    ),
    "a device that is not there": (lambda t, n: t.empty(n, device="nowhere"), st.tuples(st.integers(0, 2))),
    # modules
    "cross_entropy": (
        lambda t, x: [
            t.nn.functional.cross_entropy(x, t.tensor([[0, 3], [1, 2]]), reduction=reduction)
            for reduction in ("none", "mean")
        ],
        st.tuples(st.just(np.random.default_rng(0).normal(size=(2, 4, 2)))),
    ),
    "parts of modules": (parts_of_modules, st.tuples(st.just(np.ones((2, 3), "float32")))),
    "modules": (
        modules,
        st.tuples(st.just(np.random.default_rng(0).normal(size=(2, 3, 4)).astype("float32"))),
    ),
    **{f"attention, {mask}": (attention(mask), HEADS) for mask in ("plain", "causal", "bool", "numbers")},
    # random numbers
    **{
        f"randn {size}": (drawn("randn", *size), SEEDS)
        for size in ((3,), (2, 4), (15,), (16,), (17,), (5, 7))
    },
    **{f"rand {size}": (drawn("rand", *size), SEEDS) for size in ((1,), (30,))},
    **{f"randperm {n}": (drawn("randperm", n), SEEDS) for n in (0, 1, 2, 40)},
    "randint": (lambda t, seed: t.randint(-2, 9, (4, 5), generator=t.Generator().manual_seed(seed)), SEEDS),
    "starting values": (started, SEEDS),
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_equals_pytorchs(name: str) -> None:
    call, arguments = OPERATIONS[name]

    @settings(max_examples=20)
    @given(arguments)
    def same(given: tuple[Any, ...]) -> None:
        expected, found = (outcome(module, call, given) for module in (torch, numpy_torch))
        assert_same(expected, found)

    same()


def outcome(module: Any, call: Call, given: tuple[Any, ...]) -> Any:
    """Return the result and the arguments after the call, or that it was refused."""
    tensors = [module.tensor(each) if isinstance(each, np.ndarray) else each for each in given]
    try:
        return plain([call(module, *tensors), tensors])
    except (RuntimeError, ValueError, IndexError, TypeError):
        return "refused"


def plain(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, (torch.Tensor, numpy_torch.Tensor)):
        return (
            value.detach().resolve_conj().numpy()
            if isinstance(value, torch.Tensor)
            else value.detach().numpy()
        )
    return value


def assert_same(expected: Any, found: Any) -> None:
    assert type(expected) is type(found), f"{expected} ≠ {found}"
    if isinstance(expected, list):
        assert len(expected) == len(found)
        for pair in zip(expected, found, strict=True):
            assert_same(*pair)
    elif isinstance(expected, np.ndarray):
        assert (expected.dtype, expected.shape) == (found.dtype, found.shape)
        near = 1e-5 if expected.dtype in (np.float32, np.complex64) else 1e-12
        np.testing.assert_allclose(found, expected, rtol=near, atol=near)
    else:
        assert expected == found
