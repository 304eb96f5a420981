"""Encodings by name: each fits its model, new ones can be registered, and wrong ones are refused."""

from __future__ import annotations

import math
import subprocess
import sys

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F

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
    DecoderOnly,
    ModelSizes,
    MultiHeadAttention,
    TransformerEncoder,
    encoding_named,
    register_encoding,
)
from tests.support.duties import assert_complete

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


def test_every_encoding_of_the_course_has_its_kind() -> None:
    assert_complete(COURSE_ENCODINGS, KINDS, "KINDS above lacks {}", "COURSE_ENCODINGS lacks {}")


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
    made = {name: encoding_named(name, 24, 3, 10) for name in COURSE_ENCODINGS}
    assert made["learned"].table.shape == made["sinusoidal"].table.shape == (10, 24)
    assert made["cope"].table.shape == (11, 8)  # 10 tokens with every gate open count up to 10
    for name in ("shaw", "t5"):
        shapes = [p.shape for p in made[name].parameters()]
        assert shapes == [p.shape for p in encoding_named(name, 24, 3, 99).parameters()]


def test_a_learned_table_is_as_large_as_the_embeddings() -> None:
    torch.manual_seed(0)
    assert encoding_named("learned", 64, 4, 512).table.std().item() == pytest.approx(1, abs=0.02)


@pytest.mark.parametrize("causal", [False, True])
def test_t5_in_a_decoder_has_no_buckets_for_later_keys(causal: bool) -> None:
    assert encoding_named("t5", 24, 3, 10, causal=causal).bidirectional is not causal


class FIRE(PositionEncoding):
    """A small network of the logarithm of the distance (Li et al. 2023, arXiv 2310.04418, in short)."""

    def __init__(self, n_heads: int) -> None:
        super().__init__()
        self.hidden, self.out = nn.Linear(1, 8), nn.Linear(8, n_heads)

    def score_bias(
        self,
        query: Tensor,
        key: Tensor,
        query_positions: Tensor,
        key_positions: Tensor,
        scores: Tensor | None,
    ) -> Tensor:
        away = (query_positions[..., :, None] - key_positions[..., None, :]).abs().to(query.dtype)
        nearness = away.log1p() / query_positions.max().clamp(min=1).to(query.dtype).log1p()
        return self.out(F.relu(self.hidden(nearness[..., None]))).movedim(-1, -3)  # [..., H, Lq, Lk]


def test_a_registered_encoding_trains_by_its_name() -> None:
    torch.manual_seed(0)
    register_encoding("fire", lambda sizes: FIRE(sizes.n_heads))
    model = DecoderOnly(9, 16, 2, 2, "fire")
    optimizer, text = torch.optim.Adam(model.parameters(), lr=1e-2), torch.randint(9, (4, 8))
    losses = []
    for _ in range(2):
        loss = F.cross_entropy(model(text)[:, :-1].flatten(0, 1), text[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[1] < losses[0] < 2 * math.log(9)
    assert all(parameter.grad is not None for parameter in model.parameters())
    assert "fire" not in COURSE_ENCODINGS


def test_a_maker_gets_the_sizes_and_can_be_replaced() -> None:
    told: list[ModelSizes] = []

    def maker(sizes: ModelSizes) -> PositionEncoding:
        told.append(sizes)
        return PositionEncoding()

    register_encoding("listening", lambda sizes: ALiBi(sizes.n_heads))
    register_encoding("listening", maker)
    encoding_named("listening", 24, 3, 10, causal=True)
    encoding_named("listening", 24, 3, 10, d_head=5)
    assert told == [(24, 3, 8, 10, True), (24, 3, 5, 10, False)]


def test_a_registered_name_does_not_join_the_courses_encodings() -> None:
    program = """
from posenc_lessons.encodings import PositionEncoding
from posenc_lessons.models import register_encoding
register_encoding("mine", lambda sizes: PositionEncoding())
import posenc_lessons.explorers, posenc_lessons.experiments, posenc_lessons.figures.race
"""
    subprocess.run([sys.executable, "-c", program], check=True)
