"""The race explorer trains without blocking and loses no finished run."""

from __future__ import annotations

import asyncio
import multiprocessing
from dataclasses import replace
from pathlib import Path

import pytest

from posenc_lessons import language
from posenc_lessons.experiments.race import load_results, recorded_race, run_race
from posenc_lessons.explorers import RaceExplorer
from posenc_lessons.explorers.definition import Progress
from posenc_lessons.explorers.host import Host, View
from tests.explorers.tiny_races import QUICK, pressable
from tests.support.pace import patience, wait_until


def progress(explorer: RaceExplorer) -> Progress:
    """Return the progress of the race, which must be running."""
    found = explorer.progress()
    assert found is not None
    return found


def test_start_trains_the_chosen_race_and_shows_it(tiny: RaceExplorer) -> None:
    tiny.press("start")
    assert pressable(tiny) == {"stop", "open"}
    assert tiny.results == recorded_race() and tiny.message is None, "the picture is never empty"
    assert tiny.wait(patience())
    assert tiny.message is None and pressable(tiny) == {"quick", "start", "open"}
    assert tiny.results.race == tiny.race() and len(tiny.results.runs) == 2
    expected = run_race(tiny.race(), progress=False)
    assert [replace(run, seconds=0) for run in tiny.results.runs] == [
        replace(run, seconds=0) for run in expected.runs
    ], "the same numbers as without the explorer"
    assert progress(tiny).value == 1 and "2 / 2" in progress(tiny).text.en
    assert list(Path.cwd().iterdir()) == [], "nothing is written unasked"
    names = [name for name, _ in tiny.controls["highlight"].options]
    assert [name.en for name in names] == ["all", "none", "RoPE"]

    tiny.controls["n_back"].value = 2
    shown = tiny.results
    tiny.start()
    assert tiny._race is not None and tiny._race.results.runs == (), "other conditions start again"
    assert tiny.results is shown, "what was shown stays until a run is finished"
    tiny.stop()
    assert tiny.results is shown


def test_in_a_kernel_results_arrive_without_blocking_it(tiny: RaceExplorer) -> None:
    told: list[View] = []
    host = Host(tiny, kernel=True, push=told.append)

    async def kernel() -> int:
        host.answer("press", ["start"])
        turns = 0
        while tiny.training:
            await asyncio.sleep(0.02)
            turns += 1
        return turns

    assert asyncio.run(asyncio.wait_for(kernel(), patience())) > 5, "the loop kept turning"
    assert len(tiny.results.runs) == 2
    assert [each["progress"]["value"] for each in told if "progress" in each][-1] == 1
    assert {each["name"] for each in told[-1]["actions"] if each["disabled"]} == {"stop"}


@pytest.mark.usefixtures("forked_workers")
def test_stop_keeps_what_is_finished_and_start_goes_on(tiny: RaceExplorer) -> None:
    tiny.controls["encodings"].value = ("none", "rotary", "alibi")
    tiny.start()
    assert tiny._race is not None
    first = tiny._race
    wait_until(lambda: bool(first.results.runs))
    tiny.press("stop")
    assert not first.running and tiny.message is None
    kept = tiny.results.runs
    assert len(kept) >= 1 and tiny.results is first.results
    tiny.start()
    assert tiny._race.missing == [e for e in tiny.race().entries() if e not in first.results.done()]
    assert tiny.wait(patience())
    assert set(kept) <= set(tiny.results.runs) and len(tiny.results.runs) == 3


@pytest.mark.usefixtures("forked_workers")
def test_a_second_race_stops_the_first(tiny: RaceExplorer) -> None:
    tiny.controls["steps"].value = 2000
    tiny.start()
    first = tiny._race
    another = RaceExplorer(**{**QUICK, "steps": 2000})
    another.start()
    assert first is not None and not first.running
    another.close()
    assert another._race is not None and not another._race.running, "closing ends it"


@pytest.mark.usefixtures("forked_workers")
def test_a_race_with_a_file_survives_a_killed_kernel(tiny: RaceExplorer) -> None:
    tiny.controls["file"].value = "mine.json"
    tiny.controls["encodings"].value = ("none", "rotary", "alibi")
    tiny.start()
    path = Path("mine.json")
    wait_until(path.exists)
    kept = load_results(path).runs
    assert kept
    tiny.stop()
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


def test_a_race_that_dies_is_reported_and_the_next_change_recovers(tiny: RaceExplorer) -> None:
    tiny.controls["steps"].value = 2000
    tiny.start()
    race = tiny._race
    assert race is not None
    wait_until(lambda: race.steps_done)
    multiprocessing.active_children()[0].kill()
    tiny.wait(patience())
    assert tiny.message is not None and "ended unexpectedly" in tiny.message.en
    assert "意外结束" in tiny.message.zh and not tiny.training
    tiny.controls["n_back"].value = 4
    assert tiny.message is None


@pytest.mark.usefixtures("forked_workers")
def test_a_refused_start_does_not_disturb_the_running_race(tiny: RaceExplorer) -> None:
    tiny.controls["steps"].value = 2000
    tiny.start()
    first = tiny._race
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
    tiny.stop()


@pytest.mark.usefixtures("forked_workers")
def test_language_changes_and_closing_work_during_training(tiny: RaceExplorer) -> None:
    tiny.stop()  # before there is anything to stop
    assert tiny.wait() and tiny.message is None
    tiny.controls["steps"].value = 2000
    tiny.start()
    host = Host(tiny)
    for name, words in (("zh", "已训练 0 / 2"), ("en", "0 / 2 trained")):
        language.choose(name)
        assert words in host.answer("view")["progress"]["text"] and tiny.message is None
    tiny.stop()
    tiny.stop()
    assert tiny.message is None and tiny.results is recorded_race()  # it stays in sight
    tiny.start()
    race = tiny._race
    tiny.close()
    assert race is not None and not race.running and race.error is None
    tiny._poll()  # the poll that was already on its way
    assert tiny.message is None
