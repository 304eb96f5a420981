"""The race explorer trains without blocking, loses no finished run, and reads and writes one file."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from posenc_lessons import language
from posenc_lessons.experiments.race import Race, load_results, recorded_race, run_race
from posenc_lessons.experiments.race.background import BackgroundRace
from posenc_lessons.experiments.race.one_run import run_one
from posenc_lessons.experiments.race.quick import TEST_EVERY, quick_race, recorded_quick_race
from posenc_lessons.explorers import RaceExplorer
from posenc_lessons.explorers.definition import Progress
from posenc_lessons.explorers.host import Host, View
from posenc_lessons.explorers.race_training import RECORDED
from posenc_lessons.figures.scene import Line
from posenc_lessons.language import Text
from tests.support.pace import patience, wait_until

QUICK: dict[str, Any] = {
    "tasks": ("copy_back",),
    "encodings": ("none", "rotary"),
    "n_seeds": 1,
    "train_length": 16,
    "stretch": 2,
    "steps": 100,
    "jobs": 1,
}
TINY = {"d_model": 8, "n_heads": 2, "n_layers": 1, "batch_size": 4, "test_sequences": 8}


@pytest.fixture
def explorer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[RaceExplorer]:
    monkeypatch.chdir(tmp_path)
    described = RaceExplorer.race
    monkeypatch.setattr(RaceExplorer, "race", lambda self: replace(described(self), **TINY))
    made = RaceExplorer(**QUICK)
    yield made
    made.close()


def pressable(explorer: RaceExplorer) -> set[str]:
    """Return the names of the buttons that can be pressed."""
    return {name for name, action in explorer.actions().items() if not action.disabled}


def progress(explorer: RaceExplorer) -> Progress:
    """Return the progress of the race, which must be running."""
    found = explorer.progress()
    assert found is not None
    return found


# ---- what it shows ----


def test_it_shows_the_recorded_race_first_and_its_machine(explorer: RaceExplorer) -> None:
    recorded = recorded_race()
    assert explorer.results == recorded
    _, reading = explorer.present_scene()
    for words in (reading.zh, reading.en):
        assert recorded.date in words and recorded.machines[0]["processor"] in words
    assert reading.zh.startswith("录好的比赛：") and reading.en.startswith("Recorded race: ")


def test_the_numbers_shown_are_those_of_the_runs(explorer: RaceExplorer) -> None:
    results = recorded_race()
    explorer.controls["task"].value, explorer.controls["highlight"].value = "flip_flop", "shaw"
    scene, reading = explorer.present_scene()
    rows = np.array(results.accuracy("flip_flop", "shaw"))
    layers = {layer.name: layer for layer in scene.panels[0].layers}
    np.testing.assert_allclose(layers["shaw"].y, rows.mean(axis=0))  # type: ignore[union-attr]
    strokes = layers["shaw_spread"].y.reshape(-1, 3)  # type: ignore[union-attr]
    np.testing.assert_allclose(strokes[:, 0], rows.min(axis=0))
    np.testing.assert_allclose(strokes[:, 1], rows.max(axis=0))
    table = next(layer for layer in scene.panels[1].layers if layer.name == "means")
    inside_and_outside = results.inside_and_outside("flip_flop", "shaw")
    row, column = results.race.encodings.index("shaw"), 1 + 2 * results.race.tasks.index("flip_flop")
    np.testing.assert_allclose(table.values[row, column : column + 2], inside_and_outside)  # type: ignore[union-attr]
    assert f"{rows[:, -1].mean():.2f} ({rows[:, -1].min():.2f}–{rows[:, -1].max():.2f})" in reading.en


def test_the_pointer_highlights_a_curve_or_a_row(explorer: RaceExplorer) -> None:
    results = recorded_race()
    race = results.race
    assert explorer.pointed("table", 0.3, 6.4) == {"highlight": race.encodings[6]}
    assert explorer.pointed("table", 0.3, 7.49) == {"highlight": race.encodings[7]}
    end = np.log2(race.test_lengths[-1])
    shares = {e: np.mean(results.accuracy("copy_back", e), axis=0)[-1] for e in race.encodings}
    best = max(shares, key=lambda e: shares[e])
    assert explorer.pointed("curves", end, shares[best] + 0.01) == {"highlight": best}
    far_from_every_curve = explorer.pointed("curves", np.log2(race.test_lengths[0]), -0.03)
    assert far_from_every_curve == {"highlight": ""}


def test_the_controls_describe_the_race(explorer: RaceExplorer) -> None:
    explorer.controls["stretch"].value, explorer.controls["n_back"].value = 3, 5
    assert explorer.race() == Race(
        tasks=("copy_back",),
        encodings=("none", "rotary"),
        seeds=(0,),
        n_back=5,
        train_length=16,
        test_lengths=(8, 12, 16, 20, 24, 32, 48),
        steps=100,
        **TINY,
    )
    assert "n_back=5" in explorer.code(explorer.parameters())


# ---- training ----


def test_start_trains_the_chosen_race_and_shows_it(explorer: RaceExplorer) -> None:
    explorer.press("start")
    assert pressable(explorer) == {"stop", "open"}
    assert explorer.results == recorded_race() and explorer.message is None, "the picture is never empty"
    assert explorer.wait(patience())
    assert explorer.message is None and pressable(explorer) == {"quick", "start", "open"}
    assert explorer.results.race == explorer.race() and len(explorer.results.runs) == 2
    expected = run_race(explorer.race(), progress=False)
    assert [replace(run, seconds=0) for run in explorer.results.runs] == [
        replace(run, seconds=0) for run in expected.runs
    ], "the same numbers as without the explorer"
    assert progress(explorer).value == 1 and "2 / 2" in progress(explorer).text.en
    assert list(Path.cwd().iterdir()) == [], "nothing is written unasked"
    names = [name for name, _ in explorer.controls["highlight"].options]
    assert [name.en for name in names] == ["all", "none", "RoPE"]

    explorer.controls["n_back"].value = 2
    shown = explorer.results
    explorer.start()
    assert explorer._race is not None and explorer._race.results.runs == (), "other conditions start again"
    assert explorer.results is shown, "what was shown stays until a run is finished"
    explorer.stop()
    assert explorer.results is shown


def test_in_a_kernel_results_arrive_without_blocking_it(explorer: RaceExplorer) -> None:
    told: list[View] = []
    host = Host(explorer, kernel=True, push=told.append)

    async def kernel() -> int:
        host.answer("press", ["start"])
        turns = 0
        while explorer.training:
            await asyncio.sleep(0.02)
            turns += 1
        return turns

    assert asyncio.run(asyncio.wait_for(kernel(), patience())) > 5, "the loop kept turning"
    assert len(explorer.results.runs) == 2
    assert [each["progress"]["value"] for each in told if "progress" in each][-1] == 1
    assert {each["name"] for each in told[-1]["actions"] if each["disabled"]} == {"stop"}


@pytest.mark.usefixtures("forked_workers")
def test_stop_keeps_what_is_finished_and_start_goes_on(explorer: RaceExplorer) -> None:
    explorer.controls["encodings"].value = ("none", "rotary", "alibi")
    explorer.start()
    assert explorer._race is not None
    first = explorer._race
    wait_until(lambda: bool(first.results.runs))
    explorer.press("stop")
    assert not first.running and explorer.message is None
    kept = explorer.results.runs
    assert len(kept) >= 1 and explorer.results is first.results
    explorer.start()
    assert explorer._race.missing == [e for e in explorer.race().entries() if e not in first.results.done()]
    assert explorer.wait(patience())
    assert set(kept) <= set(explorer.results.runs) and len(explorer.results.runs) == 3


@pytest.mark.usefixtures("forked_workers")
def test_a_second_race_stops_the_first(explorer: RaceExplorer) -> None:
    explorer.controls["steps"].value = 2000
    explorer.start()
    first = explorer._race
    another = RaceExplorer(**{**QUICK, "steps": 2000})
    another.start()
    assert first is not None and not first.running
    another.close()
    assert another._race is not None and not another._race.running, "closing ends it"


@pytest.mark.usefixtures("forked_workers")
def test_a_race_with_a_file_survives_a_killed_kernel(explorer: RaceExplorer) -> None:
    explorer.controls["file"].value = "mine.json"
    explorer.controls["encodings"].value = ("none", "rotary", "alibi")
    explorer.start()
    path = Path("mine.json")
    wait_until(path.exists)
    kept = load_results(path).runs
    assert kept
    explorer.stop()
    later = RaceExplorer(**QUICK)
    later.controls["file"].value = "mine.json"
    later.press("open")
    assert set(kept) <= set(later.results.runs) and "mine.json" in later.present_scene()[1].en
    later.controls["encodings"].value = ("none", "rotary", "alibi")
    later.start()
    assert later.wait(patience()) and set(kept) <= set(later.results.runs)
    assert load_results(path) == later.results and len(later.results.runs) == 3
    assert [each.name for each in Path.cwd().iterdir()] == ["mine.json"]
    later.close()


def test_a_race_that_dies_is_reported_and_the_next_change_recovers(explorer: RaceExplorer) -> None:
    explorer.controls["steps"].value = 2000
    explorer.start()
    race = explorer._race
    assert race is not None
    wait_until(lambda: race.steps_done)
    multiprocessing.active_children()[0].kill()
    explorer.wait(patience())
    assert explorer.message is not None and "ended unexpectedly" in explorer.message.en
    assert "意外结束" in explorer.message.zh and not explorer.training
    explorer.controls["n_back"].value = 4
    assert explorer.message is None


# ---- the quick race ----


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


def test_the_recorded_quick_race_is_shown_step_by_step_over_the_full_one(explorer: RaceExplorer) -> None:
    curves, full = recorded_quick_race(), recorded_race()
    assert not any(name.startswith("before_") for name in lines(explorer))
    for step in (0, 30, 100):
        explorer.restore({"race": "quick", "step": step})
        drawn, said = lines(explorer), explorer.said.en
        for entry, by_step in curves.tested.items():
            np.testing.assert_allclose(drawn[entry.encoding], by_step[step])
            means = np.mean(full.accuracy(entry.task, entry.encoding), axis=0)
            np.testing.assert_allclose(drawn[f"before_{entry.encoding}"], means)
            assert f"{by_step[step][2]:.2f} → {by_step[step][-1]:.2f}" in said
        assert f"after {step} steps" in said and "Recorded" in said
    assert "recorded_quick_race().at(100)" in explorer.code(explorer.parameters())


@pytest.mark.usefixtures("forked_workers")
def test_the_quick_button_shows_models_as_they_learn(
    explorer: RaceExplorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = replace(quick_race(), **TINY, steps=20)
    monkeypatch.setattr(
        "posenc_lessons.explorers.race_training.quick_race", lambda device: replace(small, device=device)
    )
    looked, run = threading.Event(), BackgroundRace._run
    monkeypatch.setattr(BackgroundRace, "_run", lambda race: looked.wait(patience()) and run(race))
    explorer.press("quick")
    assert pressable(explorer) == {"stop", "open"}
    assert explorer.controls["race"].value == "quick" and "is starting" in explorer.said.en
    assert "before_rotary" in lines(explorer), "the recorded curves are there from the first moment"
    looked.set()
    assert explorer.wait(patience()) and explorer.message is None and not explorer.training
    assert explorer._race is not None
    runs = {run.entry: run.accuracy for run in explorer._race.results.runs}
    alone = {entry: run_one(small, entry).accuracy for entry in small.entries()}
    assert runs == alone, "testing changes nothing of the training"
    assert all(list(explorer.curves.tested[entry]) == [0, 10, 20] for entry in alone)
    assert explorer.controls["step"].value == explorer.curves.reached == 20
    assert "run_quick_race().at(20)" in explorer.code(explorer.parameters())
    assert explorer.results == recorded_race(), "the full race is still there"


@pytest.mark.usefixtures("forked_workers")
def test_a_quick_race_that_is_stopped_keeps_what_it_has_shown(explorer: RaceExplorer) -> None:
    explorer.start_quick()
    assert explorer._race is not None
    race = explorer._race
    wait_until(lambda: bool(race.tested))
    explorer.stop()
    assert not race.running and explorer.curves.tested == race.tested and explorer.message is None
    assert {entry.encoding for entry in race.tested} <= set(lines(explorer))


# ---- what can be wrong ----


def shown(explorer: RaceExplorer) -> Text:
    """Return the complaint, which must stand above the picture."""
    assert explorer.message is not None and not explorer.hides_picture
    return explorer.message


def test_choosing_nothing_is_an_error_in_both_languages(explorer: RaceExplorer) -> None:
    explorer.controls["encodings"].value = ()
    explorer.press("start")
    assert "encodings must be a list with at least one entry" in shown(explorer).en
    assert "encodings 必须是至少有一项的列表" in shown(explorer).zh


@pytest.mark.parametrize("name", ["../outside.json", "/etc/x.json", "race.txt", "no/such/folder.json", "x"])
def test_only_json_files_in_the_working_folder_are_allowed(explorer: RaceExplorer, name: str) -> None:
    explorer.controls["file"].value = name
    for action in ("start", "open"):
        explorer.press(action)
        assert name in shown(explorer).en and "文件名要以 .json 结尾" in shown(explorer).zh
    assert explorer._race is None and list(Path.cwd().iterdir()) == []


def test_a_strange_machine_name_stays_text(explorer: RaceExplorer) -> None:
    content = json.loads(recorded_race().to_json())
    content["machines"] = [{"processor": "<b>{0}</b>", "cores": "2", "self": "x", "template": "y"}]
    told = opened(explorer, "strange.json", json.dumps(content))
    assert "<b>{0}</b>, 2 cores" in explorer.said.en
    assert "<b>" not in told["reading"], "it is text, not markup"


@pytest.mark.usefixtures("forked_workers")
def test_a_refused_start_does_not_disturb_the_running_race(explorer: RaceExplorer) -> None:
    explorer.controls["steps"].value = 2000
    explorer.start()
    first = explorer._race
    another = RaceExplorer(**QUICK)
    another.controls["tasks"].value = ()
    another.press("start")
    assert another.message is not None and first is not None and first.running
    another.controls["tasks"].value = ("copy_back",)
    another.controls["file"].value = "../outside.json"
    another.press("start")
    assert another.message is not None and first.running
    another.close()
    assert first.running, "closing an explorer that runs nothing ends nothing"
    explorer.stop()


def test_the_code_of_an_impossible_race_says_why(explorer: RaceExplorer) -> None:
    host = Host(explorer)
    explorer.controls["encodings"].value = ()
    alert = host.answer("code")["alert"]
    assert "at least one entry" in alert and "Something went wrong" not in alert
    explorer.controls["encodings"].value = ("t5",)
    assert "t5" in host.answer("code")["code"]


def test_a_file_of_another_race_is_not_added_to(explorer: RaceExplorer) -> None:
    recorded_race().save("race.json")
    before = Path("race.json").read_bytes()
    explorer.controls["file"].value = "race.json"
    explorer.press("start")
    assert "two different races" in shown(explorer).en and Path("race.json").read_bytes() == before


# ---- files ----


def opened(explorer: RaceExplorer, name: str, content: str) -> View:
    """Return a panel's answer after the reader has opened the file ``name``."""
    host = Host(explorer, kernel=True)
    return host.answer("view") | host.answer("open_file", [name, len(content), content])


def test_a_race_that_is_saved_and_opened_has_the_same_results(explorer: RaceExplorer) -> None:
    saved = Host(explorer).answer("save_file")["saved"]
    smaller = replace(recorded_race(), runs=recorded_race().runs[:5])
    assert "class.json" in opened(explorer, "class.json", smaller.to_json())["reading"]
    assert explorer.results == smaller
    assert opened(explorer, "race.json", saved)["alert"] == "" and explorer.results == recorded_race()
    assert "cat.json is JSON, but no race" in opened(explorer, "cat.json", '{"format": "cat"}')["alert"]
    assert explorer.results == recorded_race()


def test_a_race_of_other_tasks_brings_its_own_menus_and_reset_still_works(explorer: RaceExplorer) -> None:
    explorer.controls["task"].value, explorer.controls["highlight"].value = "flip_flop", "cope"
    race = Race(tasks=("selective_copy",), encodings=("t5",), n_back=7)
    other = replace(recorded_race(), race=race, runs=())
    explorer.show_results(other, Text("other.json", "other.json"))
    assert explorer.message is None and explorer.parameters()["task"] == "selective_copy"
    assert explorer.parameters()["highlight"] == ""
    explorer.reset()
    assert explorer.message is None
    assert explorer.controls["task"].as_data()["options"] == ["选择性复制 · selective copy"]
    explorer.show_recorded()
    assert len(explorer.controls["task"].as_data()["options"]) == len(Race().tasks)
    assert explorer._source == RECORDED


@pytest.mark.usefixtures("forked_workers")
def test_language_changes_and_closing_work_during_training(explorer: RaceExplorer) -> None:
    explorer.stop()  # before there is anything to stop
    assert explorer.wait() and explorer.message is None
    explorer.controls["steps"].value = 2000
    explorer.start()
    host = Host(explorer)
    for name, words in (("zh", "已训练 0 / 2"), ("en", "0 / 2 trained")):
        language.choose(name)
        assert words in host.answer("view")["progress"]["text"] and explorer.message is None
    explorer.stop()
    explorer.stop()
    assert explorer.message is None and explorer.results is recorded_race()  # it stays in sight
    explorer.start()
    race = explorer._race
    explorer.close()
    assert race is not None and not race.running and race.error is None
    explorer._poll()  # the poll that was already on its way
    assert explorer.message is None
