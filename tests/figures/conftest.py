"""Fixtures for tests of pictures."""

import pytest

from posenc_lessons import language


@pytest.fixture
def english() -> None:
    """Set the reader's language to English."""
    language.choose("en")
