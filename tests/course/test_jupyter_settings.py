"""What JupyterLab is told when it opens the lessons: nothing of nbgrader's, which may be installed."""

from __future__ import annotations

import json
from importlib.metadata import files
from pathlib import Path
from typing import Any

import pytest
from jupyter_server.config_manager import BaseJSONConfigManager
from jupyterlab_server.config import get_page_config

from posenc_lessons import __version__
from posenc_lessons.course.lessons import PACKAGE

SETTINGS = PACKAGE / "course" / "jupyter"


@pytest.fixture
def only_ours(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", str(SETTINGS))
    monkeypatch.setenv("JUPYTER_CONFIG_DIR", str(tmp_path))


def nbgraders(folder: str) -> list[Any]:
    """What nbgrader's distribution puts into this folder of a Python's: JSON that JupyterLab reads."""
    pytest.importorskip("nbgrader")
    placed = [path for path in files("nbgrader") or [] if f"{folder}/" in path.as_posix()]
    return [json.loads(path.read_text(encoding="utf-8")) for path in placed if path.suffix == ".json"]


def test_no_page_of_nbgraders(only_ours: None) -> None:
    extension = [found["name"] for found in nbgraders("labextensions/@jupyter/nbgrader") if "name" in found]
    assert extension == ["@jupyter/nbgrader"]
    assert "@jupyter/nbgrader" in get_page_config([])["disabledExtensions"]


def test_no_server_of_nbgraders(only_ours: None) -> None:
    (shipped,) = nbgraders("jupyter_server_config.d")
    ours = BaseJSONConfigManager(config_dir=str(SETTINGS), read_directory=True).get("jupyter_server_config")
    switched_on, switched_off = (known["ServerApp"]["jpserver_extensions"] for known in (shipped, ours))
    ours_alone = {"posenc_lessons.course.server_extension": True}
    assert switched_on and switched_off == {**dict.fromkeys(switched_on, False), **ours_alone}


def test_on_a_hub_learners_keep_their_assignments(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    settings = PACKAGE / "classroom" / "hub" / "jupyter"
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", str(settings))
    monkeypatch.setenv("JUPYTER_CONFIG_DIR", str(tmp_path))
    (shipped,) = nbgraders("jupyter_server_config.d")
    ours = BaseJSONConfigManager(config_dir=str(settings), read_directory=True).get("jupyter_server_config")
    kept, switched_off = (known["ServerApp"]["jpserver_extensions"] for known in (shipped, ours))
    assert switched_off.pop("posenc_lessons.course.server_extension") is True
    assert {name.split(".")[-1] for name in kept.keys() - switched_off.keys()} == {
        "assignment_list",
        "validate_assignment",
    }
    hidden = {name for name in get_page_config([])["disabledExtensions"] if "nbgrader" in name}
    assert hidden and not any(
        name.endswith(("nbgrader", "assignment-list", "validate-assignment")) for name in hidden
    )


def test_the_extension_for_the_lessons_is_where_its_package_says() -> None:
    folder = SETTINGS / "labextensions" / "posenc-lessons"
    described = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    assert described["name"] == folder.name and described["version"] == __version__
    entry = (folder / described["jupyterlab"]["_build"]["load"]).read_text(encoding="utf-8")
    assert f'_JUPYTERLAB["{folder.name}"]' in entry
