"""tests/support/running.py: nothing remains of a server that does not stop."""

from __future__ import annotations

import subprocess
import sys

import psutil
import pytest

from tests.support import running
from tests.support.pace import is_gone, wait_until

STUBBORN = """
import signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
if sys.argv[1:]:
    print(subprocess.Popen([sys.executable, *sys.orig_argv[1:-1]]).pid, flush=True)
time.sleep(600)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="nothing there ignores being ended")
def test_a_server_that_does_not_stop_is_killed_with_its_children_and_reported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(running, "patience", lambda: 0.5)
    command = [sys.executable, "-c", STUBBORN, "parent"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8")
    assert process.stdout is not None
    child = psutil.Process(int(process.stdout.readline()))
    with pytest.raises(AssertionError, match="did not stop within"):
        running.stop(process)
    assert process.poll() is not None and process.stdout.closed
    wait_until(lambda: is_gone(child))
