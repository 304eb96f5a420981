"""Exercises are answered over the page's torch as over PyTorch: solutions pass, stubs are waited for, each
mistake gets its own message. ``make test`` tries one lesson, ``make sweep`` all, in WebAssembly too."""

from __future__ import annotations

import base64
import io
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

import posenc_lessons
from posenc_lessons.browser.build import NUMPY_TORCH
from tests.page.page_python import PagePython

ROOT = Path(__file__).parents[2]
SWEEP = Path(__file__).with_name("exercise_sweep.py")
PACKAGE = Path(posenc_lessons.__file__).parent

# Puts what the exercises need beside what the explorers brought, and sweeps.
IN_PAGE = """
import base64, io, json, zipfile
import posenc_lessons
from pathlib import Path
zipfile.ZipFile(io.BytesIO(base64.b64decode({files!r}))).extractall(Path(posenc_lessons.__file__).parent)
exec({sweep!r}, swept := {{"__name__": "sweep"}})
json.dumps(swept["sweep"]())
"""


def answered(lesson: str, folder: Path) -> dict[str, Any]:
    """Return the verdicts over the page's torch, in CPython; of all lessons if ``lesson`` is empty."""
    out = folder / "verdicts.json"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "POSENC_LESSONS_HOME": str(folder)}
    command = [sys.executable, str(SWEEP), str(out), str(NUMPY_TORCH), lesson]
    subprocess.run(command, check=True, env={**environment, "OMP_NUM_THREADS": "1"}, cwd=folder)
    verdicts: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    assert verdicts["torch"] == "NumPy", "the sweep was to run over the page's torch"
    return verdicts


def test_exercises_are_answered_over_the_pages_torch(tmp_path: Path) -> None:
    verdicts = answered("sinusoidal", tmp_path)
    assert len(verdicts["counts"]) > 3 and not verdicts["differ"], "\n".join(verdicts["differ"])


@pytest.mark.sweep
def test_every_exercise_is_answered_in_both_pythons(page: PagePython, tmp_path: Path) -> None:
    verdicts = answered("", tmp_path)
    assert len(verdicts["counts"]) > 50 and not verdicts["differ"], "\n".join(verdicts["differ"])
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for file in map(Path, verdicts["files"]):
            if file.is_relative_to(PACKAGE) and not file.is_relative_to(NUMPY_TORCH):
                archive.write(file, file.relative_to(PACKAGE).as_posix())
    files = base64.b64encode(packed.getvalue()).decode()
    existing = json.loads(page.run(IN_PAGE.format(files=files, sweep=SWEEP.read_text(encoding="utf-8"))))
    assert existing["counts"] == verdicts["counts"]
    assert not existing["differ"], "\n".join(existing["differ"])
