"""Exercises are answered over the page's torch as over PyTorch: solutions pass, stubs are waited for, each
mistake gets its own message. ``make test`` tries one lesson, ``make sweep`` all, in WebAssembly too."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from posenc_lessons.browser.build import NUMPY_TORCH
from tests.page.page_python import PagePython

ROOT = Path(__file__).parents[2]
SWEEP = Path(__file__).with_name("exercise_sweep.py")


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
    assert len(verdicts["counts"]) >= 3 and not verdicts["differ"], "\n".join(verdicts["differ"])


@pytest.mark.sweep
def test_every_exercise_is_answered_in_both_pythons(page: PagePython, tmp_path: Path) -> None:
    verdicts = answered("", tmp_path)
    assert len(verdicts["counts"]) > 30 and not verdicts["differ"], "\n".join(verdicts["differ"])
    source = f"import json\nexec({SWEEP.read_text(encoding='utf-8')!r}, swept := {{'__name__': 'sweep'}})"
    existing = json.loads(page.run(f"{source}\njson.dumps(swept['sweep']())"))
    assert existing["counts"] == verdicts["counts"]
    assert not existing["differ"], "\n".join(existing["differ"])
