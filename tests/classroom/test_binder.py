"""A server as a Binder link opens it: in the repository's root, behind a URL prefix."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.pace import patience
from tests.support.pages import OPENER, TOKEN, running_server

ROOT = Path(__file__).resolve().parents[2]


def as_binder_has_it(home: Path) -> dict[str, str]:
    """Return an environment that names no folder for settings."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("JUPYTER")}
    environment |= {"HOME": str(home), "JUPYTER_TOKEN": TOKEN, "JUPYTER_PREFER_ENV_PATH": "1"}
    return environment | {"JUPYTER_CONFIG_DIR": str(home), "JUPYTER_DATA_DIR": str(home / "data")}


@pytest.fixture
def server() -> Iterator[str]:
    arguments = (
        *("jupyterlab", "--no-browser", "--ip=127.0.0.1", "--port={port}", "--ServerApp.port_retries=0"),
        *("--allow-root", "--ServerApp.base_url=/user/somebody-x7/", "--ServerApp.answer_yes=True"),
    )
    with running_server(arguments, "user/somebody-x7/api", as_binder_has_it, ROOT) as address:
        yield f"{address}/user/somebody-x7/"


def test_the_binder_link_opens_lesson_00(server: str) -> None:
    with OPENER.open(
        f"{server}lab/tree/notebooks/00_start_here.ipynb?token={TOKEN}", timeout=patience()
    ) as answer:
        assert answer.status == 200 and "jupyter-config-data" in answer.read().decode()
