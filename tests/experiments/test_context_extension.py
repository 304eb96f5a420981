"""A rotary model on texts several times as long as in training: what is extended, measured and kept."""

import pytest
import torch

from posenc_lessons.encodings import ContextExtension
from posenc_lessons.experiments import accuracy, what_followed
from posenc_lessons.experiments import context_extension as module
from posenc_lessons.experiments.context_extension import (
    WAYS,
    Sizes,
    compared,
    lengthened,
    set_extension,
    trained_short,
)
from posenc_lessons.models import DecoderOnly

TINY = Sizes(
    trained=8,
    factor=2,
    d_model=16,
    n_heads=2,
    n_layers=2,
    steps=3,
    batch_size=4,
    tune_steps=2,
    tune_batch_size=3,
)


def test_every_layer_is_extended_and_set_back() -> None:
    model = DecoderOnly(8, 16, 2, 3, "rotary")
    extension = ContextExtension("ntk", 4, 32)
    set_extension(model, extension)
    assert [layer.attention.encoding.extension for layer in model.layers] == [extension] * 3
    set_extension(model, None)
    assert [layer.attention.encoding.extension for layer in model.layers] == [None] * 3


def test_a_model_without_rotary_encoding_is_refused() -> None:
    with pytest.raises(ValueError, match=r"DecoderOnly has no RotaryEncoding"):
        set_extension(DecoderOnly(8, 16, 2, 1, "alibi"), ContextExtension("ntk", 4, 32))


def test_training_longer_starts_from_the_model_and_does_not_change_it() -> None:
    task = what_followed(4)
    model = trained_short(task, 0, TINY, progress=False)
    kept = {name: weight.clone() for name, weight in model.state_dict().items()}
    outcome = lengthened(model, task, "none", 0, TINY, progress=False)
    assert all(torch.equal(kept[name], weight) for name, weight in model.state_dict().items())
    assert model.layers[0].attention.encoding.extension is None
    assert outcome.before == accuracy(model, task, 16, from_position=12, batch_size=512)
    assert outcome.short_before == accuracy(model, task, 8, from_position=6, batch_size=512)


@pytest.mark.parametrize("way", WAYS[1:])
def test_each_method_measures_the_model_with_its_extension(way: str) -> None:
    task = what_followed(4)
    model = trained_short(task, 1, TINY, progress=False)
    outcome = lengthened(model, task, way, 0, TINY, progress=False)
    if way == "linear":  # for rotary embedding, this is to divide all positions
        assert lengthened(model, task, "squeezed", 0, TINY, progress=False) == outcome
    set_extension(model, ContextExtension(way, 2, 8))  # type: ignore[arg-type]
    assert outcome.before == accuracy(model, task, 16, from_position=12, batch_size=512)


def test_all_ways_start_from_the_same_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TASKS", {"what_followed": lambda: what_followed(4)})
    monkeypatch.setattr(module, "OTHERS", {"alibi": ("none",)})
    record = compared((1,), TINY)
    assert (record.seeds, record.sizes) == ((1,), TINY)
    assert tuple(record.tasks["what_followed"]) == WAYS and list(record.others) == ["alibi none"]
    model = trained_short(what_followed(4), 1, TINY, progress=False)
    yarn = lengthened(model, what_followed(4), "yarn", 1, TINY, progress=False)
    assert record.tasks["what_followed"]["yarn"] == [yarn]
