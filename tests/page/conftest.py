"""Sweeps of every explorer, each in its own Python."""

from __future__ import annotations

import os
import pickle
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from posenc_lessons.browser.build import cells_part, data_parts, part_files, python_parts
from tests.page.page_python import PagePython

ROOT = Path(__file__).parents[2]
SWEEP = Path(__file__).with_name("sweep.py")

Sweeps = dict[str, list[dict[str, Any]]]  # by explorer


class Sweeping:
    """A running sweep; ``words`` are the arguments of Python before the output file."""

    def __init__(self, out: Path, *words: str) -> None:
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
        command = [sys.executable, *words, str(out)]
        self._out, self._process = out, subprocess.Popen(command, env=environment, cwd=out.parent)

    @cached_property
    def found(self) -> Sweeps:
        """Wait for the end of the sweep and return its result."""
        assert self._process.wait() == 0
        swept: Sweeps = pickle.loads(self._out.read_bytes())
        return swept


@pytest.fixture(scope="session")
def over_pytorch(tmp_path_factory: pytest.TempPathFactory) -> Sweeping:
    """Return the sweep over PyTorch, with which the others are compared."""
    return Sweeping(tmp_path_factory.mktemp("sweep") / "pytorch", str(SWEEP))


@pytest.fixture(scope="session")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PagePython]:
    """Return the built page's own Python."""
    if shutil.which("node") is None:
        if os.environ.get("POSENC_REQUIRE_BROWSER") == "1":
            pytest.fail("POSENC_REQUIRE_BROWSER=1, and there is no node")
        pytest.skip("no node here")
    folder = tmp_path_factory.mktemp("page")
    for name, content in part_files([*python_parts(), *data_parts(), cells_part()], from_disk=False).items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
    page = PagePython.under_node(folder)
    for part in data_parts():
        page.ask(call="start data", args={"name": part.name})
    page.ask(call="start cells", args={})
    yield page
    page.close()
