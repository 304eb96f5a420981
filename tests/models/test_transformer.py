"""The Transformer: which tokens see which, its encodings, its dropout."""

import copy
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.testing import assert_close

from posenc_lessons.encodings import (
    LearnedEncoding,
    PositionEncoding,
    RotaryEncoding,
    T5RelativeBias,
    Together,
)
from posenc_lessons.models import (
    COURSE_ENCODINGS,
    DecoderLayer,
    DecoderOnly,
    Seq2Seq,
    TransformerDecoder,
    TransformerEncoder,
    attention,
)
from tests.models.random_weights import with_random_weights

every_encoding = pytest.mark.parametrize("name", COURSE_ENCODINGS)
both_norms = pytest.mark.parametrize("norm_first", [True, False])
VOCAB, WIDTH, HEADS, LAYERS = 11, 16, 2, 2


def language_model(encoding: str | PositionEncoding, **settings: Any) -> DecoderOnly:
    torch.manual_seed(0)
    return with_random_weights(DecoderOnly(VOCAB, WIDTH, HEADS, LAYERS, encoding, max_len=32, **settings))


def translator(encoding: str | PositionEncoding, **settings: Any) -> Seq2Seq:
    torch.manual_seed(0)
    return with_random_weights(Seq2Seq(7, VOCAB, WIDTH, HEADS, LAYERS, encoding, max_len=32, **settings))


def encoder(encoding: str | PositionEncoding, **settings: Any) -> TransformerEncoder:
    torch.manual_seed(0)
    return with_random_weights(TransformerEncoder(WIDTH, HEADS, LAYERS, encoding, max_len=32, **settings))


def tokens(length: int, batch: int = 3, vocab: int = VOCAB) -> Tensor:
    return torch.randint(vocab, (batch, length))


@both_norms
def test_the_weights_of_all_attentions_can_be_had(norm_first: bool) -> None:
    both, source, target = translator("t5", norm_first=norm_first), tokens(5, vocab=7), tokens(9)
    logits, weights = both(source, target, need_weights=True)
    assert_close(logits, both(source, target), rtol=0, atol=1e-13)
    assert [w.shape for w in weights.encoder] == [(3, HEADS, 5, 5)] * LAYERS
    assert [w.shape for w in weights.decoder] == [(3, HEADS, 9, 9)] * LAYERS
    assert [w.shape for w in weights.cross] == [(3, HEADS, 9, 5)] * LAYERS
    for w in (*weights.encoder, *weights.decoder, *weights.cross):
        assert_close(w.sum(dim=-1), torch.ones(w.shape[:3]).double(), rtol=0, atol=1e-14)
    assert all((w.triu(1) == 0).all() for w in weights.decoder)


@every_encoding
def test_need_weights_does_not_change_the_output(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model, text = language_model(name), tokens(9)
    calls: list[int] = []
    kernel = attention.F.scaled_dot_product_attention
    monkeypatch.setattr(
        attention.F, "scaled_dot_product_attention", lambda *a, **k: calls.append(1) or kernel(*a, **k)
    )
    fused = model(text)
    # Shaw changes values and CoPE reads scores; the fused kernel allows neither.
    assert len(calls) == (0 if name in ("shaw", "cope") else LAYERS)
    calls.clear()
    open_steps = model(text, need_weights=True)[0]
    assert not calls
    assert_close(fused, open_steps, rtol=0, atol=1e-13)


def test_cross_attention_has_no_positions() -> None:
    """Shuffling the memory changes nothing: only the vector of a source token can contain its place."""
    model, memory, order = translator("rotary"), torch.randn(2, 6, WIDTH).double(), torch.randperm(6)
    target = tokens(4, batch=2)
    assert_close(model.decode(target, memory[:, order]), model.decode(target, memory), rtol=0, atol=1e-13)
    assert all(layer.cross_attention.encoding.doors == () for layer in model.decoder.layers)


def test_door_one_of_several_is_used_once_and_every_parameter_gets_a_gradient() -> None:
    pattern = Together(LearnedEncoding(WIDTH, 32), T5RelativeBias(HEADS), RotaryEncoding(WIDTH // HEADS))
    model, text = language_model(pattern), tokens(9)
    assert all(layer.attention.encoding.doors == (2, 3) for layer in model.layers)
    inputs: list[Tensor] = []
    model.layers[0].register_forward_pre_hook(lambda _, given: inputs.append(given[0]))
    with_weights, _ = model(text, need_weights=True)
    assert_close(inputs[0], model.embedding(text) + model.decoder.encoding.parts[0].table[:9])
    for layer in model.layers:  # as if without door 1 in the layers
        layer.attention.encoding = Together(*model.decoder.encoding.parts[1:])
    assert_close(model(text), with_weights, rtol=0, atol=1e-13)
    model = language_model(pattern)
    model(text).square().sum().backward()
    assert all(parameter.grad is not None for parameter in model.parameters())
    assert [name for name in model.state_dict() if "encoding" in name] == [
        "decoder.encoding.encodings.0.table",
        "decoder.encoding.encodings.1.table",
    ]
    twin = copy.deepcopy(model)
    twin.decoder.encoding.parts[1].table.data.zero_()  # its layers read it there
    assert not torch.allclose(twin(text), model(text))
    assert all(parameter.grad is None for parameter in pattern.parameters())


def test_an_encoding_without_parameters_is_one_object_for_all_layers() -> None:
    for name, shared in (("rotary", True), ("alibi", True), ("t5", False), ("shaw", False)):
        first, second = (layer.attention.encoding for layer in language_model(name).layers)
        assert (first is second) is shared


def test_t5_is_bidirectional_only_in_an_encoder() -> None:
    model = translator("t5")
    for stack, both_ways in ((model.encoder, True), (model.decoder, False)):
        assert all(layer.attention.encoding.bidirectional is both_ways for layer in stack.layers)


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
    for name in set(SUBLAYERS) - {alone}:
        for parameter in layer.get_submodule(name).parameters():
            nn.init.zeros_(parameter)
    x, memory = torch.randn(2, 2, 6, WIDTH).double()
    assert not torch.allclose(layer(x, memory)[0], layer(x, memory)[0])
