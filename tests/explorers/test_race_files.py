"""The race's files without an explorer: which names will do, what a new race goes on from."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from posenc_lessons.experiments.race import recorded_race
from posenc_lessons.explorers.base import Complaint
from posenc_lessons.explorers.race_files import as_complaint, named_file, results_named, results_to_add_to
from posenc_lessons.language import BilingualValueError, Text


@pytest.fixture(autouse=True)
def working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path.resolve()


def test_a_name_is_a_json_file_in_the_working_folder_or_none(working_folder: Path) -> None:
    assert named_file("  ") is None
    assert named_file(" mine.json ") == working_folder / "mine.json", "it need not be there yet"
    (working_folder / "class").mkdir()
    assert named_file("class/7b.json") == working_folder / "class" / "7b.json"
    (working_folder / "out.json").symlink_to(working_folder.parent / "elsewhere.json")
    for name in ("../mine.json", "out.json", "mine.txt", "no/folder.json"):
        with pytest.raises(Complaint, match="inside the working folder"):
            named_file(name)


def test_results_come_back_from_their_file(working_folder: Path) -> None:
    recorded_race().save(working_folder / "race.json")
    assert results_named("race.json") == recorded_race()
    with pytest.raises(Complaint, match=r"other\.json is not there"):
        results_named("other.json")
    with pytest.raises(Complaint, match="Name the results file first"):
        results_named("")


def test_a_race_goes_on_from_its_file_first_then_from_the_stopped_race(working_folder: Path) -> None:
    race, path = recorded_race().race, working_folder / "race.json"
    stopped = replace(recorded_race(), runs=recorded_race().runs[:2])
    assert results_to_add_to(race, None, None) is None
    assert results_to_add_to(race, None, replace(stopped, runs=())) is None, "nothing is finished"
    assert results_to_add_to(race, path, stopped) is stopped, "the file is yet to be written"
    assert results_to_add_to(replace(race, steps=race.steps + 1), None, stopped) is None, "another race"
    recorded_race().save(path)
    assert results_to_add_to(race, path, stopped) == recorded_race()


def test_a_complaint_without_chinese_words_is_shown_as_it_is() -> None:
    assert as_complaint(ValueError("out of memory")).text == Text("out of memory", "out of memory")
    assert as_complaint(BilingualValueError("太长", "too long")).text == Text("太长", "too long")
