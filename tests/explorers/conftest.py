"""The race explorer with small models, in an empty working folder."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from posenc_lessons.explorers import RaceExplorer
from tests.explorers.tiny_races import QUICK, TINY


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[RaceExplorer]:
    monkeypatch.chdir(tmp_path)
    described = RaceExplorer.race
    monkeypatch.setattr(RaceExplorer, "race", lambda self: replace(described(self), **TINY))
    made = RaceExplorer(**QUICK)
    yield made
    made.close()
