"""A file is written completely or not at all; several files all or none; and nothing outside the folder."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from posenc_lessons.files import Outside, write_all, write_atomically


def test_a_file_with_the_longest_name_is_written_into_a_new_folder(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / f"{'x' * 250}.json"
    write_atomically(path, b"first")
    write_atomically(str(path), b"second")
    assert path.read_bytes() == b"second" and list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_an_interrupted_write_leaves_only_the_earlier_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    path = tmp_path / "kept"
    path.write_bytes(b"earlier")

    def stopped(*_: object) -> None:
        raise error

    monkeypatch.setattr(os, "replace", stopped)
    with pytest.raises(type(error)):
        write_atomically(path, b"later")
    assert path.read_bytes() == b"earlier" and list(tmp_path.iterdir()) == [path]


def test_a_full_disk_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_all({"x": b"first"}, tmp_path / "out")
    write_all({"x": b"old"}, tmp_path / "out")
    real = Path.write_bytes

    def write(path: Path, content: bytes) -> int:
        if content == b"y":
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
    write_all({"x": b"ours"}, out)  # the link itself is replaced, not its target
    assert (elsewhere / "kept").read_bytes() == b"theirs" and not (out / "x").is_symlink()
    assert [path.name for path in elsewhere.iterdir()] == ["kept"]


@pytest.mark.parametrize("name", ["../x", "a/../../x", "/posenc_nowhere/x", "a/../x"])
def test_paths_do_not_lead_out(name: str, tmp_path: Path) -> None:
    with pytest.raises(Outside):
        write_all({name: b""}, tmp_path / "out")
    assert list(tmp_path.rglob("x")) == []


@pytest.mark.parametrize("stopped_at", range(6))
def test_if_a_file_cannot_be_moved_nothing_changes(
    stopped_at: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three files, with two moves each. A move fails in a read-only folder, or for a page open on Windows."""
    write_all({"a": b"old", "sub/b": b"old"}, tmp_path)
    real, moves = os.replace, iter(range(100))

    def move(source: Path, target: Path) -> None:
        staged = ".posenc-part-" in str(target) and ".posenc-part-" in str(source)
        if not staged and next(moves) == stopped_at:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(target))
        real(source, target)

    monkeypatch.setattr(os, "replace", move)
    with pytest.raises(PermissionError):
        write_all({"a": b"new", "new/c": b"new", "sub/b": b"new"}, tmp_path)
    found = {path.relative_to(tmp_path).as_posix(): path for path in tmp_path.rglob("*")}
    assert sorted(found) == ["a", "sub", "sub/b"]
    assert found["a"].read_bytes() == found["sub/b"].read_bytes() == b"old"


@pytest.mark.parametrize(
    ("obstacle", "wanted", "error"), [("mkdir", "y", IsADirectoryError), ("touch", "y/z", NotADirectoryError)]
)
def test_what_is_in_the_way_is_reported_before_anything_is_written(
    obstacle: str, wanted: str, error: type[OSError], tmp_path: Path
) -> None:
    getattr(tmp_path / "y", obstacle)()
    with pytest.raises(error, match="is in the way") as raised:
        write_all({"x": b"", wanted: b""}, tmp_path)
    assert raised.value.filename == str(tmp_path / "y")
    assert [path.name for path in tmp_path.iterdir()] == ["y"]
