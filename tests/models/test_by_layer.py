"""Encodings by name, and another one for each layer; the same object twice is one set of weights."""

from typing import Any

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from posenc_lessons.encodings import (
    ALiBi,
    LearnedEncoding,
    PositionEncoding,
    RotaryEncoding,
    T5RelativeBias,
    Together,
)
from posenc_lessons.language import BilingualValueError
from posenc_lessons.models import COURSE_ENCODINGS, DecoderOnly, TransformerEncoder, encoding_named
from tests.models.random_weights import with_random_weights

WIDTH, HEADS, LAYERS = 12, 2, 3
TEXT = torch.tensor([[3, 1, 4, 1, 5, 2], [2, 7, 1, 8, 2, 8]])
FOUR: list[Any] = ["rotary", "t5", RotaryEncoding(6, base=100.0), "none"]


def language_model(encoding: Any, **rest: Any) -> DecoderOnly:
    torch.manual_seed(0)
    return with_random_weights(DecoderOnly(9, WIDTH, HEADS, LAYERS, encoding, **rest))


@pytest.mark.parametrize("given", [FOUR, tuple(FOUR)], ids=["list", "tuple"])
def test_a_stack_takes_an_encoding_for_each_layer(given: Any) -> None:
    built = TransformerEncoder(WIDTH, HEADS, 4, given)
    inside = [attention.encoding for attention in built.attentions]
    assert [type(one) for one in inside] == [
        RotaryEncoding,
        T5RelativeBias,
        RotaryEncoding,
        PositionEncoding,
    ]
    assert [inside[0].base, inside[2].base] == [10000, 100] and built.encoding.doors == ()
    assert inside[2] is not FOUR[2], "the one given is a pattern"


def weights_of(model: nn.Module) -> list[str]:
    return [name for name, _ in model.named_parameters() if "encoding" in name]


def test_the_same_object_twice_is_one_set_of_weights_and_its_gradients_add_up() -> None:
    """T5 has one table for all layers. A part of two encodings can be shared too."""
    table = T5RelativeBias(HEADS)
    shared = language_model([table] * LAYERS)
    ours = language_model([table, T5RelativeBias(HEADS), T5RelativeBias(HEADS)])
    assert (len(weights_of(shared)), len(weights_of(ours))) == (1, LAYERS)
    first, *others = (attention.encoding for attention in shared.attentions)
    assert all(other is first for other in others) and first is not table

    twin = language_model("t5")  # each layer its own table, all of them equal
    twin.load_state_dict(shared.state_dict())
    for model in (shared, twin):
        model(TEXT).square().sum().backward()
    total = sum(attention.encoding.table.grad for attention in twin.attentions)
    assert_close(first.table.grad, total, rtol=0, atol=1e-11)

    mixed = language_model(
        [Together(table, RotaryEncoding(6)), "none", Together(table, RotaryEncoding(6, 9.0))]
    )
    assert len(weights_of(mixed)) == 1


ROTATES_AND_ADDS = Together(RotaryEncoding(6), LearnedEncoding(WIDTH, 9))


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (["rotary", "sinusoidal", "none"], r"entry 1 of encoding, SinusoidalEncoding, uses door 1"),
        (["none", "none", ROTATES_AND_ADDS], r"entry 2 of encoding, Together, uses door 1"),
        (["rotary", "none"], r"list encoding has 2 entries for n_layers=3.*one for each layer"),
        ([], r"list encoding has 0 entries"),
        (["rotary", None, "none"], r"encoding must be one of .*'rotary'.*got None"),
        (["rotary", "rotary", "ropee"], r"encoding must be one of .*got 'ropee'"),
        (ALiBi, r"encoding must be one of .*ALiBi"),
        (3, r"encoding must be one of .*got 3"),
    ],
)
def test_wrong_lists_of_encodings_are_refused(given: Any, says: str) -> None:
    with pytest.raises(BilingualValueError, match=says):
        language_model(given)


# Encodings by name.


def test_those_of_the_course_read_one_coordinate_and_those_for_pictures_two() -> None:
    made = {name: encoding_named(name, 24, 3, 10) for name in COURSE_ENCODINGS}
    assert len({type(encoding) for encoding in made.values()}) == len(made) == 8
    assert {encoding.axes for encoding in made.values()} == {1}
    for name in ("grid_sinusoidal", "axial", "mixed"):
        encoding = encoding_named(name, 24, 3, 10)
        assert encoding.axes == 2 and encoding.needs_positions


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
