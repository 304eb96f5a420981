"""set_up.py: when .venv is kept, refreshed or rebuilt, and the messages when that is impossible."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import set_up


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text("[project]\n", encoding="utf-8")
    (tmp_path / "constraints.txt").write_text("torch==2.13.0\n", encoding="utf-8")
    return tmp_path


def leave_ready(folder: Path, *extras: str, python: tuple[int, int] = sys.version_info[:2]) -> None:
    """Leave the stamp of a finished set-up."""
    (folder / ".venv").mkdir()
    made = {"made_from": set_up.fingerprint(folder), "extras": list(extras), "python": list(python)}
    (folder / ".venv" / "ready.json").write_text(json.dumps(made), encoding="utf-8")


@pytest.fixture
def healthy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(set_up, "is_healthy", lambda venv, folder: True)


def test_a_missing_venv_is_built(folder: Path) -> None:
    assert set_up.plan(folder, {"test"}) == ("build", {"test"})


@pytest.mark.usefixtures("healthy")
def test_a_half_built_venv_is_built_again(folder: Path) -> None:
    (folder / ".venv").mkdir()
    assert set_up.plan(folder, set()) == ("build", set())
    (folder / ".venv" / "ready.json").write_text('{"made_from": ', encoding="utf-8")
    assert set_up.plan(folder, set()) == ("build", set())


@pytest.mark.usefixtures("healthy")
@pytest.mark.parametrize(
    ("changed", "wanted", "plan"),
    [
        ("", {"test"}, "nothing"),
        ("pyproject.toml", set(), "refresh"),
        ("constraints.txt", set(), "refresh"),
        ("", {"classroom"}, "refresh"),
    ],
)
def test_a_venv_is_kept_or_refreshed_with_its_extras(
    changed: str, wanted: set[str], plan: str, folder: Path
) -> None:
    leave_ready(folder, "test", "oracles")
    if changed:
        (folder / changed).write_text("# changed\n", encoding="utf-8")
    assert set_up.plan(folder, wanted) == (plan, {"test", "oracles"} | wanted)


def test_a_moved_folder_is_noticed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """This Python imports this repository's package, not the one in the given folder."""
    monkeypatch.setattr(set_up, "python_of", lambda venv: Path(sys.executable))
    assert set_up.is_healthy(folder / ".venv", set_up.HERE)
    (folder / "posenc_lessons").mkdir()
    assert not set_up.is_healthy(folder / ".venv", folder)


def test_without_ensurepip_it_says_what_to_install(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "ensurepip" else find(name))
    with pytest.raises(set_up.SetUpError, match=r"apt install python3\.\d+-venv[\s\S]*不能建虚拟环境"):
        set_up.build(folder / ".venv")


def test_a_failed_install_leaves_no_stamp(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    leave_ready(folder)
    monkeypatch.setattr(subprocess, "run", lambda *args, **kwargs: SimpleNamespace(returncode=1))
    with pytest.raises(set_up.SetUpError, match=r"pip's own words[\s\S]*安装没有完成"):
        set_up.install(folder, set())
    assert set_up.read_stamp(folder / ".venv") is None


def test_the_stamp_is_written_last(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    leave_ready(folder)
    commands: list[list[str]] = []

    def record(command: list[str], **kwargs: object) -> SimpleNamespace:
        assert set_up.read_stamp(folder / ".venv") is None
        commands.append([os.fspath(part) for part in command])
        return SimpleNamespace(returncode=0)

    monkeypatch.setattr(subprocess, "run", record)
    set_up.install(folder, {"test", "oracles"})
    assert commands[-1][-4:] == ["-c", "constraints.txt", "-e", ".[oracles,test]"]
    stamp = set_up.read_stamp(folder / ".venv")
    assert stamp is not None and stamp["extras"] == ["oracles", "test"]
