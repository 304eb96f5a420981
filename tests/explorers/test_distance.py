"""The distance explorer: each kind says what the encoding of that name does."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from posenc_lessons.encodings import ALiBi, T5RelativeBias
from posenc_lessons.explorers import DistanceExplorer


def values(**settings: object) -> list[list[float]]:
    explorer = DistanceExplorer(**settings)
    return explorer.compute(explorer.parameters())["values"].tolist()


def test_signed_distances_are_key_minus_query() -> None:
    assert values(kind="signed", len_q=3, len_k=4) == [[0, 1, 2, 3], [-1, 0, 1, 2], [-2, -1, 0, 1]]


def test_shaw_clips_and_counts_rows_from_zero() -> None:
    assert values(kind="shaw", clip=1, len_q=3, len_k=3) == [[1, 2, 2], [0, 1, 2], [0, 0, 1]]


@pytest.mark.parametrize("bidirectional", [True, False])
def test_t5_shows_the_bucket_whose_number_the_encoding_adds(bidirectional: bool) -> None:
    encoding = T5RelativeBias(1, bidirectional=bidirectional)
    with torch.no_grad():
        encoding.table.copy_(torch.arange(32.0)[:, None])
        query = torch.zeros(1, 1, 40, 4)
        bias = encoding.score_bias(query, query, torch.arange(40), torch.arange(50), None)
    shown = values(kind="t5", bidirectional=bidirectional, len_q=40, len_k=50)
    assert bias.reshape(40, 50).tolist() == shown


@pytest.mark.parametrize("head", [1, 8])
def test_alibi_shows_what_its_head_takes_off(head: int) -> None:
    query = torch.zeros(1, 8, 5, 4)
    bias = ALiBi(8).score_bias(query, query, torch.arange(5), torch.arange(6), None)
    shown = values(kind="alibi", head=head, len_q=5, len_k=6)
    torch.testing.assert_close(torch.tensor(shown), bias.reshape(8, 5, 6)[head - 1], check_dtype=False)


def test_the_pointer_moves_both_cursors_at_once_and_only_when_it_enters_another_cell() -> None:
    explorer = DistanceExplorer()
    edition = explorer.canvas.edition
    explorer.canvas.pointer = {"panel": "matrix", "x": 6.2, "y": 0.7}
    assert (explorer.controls["query"].value, explorer.controls["key"].value) == (1, 6)
    assert explorer.canvas.edition == edition + 1
    explorer.canvas.pointer = {"panel": "matrix", "x": 6.1, "y": 0.8}
    assert explorer.canvas.edition == edition + 1
    explorer.canvas.pointer = {"panel": "key", "x": 0.0, "y": 0.0}
    assert (explorer.controls["query"].value, explorer.controls["key"].value) == (1, 6)


def test_only_the_controls_in_use_are_enabled() -> None:
    explorer = DistanceExplorer(kind="alibi")
    disabled = {name for name, widget in explorer.controls.items() if getattr(widget, "disabled", False)}
    assert disabled == {"clip", "bidirectional"}


def test_the_reading_names_the_cell() -> None:
    explorer = DistanceExplorer(kind="shaw", clip=2, query=1, key=6)
    reading = explorer.reading(explorer.parameters(), explorer.compute(explorer.parameters()))
    assert "i = 1" in reading.en and "j − i = 5" in reading.en and "= 4." in reading.en


def test_all_heads_of_alibi_are_one_fan_and_the_others_have_none() -> None:
    explorer = DistanceExplorer(kind="alibi", head=3)
    arrays = explorer.compute(explorer.parameters())
    assert len(arrays["fan"]) == 8
    np.testing.assert_array_equal(arrays["fan"][2], arrays["profile"])
    step = arrays["distances"] == 1
    assert [float(head[step][0]) for head in arrays["fan"]] == [-(2.0**-n) for n in range(1, 9)]
    explorer.controls["kind"].value = "t5"
    assert explorer.compute(explorer.parameters())["fan"] == []
    explorer.close()


@pytest.mark.parametrize(("x", "key"), [(3.2, 5), (-1.6, 0), (-9.0, 0), (40.0, 7)])
def test_a_distance_is_pointed_at(x: float, key: int) -> None:
    explorer = DistanceExplorer(query=2)
    explorer.canvas.pointer = {"panel": "profile", "x": x, "y": 0.0}
    assert (explorer.controls["query"].value, explorer.controls["key"].value) == (2, key)
    explorer.close()
