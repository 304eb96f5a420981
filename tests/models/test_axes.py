"""Positions of several coordinates, through attention, stacks of layers, masks and caches."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.testing import assert_close

from posenc_lessons.encodings import (
    ALiBi,
    AxialRotary,
    CoPE,
    GridSinusoidal,
    LearnedEncoding,
    MixedRotary,
    MultiAxisRotary,
    QueryTemperature,
    RotaryEncoding,
    ShawRelative,
    T5RelativeBias,
    Together,
    grid_positions,
    multimodal_positions,
)
from posenc_lessons.language import BilingualValueError
from posenc_lessons.models import DecoderOnly, MultiHeadAttention, TransformerEncoder, generate
from tests.models.random_weights import with_random_weights

D, H, N = 16, 2, 3  # width, heads, layers
SECTIONS = (2, 1, 1)
IMAGE, DELTA = multimodal_positions([("text", 3), ("image", 2, 3), ("text", 2)])
L = len(IMAGE)
m_rope = MultiAxisRotary(D // H, SECTIONS)
STACKS: dict[str, Any] = {
    "sections": m_rope,
    "sections by layer, others beside them": [m_rope, ALiBi(H), ShawRelative(D // H, 3)],
    "together with a table, a bias and gates": Together(LearnedEncoding(D, 40), m_rope, T5RelativeBias(H, 8)),
    "together inside another": Together(Together(m_rope, QueryTemperature(0.5, 3)), CoPE(D // H, 40)),
}
every_stack = pytest.mark.parametrize("stack", STACKS)


def decoder(encoding: Any, window: Any = None) -> DecoderOnly:
    return with_random_weights(DecoderOnly(20, D, H, N, encoding, window=window)).double().eval()


def tokens(rows: int = 2, length: int = L) -> Tensor:
    return torch.randint(0, 20, (rows, length))


@every_stack
def test_text_after_an_image_continues_at_the_largest_coordinate(stack: str) -> None:
    model, inputs = decoder(STACKS[stack]), tokens(length=L + 2)
    changed = torch.arange(L, L + 2)[:, None].expand(-1, 3) + DELTA
    expected, cache = model(inputs, torch.cat((IMAGE, changed))), model.new_cache()
    model(inputs[:, : L - 2], IMAGE[:-2], cache=cache)  # up to the last patch
    assert_close(model(inputs[:, L - 2 :], cache=cache), expected[:, L - 2 :])


def test_tokens_without_positions_are_text_and_for_text_sections_are_rope() -> None:
    m_rope_model, rope = decoder(m_rope), decoder(RotaryEncoding(D // H, pairing="half_split"))
    rope.load_state_dict(m_rope_model.state_dict())
    inputs, real = tokens(), torch.arange(L) >= torch.tensor([[0], [3]])
    assert torch.equal(m_rope_model(inputs), rope(inputs))
    assert torch.equal(m_rope_model(inputs, real=real), rope(inputs, real=real))
    assert torch.equal(generate(m_rope_model, inputs, 4, real), generate(rope, inputs, 4, real))


def test_an_encoding_of_one_axis_beside_them_gets_the_place() -> None:
    """It gives the same as a stack that has only this encoding, for any coordinates."""
    at, x = grid_positions(2, 3), torch.randn(2, 6, D, dtype=torch.float64)
    table, bias = LearnedEncoding(D, 6), ALiBi(H)
    still = AxialRotary(D // H)  # at the origin nothing turns
    nowhere = torch.zeros_like(at)
    both = with_random_weights(TransformerEncoder(D, H, N, Together(table, still, bias))).double()
    one = TransformerEncoder(D, H, N, Together(table, bias)).double()
    one.load_state_dict(
        {name.replace("encodings.2", "encodings.1"): p for name, p in both.state_dict().items()}
    )
    assert_close(both(x, nowhere), one(x))
    assert not torch.allclose(both(x, at), one(x))
    listed = with_random_weights(TransformerEncoder(D, H, 2, [still, bias])).double()
    plain = TransformerEncoder(D, H, 2, ["none", bias]).double()
    plain.load_state_dict(listed.state_dict())
    assert_close(listed(x, nowhere), plain(x))


X = torch.zeros(1, 6, D)


@pytest.mark.parametrize(
    ("refused", "said"),
    [
        (lambda: MultiHeadAttention(D, H, AxialRotary(D // H))(X), r"AxialRotary reads 2 .* grid_positions"),
        (lambda: TransformerEncoder(D, H, 1, MixedRotary(D // H))(X), r"MixedRotary reads 2 coordinates"),
        (lambda: GridSinusoidal(D)(X), r"GridSinusoidal reads 2 coordinates"),
        (
            lambda: TransformerEncoder(D, H, 2, [AxialRotary(8), MultiAxisRotary(8, SECTIONS)]),
            r"different numbers of coordinates \(AxialRotary: 2, MultiAxisRotary: 3\)",
        ),
    ],
)
def test_wrong_coordinates_are_refused(refused: Callable[[], Any], said: str) -> None:
    with pytest.raises(BilingualValueError, match=said):
        refused()
