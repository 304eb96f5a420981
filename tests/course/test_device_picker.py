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
    for module, name, value in (
        (choices, "_device", None),
        (device_picker, "_picker", None),
        (language, "_current", "both"),
        (language, "_listeners", []),
    ):
        monkeypatch.setattr(module, name, value)
    yield
    ipywidgets.Widget.close_all()


def picker_with(monkeypatch: pytest.MonkeyPatch, *devices: str) -> device_picker.DevicePicker:
    monkeypatch.setattr(choices, "available_devices", lambda: devices)
    return device_picker.device_picker()


@pytest.mark.parametrize(
    ("devices", "hint"),
    [(("cpu",), "PyTorch finds only a CPU"), (("cpu", "cuda", "mps"), "also has CUDA / MPS. The numbers")],
)
def test_the_devices_of_this_machine_are_offered_and_named(
    devices: tuple[str, ...], hint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    picker = picker_with(monkeypatch, *devices)
    assert [value for _, value in picker.buttons.options] == list(devices)
    assert picker.buttons.value == "cpu" and hint in picker.children[1].value


def test_a_choice_is_kept_and_a_missing_device_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    picker = picker_with(monkeypatch, "cpu", "cuda")
    assert device_picker.device_picker() is picker
    picker.buttons.value = "cuda"
    assert choices.device() == "cuda" and choices.remembered()[0].device == "cuda"
    assert picker.message.value == "" and picker._repr_mimebundle_()["text/plain"] == device_picker._PLAIN
    picker.close()
    monkeypatch.setattr(choices, "_device", None)
    picker = picker_with(monkeypatch, "cpu")
    assert 'role="alert"' in picker.message.value and "is not on this machine" in picker.message.value
    language.choose("en")
    assert picker.buttons.value == "cpu" and picker.buttons.description == "Device"
