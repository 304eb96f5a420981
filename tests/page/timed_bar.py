"""A progress bar for WebAssembly, which ends every training early and times it (``training_pace.py``)."""

from __future__ import annotations

import json
from typing import Any, ClassVar

from js import cpu  # type: ignore[import-not-found]

from posenc_lessons.browser.page_versions import MODULES, Bar

LONG = 2000.0  # processor's milliseconds after which the pace of a training is known …
FEW = 4  # … and the least number of steps before


class TimedBar(Bar):
    """A progress bar that interrupts training, as ■ does, when its pace is known."""

    trainings: ClassVar[list[TimedBar]] = []  # trainings of the present cell
    open: ClassVar[TimedBar | None] = None  # an inner bar, as of a race's run, counts the same steps

    def __init__(self, *args: Any, total: int = 0, **named: Any) -> None:
        super().__init__(*args, **named)
        self.total, self.done, self.first, self.last = total, 0, 0.0, 0.0

    def __enter__(self) -> TimedBar:
        if TimedBar.open is None:
            TimedBar.open = self
            TimedBar.trainings.append(self)
        return self

    def __exit__(self, *_: object) -> None:
        if TimedBar.open is self:
            TimedBar.open = None

    def update(self, steps: int = 1) -> None:
        if TimedBar.open is not self:
            return
        self.done += steps
        self.last = cpu()
        self.first = self.first or self.last  # the first step is slower, for example because of imports
        if FEW <= self.done < self.total and self.last - self.first > LONG:
            raise KeyboardInterrupt


def begin() -> str:
    """Forget the trainings of the previous cell."""
    TimedBar.trainings.clear()
    return ""


def left_out() -> str:
    """Return, as JSON, the steps that trainings left out, and the milliseconds that these would take."""
    found = [(each.total - each.done, each.last - each.first, each.done - 1) for each in TimedBar.trainings]
    return json.dumps(
        [sum(left for left, *_ in found), sum(left * ms / steps for left, ms, steps in found if left)]
    )


MODULES["tqdm.auto"]["tqdm"] = TimedBar
