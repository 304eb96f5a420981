"""What a Binder link opens: a server in the repository's root, under an address that is not its own."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.pages import TOKEN, free_port

ROOT = Path(__file__).resolve().parents[2]
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # loopback needs no proxy


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """As Binder starts it: nothing in the environment says where settings are."""
    port = free_port()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("JUPYTER")}
    environment |= {"HOME": str(tmp_path), "JUPYTER_TOKEN": TOKEN, "JUPYTER_PREFER_ENV_PATH": "1"}
    environment |= {"JUPYTER_CONFIG_DIR": str(tmp_path), "JUPYTER_DATA_DIR": str(tmp_path / "data")}
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--ip=127.0.0.1", f"--port={port}"]
    command += ["--ServerApp.port_retries=0", "--allow-root", "--ServerApp.base_url=/user/somebody-x7/"]
    command += ["--ServerApp.answer_yes=True"]
    log = tmp_path / "log.txt"
    with log.open("wb") as output:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=output, stderr=output)
    try:
        address = f"http://127.0.0.1:{port}/user/somebody-x7/"
        deadline = time.monotonic() + 60
        while True:
            assert process.poll() is None and time.monotonic() < deadline, log.read_text(encoding="utf-8")
            try:
                OPENER.open(f"{address}api", timeout=5).close()
            except urllib.error.URLError:
                time.sleep(0.1)
            else:
                break
        yield address
    finally:
        process.terminate()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def test_the_link_of_binder(server: str) -> None:
    with OPENER.open(f"{server}lab/tree/notebooks/00_start_here.ipynb?token={TOKEN}", timeout=60) as answer:
        assert answer.status == 200 and "jupyter-config-data" in answer.read().decode()
