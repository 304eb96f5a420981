"""All encodings: compiled without graph breaks, few reads of positions, any default device."""

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
    AxialRotary,
    ContextExtension,
    ContinuousGridBias,
    CoPE,
    DecomposedGridBias,
    ForgetGate,
    GridLearned,
    GridSinusoidal,
    LearnedEncoding,
    LogTemperature,
    MixedRotary,
    MultiAxisRotary,
    PositionEncoding,
    PowerTemperature,
    QueryTemperature,
    RelativeGridBias,
    RotaryEncoding,
    ScalableSoftmax,
    ShawRelative,
    SinusoidalEncoding,
    T5RelativeBias,
    Together,
    XPos,
)
from posenc_lessons.encodings.positions import joined_coordinates, joined_positions, known_positions
from posenc_lessons.models.attention import cumulative_gates
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
    "temperature, a power": lambda: PowerTemperature(0.5, 3),
    "temperature, a logarithm": lambda: LogTemperature(0.5, 3),
    "temperature, learned": lambda: ScalableSoftmax(H, bias=1.0),
    "xPos": lambda: XPos(D, scale_base=20.0),
    "xPos, half-split, in part": lambda: XPos(D, 500.0, "half_split", 6, scale_base=20.0),
    "forget gate": lambda: ForgetGate(H * D, H),
    "CoPE": lambda: CoPE(D, 6),
    "axial": lambda: AxialRotary(D),
    "axial, half-split, in part": lambda: AxialRotary(D, 10.0, "half_split", (2, 4)),
    "axial, separate": lambda: AxialRotary(
        D, 10.0, "half_split", layout="separate", columns_first=True, scale=0.5
    ),
    "mixed": lambda: MixedRotary(D),
    "mixed, a set for each head": lambda: MixedRotary(D, H, pairing="half_split"),
    "sections": lambda: MultiAxisRotary(D, (2, 1, 1), "interleaved"),
    "grid bias": lambda: RelativeGridBias(H, 20),
    "grid bias, class token": lambda: RelativeGridBias(H, 20, class_token=True),
    "grid bias, continuous": lambda: ContinuousGridBias(H, 20, width=16),
    "grid bias, decomposed": lambda: DecomposedGridBias(D, 20),
    "grid learned": lambda: GridLearned(H * D, 20, 40),
    "grid sinusoidal": lambda: GridSinusoidal(H * D),
    "together on a grid": lambda: Together(
        LearnedEncoding(H * D, 40), MixedRotary(D), RelativeGridBias(H, 20)
    ),
    "together": lambda: Together(LearnedEncoding(H * D, 40), RotaryEncoding(D), ALiBi(H), ShawRelative(D, 3)),
    "together, gates": lambda: Together(ForgetGate(H * D, H), XPos(D), ForgetGate(H * D, H)),
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
    (PowerTemperature(), (2,), {}, "PowerTemperature(exponent=0.1, step=2048)"),
    (LogTemperature(), (2,), {}, "LogTemperature(scale=0.1, floor=128000)"),
    (ScalableSoftmax(4), (2,), {"scale": (4,)}, "ScalableSoftmax(4, bias=False)"),
    (
        ScalableSoftmax(4, 0.0, bias=1.0),
        (2,),
        {"scale": (4,), "bias": (4,)},
        "ScalableSoftmax(4, bias=True)",
    ),
    (
        XPos(8),
        (2,),
        {},
        "XPos(8, base=10000, pairing='interleaved', rotary_dim=8, gamma=0.4, scale_base=512)",
    ),
    (
        ForgetGate(12, 3),
        (3,),
        {"to_gates.weight": (3, 12), "to_gates.bias": (3,)},
        "ForgetGate(\n  12, n_heads=3",
    ),
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
    (AxialRotary(8), (2,), {}, "AxialRotary(8, base=100, pairing='interleaved', widths=(4, 4))"),
    (
        AxialRotary(8, layout="interleaved", columns_first=True, scale=0.5),
        (2,),
        {},
        "AxialRotary(8, base=100, pairing='interleaved', widths=(4, 4), layout='interleaved', "
        "columns_first=True, scale=0.5)",
    ),
    (MixedRotary(8), (2,), {"frequencies": (2, 4)}, "MixedRotary(8, base=10, pairing='interleaved')"),
    (MixedRotary(8, 3), (2,), {"frequencies": (3, 2, 4)}, "MixedRotary(8, n_heads=3, base=10"),
    (
        MultiAxisRotary(10, (2, 1, 1), rotary_dim=8, extension=ContextExtension("ntk", 4, 16)),
        (2,),
        {},
        "MultiAxisRotary(10, sections=(2, 1, 1), layout='contiguous', base=10000, pairing='half_split', "
        "rotary_dim=8, extension=ContextExtension(",
    ),
    (RelativeGridBias(4, (2, 3)), (3,), {"table": (15, 4)}, "RelativeGridBias(4, window=(2, 3))"),
    (
        RelativeGridBias(4, 2, class_token=True),
        (3,),
        {"table": (12, 4)},
        "RelativeGridBias(4, window=(2, 2), class_token=True)",
    ),
    (
        ContinuousGridBias(4, (2, 3), 5, width=6),
        (3,),
        {"network.0.weight": (6, 2), "network.0.bias": (6,), "network.2.weight": (4, 6)},
        "ContinuousGridBias(\n  4, window=(2, 3), trained_window=(5, 5), width=6",
    ),
    (
        DecomposedGridBias(8, (2, 3)),
        (3,),
        {"row_table": (3, 8), "column_table": (5, 8)},
        "DecomposedGridBias(8, window=(2, 3))",
    ),
    (
        GridLearned(8, 2, 3),
        (1,),
        {"row_table": (2, 8), "column_table": (3, 8)},
        "GridLearned(8, rows=2, columns=3)",
    ),
    (GridSinusoidal(8), (1,), {}, "GridSinusoidal(8, base=10000, axes=2)"),
    (CoPE(8, 65), (3,), {"table": (65, 8)}, "CoPE(8, n_positions=65, divide_gates=True, divide_table=False)"),
]
BOUNDED = {  # nothing for distant tokens
    *("learned", "together", "together on a grid", "grid learned", "grid bias", "grid bias, class token"),
    *("grid bias, continuous", "grid bias, decomposed"),
}
WHOLE = {*BOUNDED, "Shaw", "T5", "T5, one way"}  # they take only whole positions
ROWS = torch.tensor([[3, 4, 5, 6, 7], [0, 1, 2, 0, 1]])  # the second holds two texts


def spread(at: Tensor, axes: int) -> Tensor:
    """Make positions of ``axes`` coordinates from ``at`` [L] or [B, L]; near ones stay near each other."""
    return at if axes == 1 else torch.stack([at + axis * (at % 5) for axis in range(axes)], dim=-1)


class Doors(nn.Module):
    """Use all doors of an encoding in the order in which a layer of attention does."""

    def __init__(self, kind: str) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.encoding = KINDS[kind]().double()
        for weight in self.encoding.parameters():
            nn.init.normal_(weight)

    def forward(self, x: Tensor, at: Tensor, keys_at: Tensor | None = None) -> Tensor:
        keys_at, encoding = at if keys_at is None else keys_at, self.encoding
        n_keys = keys_at.shape[-1 if encoding.axes == 1 else -2]
        x = encoding.add_to_embeddings(x, at)  # [B, L, H · D]
        heads = x.unflatten(-1, (H, D)).transpose(1, 2)  # [B, H, L, D]
        q, k = encoding.turn(heads, at, "query"), encoding.turn(heads, at, "key")
        k = torch.cat((k,) * (n_keys // x.shape[1]), dim=2)
        scores = q @ k.mT / math.sqrt(D)
        bias = encoding.score_bias(q, k, at, keys_at, scores if encoding.reads_scores else None)
        if encoding.reads_input:
            gates = cumulative_gates(encoding.log_gates(x), at, None)
            more = encoding.gate_bias(gates, torch.cat((gates,) * (n_keys // x.shape[1]), dim=2))
            bias = more if bias is None else bias + more
        weights = (scores if bias is None else scores + bias).softmax(dim=-1)
        extra = encoding.value_bias(weights, at, keys_at)
        return weights @ k if extra is None else weights @ k + extra


def given(kind: str) -> tuple[Doors, Tensor]:
    return Doors(kind), torch.randn(B, L, H * D).double().requires_grad_()


@every_kind
def test_compiled_with_its_own_positions_forward_and_backward_are_the_same(kind: str) -> None:
    doors, x = given(kind)
    torch.compiler.reset()
    compiled = torch.compile(doors, fullgraph=True, backend="aot_eager", dynamic=False)
    learned, at = [x, *doors.parameters()], spread(ROWS, doors.encoding.axes)
    expected, got = doors(x, at), compiled(x, at)
    assert_close(got, expected, rtol=0, atol=1e-13)
    theirs, ours = (torch.autograd.grad(out.square().sum(), learned) for out in (expected, got))
    assert_close(ours, theirs, rtol=0, atol=1e-11)


@every_kind
@pytest.mark.parametrize("at", [ROWS[0], ROWS, ROWS.double() / 4])
def test_four_layers_read_the_positions_once(kind: str, at: Tensor) -> None:
    doors, x = given(kind)
    if at.is_floating_point() and kind in WHOLE:
        pytest.skip("takes whole positions only")
    axes = doors.encoding.axes
    at, join = spread(at, axes), joined_positions if axes == 1 else joined_coordinates
    with reads() as seen:
        at = known_positions(at)
        for _ in range(4):
            doors(x, at)
        assert sum(seen.values()) <= 1
        later = known_positions(at + (10 if kind in BOUNDED else 100))
        doors(x, later, join(at, later))
        assert sum(seen.values()) <= 3


def test_every_layer_reads_positions_that_are_not_known() -> None:
    doors, x = given("learned")
    at = ROWS.clone()
    with reads() as seen:
        before = doors(x, at)
        at += 1
        assert not torch.equal(doors(x, at), before)
        assert sum(seen.values()) == 2 + 1  # and one for this comparison


def test_known_positions_do_not_follow_later_changes() -> None:
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
    at = spread(ROWS, doors.encoding.axes)
    expected = doors(x, at)
    with torch.device("meta"):
        assert_close(doors(x, at), expected, rtol=0, atol=1e-14)


@pytest.mark.parametrize(("encoding", "doors", "saved", "text"), SAVED)
def test_repr_doors_and_saved_tables(
    encoding: PositionEncoding, doors: tuple[int, ...], saved: dict[str, tuple[int, ...]], text: str
) -> None:
    """``tests/models`` loads such a saved model again, with every encoding."""
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
    doors, x, at = doors.float(), x.detach().float().requires_grad_(), spread(at, doors.encoding.axes)
    expected = doors(x, at)
    (gradient,) = torch.autograd.grad(expected.square().sum(), x)
    there = doors.to(device)(x.to(device), at.to(device))
    assert there.device.type == device
    assert_close(there.cpu(), expected, rtol=0, atol=1e-4)
    assert_close(torch.autograd.grad(there.square().sum(), x)[0], gradient, rtol=0, atol=1e-3)
    assert_close(doors.cpu()(x, at), expected, rtol=0, atol=1e-6)


@pytest.mark.filterwarnings("ignore:flex_attention called without torch.compile")
@pytest.mark.parametrize(
    "kind",
    [
        *("ALiBi", "ALiBi, signed", "T5", "T5, one way", "Shaw", "grid bias", "grid bias, class token"),
        *("grid bias, continuous", "grid bias, decomposed", "all three"),
    ],
)
@pytest.mark.parametrize("keys_at", [torch.arange(2, 9), torch.arange(14).view(2, 7).flip(1)])
def test_flex_attention_adds_what_the_dense_form_adds(kind: str, keys_at: Tensor) -> None:
    torch.manual_seed(0)
    shaw = ShawRelative(D, 3, values=False)
    encoding = Together(T5RelativeBias(H), ALiBi(H), shaw) if kind not in KINDS else KINDS[kind]()
    q, k, v = torch.randn(B, H, L, D), torch.randn(B, H, 7, D), torch.randn(B, H, 7, D)
    at, keys_at = spread(ROWS, encoding.axes), spread(keys_at, encoding.axes)
    with torch.no_grad():
        bias = encoding.score_bias(q, k, at, keys_at, None)
        mod = encoding.score_mod(q, k, at, keys_at)
        expected = (q @ k.mT / math.sqrt(D) + bias).softmax(dim=-1) @ v
        assert_close(flex_attention(q, k, v, score_mod=mod), expected)
        one = [torch.tensor(number) for number in (1, 2, 3, 4)]  # a single pair of positions, called directly
        assert_close(mod(torch.tensor(0.5), *one), 0.5 + bias.expand(B, H, L, 7)[1, 2, 3, 4])


@pytest.mark.parametrize("kind", ["none", "sinusoidal", "learned", "RoPE", "CoPE"])
def test_other_encodings_give_no_score_mod(kind: str) -> None:
    q = torch.randn(B, H, L, D)
    assert KINDS[kind]().score_mod(q, q, ROWS, ROWS) is None
    assert Together(KINDS[kind]()).score_mod(q, q, ROWS, ROWS) is None
