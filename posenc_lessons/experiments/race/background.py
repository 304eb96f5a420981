"""Run a race in the background, so that a notebook stays responsive."""

from __future__ import annotations

import atexit
import threading
import time
import weakref
from collections.abc import Callable
from pathlib import Path

from posenc_lessons.encodings.arguments import present_device
from posenc_lessons.experiments.race.processes import runs_in_processes
from posenc_lessons.experiments.race.results import Results, Run
from posenc_lessons.experiments.race.running import begun
from posenc_lessons.experiments.race.settings import Entry, Race
from posenc_lessons.language import BilingualError, BilingualRuntimeError

_UNDER_WAY: weakref.WeakSet[BackgroundRace] = weakref.WeakSet()


class BackgroundRace:
    """A running race. ``results`` has its finished runs; each is saved before ``on_change`` is called.

    ``error`` is the exception that ended the race, or None. ``tested`` {run: {steps done: accuracies by
    length}} is measured while models learn. The race ends when this process does.

    Args:
        race: what to run.
        so_far: results to which the race adds its runs.
        path: a JSON file for the results, or None to keep them in memory only.
        jobs: runs at a time, each in its own process.
        test_every: how often runs are tested while they learn, see ``run_one``.
        on_change: called after each event, from another thread.

    Raises:
        ValueError: ``so_far`` was run under other conditions, or the device is not there.
    """

    def __init__(
        self,
        race: Race,
        so_far: Results | None = None,
        *,
        path: Path | None = None,
        jobs: int = 1,
        test_every: int = 0,
        on_change: Callable[[], object] = lambda: None,
    ) -> None:
        present_device(race.device)
        self.results = begun(race, so_far)
        self.error: BilingualError | None = None
        self.steps_done: dict[Entry, int] = {}
        self.tested: dict[Entry, dict[int, tuple[float, ...]]] = {}
        self.missing = [entry for entry in race.entries() if entry not in self.results.done()]
        self.started = time.monotonic()
        self._race, self._path, self._on_change = race, path, on_change
        self._jobs, self._test_every = jobs, test_every
        self._stopped = False
        _UNDER_WAY.add(self)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def running(self) -> bool:
        """Return whether the race is still running."""
        return self._thread.is_alive()

    @property
    def share_done(self) -> float:
        """Return the share of the training steps that are done, 0 to 1; runs of ``so_far`` do not count."""
        total = len(self.missing) * self._race.steps
        return sum(self.steps_done.values()) / total if total else 1.0

    def stop(self) -> None:
        """End the race now. Finished runs stay in ``results``, unfinished ones are lost."""
        self._stopped = True
        self._thread.join()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait at most ``seconds`` until the race has ended, and return whether it has."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _run(self) -> None:
        try:
            runs = runs_in_processes(
                self._race,
                self.missing,
                self._jobs,
                self._step,
                wanted=lambda: not self._stopped,
                test_every=self._test_every,
            )
            for run in runs:
                self._keep(run)
        except BilingualError as error:
            self.error = error
        except Exception as error:  # nobody would notice an exception in this thread
            said = f"{type(error).__name__}: {error}"
            self.error = BilingualRuntimeError(f"比赛提前结束了：{said}", f"the race ended too early: {said}")
        self._on_change()

    def _step(self, entry: Entry, done: int, accuracy: tuple[float, ...] | None) -> None:
        self.steps_done[entry] = done
        if accuracy is not None:
            self.tested[entry] = {
                **self.tested.get(entry, {}),
                done: accuracy,
            }  # a new dictionary, because another thread may be reading the old one
        self._on_change()

    def _keep(self, run: Run) -> None:
        self.steps_done[run.entry] = self._race.steps
        self.results = self.results.with_run(run)
        if self._path is not None:
            try:
                self.results.save(self._path)
            except OSError as error:
                self.error = BilingualRuntimeError(
                    f"{self._path.name} 写不进去（{error}）；结果还在这里，请下载",
                    f"{self._path.name} could not be written ({error}); the results are still here: "
                    f"download them",
                )
        self._on_change()


def _stop_all() -> None:
    for race in list(_UNDER_WAY):
        race.stop()


# When Python exits, `concurrent.futures` waits for all tasks. This handler runs before that, `atexit` after.
getattr(threading, "_register_atexit", atexit.register)(_stop_all)
