"""What tests of pictures share."""

from __future__ import annotations

import pytest

from posenc_lessons import language


@pytest.fixture
def english() -> None:
    """The reader reads English."""
    language.choose("en")
