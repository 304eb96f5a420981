"""What every encoding does: its kind in one row of ``KINDS``, its tests in this file."""

import functools
import inspect
import math
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.testing import assert_close

from posenc_lessons import encodings
from posenc_lessons.encodings import LearnedEncoding, PositionEncoding
from posenc_lessons.encodings.positions import known_positions
from tests.encodings.kinds import DEFAULTS, KINDS, LEAST, D, H
from tests.support.refusals import assert_refused

B, L = 2, 5
every_kind = pytest.mark.parametrize("kind", KINDS)
ROWS = torch.tensor([[3, 4, 5, 6, 7], [0, 1, 2, 0, 1]])  # the second holds two texts
PUBLIC = {name: getattr(encodings, name) for name in encodings.__all__}


def spread(positions: Tensor, axes: int) -> Tensor:
    """Make positions of ``axes`` coordinates from [L] or [B, L]; near ones stay near each other."""
    if axes == 1:
        return positions
    return torch.stack([positions + axis * (positions % 5) for axis in range(axes)], dim=-1)


class Doors(nn.Module):
    """Use all doors of an encoding in the order in which a layer of attention does."""

    def __init__(self, kind: str) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.encoding = KINDS[kind].make().double()
        for weight in self.encoding.parameters():
            nn.init.normal_(weight)

    def forward(self, x: Tensor, positions: Tensor, key_positions: Tensor | None = None) -> Tensor:
        key_positions, encoding = positions if key_positions is None else key_positions, self.encoding
        n_keys = key_positions.shape[-1 if encoding.axes == 1 else -2]
        x = encoding.add_to_embeddings(x, positions)  # [B, L, H · D]
        heads = x.unflatten(-1, (H, D)).transpose(1, 2)  # [B, H, L, D]
        queries, keys = encoding.turn(heads, positions, "query"), encoding.turn(heads, positions, "key")
        times = n_keys // x.shape[1]
        keys, values = torch.cat((keys,) * times, dim=2), torch.cat((heads,) * times, dim=2)
        scores = queries @ keys.mT / math.sqrt(D)
        visible = scores if encoding.reads_scores else None
        bias = encoding.score_bias(queries, keys, positions, key_positions, visible)
        weights = (scores if bias is None else scores + bias).softmax(dim=-1)
        extra = encoding.value_bias(weights, positions, key_positions)
        return weights @ values if extra is None else weights @ values + extra


def doors_and_input(kind: str) -> tuple[Doors, Tensor]:
    return Doors(kind), torch.randn(B, L, H * D).double().requires_grad_()


def test_every_public_encoding_has_a_row() -> None:
    classes = {
        name for name, one in PUBLIC.items() if inspect.isclass(one) and issubclass(one, PositionEncoding)
    }
    shown = {type(part).__name__ for kind in KINDS.values() for part in kind.make().modules()}
    assert shown & classes == classes - {"ScaledQueries"}


@every_kind
def test_doors_and_what_is_saved_and_a_repr_that_makes_it_again(kind: str) -> None:
    row, doors = KINDS[kind], Doors(kind)
    encoding, x = doors.encoding, torch.randn(B, L, H * D).double()
    assert encoding.doors == row.doors
    assert {name: tuple(table.shape) for name, table in encoding.state_dict().items()} == row.saved
    assert {name for name, _ in encoding.named_parameters()} == set(row.saved)
    if not isinstance(encoding, encodings.Together):
        call = f"{type(encoding).__name__}({encoding.extra_repr()})"
        positions = spread(ROWS, encoding.axes)
        expected = doors(x, positions)
        doors.encoding = eval(call, PUBLIC.copy()).double()
        doors.encoding.load_state_dict(encoding.state_dict())
        assert_close(doors(x, positions), expected, rtol=0, atol=1e-14)
        assert doors.encoding.extra_repr() == encoding.extra_repr()


@every_kind
def test_compiled_with_its_own_positions_forward_and_backward_are_the_same(kind: str) -> None:
    doors, x = doors_and_input(kind)
    torch.compiler.reset()
    compiled = torch.compile(doors, fullgraph=True, backend="aot_eager", dynamic=False)
    learned, positions = [x, *doors.parameters()], spread(ROWS, doors.encoding.axes)
    expected, out = doors(x, positions), compiled(x, positions)
    assert_close(out, expected, rtol=0, atol=1e-13)
    theirs, ours = (torch.autograd.grad(result.square().sum(), learned) for result in (expected, out))
    assert_close(ours, theirs, rtol=0, atol=1e-11)


@every_kind
def test_a_common_shift_changes_nothing_if_only_differences_matter(kind: str) -> None:
    doors, x = doors_and_input(kind)
    positions = spread(ROWS, doors.encoding.axes)
    shift = torch.tensor([7, 2, 5])[: doors.encoding.axes] if doors.encoding.axes > 1 else 7
    same = torch.allclose(doors(x, positions + shift), doors(x, positions), rtol=0, atol=1e-11)
    assert same is KINDS[kind].relative
    moved = doors(x, spread(ROWS.flip(1), doors.encoding.axes))
    assert torch.allclose(moved, doors(x, positions), atol=1e-6) is (kind == "none")


@every_kind
def test_the_integer_type_and_the_default_device_do_not_matter(kind: str) -> None:
    """Small types must not wrap: 255 + 1 is not 0."""
    doors, x = doors_and_input(kind)
    last = 30 if KINDS[kind].bounded else 251 - 4 * (doors.encoding.axes - 1)
    for first in (0, last):
        positions = spread(torch.arange(L), doors.encoding.axes) + first
        if KINDS[kind].bounded:
            positions = positions.clamp(max=39 if doors.encoding.axes == 1 else 19)
        expected = doors(x, positions)
        for integers in ("uint8", "int16", "uint16", "uint32", "int32"):
            out = doors(x, positions.to(getattr(torch, integers)))
            assert_close(out, expected, rtol=0, atol=1e-14)
        with torch.device("meta"):
            assert_close(doors(x, positions), expected, rtol=0, atol=1e-14)


@every_kind
def test_every_parameter_and_the_input_get_the_gradient_of_finite_differences(kind: str) -> None:
    doors, x = doors_and_input(kind)
    positions = spread(ROWS[:, :3], doors.encoding.axes)
    assert torch.autograd.gradcheck(lambda x: doors(x, positions), x[:, :3].detach().requires_grad_())
    doors(x[:, :3], positions).square().sum().backward()
    for name, parameter in doors.named_parameters():
        assert parameter.grad is not None and parameter.grad.abs().max() > 1e-9, name


def test_known_positions_do_not_follow_later_changes() -> None:
    doors, x = doors_and_input("RoPE")
    positions = ROWS.clone()
    exact = known_positions(positions)
    expected = doors(x, exact)
    positions += 100
    assert torch.equal(doors(x, exact), expected) and torch.equal(exact, ROWS)
    assert known_positions(exact) is exact


# Arguments: least sizes and defaults.


@pytest.mark.parametrize("name", LEAST)
def test_the_least_sizes_are_taken_and_smaller_ones_refused(name: str) -> None:
    make: Callable[..., Any] = PUBLIC[name]
    make(**LEAST[name])
    for size, least in LEAST[name].items():
        smaller = {**LEAST[name], size: least - 1}
        assert_refused(functools.partial(make, **smaller), rf"{size} .*got")


METHODS = {
    f"{name}.{method}": function
    for name, one in PUBLIC.items()
    if inspect.isclass(one)
    for method, function in vars(one).items()
    if not method.startswith("_") and inspect.isfunction(function)
}
CALLED = {name: one for name, one in PUBLIC.items() if inspect.isclass(one) or inspect.isfunction(one)}
CALLED = {name: one for name, one in (CALLED | METHODS).items() if "config" not in name}


@pytest.mark.parametrize("name", sorted(CALLED))
def test_default_numbers_and_switches(name: str) -> None:
    arguments = inspect.signature(CALLED[name]).parameters.values()
    numbers = {one.name: one.default for one in arguments if isinstance(one.default, (bool, int, float))}
    assert numbers == DEFAULTS.get(name, {})


def test_results_go_with_their_tensor() -> None:
    from posenc_lessons.encodings import known

    positions = known_positions(torch.arange(9))
    LearnedEncoding(4, 9).encode(positions)
    assert id(positions) in known._RESULTS
    identity = id(positions)
    del positions
    assert identity not in known._RESULTS
