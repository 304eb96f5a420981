"""RoPE of several coordinates: axial, mixed, and in sections."""

from collections.abc import Callable

import pytest
import torch
from torch import Tensor
from torch.testing import assert_close

from posenc_lessons.encodings import (
    AxialRotary,
    ContextExtension,
    MixedRotary,
    MultiAxisRotary,
    PositionEncoding,
    RotaryEncoding,
    axial_frequencies,
    mixed_frequencies,
    rotation_matrix,
)
from posenc_lessons.encodings.positions import known_positions

B, H, L, D = 2, 3, 6, 16
KINDS: dict[str, Callable[[], PositionEncoding]] = {
    "axial": lambda: AxialRotary(D),
    "axial, unlike widths": lambda: AxialRotary(D, 10.0, "half_split", (4, 2, 6)),
    "mixed": lambda: MixedRotary(D),
    "mixed, a set for each head": lambda: MixedRotary(D, n_heads=H, pairing="half_split"),
    "sections": lambda: MultiAxisRotary(D, (2, 3, 3)),
    "sections, interleaved": lambda: MultiAxisRotary(D, (4, 2, 2), "interleaved", pairing="interleaved"),
    "sections, in part": lambda: MultiAxisRotary(D, (2, 1, 2), rotary_dim=10),
}
every_kind = pytest.mark.parametrize("kind", KINDS)


def made(kind: str) -> PositionEncoding:
    torch.manual_seed(0)
    return KINDS[kind]()


def heads() -> Tensor:
    return torch.randn(B, H, L, D, dtype=torch.float64)


@every_kind
def test_pairs_turn_by_position_times_frequency(kind: str) -> None:
    """Compare with matrices that have an angle for each pair, computed in Python loops."""
    encoding, x = made(kind), heads()
    at = torch.randint(0, 50, (L, encoding.axes)).double() / 7
    mixed = isinstance(encoding, MixedRotary)
    ours = encoding.frequencies.double() if mixed else encoding.frequencies_at(at)[0]
    for head in range(H):
        frequencies = ours[head] if ours.ndim == 3 else ours
        n = frequencies.shape[-1]
        for place in range(L):
            angles = torch.stack([sum(at[place] * frequencies[:, pair]) for pair in range(n)])
            matrix = rotation_matrix(angles, encoding.pairing)
            expected = torch.cat((x[:, head, place, : 2 * n] @ matrix.T, x[:, head, place, 2 * n :]), dim=-1)
            assert_close(encoding.turn(x, at)[:, head, place], expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("layout", ["contiguous", "interleaved"])
@pytest.mark.parametrize(
    "extension", [None, ContextExtension("yarn", 4, 16), ContextExtension("dynamic", 4, 16)]
)
def test_for_text_positions_it_equals_rope_to_the_last_bit(
    layout: str, extension: ContextExtension | None
) -> None:
    at, x = torch.randint(0, 10**6, (B, L)), heads()
    encoding = MultiAxisRotary(D, (2, 3, 3), layout, 500.0, extension=extension)
    rope = RotaryEncoding(D, 500.0, "half_split", extension=extension)
    assert torch.equal(encoding.turn(x, at[..., None].expand(-1, -1, 3)), rope.turn(x, at))
    assert encoding.allows_cache == rope.allows_cache


def test_mixed_directions_start_in_two_groups_at_right_angles() -> None:
    encoding = MixedRotary(D, n_heads=H)
    row, column = encoding.frequencies.detach().unbind(dim=1)  # [H, D/2] each
    assert_close(row.hypot(column), (10.0 ** -(torch.arange(4).repeat(2) * 4 / D)).expand(H, -1))
    first, second = torch.atan2(row, column).chunk(2, dim=-1)
    assert_close((second - first).cos(), torch.zeros(H, 4), rtol=0, atol=1e-6)
    assert_close(first, first[:, :1].expand(-1, 4)) and len(set(first[:, 0].tolist())) == H
    axial = mixed_frequencies(D, torch.tensor(0.0), 100.0)
    assert_close(axial.flip(0), axial_frequencies((8, 8)).float(), rtol=0, atol=1e-7)


def test_layers_share_tables_only_if_all_settings_are_the_same() -> None:
    settings: list[dict[str, object]] = [{}, {"base": 50.0}, {"layout": "interleaved"}]
    settings += [{"pairing": "interleaved"}, {"extension": ContextExtension("ntk", 4, 16)}]
    at, x = torch.randint(0, 50, (L, 3)), heads()
    shared = known_positions(at)
    for options in settings:
        encoding = MultiAxisRotary(D, (2, 3, 3), **options)  # type: ignore[arg-type]
        assert torch.equal(encoding.turn(x, shared), encoding.turn(x, at))
