"""Encodings by name: each fits its model, new ones can be registered, and wrong ones are refused."""

from __future__ import annotations

import pytest
import torch

from posenc_lessons.models import COURSE_ENCODINGS, encoding_named


def test_those_of_the_course_read_one_coordinate_and_those_for_pictures_two() -> None:
    made = {name: encoding_named(name, 24, 3, 10) for name in COURSE_ENCODINGS}
    assert len({type(encoding) for encoding in made.values()}) == len(made) == 8
    assert {encoding.axes for encoding in made.values()} == {1}
    for name in ("grid_sinusoidal", "axial", "mixed"):
        encoding = encoding_named(name, 24, 3, 10)
        assert encoding.axes == 2 and encoding.needs_positions


def test_max_len_reaches_the_encodings_that_use_it() -> None:
    built = {name: encoding_named(name, 24, 3, 10) for name in COURSE_ENCODINGS}
    assert built["learned"].table.shape == built["sinusoidal"].table.shape == (10, 24)
    assert built["cope"].table.shape == (11, 8)  # 10 tokens with every gate open count up to 10
    for name in ("shaw", "t5"):
        shapes = [p.shape for p in built[name].parameters()]
        assert shapes == [p.shape for p in encoding_named(name, 24, 3, 99).parameters()]


def test_a_learned_table_is_as_large_as_the_embeddings() -> None:
    torch.manual_seed(0)
    assert encoding_named("learned", 64, 4, 512).table.std().item() == pytest.approx(1, abs=0.02)
