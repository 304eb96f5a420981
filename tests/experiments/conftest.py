"""The results of a tiny race, made once."""

from __future__ import annotations

import pytest

from posenc_lessons.experiments.race import Results, run_race
from tests.experiments.tiny_race import TINY


@pytest.fixture(scope="session")
def whole() -> Results:
    return run_race(TINY, progress=False)
