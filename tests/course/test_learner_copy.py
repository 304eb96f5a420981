"""The learner's copy of the lessons is updated to new versions and never loses the learner's changes."""

from __future__ import annotations

import errno
import json
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


def notebook(text: str, indent: int, **metadata: object) -> str:
    cells = [{"cell_type": "markdown", "id": "a", "metadata": {}, "source": text}]
    known = {"kernelspec": {"name": "python3"}, "language_info": {"name": "python"}}
    written = {"cells": cells, "metadata": {**known, **metadata}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(written, indent=indent)


def test_a_lesson_that_was_only_opened_is_updated(source: Path, tmp_path: Path) -> None:
    name, mine = "01_why_position.ipynb", tmp_path / "mine"
    (source / name).write_text(notebook("one", indent=1), encoding="utf-8")
    copy_lessons(source, mine, "1")
    looked_at = notebook("one", indent=2, language_info={"name": "python", "version": "3.13.0"})
    turned_round = json.dumps(dict(reversed(json.loads(looked_at).items())))
    in_lines = looked_at.replace('"source": "one"', '"source": ["on", "e"]')
    for layout in (looked_at, turned_round, in_lines):
        (mine / name).write_text(layout, encoding="utf-8")
        assert copy_lessons(source, mine, "1") == Copied()
    (source / name).write_text(notebook("two", indent=1), encoding="utf-8")
    assert copy_lessons(source, mine, "2") == Copied(updated=[name])
    (mine / name).write_text(notebook("two, and my notes", indent=1), encoding="utf-8")
    (source / name).write_text(notebook("three", indent=1), encoding="utf-8")
    assert copy_lessons(source, mine, "3").beside == {name: "01_why_position.new-3.ipynb"}


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
