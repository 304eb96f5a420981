"""Fixtures for tests of pictures."""

from __future__ import annotations

import pytest

from posenc_lessons import language


@pytest.fixture
def english() -> None:
    """Set the reader's language to English."""
    language.choose("en")
