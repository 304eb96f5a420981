"""Encodings by name: each fits its model, new ones can be registered, and wrong ones are refused."""

from __future__ import annotations

import pytest
import torch

from posenc_lessons.encodings import (
    ALiBi,
    CoPE,
    LearnedEncoding,
    PositionEncoding,
    RotaryEncoding,
    ShawRelative,
    SinusoidalEncoding,
    T5RelativeBias,
    grid_positions,
)
from posenc_lessons.models import (
    COURSE_ENCODINGS,
    ModelSizes,
    MultiHeadAttention,
    TransformerEncoder,
    encoding_named,
    register_encoding,
)

KINDS: dict[str, type[PositionEncoding]] = {
    "none": PositionEncoding,
    "sinusoidal": SinusoidalEncoding,
    "learned": LearnedEncoding,
    "shaw": ShawRelative,
    "t5": T5RelativeBias,
    "alibi": ALiBi,
    "rotary": RotaryEncoding,
    "cope": CoPE,
}


@pytest.mark.parametrize(("name", "kind"), KINDS.items())
def test_each_name_makes_its_kind_fit_for_attention(name: str, kind: type) -> None:
    encoding = encoding_named(name, 24, 3, 10)
    assert type(encoding) is kind
    out = MultiHeadAttention(24, 3, encoding)(torch.randn(2, 10, 24))
    assert out.shape == (2, 10, 24) and out.isfinite().all()
    assert encoding_named(name, 24, 3, 10) is not encoding


def test_those_of_the_course_read_one_coordinate_and_those_for_pictures_two() -> None:
    assert {name: encoding_named(name, 24, 3, 10).axes for name in COURSE_ENCODINGS} == dict.fromkeys(
        KINDS, 1
    )
    for name in ("grid_sinusoidal", "axial", "mixed"):
        encoding = encoding_named(name, 24, 3, 10)
        assert encoding.axes == 2 and encoding.needs_positions
        out = TransformerEncoder(24, 3, 1, name)(torch.randn(2, 6, 24), grid_positions(2, 3))
        assert out.shape == (2, 6, 24) and out.isfinite().all()


def test_max_len_reaches_the_encodings_that_use_it() -> None:
    built = {name: encoding_named(name, 24, 3, 10) for name in COURSE_ENCODINGS}
    assert built["learned"].table.shape == built["sinusoidal"].table.shape == (10, 24)
    assert built["cope"].table.shape == (11, 8)  # 10 tokens with every gate open count up to 10
    for name in ("shaw", "t5"):
        shapes = [p.shape for p in built[name].parameters()]
        assert shapes == [p.shape for p in encoding_named(name, 24, 3, 99).parameters()]


def test_a_learned_table_is_as_large_as_the_embeddings() -> None:
    torch.manual_seed(0)
    assert encoding_named("learned", 64, 4, 512).table.std().item() == pytest.approx(1, abs=0.02)


def test_a_maker_gets_the_sizes_and_can_be_replaced() -> None:
    recorded: list[ModelSizes] = []

    def maker(sizes: ModelSizes) -> PositionEncoding:
        recorded.append(sizes)
        return PositionEncoding()

    register_encoding("listening", lambda sizes: ALiBi(sizes.n_heads))
    register_encoding("listening", maker)
    encoding_named("listening", 24, 3, 10, causal=True)
    encoding_named("listening", 24, 3, 10, d_head=5)
    assert recorded == [(24, 3, 8, 10, True), (24, 3, 5, 10, False)]
