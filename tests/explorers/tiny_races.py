"""Races of an explorer that take a moment, and what its reader sees."""

from __future__ import annotations

from typing import Any

from posenc_lessons.explorers import RaceExplorer

QUICK: dict[str, Any] = {
    "tasks": ("copy_back",),
    "encodings": ("none", "rotary"),
    "n_seeds": 1,
    "train_length": 16,
    "stretch": 2,
    "steps": 100,
    "jobs": 1,
}
TINY = {"d_model": 8, "n_heads": 2, "n_layers": 1, "batch_size": 4, "test_sequences": 8}


def pressable(explorer: RaceExplorer) -> set[str]:
    """Return the names of the buttons that can be pressed."""
    return {name for name, action in explorer.actions().items() if not action.disabled}
