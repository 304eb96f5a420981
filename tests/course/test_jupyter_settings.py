"""The settings with which JupyterLab opens the lessons, without nbgrader's parts even if it is installed."""

import json
from importlib.metadata import files
from pathlib import Path
from typing import Any

import pytest
from jupyter_server.config_manager import BaseJSONConfigManager
from jupyterlab_server.config import get_page_config

from posenc_lessons.course.lessons import PACKAGE

SETTINGS = PACKAGE / "course" / "jupyter"


@pytest.fixture
def only_ours(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", str(SETTINGS))
    monkeypatch.setenv("JUPYTER_CONFIG_DIR", str(tmp_path))


def nbgraders(folder: str) -> list[Any]:
    """Return the JSON files that nbgrader's distribution installs into this folder for JupyterLab."""
    pytest.importorskip("nbgrader")
    placed = [path for path in files("nbgrader") or [] if f"{folder}/" in path.as_posix()]
    return [json.loads(path.read_text(encoding="utf-8")) for path in placed if path.suffix == ".json"]


def test_nbgraders_pages_are_disabled(only_ours: None) -> None:
    extension = [found["name"] for found in nbgraders("labextensions/@jupyter/nbgrader") if "name" in found]
    assert extension == ["@jupyter/nbgrader"]
    assert "@jupyter/nbgrader" in get_page_config([])["disabledExtensions"]


def test_nbgraders_server_extensions_are_disabled(only_ours: None) -> None:
    (shipped,) = nbgraders("jupyter_server_config.d")
    ours = BaseJSONConfigManager(config_dir=str(SETTINGS), read_directory=True).get("jupyter_server_config")
    switched_on, switched_off = (known["ServerApp"]["jpserver_extensions"] for known in (shipped, ours))
    ours_alone = dict.fromkeys(
        ("posenc_lessons.course.server_extension", "posenc_lessons.course.menus"), True
    )
    assert switched_on and switched_off == {**dict.fromkeys(switched_on, False), **ours_alone}
