"""A file is written completely or not at all."""

import os
from pathlib import Path

import pytest

from posenc_lessons.files import check_writable, write_all, write_atomically


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


def test_files_are_written_into_their_folders(tmp_path: Path) -> None:
    write_all({"x": b"1", "y/z": b"2"}, tmp_path)
    assert (tmp_path / "x").read_bytes() == b"1" and (tmp_path / "y" / "z").read_bytes() == b"2"
