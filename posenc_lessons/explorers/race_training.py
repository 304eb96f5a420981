"""Training a race in the explorer's kernel: its buttons, how far it has come, its results as files."""

from __future__ import annotations

import asyncio
import datetime
import time
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import ipywidgets

from posenc_lessons.experiments.race import Race, Results, recorded_race
from posenc_lessons.experiments.race.quick import TEST_EVERY, LearningCurves, quick_race
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.layout import LABEL_WIDTH
from posenc_lessons.explorers.race_files import (
    as_complaint,
    named_file,
    results_in,
    results_named,
    results_to_add_to,
)
from posenc_lessons.explorers.widgets import TextLine
from posenc_lessons.language import Text, joined

if TYPE_CHECKING:
    from posenc_lessons.experiments.race.background import BackgroundRace

POLL_AFTER = 0.3  # seconds between two looks at a race under way

QUICK = Text("快赛（约 10 秒）", "Quick race (some 10 s)")
START, STOP = Text("开始", "Start"), Text("停止", "Stop")
RECORDED = Text("录好的比赛", "Recorded race")
LOAD = Text("打开文件", "Open the file")
UPLOAD = Text("上传 JSON", "Upload JSON")
DOWNLOAD = Text("下载结果 JSON", "Download results as JSON")
WRAPPED = {"flex_flow": "row wrap", "align_items": "center"}
FILE = Text("结果文件", "results file")

# The race under way in this kernel, whichever explorer started it: two would only slow each other down.
_under_way: BackgroundRace | None = None


class RaceTraining(Explorer):
    """An explorer that trains what its controls say, each run in a process of its own.

    ``results`` are those of the full race, ``curves`` those of the quick one.
    """

    results: Results
    curves: LearningCurves

    @abstractmethod
    def race(self) -> Race:
        """The race that the controls describe."""

    @abstractmethod
    def show_results(self, results: Results, source: Text) -> None:
        """Show ``results``, which come from ``source``."""

    @abstractmethod
    def show_curves(self, curves: LearningCurves) -> None:
        """Show ``curves`` as far as they have come."""

    def __init__(self, **initial: Any) -> None:
        self._learning = False  # whether the race under way is the quick one
        self._race: BackgroundRace | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._about_to_poll = False
        super().__init__(**initial)

    def more_controls(self) -> list[ipywidgets.Widget]:
        self._make_buttons()
        row = [self._quick, self._start, self._stop, self._bar, self._progress]
        return [ipywidgets.HBox(row, layout=WRAPPED)]

    def more_settings(self) -> list[ipywidgets.Widget]:
        return [ipywidgets.HBox(self._files, layout=WRAPPED)]

    def _make_buttons(self) -> None:
        self._quick = ipywidgets.Button(icon="play", button_style="primary")
        self._start, self._stop = ipywidgets.Button(icon="play"), ipywidgets.Button(icon="stop")
        recorded, load, download = (ipywidgets.Button() for _ in range(3))
        self._stop.disabled = True
        self._upload = ipywidgets.FileUpload(accept=".json", multiple=False)
        self._file = TextLine(placeholder="race.json", layout={"width": "100%"})
        self._file.style.description_width = LABEL_WIDTH
        self._bar = ipywidgets.FloatProgress(
            0, min=0, max=1, layout={"flex": "1 1 90px", "max_width": "320px"}
        )
        self._progress = ipywidgets.HTML()
        labels = (QUICK, START, STOP, RECORDED, LOAD, UPLOAD, DOWNLOAD, FILE)
        widgets = (self._quick, self._start, self._stop, recorded, load, self._upload, download, self._file)
        for widget in widgets[:-1]:
            widget.layout.width = "auto"
        self._labels = tuple(zip(widgets, labels, strict=True))
        self._quick.on_click(self._guarded(self.start_quick))
        self._start.on_click(self._guarded(self.start))
        self._stop.on_click(self._guarded(self.stop))
        recorded.on_click(self._guarded(self.show_recorded))
        load.on_click(self._guarded(self.open_file))
        self._upload.observe(self._uploaded, "value")
        download.on_click(self._guarded(self.download))
        self._files = [self._file, load, self._upload, download, recorded]

    def _relabel(self) -> None:
        for widget, label in self._labels:
            widget.description = label.show()
        super()._relabel()
        self._show_progress()

    def start_quick(self) -> None:
        """Train the quick race anew, all its models at once, and show how they learn."""
        from posenc_lessons.experiments.machine import machine  # training needs a kernel
        from posenc_lessons.experiments.race.background import BackgroundRace

        race = quick_race(self.controls["device"].value)
        _stop_under_way()
        training = BackgroundRace(
            race, jobs=len(race.entries()), test_every=TEST_EVERY, on_change=self._changed
        )
        self.show_curves(LearningCurves(race, datetime.date.today().isoformat(), machine(race.device), {}))
        self._begin(training, learning=True)

    def start(self) -> None:
        """Train what the controls say. With a results file, its runs are kept and added to.

        What was shown stays until a first run is finished.
        """
        from posenc_lessons.experiments.race.background import BackgroundRace  # training needs a kernel
        from posenc_lessons.experiments.race.running import begun

        try:
            race, path = self.race(), named_file(self._file.value)
            begun(race, self._to_add_to(race, path))  # refuses before a race under way is lost for nothing
            _stop_under_way()
            so_far = self._to_add_to(race, path)  # again: the race just stopped may have had one more run
            begun_race = BackgroundRace(
                race, so_far, path=path, jobs=self.controls["jobs"].value, on_change=self._changed
            )
        except ValueError as error:
            raise as_complaint(error) from error
        self._begin(begun_race, learning=False)

    def _begin(self, race: BackgroundRace, learning: bool) -> None:
        global _under_way
        _under_way = self._race = race
        self._learning, self._loop = learning, _running_loop()
        self._quick.disabled = self._start.disabled = True
        self._stop.disabled = False
        self._show_message(None)
        self._poll()

    def stop(self) -> None:
        """End the race under way; finished runs stay."""
        if self._race is not None:
            self._race.stop()
            self._poll()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until the race has ended, at most so long, and show what came of it; whether it has ended."""
        if self._race is None:
            return True
        ended = self._race.wait(seconds)
        self._poll()
        return ended

    def _to_add_to(self, race: Race, path: Path | None) -> Results | None:
        stopped = None if self._race is None or self._learning else self._race.results
        return results_to_add_to(race, path, stopped)

    def _changed(self) -> None:
        """From the thread that listens: look soon, in the kernel's own turn."""
        if self._loop is not None and not self._about_to_poll:
            self._about_to_poll = True
            self._loop.call_soon_threadsafe(self._loop.call_later, POLL_AFTER, self._poll)

    def _poll(self) -> None:
        self._about_to_poll = False
        race = self._race
        if race is None:
            return
        running = race.running  # asked first: what it says then is at least as old as what follows
        if self._learning:
            curves = replace(self.curves, tested=dict(race.tested))
            if curves.tested != self.curves.tested:
                self.show_curves(curves)
        elif race.results is not self.results and race.results.runs:
            name = self._file.value.strip() or "race.json"
            self.show_results(race.results, Text(name, name))
        self._show_progress()
        if not running:
            self._quick.disabled = self._start.disabled = False
            self._stop.disabled = True
        if race.error is not None:
            self._show_message(race.error.text, in_place=False)

    def _show_progress(self) -> None:
        """How far the race is, and how long it may still take."""
        race = self._race
        if race is None:
            return
        share = race.share_done
        self._bar.value = share
        finished, total = len(race.missing) - _unfinished(race), len(race.missing)
        words = Text("已训练 {done} / {total}", "{done} / {total} trained").format(done=finished, total=total)
        if race.running and 0 < share < 1:
            minutes = (time.monotonic() - race.started) * (1 - share) / share / 60
            left = Text("，还要约 {m:.0f} 分钟", ", about {m:.0f} min left").format(m=max(minutes, 1))
            words = joined((words, left), "", "")
        self._progress.value = words.show()

    def close(self) -> None:
        if self._race is not None and self._race.running:
            self._race.stop()
        super().close()

    # ---- results ----

    def show_recorded(self) -> None:
        """Show the recorded race again."""
        self.show_results(recorded_race(), RECORDED)

    def open_file(self) -> None:
        """Show the results in the file that the reader named."""
        name = self._file.value
        self.show_results(results_named(name), Text(name, name))

    def download(self) -> None:
        """Hand over the results shown as a JSON file."""
        self.canvas.download("race.json", "application/json", self.results.to_json().encode())

    def _uploaded(self, change: dict[str, Any]) -> None:
        with self._errors_shown(in_place=False):
            for file in change["new"]:
                results = results_in(bytes(file["content"]), file["name"])
                self.show_results(results, Text(file["name"], file["name"]))

    def _guarded(self, action: Callable[[], object]) -> Callable[[Any], None]:
        def act(_button: Any) -> None:
            with self._errors_shown(in_place=False):
                action()

        return act


def _stop_under_way() -> None:
    if _under_way is not None and _under_way.running:
        _under_way.stop()


def _unfinished(race: BackgroundRace) -> int:
    return len(set(race.missing) - race.results.done())


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None  # no kernel: whoever started the race waits for it
