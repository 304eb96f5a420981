"""Read how long the cells that train take in a page; the page measures again while a reader trains."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

RECORDED = Path(__file__).with_name("training.json")


@cache
def training_paces() -> dict[str, dict[str, int]]:
    """Return {cell: {"steps", "seconds"}}: steps of optimisers, and seconds in WebAssembly.

    ``python -m tests.page.training_pace`` measures them.
    """
    found: dict[str, dict[str, int]] = json.loads(RECORDED.read_text(encoding="utf-8"))
    return found
