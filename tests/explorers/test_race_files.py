"""The race's files without an explorer: valid names, and the results to which a new race adds."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from posenc_lessons.experiments.race import recorded_race
from posenc_lessons.explorers.base import Complaint
from posenc_lessons.explorers.race_files import (
    MOST_BYTES,
    as_complaint,
    named_file,
    results_in,
    results_named,
    results_to_add_to,
)
from posenc_lessons.language import BilingualValueError, Text


@pytest.fixture(autouse=True)
def working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path.resolve()


def test_a_valid_name_is_empty_or_a_json_file_in_the_working_folder(working_folder: Path) -> None:
    assert named_file("  ") is None
    assert named_file(" mine.json ") == working_folder / "mine.json", "it need not be there yet"
    (working_folder / "class").mkdir()
    assert named_file("class/7b.json") == working_folder / "class" / "7b.json"
    (working_folder / "out.json").symlink_to(working_folder.parent / "elsewhere.json")
    for name in ("../mine.json", "/etc/x.json", "out.json", "mine.txt", "x", "no/folder.json"):
        with pytest.raises(Complaint, match="inside the working folder"):
            named_file(name)


def test_results_are_read_back_from_their_file(working_folder: Path) -> None:
    recorded_race().save(working_folder / "race.json")
    assert results_named("race.json") == recorded_race()


@pytest.mark.parametrize(
    ("name", "en", "zh"),
    [
        ("", "Name the results file first", "请先填结果文件的名字"),
        ("other.json", "other.json was not found", "没有找到 other.json"),
        ("x" * 300 + ".json", "it has 305 characters", "有 305 个字符"),
        ("zero\0byte.json", "cannot be the name of a file", "不能作文件名"),
        ("folder.json", "folder.json is not a file", "folder.json 不是文件"),
        ("pipe.json", "pipe.json is not a file", "pipe.json 不是文件"),
        ("circle.json", "circle.json", "circle.json"),  # Python versions disagree on whether it exists
        ("half.json", "it is no JSON", "不是 JSON"),
        ("deep.json", "brackets go too deep", "括号套得太深"),
        ("large.json", "20,000,001 bytes", "20,000,001 字节"),
    ],
)
def test_an_invalid_file_of_results_is_a_complaint(working_folder: Path, name: str, en: str, zh: str) -> None:
    (working_folder / "folder.json").mkdir()
    (working_folder / "circle.json").symlink_to("circle.json")
    (working_folder / "half.json").write_text('{"half": ')
    (working_folder / "deep.json").write_text("[" * 200_000)
    with (working_folder / "large.json").open("wb") as file:
        file.truncate(MOST_BYTES + 1)  # a hole: no disk is filled
    if name == "pipe.json":
        if not hasattr(os, "mkfifo"):
            pytest.skip("needs POSIX pipes")
        os.mkfifo(working_folder / name)
    with pytest.raises(Complaint) as refused:
        results_named(name)
    assert en in refused.value.text.en and zh in refused.value.text.zh


def test_an_upload_too_large_to_be_a_race_is_a_complaint() -> None:
    with pytest.raises(Complaint, match=r"huge\.json has 20,000,001 bytes"):
        results_in(b" " * (MOST_BYTES + 1), "huge.json")


def test_a_race_continues_from_its_file_or_else_from_the_stopped_race(working_folder: Path) -> None:
    race, path = recorded_race().race, working_folder / "race.json"
    stopped = replace(recorded_race(), runs=recorded_race().runs[:2])
    assert results_to_add_to(race, None, None) is None
    assert results_to_add_to(race, None, replace(stopped, runs=())) is None, "nothing is finished"
    assert results_to_add_to(race, path, stopped) is stopped, "the file is yet to be written"
    assert results_to_add_to(replace(race, steps=race.steps + 1), None, stopped) is None, "another race"
    recorded_race().save(path)
    assert results_to_add_to(race, path, stopped) == recorded_race()
    path.write_text('{"half": ')
    with pytest.raises(Complaint, match="it is no JSON"):
        results_to_add_to(race, path, stopped)  # so that nothing is started, and nothing overwritten


def test_a_complaint_without_chinese_words_is_shown_as_it_is() -> None:
    assert as_complaint(ValueError("out of memory")).text == Text("out of memory", "out of memory")
    assert as_complaint(BilingualValueError("太长", "too long")).text == Text("太长", "too long")
