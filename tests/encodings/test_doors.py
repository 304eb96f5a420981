"""The base class: silent at all four doors, and able to tell which doors a subclass uses."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from posenc_lessons.encodings import PositionEncoding, Role


def test_by_itself_it_says_nothing() -> None:
    silent, at = PositionEncoding(), torch.arange(3)
    x = torch.randn(2, 4, 3, 8)
    assert silent.doors == () and not silent.reads_scores
    embeddings = torch.randn(2, 3, 8)
    assert silent.add_to_embeddings(embeddings, at) is embeddings
    assert silent.turn(x, at, "key") is x
    assert silent.score_bias(x, x, at, at, None) is None
    assert silent.value_bias(torch.ones(2, 4, 3, 3), at, at) is None


def test_doors_are_the_methods_overridden_inherited_ones_included() -> None:
    class Turns(PositionEncoding):
        def turn(self, x: Tensor, positions: Tensor, role: Role = "query") -> Tensor:
            return -x

    class TurnsAndWeighs(Turns):
        def value_bias(self, weights: Tensor, query_positions: Tensor, key_positions: Tensor) -> None:
            return None

        def score_bias(
            self,
            query: Tensor,
            key: Tensor,
            query_positions: Tensor,
            key_positions: Tensor,
            scores: Tensor | None,
        ) -> None:
            return None

    assert Turns().doors == (2,)
    assert TurnsAndWeighs().doors == (2, 3, 4)
    with pytest.raises(ValueError, match=r"(?s)TurnsAndWeighs adds nothing.*2, 3, 4"):
        TurnsAndWeighs()(torch.zeros(1, 2, 4))
