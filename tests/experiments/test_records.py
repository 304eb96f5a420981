"""The files with outcomes of experiments: those of the course are whole, and what is no record is refused."""

from collections.abc import Callable
from dataclasses import astuple
from pathlib import Path
from typing import Any

import pytest

from posenc_lessons.experiments import context_extension
from posenc_lessons.experiments.comparison import Results
from posenc_lessons.experiments.race import recorded_race
from posenc_lessons.experiments.recordings import RECORDED, make_record, read_record, write_record


@pytest.mark.parametrize(
    "recorded",
    [recorded_race, context_extension.recorded],
    ids=["race", "longer"],
)
def test_a_record_is_read_as_it_was_written(recorded: Callable[[], Any], tmp_path: Path) -> None:
    record = recorded()
    write_record(tmp_path / "deeper" / "f.json", record)
    assert read_record(tmp_path / "deeper" / "f.json", type(record)) == record


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b"\xff\xfe\x00", b'{"race": {"speed": 1}}'])
def test_a_file_that_is_no_record_is_refused_with_the_command_that_makes_it(
    content: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "race.json"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"(?s)race\.json cannot be read .*python -m .*experiments\.race"):
        read_record(path, Results)


def test_a_command_writes_its_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, record = tmp_path / "f.json", recorded_race()
    monkeypatch.setattr("sys.argv", ["race", "--seeds", "3", "4", "--out", str(path)])
    seeds: list[tuple[int, ...]] = []
    make_record("race.json", "", lambda them: (seeds.append(them), record)[1])
    assert seeds == [(3, 4)] and path.read_bytes() == (RECORDED / "race.json").read_bytes()


def test_the_records_have_the_present_settings_and_shares() -> None:
    """Where the settings have changed since, the record is to be made again."""
    longer = context_extension.recorded()
    assert longer.sizes == context_extension.Sizes()
    assert tuple(longer.tasks) == tuple(context_extension.TASKS)
    for outcomes in (*longer.tasks["what_followed"].values(), *longer.others.values()):
        assert len(outcomes) == len(longer.seeds) == 5
        assert all(0 <= share <= 1 for one in outcomes for share in astuple(one))
