"""The batch explorer names the faults that were measured, and the texts that it refuses."""

from typing import Any

import numpy as np
import pytest

from posenc_lessons.explorers.base import Complaint
from posenc_lessons.explorers.batch import BatchExplorer, words_of

RIGHT = {"encoding": "rotary", "counted": "own"}


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (RIGHT, "Every token comes out as when its text runs alone"),
        ({"encoding": "rotary"}, "Harmless here: positions counted from the start of the row."),
        (
            {"encoding": "rotary", "counted": "own", "arrangement": "right", "hide": False},
            "Harmless here: padding not hidden.",
        ),
        ({}, "wrong: positions counted from the start of the row"),
        ({"counted": "own", "arrangement": "packed", "hide": False}, "wrong: other texts not hidden"),
        ({"cache": True, "counted": "cache"}, "wrong: new tokens counted on from the cache's length"),
        ({"cache": True, "counted": "zero"}, "wrong: new tokens counted from 0 again"),
        (
            {"encoding": "rotary", "counted": "own", "window": 5, "first": False},
            "wrong: a window of 5 tokens that loses the start token",
        ),
    ],
)
def test_the_reading_names_the_fault(settings: dict[str, Any], words: str) -> None:
    assert words in BatchExplorer(**settings).reading.en


def test_each_of_two_faults_is_measured_by_itself() -> None:
    explorer = BatchExplorer(encoding="rotary", arrangement="packed", hide=False)
    parts = explorer.compute(explorer.parameters())["parts"]
    assert parts["counted"] < 1e-6 < 0.5 < parts["hide"]


def test_the_worst_token_is_the_one_that_moved_most() -> None:
    explorer = BatchExplorer()
    arrays = explorer.compute(explorer.parameters())
    assert arrays["worst"].moved == np.nanmax(arrays["moved"])
    assert np.isnan(arrays["moved"][arrays["text"] < 0]).all()


def test_a_press_on_a_row_chooses_its_mask() -> None:
    explorer = BatchExplorer()
    assert explorer.pointed("tokens", 3, 1.2) == {"row": 2}
    assert explorer.pointed("mask", 3, 1.2) == {}
    explorer.restore({"arrangement": "packed"})
    assert explorer.pointed("tokens", 3, 0) == {}


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("", "there are 0"),
        ("banana", "there are 1"),
        ("able baker charlie delta", "there are 4"),
        ("abc banana", "“abc” has 3"),
        ("banana abracadabraabracadabra", "has 22"),
        ("banana 狗咬人", "not “人”"),
        ("banana coc0a", "not “0”"),
    ],
)
def test_an_invalid_text_is_refused_by_name(typed: str, words: str) -> None:
    with pytest.raises(Complaint) as refused:
        words_of(typed)
    assert words in refused.value.text.en
