"""The learner's copy of the lessons is updated to new versions and never loses the learner's changes."""

import errno
import os
from pathlib import Path

import pytest

from posenc_lessons.course.learner_copy import RECORD, Copied, copy_lessons


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Return a small course as it might be shipped."""
    shipped = tmp_path / "shipped"
    (shipped / "solutions").mkdir(parents=True)
    for name in ("00_start_here.ipynb", "01_why_position.ipynb", "solutions/01_why_position.ipynb"):
        (shipped / name).write_text(f"{name}, first edition", encoding="utf-8")
    (shipped / ".ipynb_checkpoints").mkdir()
    (shipped / ".ipynb_checkpoints" / "00_start_here-checkpoint.ipynb").write_text("hidden", encoding="utf-8")
    return shipped


def texts(copy: Path) -> dict[str, str]:
    files = (path for path in copy.rglob("*") if path.is_file() and path.name != RECORD)
    return {path.relative_to(copy).as_posix(): path.read_text(encoding="utf-8") for path in files}


def test_the_first_copy_is_the_course_without_checkpoints(source: Path, tmp_path: Path) -> None:
    copied = copy_lessons(source, tmp_path / "mine", "1")
    names = ["00_start_here.ipynb", "01_why_position.ipynb", "solutions/01_why_position.ipynb"]
    assert copied == Copied(new=names)
    assert texts(tmp_path / "mine") == {name: f"{name}, first edition" for name in names}


def test_a_second_copy_only_brings_back_what_was_deleted(source: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    copy_lessons(source, mine, "1")
    (mine / "00_start_here.ipynb").write_text("my notes", encoding="utf-8")
    (mine / "my own.ipynb").write_text("mine alone", encoding="utf-8")
    before = texts(mine)
    (mine / "01_why_position.ipynb").unlink()
    assert copy_lessons(source, mine, "1") == Copied(new=["01_why_position.ipynb"])
    assert texts(mine) == before


def test_a_new_version_replaces_only_unchanged_files(source: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    copy_lessons(source, mine, "1")
    (mine / "00_start_here.ipynb").write_text("my notes", encoding="utf-8")
    for name in ("00_start_here.ipynb", "01_why_position.ipynb"):
        (source / name).write_text("second edition", encoding="utf-8")

    copied = copy_lessons(source, mine, "2")

    beside = "00_start_here.new-2.ipynb"
    assert copied == Copied(updated=["01_why_position.ipynb"], beside={"00_start_here.ipynb": beside})
    found = texts(mine)
    assert found["00_start_here.ipynb"] == "my notes"
    assert found[beside] == found["01_why_position.ipynb"] == "second edition"
    assert copy_lessons(source, mine, "2") == Copied()  # offered only once
    (mine / beside).write_text("notes in the new one", encoding="utf-8")
    (mine / RECORD).unlink()
    copy_lessons(source, mine, "2")
    assert texts(mine)[beside] == "notes in the new one"


@pytest.mark.parametrize("record", [None, "", "[]", '{"00_start_here.ipynb": '])
def test_without_a_record_every_difference_counts_as_the_learners(
    source: Path, tmp_path: Path, record: str | None
) -> None:
    mine = tmp_path / "mine"
    copy_lessons(source, mine, "1")
    (mine / "00_start_here.ipynb").write_text("my notes", encoding="utf-8")
    if record is None:
        (mine / RECORD).unlink()
    else:
        (mine / RECORD).write_text(record, encoding="utf-8")
    assert copy_lessons(source, mine, "1").beside == {"00_start_here.ipynb": "00_start_here.new-1.ipynb"}
    assert texts(mine)["00_start_here.ipynb"] == "my notes"


def test_a_full_disk_leaves_whole_files_and_the_next_run_continues(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = tmp_path / "mine"
    replace = os.replace

    def full(written: Path, path: Path) -> None:
        if "01_why" in path.name:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        replace(written, path)

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", full)
        with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
            copy_lessons(source, mine, "1")
    assert texts(mine) == {"00_start_here.ipynb": "00_start_here.ipynb, first edition"}
    assert len(copy_lessons(source, mine, "1").new) == 2
