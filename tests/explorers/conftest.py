"""The explorers that tests run over, and the numbers behind a picture."""

from collections.abc import Iterator

import pytest

from posenc_lessons.explorers import EXPLORERS
from posenc_lessons.explorers.base import Explorer


@pytest.fixture(params=EXPLORERS, ids=lambda kind: kind.name)
def explorer(request: pytest.FixtureRequest) -> Iterator[Explorer]:
    """Yield each of the explorers as it starts."""
    started = request.param()
    yield started
    started.close()
