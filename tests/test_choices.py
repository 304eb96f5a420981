"""Choices are kept for later kernels, and no problem of the disk or the machine stops a lesson."""

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from posenc_lessons import choices, language
from posenc_lessons.choices import Choices


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    monkeypatch.setenv("POSENC_LESSONS_HOME", str(folder))
    monkeypatch.setattr(choices, "_device", None)
    monkeypatch.setattr(language, "_current", "both")
    monkeypatch.setattr(language, "_listeners", [])
    return folder


def with_devices(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    monkeypatch.setattr(choices, "available_devices", lambda: names)


def test_a_first_visit_is_the_same_on_every_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Recorded outputs come from first visits: a GPU must not change them."""
    with_devices(monkeypatch, "cpu", "cuda")
    assert choices.remembered() == (Choices(None, "cpu"), None)
    assert choices.device() == "cpu"


def test_each_choice_keeps_the_other(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    with_devices(monkeypatch, "cpu", "cuda")
    assert choices.remember(language="zh") is None
    assert choices.remember(device="cuda") is None
    assert choices.remembered() == (Choices("zh", "cuda"), None)
    assert choices.device() == "cuda"
    assert [path.name for path in home.iterdir() if path.suffix != ".lock"] == ["choices.json"]


def test_a_choice_of_another_notebook_stays(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    """It is made while this notebook waits for the lock, and is read afterwards."""
    home.mkdir()

    @contextmanager
    def after_another(path: Path) -> Iterator[None]:
        path.write_text('{"language": "en", "device": "cuda"}', encoding="utf-8")
        yield

    monkeypatch.setattr(choices, "in_turn", after_another)
    assert choices.remember(language="zh") is None
    assert choices.remembered() == (Choices("zh", "cuda"), None)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff\xfe\x00",
        b"[]",
        b"null",
        b'{"language": "zh"}',
        b'{"language": "fr", "device": "cpu"}',
        b'{"language": "zh", "device": "tpu"}',
        b'{"language": ["zh"], "device": {}}',
        b"[" * 100_000,
    ],
)
def test_a_damaged_file_gives_defaults_and_a_reason(home: Path, content: bytes) -> None:
    home.mkdir()
    (home / "choices.json").write_bytes(content)
    found, problem = choices.remembered()
    assert found == Choices()
    assert problem is not None and "choices.json" in problem.zh and "choices.json" in problem.en
    assert choices.remember(language="en") is None
    assert choices.remembered() == (Choices("en", "cpu"), None)


def test_a_full_disk_gives_a_reason_and_leaves_the_old_file_whole(
    monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    choices.remember(language="zh")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    problem = choices.remember(language="en")
    assert problem is not None and "No space left on device" in problem.en and "没能存到" in problem.zh
    assert choices.remembered() == (Choices("zh", "cpu"), None)
    assert [path.name for path in home.iterdir() if path.suffix != ".lock"] == ["choices.json"]


def test_a_missing_device_becomes_cpu_and_is_reported_once(monkeypatch: pytest.MonkeyPatch) -> None:
    with_devices(monkeypatch, "cpu", "cuda")
    choices.remember(device="cuda")
    monkeypatch.setattr(choices, "_device", None)
    with_devices(monkeypatch, "cpu")
    with pytest.warns(UserWarning, match="cuda.*找不到.*cuda, is not on this machine"):
        assert choices.device() == "cpu"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert choices.device() == "cpu"
    with pytest.raises(ValueError, match="one of cpu on this machine, got 'cuda'\n这台机器上"):
        choices.remember(device="cuda")
