"""The race explorer shows the numbers of the runs, names what is wrong, and reads and writes one file."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np

from posenc_lessons.experiments.race import Race, recorded_race
from posenc_lessons.explorers import RaceExplorer
from posenc_lessons.explorers.host import Host, View
from posenc_lessons.explorers.race_training import RECORDED
from posenc_lessons.language import Text
from tests.explorers.tiny_races import TINY


def shown(explorer: RaceExplorer) -> Text:
    """Return the complaint, which must stand above the picture."""
    assert explorer.message is not None and not explorer.hides_picture
    return explorer.message


def test_it_shows_the_recorded_race_first_and_its_machine(tiny: RaceExplorer) -> None:
    recorded = recorded_race()
    assert tiny.results == recorded
    _, reading = tiny.present_scene()
    for words in (reading.zh, reading.en):
        assert recorded.date in words and recorded.machines[0]["processor"] in words
    assert reading.zh.startswith("录好的比赛：") and reading.en.startswith("Recorded race: ")


def test_the_numbers_shown_are_those_of_the_runs(tiny: RaceExplorer) -> None:
    results = recorded_race()
    tiny.controls["task"].value, tiny.controls["highlight"].value = "flip_flop", "shaw"
    scene, reading = tiny.present_scene()
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


def test_the_pointer_highlights_a_curve_or_a_row(tiny: RaceExplorer) -> None:
    results = recorded_race()
    race = results.race
    assert tiny.pointed("table", 0.3, 6.4) == {"highlight": race.encodings[6]}
    assert tiny.pointed("table", 0.3, 7.49) == {"highlight": race.encodings[7]}
    end = np.log2(race.test_lengths[-1])
    shares = {e: np.mean(results.accuracy("copy_back", e), axis=0)[-1] for e in race.encodings}
    best = max(shares, key=lambda e: shares[e])
    assert tiny.pointed("curves", end, shares[best] + 0.01) == {"highlight": best}
    far_from_every_curve = tiny.pointed("curves", np.log2(race.test_lengths[0]), -0.03)
    assert far_from_every_curve == {"highlight": ""}


def test_the_controls_describe_the_race(tiny: RaceExplorer) -> None:
    tiny.controls["stretch"].value, tiny.controls["n_back"].value = 3, 5
    assert tiny.race() == Race(
        tasks=("copy_back",),
        encodings=("none", "rotary"),
        seeds=(0,),
        n_back=5,
        train_length=16,
        test_lengths=(8, 12, 16, 20, 24, 32, 48),
        steps=100,
        **TINY,
    )
    assert "n_back=5" in tiny.code(tiny.parameters())


def test_choosing_nothing_is_an_error_in_both_languages(tiny: RaceExplorer) -> None:
    tiny.controls["encodings"].value = ()
    tiny.press("start")
    assert "encodings must be a list with at least one entry" in shown(tiny).en
    assert "encodings 必须是至少有一项的列表" in shown(tiny).zh


def test_an_invalid_name_of_a_file_is_refused_before_anything_runs(tiny: RaceExplorer) -> None:
    tiny.controls["file"].value = "../outside.json"
    for action in ("start", "open"):
        tiny.press(action)
        assert "../outside.json" in shown(tiny).en and "文件名要以 .json 结尾" in shown(tiny).zh
    assert tiny._race is None and list(Path.cwd().iterdir()) == []


def opened(explorer: RaceExplorer, name: str, content: str) -> View:
    """Return a panel's answer after the reader has opened the file ``name``."""
    host = Host(explorer, kernel=True)
    return host.answer("view") | host.answer("open_file", [name, len(content), content])


def test_a_strange_machine_name_stays_text(tiny: RaceExplorer) -> None:
    content = json.loads(recorded_race().to_json())
    content["machines"] = [{"processor": "<b>{0}</b>", "cores": "2", "self": "x", "template": "y"}]
    told = opened(tiny, "strange.json", json.dumps(content))
    assert "<b>{0}</b>, 2 cores" in tiny.reading.en
    assert "<b>" not in told["reading"], "it is text, not markup"


def test_the_code_of_an_impossible_race_says_why(tiny: RaceExplorer) -> None:
    host = Host(tiny)
    tiny.controls["encodings"].value = ()
    alert = host.answer("code")["alert"]
    assert "at least one entry" in alert and "Something went wrong" not in alert
    tiny.controls["encodings"].value = ("t5",)
    assert "t5" in host.answer("code")["code"]


def test_a_file_of_another_race_is_not_added_to(tiny: RaceExplorer) -> None:
    recorded_race().save("race.json")
    before = Path("race.json").read_bytes()
    tiny.controls["file"].value = "race.json"
    tiny.press("start")
    assert "two different races" in shown(tiny).en and Path("race.json").read_bytes() == before


def test_a_race_that_is_saved_and_opened_has_the_same_results(tiny: RaceExplorer) -> None:
    saved = Host(tiny).answer("save_file")["saved"]
    smaller = replace(recorded_race(), runs=recorded_race().runs[:5])
    assert "class.json" in opened(tiny, "class.json", smaller.to_json())["reading"]
    assert tiny.results == smaller
    assert opened(tiny, "race.json", saved)["alert"] == "" and tiny.results == recorded_race()
    assert "cat.json is JSON, but no race" in opened(tiny, "cat.json", '{"format": "cat"}')["alert"]
    assert tiny.results == recorded_race()


def test_a_race_of_other_tasks_brings_its_own_menus_and_reset_still_works(tiny: RaceExplorer) -> None:
    tiny.controls["task"].value, tiny.controls["highlight"].value = "flip_flop", "cope"
    race = Race(tasks=("selective_copy",), encodings=("t5",), n_back=7)
    other = replace(recorded_race(), race=race, runs=())
    tiny.show_results(other, Text("other.json", "other.json"))
    assert tiny.message is None and tiny.parameters()["task"] == "selective_copy"
    assert tiny.parameters()["highlight"] == ""
    tiny.reset()
    assert tiny.message is None
    assert tiny.controls["task"].as_data()["options"] == ["选择性复制 · selective copy"]
    tiny.show_recorded()
    assert len(tiny.controls["task"].as_data()["options"]) == len(Race().tasks)
    assert tiny._source == RECORDED
