"""The page's Python: in WebAssembly with Node, or in CPython."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any


class PagePython:
    """A process that answers lines of JSON as the page's worker does."""

    def __init__(self, command: Sequence[str], cwd: str | None = None) -> None:
        self._process = subprocess.Popen(
            command, text=True, encoding="utf-8", stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=cwd
        )
        self._heard()

    @classmethod
    def under_node(cls, folder: Path) -> PagePython:
        """Run the worker of the page that ``folder`` holds."""
        return cls(["node", str(Path(__file__).with_name("node.mjs")), str(folder)])

    def run(self, source: str) -> Any:
        """Return the value of the last expression of ``source``."""
        return self.ask(python=source)["answer"]

    def ask(self, **message: object) -> dict[str, Any]:
        """Return what the worker says to ``message``."""
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()
        return self._heard()

    def _heard(self) -> dict[str, Any]:
        text: dict[str, Any] = json.loads(self._process.stdout.readline())
        assert "error" not in text, text["error"]
        return text

    def close(self) -> None:
        with self._process:  # also closes its pipes
            self._process.stdin.close()
