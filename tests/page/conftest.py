"""Sweeps of every explorer, each in a Python of its own."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SWEEP = Path(__file__).with_name("sweep.py")

Sweeps = dict[str, list[dict[str, Any]]]  # by explorer


class Sweeping:
    """A sweep under way: ``words`` are what Python is given before the file to write."""

    def __init__(self, out: Path, *words: str) -> None:
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
        command = [sys.executable, *words, str(out)]
        self._out, self._process = out, subprocess.Popen(command, env=environment, cwd=out.parent)

    @cached_property
    def found(self) -> Sweeps:
        """What it found, once it has ended."""
        assert self._process.wait() == 0
        swept: Sweeps = pickle.loads(self._out.read_bytes())
        return swept


@pytest.fixture(scope="session")
def over_pytorch(tmp_path_factory: pytest.TempPathFactory) -> Sweeping:
    """What the page must show."""
    return Sweeping(tmp_path_factory.mktemp("sweep") / "pytorch", str(SWEEP))
