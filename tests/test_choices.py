"""The language is kept for later kernels, and no problem of the disk stops a lesson."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from posenc_lessons import choices


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    monkeypatch.setenv("POSENC_LESSONS_HOME", str(folder))
    return folder


def test_a_choice_is_kept(home: Path) -> None:
    assert choices.remembered() == (None, None)
    assert choices.remember("zh") is None
    assert choices.remembered() == ("zh", None)
    assert [path.name for path in home.iterdir()] == ["choices.json"]


@pytest.mark.parametrize(
    "content",
    [b"", b"\xff\xfe\x00", b"[]", b"{}", b'{"language": "fr"}', b'{"language": ["zh"]}'],
)
def test_a_damaged_file_gives_the_default_and_a_reason(home: Path, content: bytes) -> None:
    home.mkdir()
    (home / "choices.json").write_bytes(content)
    language, problem = choices.remembered()
    assert language is None
    assert problem is not None and "choices.json" in problem.zh and "choices.json" in problem.en
    assert choices.remember("en") is None
    assert choices.remembered() == ("en", None)


def test_a_full_disk_gives_a_reason_and_leaves_the_old_file_whole(
    monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    choices.remember("zh")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    problem = choices.remember("en")
    assert problem is not None and "No space left on device" in problem.en and "没能存到" in problem.zh
    assert choices.remembered() == ("zh", None)
    assert [path.name for path in home.iterdir()] == ["choices.json"]
