"""The comparison of rotary, none and a hybrid with windows: models, records, and runs repeated."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from posenc_lessons.experiments import hybrid as module
from posenc_lessons.experiments.hybrid import (
    CHECKED_STEPS,
    KINDS,
    TASKS,
    Entry,
    Sizes,
    new_model,
    record,
    recorded,
    run_one,
    table,
    trained,
    without_order,
)
from posenc_lessons.experiments.training import History

TINY = Sizes(
    trained=16, test_lengths=(16, 32), d_model=8, n_heads=2, window=4, steps=3, batch_size=4, test_sequences=8
)


def test_the_layers_of_each_kind() -> None:
    kinds = {kind: new_model(Entry("look_up", kind, 0)) for kind in KINDS}
    doors = {kind: [a.encoding.doors for a in model.attentions] for kind, model in kinds.items()}
    last_free = [(2,), (2,), (2,), ()]
    assert doors == {
        "rotary": [(2,)] * 4,
        "none": [()] * 4,
        "hybrid": last_free,
        "windowed": [(2,)] * 4,
        "last_free": last_free,
    }
    windows = {kind: model.decoder.windows for kind, model in kinds.items()}
    seen = {kind: [8, 8, 8, None] if kind in ("hybrid", "windowed") else [None] * 4 for kind in KINDS}
    assert windows == seen
    deeper = new_model(Entry("look_up", "hybrid", 0), replace(TINY, n_layers=8))
    assert deeper.decoder.windows == [4, 4, 4, None] * 2
    counts = {sum(p.numel() for p in model.parameters()) for model in kinds.values()}
    assert len(counts) == 1, "no kind has more weights than another"


def test_kinds_with_one_seed_have_the_same_start_and_batches() -> None:
    models = [new_model(Entry("copy_back", kind, 3), TINY) for kind in KINDS]
    for weights in zip(*(model.parameters() for model in models), strict=True):
        assert all(torch.equal(weights[0], other) for other in weights)
    before = torch.get_rng_state()
    losses = [trained(Entry("copy_back", kind, 3), TINY, progress=False)[1].loss for kind in KINDS * 2]
    n = len(KINDS)
    assert losses[:n] == losses[n:] and len({loss[-1] for loss in losses}) == n
    assert torch.equal(torch.get_rng_state(), before)


def test_a_record_is_read_back_and_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TASKS", {"copy_back": TASKS["copy_back"], "look_up": TASKS["look_up"]})
    whole = record((0,), tmp_path / "record.json", TINY)
    assert recorded(tmp_path / "record.json").runs == whole.runs
    assert [(run.task, run.kind) for run in whole.runs] == [(t, k) for t in module.TASKS for k in KINDS]
    assert whole.runs[0] == run_one(whole.runs[0].entry, TINY, progress=False)
    assert "look_up" in table(whole) and "guessing 0.12" in table(whole)


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(
        ValueError, match="kind must be one of rotary, none, hybrid, windowed, last_free; got 'alibi'"
    ):
        Sizes().layers("alibi")


def test_the_record_of_the_course_is_whole() -> None:
    record_made = recorded()
    assert record_made.sizes == Sizes(), "the sizes have changed since: make the record again"
    assert len(record_made.seeds) >= 5 and record_made.date and record_made.machine["processor"]
    entries = {Entry(task, kind, seed) for task in TASKS for kind in KINDS for seed in record_made.seeds}
    assert {run.entry for run in record_made.runs} == entries and len(record_made.runs) == len(entries)
    trained_length, *longer = record_made.sizes.test_lengths
    assert trained_length == record_made.sizes.trained
    assert longer == [2 * trained_length, 4 * trained_length]
    assert all(0 <= share <= 1 for run in record_made.runs for share in run.accuracy)


@pytest.mark.parametrize(
    "kind",
    ["hybrid", *(pytest.param(kind, marks=pytest.mark.sweep) for kind in KINDS if kind != "hybrid")],
)
def test_the_recorded_runs_can_be_made_again(kind: str) -> None:
    """Make the first steps of one run of each kind; the file keeps their mean loss."""
    record_made = recorded()
    task = list(TASKS)[KINDS.index(kind) % len(TASKS)]
    run = next(run for run in record_made.runs if run.entry == (task, kind, 0))

    def first_steps(history: History) -> bool:
        return len(history.loss) < CHECKED_STEPS

    _, history = trained(run.entry, record_made.sizes, progress=False, keep_going=first_steps)
    assert sum(history.loss) / CHECKED_STEPS == pytest.approx(run.first_loss, rel=2e-3)


def test_recorded_chance_and_order_blind_results_are_those_of_the_tasks() -> None:
    record_made = recorded()
    assert record_made.chance == {name: round(make().chance, 4) for name, make in TASKS.items()}
    assert record_made.order_blind["copy_back"] == without_order("copy_back", record_made.sizes)
