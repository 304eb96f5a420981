"""The buttons of lesson 00 offer the existing devices, mention others, and keep the choice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import ipywidgets
import pytest

from posenc_lessons import choices, language
from posenc_lessons.course import device_picker


@pytest.fixture(autouse=True)
def fresh_reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Start as a reader without choices in a fresh kernel."""
    monkeypatch.setenv("POSENC_LESSONS_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(choices, "_device", None)
    monkeypatch.setattr(device_picker, "_picker", None)
    monkeypatch.setattr(language, "_current", "both")
    monkeypatch.setattr(language, "_listeners", [])
    yield
    ipywidgets.Widget.close_all()


def picker_with(monkeypatch: pytest.MonkeyPatch, *devices: str) -> device_picker.DevicePicker:
    monkeypatch.setattr(choices, "available_devices", lambda: devices)
    return device_picker.device_picker()


@pytest.mark.parametrize(
    ("devices", "buttons", "said"),
    [
        (("cpu",), ["CPU"], "PyTorch finds only a CPU"),
        (("cpu", "cuda"), ["CPU", "CUDA · NVIDIA"], "also has CUDA. The numbers"),
        (
            ("cpu", "cuda", "mps"),
            ["CPU", "CUDA · NVIDIA", "MPS · Apple"],
            "also has CUDA / MPS. The numbers printed in the course come from a CPU; CUDA / MPS pays off",
        ),
    ],
)
def test_the_devices_of_this_machine_are_offered_and_named(
    devices: tuple[str, ...], buttons: list[str], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    picker = picker_with(monkeypatch, *devices)
    assert picker.buttons.options == tuple(zip(buttons, devices, strict=True))
    assert picker.buttons.value == "cpu" and said in picker.children[1].value


def test_there_is_one_picker_per_kernel_and_it_keeps_the_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    picker = picker_with(monkeypatch, "cpu", "cuda")
    assert device_picker.device_picker() is picker
    picker.buttons.value = "cuda"
    assert choices.device() == "cuda" and choices.remembered()[0].device == "cuda"
    assert picker.message.value == ""
    assert picker._repr_mimebundle_()["text/plain"] == device_picker._PLAIN
    picker.close()
    assert device_picker.device_picker() is not picker


def test_a_missing_device_is_reported_in_the_readers_language(monkeypatch: pytest.MonkeyPatch) -> None:
    picker_with(monkeypatch, "cpu", "cuda").buttons.value = "cuda"
    monkeypatch.setattr(choices, "_device", None)
    monkeypatch.setattr(device_picker, "_picker", None)
    picker = picker_with(monkeypatch, "cpu")
    assert 'role="alert"' in picker.message.value and "is not on this machine" in picker.message.value
    assert picker.buttons.value == "cpu"
    language.choose("en")
    assert picker.buttons.description == "Device"


def test_a_choice_that_cannot_be_saved_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("POSENC_LESSONS_HOME", str(tmp_path / "file"))
    picker = picker_with(monkeypatch, "cpu", "mps")
    picker.buttons.value = "mps"
    assert "could not be saved" in picker.message.value and choices.device() == "mps"
