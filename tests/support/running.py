"""``posenc-lessons`` as a reader starts it, for tests that visit what it serves."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil  # type: ignore[import-untyped]

from tests.support.pace import patience
from tests.support.ports import free_port


@contextmanager
def running(cwd: Path, environment: Mapping[str, str], *arguments: str) -> Iterator[tuple[str, str]]:
    """Its address and what it had printed by then; it is stopped as `kill` would when the block ends.

    ``environment`` is what is set besides this process's own. Raises AssertionError when it does not stop.
    """
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "posenc_lessons.cli", *arguments, "--no-browser", f"--port={port}"],
        cwd=cwd,
        env={**os.environ, "PYTHONUTF8": "1", "PYTHONUNBUFFERED": "1", **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
    )
    assert process.stdout is not None
    watchdog = threading.Timer(2 * patience(), process.kill)
    watchdog.start()
    printed = ""
    try:
        for line in process.stdout:
            printed += line
            if line.startswith("Ctrl+C"):
                break
        found = re.search(r"http://\S+", printed)
        assert found, printed
        yield found.group(), printed
    finally:
        watchdog.cancel()
        stop(process)


def stop(process: subprocess.Popen[str]) -> None:
    """Ask it to end. If it does not, it ends all the same, with all it started, and an error says so."""
    process.send_signal(getattr(signal, "CTRL_BREAK_EVENT", signal.SIGTERM))
    try:
        process.communicate(timeout=patience())
    except subprocess.TimeoutExpired:
        started = psutil.Process(process.pid).children(recursive=True)
        for each in [*started, process]:
            with suppress(psutil.NoSuchProcess):
                each.kill()
        process.communicate()  # closes the pipe: left open, it would fail a later test
        psutil.wait_procs(started, timeout=patience())  # what is killed is gone a moment later
        raise AssertionError(f"{process.args!r} did not stop within {patience():.0f} s") from None
