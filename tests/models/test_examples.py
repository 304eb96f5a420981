"""The examples in docstrings do what they say."""

from __future__ import annotations

import doctest
from types import ModuleType

import pytest

from posenc_lessons.encodings.config import reading
from posenc_lessons.models import registry, transformer


@pytest.mark.parametrize(("module", "least"), [(reading, 2), (registry, 5), (transformer, 8)])
def test_examples_of(module: ModuleType, least: int) -> None:
    result = doctest.testmod(module)
    assert result.failed == 0
    assert result.attempted >= least
