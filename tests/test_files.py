"""A file is there whole, or the earlier one still is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from posenc_lessons.files import write_atomically


def test_a_file_of_the_longest_name_is_written_where_no_folder_was(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / f"{'x' * 250}.json"
    write_atomically(path, b"first")
    write_atomically(str(path), b"second")
    assert path.read_bytes() == b"second" and list(path.parent.iterdir()) == [path]


def test_everyone_may_read_it_whom_the_system_lets(tmp_path: Path) -> None:
    (tmp_path / "usual").write_bytes(b"")
    write_atomically(tmp_path / "ours", b"")
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "usual").stat().st_mode


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_what_stops_it_leaves_the_earlier_file_and_nothing_else(
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
