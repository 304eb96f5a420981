"""A race that takes a moment, and a comparison of results."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from posenc_lessons.experiments.race import Race, Results

SMALL: dict[str, Any] = {
    "tasks": ("copy_back", "flip_flop"),
    "encodings": ("none", "rotary"),
    "seeds": (0,),
    "n_back": 1,
    "train_length": 6,
    "test_lengths": (4, 6, 9),
    "counted": "new_positions",
    "steps": 3,
    "batch_size": 4,
    "d_model": 8,
    "n_heads": 2,
    "n_layers": 1,
    "test_sequences": 8,
}
TINY = Race(**SMALL)


def same(one: Results, other: Results) -> bool:
    """Return whether everything except the time is equal."""
    return [replace(r, seconds=0) for r in one.runs] == [replace(r, seconds=0) for r in other.runs]
