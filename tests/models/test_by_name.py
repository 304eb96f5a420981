"""Encodings by name: each fits the model it is made for, and what does not fit is refused."""

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
)
from posenc_lessons.language import BilingualValueError
from posenc_lessons.models import ENCODING_NAMES, MultiHeadAttention, encoding_named

KINDS = (
    PositionEncoding,
    SinusoidalEncoding,
    LearnedEncoding,
    ShawRelative,
    T5RelativeBias,
    ALiBi,
    RotaryEncoding,
    CoPE,
)


@pytest.mark.parametrize(("name", "kind"), list(zip(ENCODING_NAMES, KINDS, strict=True)))
def test_each_name_makes_its_kind_fit_for_attention(name: str, kind: type) -> None:
    encoding = encoding_named(name, 24, 3, 10)
    assert type(encoding) is kind
    out = MultiHeadAttention(24, 3, encoding)(torch.randn(2, 10, 24))
    assert out.shape == (2, 10, 24) and out.isfinite().all()
    assert encoding_named(name, 24, 3, 10) is not encoding


def test_max_len_goes_where_it_means_something() -> None:
    made = {name: encoding_named(name, 24, 3, 10) for name in ENCODING_NAMES}
    assert made["learned"].table.shape == made["sinusoidal"].table.shape == (10, 24)
    assert made["cope"].table.shape == (11, 8)  # 10 tokens with every gate open count up to 10
    for name in ("shaw", "t5"):
        shapes = [p.shape for p in made[name].parameters()]
        assert shapes == [p.shape for p in encoding_named(name, 24, 3, 99).parameters()]


def test_a_learned_table_is_as_loud_as_the_words() -> None:
    torch.manual_seed(0)
    assert encoding_named("learned", 64, 4, 512).table.std().item() == pytest.approx(1, abs=0.02)


@pytest.mark.parametrize("causal", [False, True])
def test_t5_spends_no_buckets_on_keys_that_are_never_seen(causal: bool) -> None:
    assert encoding_named("t5", 24, 3, 10, causal=causal).bidirectional is not causal


BAD = {
    "unknown": (
        ("rope", 24, 3, 10),
        r"encoding must be one of 'none', .*'cope', or .*got 'rope'",
    ),
    "no text": ((["rotary"], 24, 3, 10), r"encoding must be .*got \['rotary'\]"),
    "a class": ((ALiBi, 24, 3, 10), r"encoding must be .*ALiBi"),
    "heads": (
        ("none", 24, 5, 10),
        r"n_heads must divide d_model; got d_model=24, n_heads=5",
    ),
    "length": (("none", 24, 3, 0), r"max_len .*got 0"),
    "odd width": (("sinusoidal", 9, 3, 10), r"d_model must be even.*got 9"),
    "odd heads": (("rotary", 9, 3, 10), r"must be even.*3"),
}


@pytest.mark.parametrize("case", BAD)
def test_what_does_not_fit_is_refused_in_both_languages(case: str) -> None:
    arguments, message = BAD[case]
    with pytest.raises(BilingualValueError, match=message):
        encoding_named(*arguments)
