"""A race in a process of its own, so that this one stays free: a notebook answers while it runs.

``RaceApart`` starts ``python -m posenc_lessons.experiments.race.apart``, tells it what to run on one line of
JSON and hears a line for each event. The other process leaves as soon as its stdin closes: when the race is
stopped, or the process that started it is gone.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import posenc_lessons
from posenc_lessons.experiments.race.results import Results, Run, results_from_json
from posenc_lessons.experiments.race.running import begun, run_race
from posenc_lessons.experiments.race.settings import Entry, Race

PATIENCE = 5.0  # seconds that a stopped race gets to leave by itself


class RaceApart:
    """A race under way. ``results`` has its finished runs; each is saved to ``path`` before it is told of.

    Args:
        race: what to run.
        so_far: results to go on from.
        path: a JSON file for them, or None to keep them here only.
        jobs: runs at a time.
        on_change: called after each event, from a thread of its own.

    Raises:
        ValueError: ``so_far`` was run under other conditions.
    """

    def __init__(
        self,
        race: Race,
        so_far: Results | None = None,
        *,
        path: Path | None = None,
        jobs: int = 1,
        on_change: Callable[[], object] = lambda: None,
    ) -> None:
        self.results = begun(race, so_far)
        self.error: str | None = None
        self.steps_done: dict[Entry, int] = {}
        self.missing = [entry for entry in race.entries() if entry not in self.results.done()]
        self.started = time.monotonic()
        self._path, self._on_change, self._stopped = path, on_change, False
        self._last_words: deque[str] = deque(maxlen=5)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "posenc_lessons.experiments.race.apart"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            env={**os.environ, "OMP_NUM_THREADS": "1"},
            cwd=Path(posenc_lessons.__file__).parents[
                1
            ],  # no file beside a notebook is mistaken for a module
            start_new_session=True,  # interrupting a cell is not meant for the race
        )
        assert self._process.stdin is not None
        order = {"race": asdict(race), "so_far": self.results.to_json(), "jobs": jobs}
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    @property
    def running(self) -> bool:
        """Whether there is more to come."""
        return self._listener.is_alive()

    @property
    def share_done(self) -> float:
        """How much of what was missing is done, 0 to 1."""
        total = len(self.missing) * self.results.race.steps
        return sum(self.steps_done.values()) / total if total else 1.0

    def stop(self) -> None:
        """End it now. Finished runs stay in ``results``, those under way are lost."""
        self._stopped = True
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._listener.join(PATIENCE)
        if self._listener.is_alive():
            self._process.kill()
            self._listener.join()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until it has ended, at most so long; whether it has."""
        self._listener.join(seconds)
        return not self._listener.is_alive()

    def _listen(self) -> None:
        assert self._process.stdout is not None and self._process.stdin is not None
        ended = False
        for line in self._process.stdout:
            try:
                event = json.loads(line)
            except ValueError:
                self._last_words.append(line)  # a warning, or the end of a traceback
                continue
            ended = ended or "end" in event
            self._hear(event)
            self._on_change()
        code = self._process.wait()
        self._process.stdout.close()
        self._process.stdin.close()
        if not (ended or self._stopped or self.error):
            last = "".join(self._last_words).strip()
            self.error = (
                f"the process of the race ended too early (exit code {code}); finished runs are kept. "
                f"{last}\n"
                f"比赛的进程提前结束了（退出码 {code}）；已完成的训练都还在。{last}"
            )
        self._on_change()

    def _hear(self, event: dict[str, Any]) -> None:
        if "step" in event:
            *entry, done = event["step"]
            self.steps_done[Entry(*entry)] = done
        elif "run" in event:
            run = _run(event["run"])
            self.steps_done[run.entry] = self.results.race.steps
            self.results = self.results.with_run(run)
            if self._path is not None:
                try:
                    self.results.save(self._path)
                except OSError as error:
                    self.error = (
                        f"{self._path.name} could not be written ({error}); the results are still here: "
                        f"download them\n"
                        f"{self._path.name} 写不进去（{error}）；结果还在这里，请下载"
                    )
        elif "error" in event:
            self.error = event["error"]


def _run(found: dict[str, Any]) -> Run:
    return Run(**{**found, "accuracy": tuple(found["accuracy"]), "loss": tuple(found["loss"])})


def serve() -> None:
    """The other side: read what to run, run it, and say what happens."""
    order = json.loads(sys.stdin.readline())
    threading.Thread(target=_leave_when_stdin_closes, daemon=True).start()
    told: set[Entry] = set()

    def step(entry: Entry, done: int) -> None:
        _say({"step": [*entry, done]})

    def run(results: Results) -> None:
        for each in results.runs:
            if each.entry not in told:
                told.add(each.entry)
                _say({"run": asdict(each)})

    try:
        so_far = results_from_json(order["so_far"], "so_far")
        told |= so_far.done()
        run_race(
            Race(**order["race"]), so_far=so_far, jobs=order["jobs"], on_run=run, on_step=step, progress=False
        )
    except (ValueError, RuntimeError) as error:
        _say({"error": str(error)})
    _say({"end": True})


def _say(event: dict[str, Any]) -> None:
    print(json.dumps(event), flush=True)


def _leave_when_stdin_closes() -> None:
    sys.stdin.read()
    os._exit(0)  # workers see that this process is gone, and leave too


if __name__ == "__main__":
    serve()
