"""The number of threads is restored, even after an error."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch

from posenc_lessons.experiments.machine import threads


@pytest.fixture(autouse=True)
def as_many_as_before() -> Iterator[None]:
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


def test_threads_sets_the_number_and_restores_it() -> None:
    torch.set_num_threads(3)
    with threads(1):
        assert torch.get_num_threads() == 1
    assert torch.get_num_threads() == 3
    with pytest.raises(ZeroDivisionError), threads(1):
        raise ZeroDivisionError
    assert torch.get_num_threads() == 3
