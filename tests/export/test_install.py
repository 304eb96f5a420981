"""The first cell of a notebook that is opened by itself: pip gets exactly one word, and only if needed."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from IPython.core.inputtransformer2 import TransformerManager

from posenc_lessons import cli
from posenc_lessons.export.install import with_install
from posenc_lessons.language import CHINESE, HAN

WHEEL = "posenc_lessons-0.1.0-py3-none-any.whl"
HOSTILE = ('a" --pre "b', "it's", "$HOME/{name}.whl", "\\\\server\\a.whl", "a\u2028b\nc", "!id")


def run(source: str, monkeypatch: pytest.MonkeyPatch, installed: bool) -> list[list[str]]:
    """Run a cell as IPython does; return the commands that it ran."""
    commands: list[list[str]] = []
    monkeypatch.setattr(subprocess, "run", lambda command, **options: commands.append(command))
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: object() if installed else None)
    exec(TransformerManager().transform_cell(source), {})
    return commands


def cell(requirement: str = WHEEL, language: Any = "both") -> str:
    notebook = with_install(nbformat.v4.new_notebook(), requirement, language)
    nbformat.validate(notebook)
    return str(notebook.cells[0].source)


@pytest.mark.parametrize("requirement", [WHEEL, "git+https://example.org/a/b@v0.1.0", *HOSTILE])
def test_pip_gets_the_requirement_as_one_word(requirement: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (command,) = run(cell(requirement), monkeypatch, installed=False)
    assert command == [sys.executable, "-m", "pip", "install", "--quiet", requirement]


def test_nothing_is_installed_if_the_package_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(cell(), monkeypatch, installed=True) == []


def test_the_cell_speaks_the_language_of_the_copy() -> None:
    assert not HAN.search(cell(language="en"))
    assert HAN.search(cell(language="zh")) and "Installs" not in cell(language="zh")
    assert HAN.search(cell()) and "Installs" in cell()


def test_an_export_starts_with_the_install_cell(tmp_path: Path) -> None:
    arguments = ["export", "--to=ipynb", "--lang=en", "--lesson=0", "--no-run", "--install", WHEEL]
    cli.main([*arguments, "--out", str(tmp_path)])
    notebook = nbformat.read(tmp_path / "00_start_here.ipynb", as_version=4)
    nbformat.validate(notebook)
    assert [cell.id for cell in notebook.cells].index("install") == 0
    assert WHEEL in notebook.cells[0].source and notebook.cells[0].outputs == []
    assert CHINESE.findall(nbformat.writes(notebook)) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--to=site", "--install", WHEEL], "--to site"),
        (["--to=ipynb", "--install", " "], "one thing"),
        (["--to=ipynb", "--install=-r requirements.txt"], r"one thing[\s\S]*一样东西"),
    ],
)
def test_invalid_options_are_reported_before_anything_is_written(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        cli.main(["export", "--lesson=0", "--no-run", *arguments, "--out", str(tmp_path / "out")])
    assert re.search(message, capsys.readouterr().err)
    assert not (tmp_path / "out").exists()
