"""Objects that several callers share cannot be changed by one of them."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields
from typing import Any

import pytest
import torch

from posenc_lessons.encodings import ContextExtension
from posenc_lessons.encodings.config import read_config
from posenc_lessons.encodings.config.families import families
from posenc_lessons.encodings.config.overview import census_rows
from posenc_lessons.encodings.config.towers import towers_table
from posenc_lessons.encodings.positions import counted_positions, summary_of
from tests.encodings.released import LLAMA

SHARED = [
    families()["llama"],
    towers_table()["vit"],
    census_rows()[0],
    read_config(LLAMA),
    read_config(LLAMA).layers[0],
    ContextExtension("ntk", 2, 8),
    summary_of(counted_positions(0, 3, torch.device("cpu"))),
]


@pytest.mark.parametrize("shared", SHARED, ids=lambda shared: type(shared).__name__)
def test_a_shared_object_cannot_be_changed(shared: Any) -> None:
    with pytest.raises(FrozenInstanceError):
        setattr(shared, fields(shared)[0].name, None)
