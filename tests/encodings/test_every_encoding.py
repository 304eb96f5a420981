"""What holds for all encodings alike: compiled whole, few looks at the positions, any default device."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn
from torch.nn.attention.flex_attention import flex_attention
from torch.testing import assert_close

from posenc_lessons.encodings import (
    ALiBi,
    ContextExtension,
    CoPE,
    LearnedEncoding,
    PositionEncoding,
    QueryTemperature,
    RotaryEncoding,
    ShawRelative,
    SinusoidalEncoding,
    T5RelativeBias,
    Together,
)
from posenc_lessons.encodings.positions import joined_positions, known_positions
from tests.encodings.host_reads import reads

B, H, L, D = 2, 3, 5, 8  # D features of a head
KINDS: dict[str, Callable[[], PositionEncoding]] = {
    "none": PositionEncoding,
    "sinusoidal": lambda: SinusoidalEncoding(H * D, 40),
    "learned": lambda: LearnedEncoding(H * D, 40),
    "Shaw": lambda: ShawRelative(D, 3),
    "T5": lambda: T5RelativeBias(H, 8, 20),
    "T5, one way": lambda: T5RelativeBias(H, 8, 20, bidirectional=False),
    "ALiBi": lambda: ALiBi(H),
    "ALiBi, signed": lambda: ALiBi(H, signed=True),
    "RoPE": lambda: RotaryEncoding(D),
    "RoPE, half-split, in part, YaRN": lambda: RotaryEncoding(
        D, 500.0, "half_split", 6, ContextExtension("yarn", 4, 16)
    ),
    "RoPE, two pairs of it": lambda: RotaryEncoding(D, turning_pairs=2),
    "temperature": lambda: QueryTemperature(0.5, 3),
    "CoPE": lambda: CoPE(D, 6),
    "together": lambda: Together(LearnedEncoding(H * D, 40), RotaryEncoding(D), ALiBi(H), ShawRelative(D, 3)),
}
every_kind = pytest.mark.parametrize("kind", KINDS)
SAVED: list[tuple[PositionEncoding, tuple[int, ...], dict[str, tuple[int, ...]], str]] = [
    (PositionEncoding(), (), {}, "PositionEncoding()"),
    (SinusoidalEncoding(8, 16), (1,), {"table": (16, 8)}, "SinusoidalEncoding("),
    (LearnedEncoding(6, 10), (1,), {"table": (10, 6)}, "LearnedEncoding(6, max_len=10)"),
    (
        RotaryEncoding(8, pairing="half_split", rotary_dim=4, extension=ContextExtension("ntk", 4, 16)),
        (2,),
        {},
        "RotaryEncoding(8, base=10000, pairing='half_split', rotary_dim=4, extension=ContextExtension(",
    ),
    (QueryTemperature(), (2,), {}, "QueryTemperature(scale=0.1, step=8192)"),
    (
        ShawRelative(8),
        (3, 4),
        {"key_table": (33, 8), "value_table": (33, 8)},
        "ShawRelative(8, max_distance=16, doors=(3, 4))",
    ),
    (
        T5RelativeBias(64),
        (3,),
        {"table": (32, 64)},
        "T5RelativeBias(64, n_buckets=32, max_distance=128, bidirectional=True)",
    ),
    (ALiBi(4, signed=True), (3,), {}, "ALiBi(4, signed=True)"),
    (CoPE(8, 65), (3,), {"table": (65, 8)}, "CoPE(8, n_positions=65, divide_gates=True, divide_table=False)"),
]
ROWS = torch.tensor([[3, 4, 5, 6, 7], [0, 1, 2, 0, 1]])  # the second holds two texts


class Doors(nn.Module):
    """All doors of an encoding, one after another, as one layer of attention goes through them."""

    def __init__(self, kind: str) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.encoding = KINDS[kind]().double()
        for weight in self.encoding.parameters():
            nn.init.normal_(weight)

    def forward(self, x: Tensor, at: Tensor, keys_at: Tensor | None = None) -> Tensor:
        keys_at, encoding = at if keys_at is None else keys_at, self.encoding
        x = encoding.add_to_embeddings(x, at)  # [B, L, H · D]
        heads = x.unflatten(-1, (H, D)).transpose(1, 2)  # [B, H, L, D]
        q, k = encoding.turn(heads, at, "query"), encoding.turn(heads, at, "key")
        k = torch.cat((k,) * (keys_at.shape[-1] // at.shape[-1]), dim=2)
        scores = q @ k.mT / math.sqrt(D)
        bias = encoding.score_bias(q, k, at, keys_at, scores if encoding.reads_scores else None)
        weights = (scores if bias is None else scores + bias).softmax(dim=-1)
        extra = encoding.value_bias(weights, at, keys_at)
        return weights @ k if extra is None else weights @ k + extra


def given(kind: str) -> tuple[Doors, Tensor]:
    return Doors(kind), torch.randn(B, L, H * D).double().requires_grad_()


@every_kind
def test_compiled_whole_with_positions_of_its_own_it_gives_the_same_forward_and_backward(kind: str) -> None:
    doors, x = given(kind)
    torch.compiler.reset()
    compiled = torch.compile(doors, fullgraph=True, backend="aot_eager", dynamic=False)
    learned = [x, *doors.parameters()]
    expected, got = doors(x, ROWS), compiled(x, ROWS)
    assert_close(got, expected, rtol=0, atol=1e-13)
    theirs, ours = (torch.autograd.grad(out.square().sum(), learned) for out in (expected, got))
    assert_close(ours, theirs, rtol=0, atol=1e-11)


@every_kind
@pytest.mark.parametrize("at", [ROWS[0], ROWS, ROWS.double() / 4])
def test_four_layers_look_at_the_positions_once(kind: str, at: Tensor) -> None:
    doors, x = given(kind)
    if at.is_floating_point() and {"learned", "Shaw", "T5", "T5, one way", "together"} & {kind}:
        pytest.skip("takes whole positions only")
    with reads() as seen:
        at = known_positions(at)
        for _ in range(4):
            doors(x, at)
        assert sum(seen.values()) <= 1
        later = known_positions(at + 100 if kind != "learned" and kind != "together" else at + 10)
        doors(x, later, joined_positions(at, later))
        assert sum(seen.values()) <= 3


def test_positions_that_nobody_made_known_may_change_so_every_layer_looks() -> None:
    doors, x = given("learned")
    at = ROWS.clone()
    with reads() as seen:
        before = doors(x, at)
        at += 1
        assert not torch.equal(doors(x, at), before)
        assert sum(seen.values()) == 2 + 1  # and one for this comparison


def test_what_is_known_stays_so_when_the_caller_goes_on_counting() -> None:
    doors, x = given("RoPE")
    at = ROWS.clone()
    known = known_positions(at)
    expected = doors(x, known)
    at += 100
    assert torch.equal(doors(x, known), expected) and torch.equal(known, ROWS)
    assert known_positions(known) is known


@every_kind
def test_the_default_device_does_not_matter(kind: str) -> None:
    doors, x = given(kind)
    expected = doors(x, ROWS)
    with torch.device("meta"):
        assert_close(doors(x, ROWS), expected, rtol=0, atol=1e-14)


@pytest.mark.parametrize(("encoding", "doors", "saved", "text"), SAVED)
def test_says_what_it_is_and_saves_its_tables_alone(
    encoding: PositionEncoding, doors: tuple[int, ...], saved: dict[str, tuple[int, ...]], text: str
) -> None:
    """That a model so saved is loaded again is tested with all of them in ``tests/models``."""
    assert encoding.doors == doors and repr(encoding).startswith(text)
    assert {name: tuple(table.shape) for name, table in encoding.state_dict().items()} == saved
    trained = set(saved) if type(encoding) is not SinusoidalEncoding else set()
    assert {name for name, _ in encoding.named_parameters()} == trained


GPUS = [
    pytest.param(
        "cuda", marks=pytest.mark.skipif(not torch.cuda.is_available(), reason="needs an NVIDIA GPU")
    ),
    pytest.param(
        "mps", marks=pytest.mark.skipif(not torch.backends.mps.is_available(), reason="needs Apple's")
    ),
]


@every_kind
@pytest.mark.parametrize("device", GPUS)
@pytest.mark.parametrize("at", [ROWS[0] + 10, ROWS])
def test_a_gpu_gives_the_same_forward_and_backward_and_so_does_the_cpu_after_it(
    kind: str, device: str, at: Tensor
) -> None:
    doors, x = given(kind)
    doors, x = doors.float(), x.detach().float().requires_grad_()
    expected = doors(x, at)
    (gradient,) = torch.autograd.grad(expected.square().sum(), x)
    there = doors.to(device)(x.to(device), at.to(device))
    assert there.device.type == device
    assert_close(there.cpu(), expected, rtol=0, atol=1e-4)
    assert_close(torch.autograd.grad(there.square().sum(), x)[0], gradient, rtol=0, atol=1e-3)
    assert_close(doors.cpu()(x, at), expected, rtol=0, atol=1e-6)


@pytest.mark.filterwarnings("ignore:flex_attention called without torch.compile")
@pytest.mark.parametrize("kind", ["ALiBi", "ALiBi, signed", "T5", "T5, one way", "Shaw", "all three"])
@pytest.mark.parametrize("keys_at", [torch.arange(2, 9), torch.arange(14).view(2, 7).flip(1)])
def test_flex_attention_adds_what_the_dense_form_adds(kind: str, keys_at: Tensor) -> None:
    torch.manual_seed(0)
    shaw = ShawRelative(D, 3, values=False)
    encoding = Together(T5RelativeBias(H), ALiBi(H), shaw) if kind not in KINDS else KINDS[kind]()
    q, k, v = torch.randn(B, H, L, D), torch.randn(B, H, 7, D), torch.randn(B, H, 7, D)
    with torch.no_grad():
        bias = encoding.score_bias(q, k, ROWS, keys_at, None)
        mod = encoding.score_mod(q, k, ROWS, keys_at)
        expected = (q @ k.mT / math.sqrt(D) + bias).softmax(dim=-1) @ v
        assert_close(flex_attention(q, k, v, score_mod=mod), expected)


@pytest.mark.parametrize("kind", ["none", "sinusoidal", "learned", "RoPE", "CoPE"])
def test_the_others_have_nothing_for_flex_attention(kind: str) -> None:
    q = torch.randn(B, H, L, D)
    assert KINDS[kind]().score_mod(q, q, ROWS, ROWS) is None
    assert Together(KINDS[kind]()).score_mod(q, q, ROWS, ROWS) is None
