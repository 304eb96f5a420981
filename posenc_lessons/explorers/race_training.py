"""Train a race in the explorer's kernel: buttons, progress, files of results."""

from __future__ import annotations

import asyncio
import datetime
import time
from abc import abstractmethod
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from posenc_lessons.experiments.race import Race, Results, recorded_race
from posenc_lessons.experiments.race.quick import TEST_EVERY, LearningCurves, quick_race
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.definition import Action, Progress
from posenc_lessons.explorers.race_files import (
    as_complaint,
    named_file,
    results_named,
    results_to_add_to,
)
from posenc_lessons.language import Text, joined

if TYPE_CHECKING:
    from posenc_lessons.experiments.race.background import BackgroundRace

POLL_AFTER = 0.3  # seconds from a change in a running race until the picture shows it

QUICK = Text("快赛（约 10 秒）", "Quick race (some 10 s)")
START, STOP = Text("开始", "Start"), Text("停止", "Stop")
RECORDED = Text("录好的比赛", "Recorded race")
LOAD = Text("打开文件", "Open the file")

# The running race of this kernel, from any explorer: two races would only slow each other down.
_under_way: BackgroundRace | None = None


class RaceTraining(Explorer):
    """An explorer that trains the race of its controls, each run in its own process.

    ``results`` belong to the full race, ``curves`` to the quick one.
    """

    results: Results
    curves: LearningCurves

    @abstractmethod
    def race(self) -> Race:
        """Return the race that the controls describe."""

    @abstractmethod
    def show_results(self, results: Results, source: Text) -> None:
        """Show ``results``, which come from ``source``."""

    @abstractmethod
    def show_curves(self, curves: LearningCurves) -> None:
        """Show ``curves`` up to their last step."""

    def __init__(self, **initial: Any) -> None:
        self._learning = False  # whether the running race is the quick one
        self._race: BackgroundRace | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._about_to_poll = False
        self.training = False  # whether its race was running at the last poll
        super().__init__(**initial)

    def actions(self) -> dict[str, Action]:
        return {
            "quick": Action(QUICK, self.start_quick, disabled=self.training, primary=True),
            "start": Action(START, self.start, disabled=self.training),
            "stop": Action(STOP, self.stop, disabled=not self.training),
            "open": Action(LOAD, self.open_file, rare=True),
        }

    def start_quick(self) -> None:
        """Train the quick race again, all its models at once, and show how they learn."""
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
        """Train the race of the controls. A results file keeps its runs and gets the new ones.

        The picture does not change until the first run is finished.
        """
        from posenc_lessons.experiments.race.background import BackgroundRace  # training needs a kernel
        from posenc_lessons.experiments.race.running import begun

        try:
            race, path = self.race(), named_file(self.controls["file"].value)
            begun(race, self._to_add_to(race, path))  # if this raises, the running race goes on
            _stop_under_way()
            so_far = self._to_add_to(race, path)  # again: the race just stopped may have finished another run
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
        self.training = True
        if not self.hides_picture:
            self.show_message(None)
        self._poll()

    def stop(self) -> None:
        """End the running race; finished runs stay."""
        if self._race is not None:
            self._race.stop()
            self._poll()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the race, at most ``seconds``, and show its results; return whether it has ended."""
        if self._race is None:
            return True
        ended = self._race.wait(seconds)
        self._poll()
        return ended

    def _to_add_to(self, race: Race, path: Path | None) -> Results | None:
        stopped = None if self._race is None or self._learning else self._race.results
        return results_to_add_to(race, path, stopped)

    def _changed(self) -> None:
        """Have the kernel's event loop call ``_poll`` soon; for the thread that listens to the race."""
        if self._loop is not None and not self._about_to_poll:
            self._about_to_poll = True
            self._loop.call_soon_threadsafe(self._loop.call_later, POLL_AFTER, self._poll)

    def _poll(self) -> None:
        self._about_to_poll = False
        race = self._race
        if race is None:
            return
        running = race.running  # read first: if the race has ended, its last results are shown below
        if self._learning:
            curves = replace(self.curves, tested=dict(race.tested))
            if curves.tested != self.curves.tested:
                self.show_curves(curves)
        elif race.results is not self.results and race.results.runs:
            name = self.controls["file"].value.strip() or "race.json"
            self.show_results(race.results, Text(name, name))
        self.training = running
        if race.error is not None:
            self.show_message(race.error.text, in_place=False)
        self.changed()

    def progress(self) -> Progress | None:
        """Return the progress of the race, and the time that it may still take."""
        race = self._race
        if race is None:
            return None
        share = race.share_done
        finished, total = len(race.missing) - _unfinished(race), len(race.missing)
        words = Text("已训练 {done} / {total}", "{done} / {total} trained").format(done=finished, total=total)
        if race.running and 0 < share < 1:
            minutes = (time.monotonic() - race.started) * (1 - share) / share / 60
            left = Text("，还要约 {m:.0f} 分钟", ", about {m:.0f} min left").format(m=max(minutes, 1))
            words = joined((words, left), "", "")
        return Progress(share, 1.0, words)

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
        name = self.controls["file"].value
        self.show_results(results_named(name), Text(name, name))


def _stop_under_way() -> None:
    if _under_way is not None and _under_way.running:
        _under_way.stop()


def _unfinished(race: BackgroundRace) -> int:
    return len(set(race.missing) - race.results.done())


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None  # without a kernel the caller waits for the race
