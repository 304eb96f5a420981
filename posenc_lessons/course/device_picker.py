"""The buttons of lesson 00 that choose where to compute."""

from __future__ import annotations

from typing import Any

import ipywidgets as widgets

from posenc_lessons import choices, language
from posenc_lessons.language import Text

_PLAIN = "运行本格，选择计算设备 · Run this cell to choose where to compute"
_NAMES = {"cpu": "CPU", "cuda": "CUDA · NVIDIA", "mps": "MPS · Apple"}
_ONLY_CPU = Text(
    "这台机器上 PyTorch 只找到 CPU。课程里的模型都很小，CPU 足够。",
    "PyTorch finds only a CPU on this machine. The models of this course are small, so that is enough.",
)
_MORE = Text(
    "这台机器还有 {others}。课程里印出的数字来自 CPU；模型变大时再换到 {others} 才划算。",
    "This machine also has {others}. The numbers printed in the course come from a CPU; "
    "{others} pays off once models get larger.",
)


class DevicePicker(widgets.VBox):
    """A button for each device of this machine. A kernel has one picker; the choice holds for all lessons."""

    def __init__(self) -> None:
        devices = choices.available_devices()
        device, problem = choices.settle_device()
        self.buttons = widgets.ToggleButtons(
            options=[(_NAMES[name], name) for name in devices],
            value=device,
            description=Text("设备", "Device").show(),
            style={"button_width": "auto", "description_width": "auto"},
        )
        others = " / ".join(_NAMES[name].split(" ")[0] for name in devices[1:])
        hint = _MORE.format(others=others) if others else _ONLY_CPU
        self.message = widgets.HTML()
        super().__init__([self.buttons, widgets.HTML(hint.html()), self.message])
        self.buttons.observe(self._chosen, "value")
        language.on_change(self._follow)
        self._say(problem)

    def _chosen(self, change: dict[str, Any]) -> None:
        self._say(choices.remember(device=change["new"]))

    def _follow(self) -> None:
        self.buttons.description = Text("设备", "Device").show()

    def _say(self, problem: Text | None) -> None:
        self.message.value = f'<div role="alert">{problem.html()}</div>' if problem else ""

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        bundle = super()._repr_mimebundle_(**kwargs)
        return None if bundle is None else {**bundle, "text/plain": _PLAIN}


_picker: DevicePicker | None = None


def device_picker() -> DevicePicker:
    """Return this kernel's buttons; they are made on first use and again after they were closed."""
    global _picker
    if _picker is None or _picker.comm is None:
        _picker = DevicePicker()
    return _picker
