"""A file is written completely or not at all, and nothing is written outside the folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from posenc_lessons.files import Outside, check_writable, write_all, write_atomically


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


def test_a_folder_that_cannot_be_written_is_found_before_the_work(tmp_path: Path) -> None:
    check_writable(tmp_path / "new" / "folder")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").touch()
    with pytest.raises(NotADirectoryError):
        check_writable(tmp_path / "file" / "folder")


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
