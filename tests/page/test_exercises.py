"""Every exercise is answered over the page's torch as over PyTorch, in CPython and in WebAssembly: solutions
and other right answers pass, stubs are waited for, each mistake gets its own message."""

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
from tests.page.conftest import ROOT
from tests.page.page_python import PagePython

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


@pytest.fixture(scope="module")
def in_cpython(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    out = tmp_path_factory.mktemp("exercises") / "found.json"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "POSENC_LESSONS_HOME": str(out.parent)}
    command = [sys.executable, str(SWEEP), str(out), str(NUMPY_TORCH)]
    subprocess.run(command, check=True, env={**environment, "OMP_NUM_THREADS": "1"}, cwd=out.parent)
    found: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    return found


def test_every_exercise_is_answered_over_the_pages_torch(in_cpython: dict[str, Any]) -> None:
    assert in_cpython["torch"] == "NumPy", "the sweep was to run over the page's torch"
    assert len(in_cpython["counts"]) > 50, "the exercises were found"
    assert not in_cpython["differ"], "\n".join(in_cpython["differ"])


def test_every_exercise_is_answered_in_webassembly(in_cpython: dict[str, Any], page: PagePython) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for file in map(Path, in_cpython["files"]):
            if file.is_relative_to(PACKAGE) and not file.is_relative_to(NUMPY_TORCH):
                archive.write(file, file.relative_to(PACKAGE).as_posix())
    files = base64.b64encode(packed.getvalue()).decode()
    found = json.loads(page.run(IN_PAGE.format(files=files, sweep=SWEEP.read_text(encoding="utf-8"))))
    assert found["counts"] == in_cpython["counts"]
    assert not found["differ"], "\n".join(found["differ"])
