"""New tensors, modules and random numbers are the same over the page's torch as over PyTorch."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from tests.page.operations import (
    Arguments,
    Call,
    assert_same_over_both,
)


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
HEADS = st.tuples(*(st.just(np.random.default_rng(n).normal(size=(2, 3, 4, 5))) for n in range(3)))

OPERATIONS: dict[str, tuple[Call, Arguments]] = {
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
    assert_same_over_both(*OPERATIONS[name])
