"""The module that lesson 03 asks for has two methods, and each can be unfinished."""

from __future__ import annotations

from typing import Any

from torch import Tensor, nn

from posenc_lessons.exercises.learned import check_learned_positions


def test_a_module_with_an_unfinished_forward_counts_as_not_answered() -> None:
    class Unfinished(nn.Module):
        def __init__(self, d_model: int, max_len: int) -> None:
            super().__init__()

        def forward(self, x: Tensor, positions: Tensor) -> Any:
            return ...

    assert check_learned_positions(Unfinished).status == "not yet"
