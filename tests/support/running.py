"""Start ``posenc-lessons`` as a reader does, for tests that visit its pages."""

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
    """Run it until the block ends, then stop it as `kill` does; yield its address and its output so far.

    ``environment`` is added to this process's. Raises AssertionError when it does not stop.
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
    watchdog = threading.Timer(2 * patience(), process.kill)  # while it starts; the block may take longer
    watchdog.start()
    printed = ""
    try:
        for line in process.stdout:
            printed += line
            if line.startswith("Ctrl+C"):
                break
        found = re.search(r"http://\S+", printed)
        assert found, printed
        watchdog.cancel()
        yield found.group(), printed
    finally:
        watchdog.cancel()
        stop(process)


def stop(process: subprocess.Popen[str]) -> None:
    """Ask ``process`` to end. If it does not, kill it and all that it started, and raise AssertionError."""
    process.send_signal(getattr(signal, "CTRL_BREAK_EVENT", signal.SIGTERM))
    try:
        process.communicate(timeout=patience())
    except subprocess.TimeoutExpired:
        started = psutil.Process(process.pid).children(recursive=True)
        for each in [*started, process]:
            with suppress(psutil.NoSuchProcess):
                each.kill()
        process.communicate()  # also closes the pipe; an open one would fail a later test
        psutil.wait_procs(started, timeout=patience())  # killed processes end a moment later
        raise AssertionError(f"{process.args!r} did not stop within {patience():.0f} s") from None
