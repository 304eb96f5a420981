"""A rotary model on texts several times as long as in training: what is extended, measured and kept."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest
import torch

from posenc_lessons.encodings import ContextExtension, RotaryEncoding, rotary_frequencies
from posenc_lessons.experiments import accuracy, what_followed
from posenc_lessons.experiments import context_extension as module
from posenc_lessons.experiments.context_extension import (
    RECORDED,
    TASKS,
    WAYS,
    Sizes,
    accuracy_with,
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


def test_given_frequencies_replace_the_base_without_changing_the_model() -> None:
    task = what_followed()
    model = trained_short(task, sizes=TINY, progress=False)
    own = rotary_frequencies(8)
    assert accuracy_with(model, task, own, 8) == accuracy(model, task, 8)
    rows = torch.randn(1, 1, 5, 8, generator=torch.Generator().manual_seed(0))
    given = module.GivenFrequencies(own / 3)
    stretched = RotaryEncoding(8, extension=ContextExtension("linear", 3, 8))
    torch.testing.assert_close(given.turn(rows, torch.arange(5)), stretched.turn(rows, torch.arange(5)))
    assert not any(isinstance(part, module.GivenFrequencies) for part in model.modules())


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
    assert len(outcome.curve) == TINY.tune_steps


@pytest.mark.parametrize("way", WAYS[1:])
def test_each_method_measures_the_model_with_its_extension(way: str) -> None:
    task = what_followed(4)
    model = trained_short(task, 1, TINY, progress=False)
    outcome = lengthened(model, task, way, 0, TINY, progress=False)
    set_extension(model, ContextExtension(way, 2, 8))  # type: ignore[arg-type]
    assert outcome.before == accuracy(model, task, 16, from_position=12, batch_size=512)


def test_an_unknown_way_is_refused() -> None:
    with pytest.raises(ValueError, match="method must be one of"):
        lengthened(DecoderOnly(4, 16, 2, 1, "rotary"), what_followed(4), "pi", sizes=TINY, progress=False)


def test_only_the_same_seed_gives_the_same_results() -> None:
    task = what_followed(4)
    first, again, other = (
        lengthened(trained_short(task, seed, TINY, progress=False), task, "none", seed, TINY, progress=False)
        for seed in (3, 3, 4)
    )
    assert first == again and other.curve != first.curve


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
            assert dataclasses.astuple(kept)[:4] == pytest.approx(dataclasses.astuple(whole)[:4], abs=6e-5)
            assert kept.curve == pytest.approx(whole.curve, abs=6e-5)


def test_the_record_of_the_course_is_whole() -> None:
    kept = recorded()
    assert kept.sizes == Sizes(), "the sizes have changed since: make the record again"
    assert len(kept.seeds) >= 5 and kept.date and kept.machine["processor"]
    assert tuple(kept.tasks) == tuple(TASKS)
    for ways in kept.tasks.values():
        assert tuple(ways) == WAYS
        for outcomes in ways.values():
            assert len(outcomes) == len(kept.seeds)
            for one in outcomes:
                assert len(one.curve) == kept.sizes.tune_steps
                numbers = (one.before, one.after, one.short_before, one.short_after, *one.curve)
                assert all(0 <= number <= 1 for number in numbers)
    assert RECORDED.stat().st_size < 60_000 and json.loads(RECORDED.read_text(encoding="utf-8"))
