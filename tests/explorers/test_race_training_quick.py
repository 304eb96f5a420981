"""The quick race: the recorded one step by step, and one that is run here."""

from __future__ import annotations

import threading
from dataclasses import replace

import numpy as np
import pytest

from posenc_lessons.experiments.race import recorded_race
from posenc_lessons.experiments.race.background import BackgroundRace
from posenc_lessons.experiments.race.one_run import run_one
from posenc_lessons.experiments.race.quick import TEST_EVERY, quick_race, recorded_quick_race
from posenc_lessons.explorers import RaceExplorer
from posenc_lessons.figures.scene import Line
from tests.explorers.tiny_races import TINY, pressable
from tests.support.pace import patience, wait_until


def lines(explorer: RaceExplorer) -> dict[str, np.ndarray]:
    """Return the curves in the picture, by name."""
    layers = explorer.present_scene()[0].panels[0].layers
    return {layer.name: layer.y for layer in layers if isinstance(layer, Line)}


def test_the_shipped_quick_race_has_the_conditions_of_the_recorded_one() -> None:
    curves = recorded_quick_race()
    command = "python -m posenc_lessons.experiments.race --quick --out …/quick.json"
    assert curves.race == quick_race(), f"the recorded race is another: {command}"
    assert list(curves.tested) == curves.race.entries()
    assert all(list(by_step) == list(range(0, 101, TEST_EVERY)) for by_step in curves.tested.values())


def test_the_recorded_quick_race_is_shown_step_by_step_over_the_full_one(tiny: RaceExplorer) -> None:
    curves, full = recorded_quick_race(), recorded_race()
    assert not any(name.startswith("before_") for name in lines(tiny))
    for step in (0, 30, 100):
        tiny.restore({"race": "quick", "step": step})
        drawn, said = lines(tiny), tiny.said.en
        for entry, by_step in curves.tested.items():
            np.testing.assert_allclose(drawn[entry.encoding], by_step[step])
            means = np.mean(full.accuracy(entry.task, entry.encoding), axis=0)
            np.testing.assert_allclose(drawn[f"before_{entry.encoding}"], means)
            assert f"{by_step[step][2]:.2f} → {by_step[step][-1]:.2f}" in said
        assert f"after {step} steps" in said and "Recorded" in said
    assert "recorded_quick_race().at(100)" in tiny.code(tiny.parameters())


@pytest.mark.usefixtures("forked_workers")
def test_the_quick_button_shows_models_as_they_learn(
    tiny: RaceExplorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = replace(quick_race(), **TINY, steps=20)
    monkeypatch.setattr(
        "posenc_lessons.explorers.race_training.quick_race", lambda device: replace(small, device=device)
    )
    looked, run = threading.Event(), BackgroundRace._run
    monkeypatch.setattr(BackgroundRace, "_run", lambda race: looked.wait(patience()) and run(race))
    tiny.press("quick")
    assert pressable(tiny) == {"stop", "open"}
    assert tiny.controls["race"].value == "quick" and "is starting" in tiny.said.en
    assert "before_rotary" in lines(tiny), "the recorded curves are there from the first moment"
    looked.set()
    assert tiny.wait(patience()) and tiny.message is None and not tiny.training
    assert tiny._race is not None
    runs = {run.entry: run.accuracy for run in tiny._race.results.runs}
    alone = {entry: run_one(small, entry).accuracy for entry in small.entries()}
    assert runs == alone, "testing changes nothing of the training"
    assert all(list(tiny.curves.tested[entry]) == [0, 10, 20] for entry in alone)
    assert tiny.controls["step"].value == tiny.curves.reached == 20
    assert "run_quick_race().at(20)" in tiny.code(tiny.parameters())
    assert tiny.results == recorded_race(), "the full race is still there"


@pytest.mark.usefixtures("forked_workers")
def test_a_quick_race_that_is_stopped_keeps_what_it_has_shown(tiny: RaceExplorer) -> None:
    tiny.start_quick()
    assert tiny._race is not None
    race = tiny._race
    wait_until(lambda: bool(race.tested))
    tiny.stop()
    assert not race.running and tiny.curves.tested == race.tested and tiny.message is None
    assert {entry.encoding for entry in race.tested} <= set(lines(tiny))
