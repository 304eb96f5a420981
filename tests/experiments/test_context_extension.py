"""A rotary model on texts several times as long as in training: what is extended, measured and kept."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
import torch

from posenc_lessons.encodings import ContextExtension
from posenc_lessons.experiments import accuracy, what_followed
from posenc_lessons.experiments import context_extension as module
from posenc_lessons.experiments.context_extension import (
    OTHERS,
    TASKS,
    WAYS,
    Sizes,
    Squeezed,
    lengthened,
    record,
    recorded,
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
    set_extension(model, ContextExtension(way, 2, 8))  # type: ignore[arg-type]
    assert outcome.before == accuracy(model, task, 16, from_position=12, batch_size=512)


def test_squeezed_positions_are_divided_by_the_factor() -> None:
    tokens = torch.arange(8)[None] % 4
    model = DecoderOnly(4, 16, 2, 1, "rotary").eval()
    squeezed = Squeezed(model, 2)(tokens)
    set_extension(model, ContextExtension("linear", 2, 8))
    torch.testing.assert_close(squeezed, model(tokens))
    with pytest.raises(ValueError, match="positions must be integers"):
        Squeezed(DecoderOnly(4, 16, 2, 1, "learned"), 2)(tokens)


def test_an_unknown_way_is_refused() -> None:
    with pytest.raises(ValueError, match="method must be one of"):
        lengthened(DecoderOnly(4, 16, 2, 1, "rotary"), what_followed(4), "pi", sizes=TINY, progress=False)


def test_only_the_same_seed_gives_the_same_results() -> None:
    task = what_followed(4)
    first, again, other = (
        lengthened(trained_short(task, seed, TINY, progress=False), task, "none", seed, TINY, progress=False)
        for seed in (3, 3, 4)
    )
    assert first == again != other


def test_a_record_is_read_as_it_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TASKS", {"what_followed": lambda: what_followed(4)})
    made, read = (
        record((0, 1), tmp_path / "deeper" / "record.json", TINY),
        recorded(tmp_path / "deeper" / "record.json"),
    )
    assert (read.date, read.seeds, read.sizes) == (made.date, (0, 1), TINY)
    assert list(read.tasks) == ["what_followed"] and tuple(read.tasks["what_followed"]) == WAYS
    for way, outcomes in made.tasks["what_followed"].items():
        for kept, whole in zip(read.tasks["what_followed"][way], outcomes, strict=True):
            assert dataclasses.astuple(kept) == pytest.approx(dataclasses.astuple(whole), abs=6e-5)


def test_the_record_of_the_course_is_whole() -> None:
    kept = recorded()
    assert kept.sizes == Sizes(), "the sizes have changed since: make the record again"
    assert len(kept.seeds) >= 5 and kept.date and kept.machine["processor"]
    assert tuple(kept.tasks) == tuple(TASKS)
    for ways in kept.tasks.values():
        assert tuple(ways) == WAYS
    assert list(kept.others) == [f"{encoding} {way}" for encoding, ways in OTHERS.items() for way in ways]
    for outcomes in (*kept.tasks["what_followed"].values(), *kept.others.values()):
        assert len(outcomes) == len(kept.seeds)
        assert all(0 <= number <= 1 for one in outcomes for number in dataclasses.astuple(one))
