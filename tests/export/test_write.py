"""All files or none, and nowhere else."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from posenc_lessons.course.folder import shipped_lessons
from posenc_lessons.export.exporting import NoSuchLesson, named
from posenc_lessons.export.write import Outside, try_out, write_all
from tests.support.hostile import AS_PATH


def test_files_are_written_and_replaced(tmp_path: Path) -> None:
    out = tmp_path / "a" / "b"
    write_all({"x.html": b"old", "solutions/y.html": b"y"}, out)
    write_all({"x.html": b"new"}, out)
    assert sorted(path.name for path in out.rglob("*")) == ["solutions", "x.html", "y.html"]
    assert (out / "x.html").read_bytes() == b"new"


def test_a_full_disk_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_all({"x": b"old"}, tmp_path / "out")
    real = Path.write_bytes

    def write(path: Path, content: bytes) -> int:
        if path.name == "y":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(path, content)

    monkeypatch.setattr(Path, "write_bytes", write)
    for folder in ("out", "fresh/folder"):
        with pytest.raises(OSError, match="No space"):
            write_all({"x": b"new", "y": b"y"}, tmp_path / folder)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["x"]
    assert (tmp_path / "out" / "x").read_bytes() == b"old"
    assert not (tmp_path / "fresh").exists()


def test_links_do_not_lead_out(tmp_path: Path) -> None:
    out, elsewhere = tmp_path / "out", tmp_path / "elsewhere"
    out.mkdir()
    elsewhere.mkdir()
    (elsewhere / "kept").write_bytes(b"theirs")
    try:
        (out / "solutions").symlink_to(elsewhere)
        (out / "x").symlink_to(elsewhere / "kept")
    except OSError:
        pytest.skip("this system lets nobody make links")
    with pytest.raises(Outside, match=r"outside[\s\S]*之外"):
        write_all({"solutions/y": b"y"}, out)
    write_all({"x": b"ours"}, out)  # the link itself is replaced, not what it points at
    assert (elsewhere / "kept").read_bytes() == b"theirs" and not (out / "x").is_symlink()
    assert [path.name for path in elsewhere.iterdir()] == ["kept"]


@pytest.mark.parametrize("name", ["../x", "a/../../x", "/posenc_nowhere/x", "a/../x"])
def test_paths_do_not_lead_out(name: str, tmp_path: Path) -> None:
    with pytest.raises(Outside):
        write_all({name: b""}, tmp_path / "out")
    assert list(tmp_path.rglob("x")) == []


@pytest.mark.parametrize(
    "name", [*AS_PATH.values(), "../02_sinusoidal", "solutions/02_sinusoidal", "-2", "²"]
)
def test_a_lesson_is_one_of_ours_or_none(name: str) -> None:
    with pytest.raises(NoSuchLesson, match=r"there are: 00_start_here"):
        named(name, shipped_lessons())


def test_a_folder_in_the_way_is_told_before_anything_is_written(tmp_path: Path) -> None:
    (tmp_path / "y").mkdir()
    with pytest.raises(IsADirectoryError):
        write_all({"x": b"", "y": b""}, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["y"]


def test_a_file_in_the_way_of_a_folder_is_told_before_anything_is_written(tmp_path: Path) -> None:
    (tmp_path / "y").touch()
    with pytest.raises(NotADirectoryError, match="a file is in the way") as raised:
        write_all({"x": b"", "y/z": b""}, tmp_path)
    assert raised.value.filename == str(tmp_path / "y")
    assert [path.name for path in tmp_path.iterdir()] == ["y"]


def test_a_folder_is_tried_out_without_a_trace(tmp_path: Path) -> None:
    try_out(tmp_path / "a" / "b")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(OSError, match="file"):
        try_out(tmp_path / "file" / "b")
    try_out(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_folder_that_becomes_a_link_while_writing_does_not_lead_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside, folder = tmp_path / "outside", tmp_path / "out"
    outside.mkdir()
    (folder / "solutions").mkdir(parents=True)
    replace = os.replace

    def swap_then_replace(source: Path, target: object, **more: int) -> None:
        replace(source, target, **more)  # type: ignore[call-overload]
        if (folder / "solutions").is_dir() and not (folder / "solutions").is_symlink():
            (folder / "solutions").rmdir()
            (folder / "solutions").symlink_to(outside)

    monkeypatch.setattr(os, "replace", swap_then_replace)
    with pytest.raises((Outside, OSError)):
        write_all({"a.html": b"a", "solutions/b.html": b"b"}, folder)
    assert list(outside.iterdir()) == []


def test_a_folder_that_becomes_a_link_at_the_last_moment_does_not_lead_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside, folder = tmp_path / "outside", tmp_path / "out"
    outside.mkdir()
    make = os.mkdir

    def make_then_swap(path: object, mode: int = 0o777, *, dir_fd: int | None = None) -> None:
        make(path, mode, dir_fd=dir_fd)  # type: ignore[arg-type]
        if dir_fd is not None and path == "solutions":
            (folder / "solutions").rmdir()
            (folder / "solutions").symlink_to(outside)

    monkeypatch.setattr(os, "mkdir", make_then_swap)
    with pytest.raises(OSError):
        write_all({"solutions/b.html": b"b"}, folder)
    assert list(outside.iterdir()) == []
