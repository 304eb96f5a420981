"""Dropout in the Transformer: in each of its places, in training only."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import nn

from posenc_lessons.models import (
    COURSE_ENCODINGS,
    DecoderLayer,
    DecoderOnly,
    TransformerDecoder,
)
from tests.models.random_weights import with_random_weights

WIDTH, HEADS = 16, 2


def language_model(name: str, **settings: Any) -> DecoderOnly:
    torch.manual_seed(0)
    return with_random_weights(DecoderOnly(11, WIDTH, HEADS, 2, name, max_len=32, **settings))


@pytest.mark.parametrize("name", COURSE_ENCODINGS)
def test_dropout_is_for_training_only(name: str) -> None:
    model, text = language_model(name, dropout=0.3), torch.randint(11, (3, 9))
    without = language_model(name)
    without.load_state_dict(model.state_dict())
    assert torch.equal(model(text), without(text))
    model.train()
    assert not torch.allclose(model(text), model(text))


PLACES = [
    "dropout",
    "layers.0.dropout",
    "layers.0.feed.dropout",
    "layers.0.attention",
    "layers.0.cross_attention",
]


@pytest.mark.parametrize("place", PLACES)
def test_each_place_of_dropout_drops(place: str) -> None:
    torch.manual_seed(0)
    stack = with_random_weights(TransformerDecoder(WIDTH, HEADS, 1, dropout=0.5)).train()
    x, memory = torch.randn(2, 2, 6, WIDTH).double()
    for name in PLACES:
        module = stack.get_submodule(name)
        share = 0.5 if name == place else 0.0
        if isinstance(module, nn.Dropout):
            module.p = share
        else:
            module.dropout = share
    assert not torch.allclose(stack(x, memory), stack(x, memory))
    stack.eval()
    assert torch.equal(stack(x, memory), stack(x, memory))


SUBLAYERS = ["attention.w_out", "cross_attention.w_out", "feed.down"]


@pytest.mark.parametrize("alone", SUBLAYERS)
def test_dropout_drops_from_the_output_of_each_sublayer(alone: str) -> None:
    torch.manual_seed(0)
    layer = with_random_weights(DecoderLayer(WIDTH, HEADS)).train()
    layer.dropout.p = 0.5
    for name in SUBLAYERS:
        if name != alone:
            for parameter in layer.get_submodule(name).parameters():
                nn.init.zeros_(parameter)
    x, memory = torch.randn(2, 2, 6, WIDTH).double()
    assert not torch.allclose(layer(x, memory)[0], layer(x, memory)[0])
