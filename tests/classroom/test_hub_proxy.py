"""The hub's proxy: pages that wait do not block others."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip(
    "jupyterhub", reason="the hub wants the extra, which is not for Windows: pip install -e '.[classroom]'"
)

import requests

from posenc_lessons.course.lessons import PACKAGE
from tests.classroom.hub import wait_until_it_says
from tests.support.pace import patience
from tests.support.ports import free_port


class Backend(BaseHTTPRequestHandler):
    """A server that answers immediately, except for /slow, which waits until the test is over."""

    over = threading.Event()
    waiting = threading.Semaphore(0)

    def do_GET(self) -> None:
        if self.path == "/slow":
            self.waiting.release()
            self.over.wait(patience())
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *arguments: Any) -> None:
        """Print nothing."""


def test_waiting_pages_do_not_block_others(tmp_path: Path) -> None:
    """Thirty learners wait for their servers; another one's request is answered meanwhile."""
    port, api = free_port(), free_port()
    backend = ThreadingHTTPServer(("127.0.0.1", 0), Backend)
    threading.Thread(target=backend.serve_forever, daemon=True).start()
    command = [sys.executable, "-m", "posenc_lessons.classroom.hub.proxy", "--ip=127.0.0.1", f"--port={port}"]
    command += ["--api-ip=127.0.0.1", f"--api-port={api}"]
    command += [f"--default-target=http://127.0.0.1:{backend.server_port}"]
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent)}
    log = tmp_path / "log.txt"
    with log.open("wb") as output:
        proxy = subprocess.Popen(command, env=environment, stdout=output, stderr=output)
    try:
        wait_until_it_says(b"Proxy API at", proxy, log)
        address = f"http://127.0.0.1:{port}"
        with requests.Session() as session, ThreadPoolExecutor(30) as thirty:
            session.trust_env = False
            session.mount("http://", requests.adapters.HTTPAdapter(pool_maxsize=40))
            slow = [thirty.submit(session.get, f"{address}/slow", timeout=patience()) for _ in range(30)]
            try:
                assert all(Backend.waiting.acquire(timeout=patience()) for _ in slow)
                assert session.get(f"{address}/quick", timeout=patience()).status_code == 200
            finally:
                Backend.over.set()
            assert {answer.result().status_code for answer in slow} == {200}
    finally:
        proxy.terminate()
        proxy.wait(patience())
        backend.shutdown()
        backend.server_close()
