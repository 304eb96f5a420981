"""In WebAssembly the explorers show the same as over PyTorch: the built page's own Python, run by Node."""

from __future__ import annotations

import base64
import json
import os
import pickle
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from posenc_lessons.browser.build import part_files, python_parts
from posenc_lessons.explorers import EXPLORERS
from tests.page.agreement import differences
from tests.page.conftest import SWEEP, Sweeping
from tests.page.sweep import is_among

# A third of the settings: that the stand-in is right at all of them, test_sweep.py shows in less time.
EVERY = 3
SWEPT = """
import base64, pickle
exec({sweep!r}, swept := {{"__name__": "sweep"}})
base64.b64encode(pickle.dumps(swept["sweep"]({name!r}, {every}))).decode()
"""


class PagePython:
    """The page's Python under Node."""

    def __init__(self, folder: Path) -> None:
        command = ["node", str(Path(__file__).with_name("node.mjs")), str(folder)]
        self._process = subprocess.Popen(
            command, text=True, encoding="utf-8", stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._heard()

    def run(self, source: str) -> Any:
        """The last expression of ``source``."""
        self._process.stdin.write(json.dumps({"python": source}) + "\n")
        self._process.stdin.flush()
        return self._heard()["answer"]

    def _heard(self) -> dict[str, Any]:
        said: dict[str, Any] = json.loads(self._process.stdout.readline())
        assert "error" not in said, said["error"]
        return said

    def close(self) -> None:
        with self._process:  # closes its pipes
            self._process.stdin.close()


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PagePython]:
    if shutil.which("node") is None:
        if os.environ.get("POSENC_REQUIRE_BROWSER") == "1":
            pytest.fail("POSENC_REQUIRE_BROWSER=1, and there is no node")
        pytest.skip("no node here")
    folder = tmp_path_factory.mktemp("page")
    for name, content in part_files(python_parts(), from_disk=False).items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
    page = PagePython(folder)
    yield page
    page.close()


@pytest.mark.parametrize("name", [explorer.name for explorer in EXPLORERS])
def test_it_shows_the_same(name: str, over_pytorch: Sweeping, page: PagePython) -> None:
    swept = page.run(SWEPT.format(sweep=SWEEP.read_text(encoding="utf-8"), name=name, every=EVERY))
    found = enumerate(over_pytorch.found[name])
    expected = [setting for number, setting in found if is_among(number, setting["calls"], EVERY)]
    differ = differences(expected, pickle.loads(base64.b64decode(swept)))
    assert not differ, "\n".join(differ[:20])
