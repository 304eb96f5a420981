"""The distance explorer: each kind says what the encoding of that name does."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from posenc_lessons.encodings import ALiBi, T5RelativeBias
from posenc_lessons.experiments.trained.rewriters import trained_rewriter
from posenc_lessons.explorers import DistanceExplorer
from posenc_lessons.explorers.added_scores import COMPARED, TEXT, added_scores
from posenc_lessons.explorers.caption import with_minus
from posenc_lessons.explorers.distance import TOGETHER
from posenc_lessons.explorers.rewriting import TASK
from posenc_lessons.figures.scene import Heatmap


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
def test_alibi_shows_the_penalty_of_its_head(head: int) -> None:
    query = torch.zeros(1, 8, 5, 4)
    bias = ALiBi(8).score_bias(query, query, torch.arange(5), torch.arange(6), None)
    shown = values(kind="alibi", head=head, len_q=5, len_k=6)
    torch.testing.assert_close(torch.tensor(shown), bias.reshape(8, 5, 6)[head - 1], check_dtype=False)


def test_the_pointer_moves_both_cursors_at_once_and_only_when_it_enters_another_cell() -> None:
    explorer = DistanceExplorer()
    changes: list[None] = []
    explorer.on_change(lambda: changes.append(None))
    explorer.point("matrix", 6.2, 0.7)
    assert (explorer.controls["query"].value, explorer.controls["key"].value) == (1, 6)
    assert len(changes) == 1
    explorer.point("matrix", 6.1, 0.8)
    assert len(changes) == 1
    explorer.point("key", 0.0, 0.0)
    assert (explorer.controls["query"].value, explorer.controls["key"].value) == (1, 6)


def test_only_the_controls_in_use_are_enabled() -> None:
    explorer = DistanceExplorer(kind="alibi")
    disabled = {name for name, control in explorer.controls.items() if control.disabled}
    assert disabled == {"clip", "bidirectional"}


def test_the_reading_names_the_cell() -> None:
    explorer = DistanceExplorer(kind="shaw", clip=2, query=1, key=6)
    reading = explorer.caption(explorer.parameters(), explorer.compute(explorer.parameters()))
    assert "i = 1" in reading.en and "j − i = 5" in reading.en and "= 4." in reading.en


def test_only_alibi_shows_a_fan_of_all_heads() -> None:
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
def test_pointing_chooses_a_distance(x: float, key: int) -> None:
    explorer = DistanceExplorer(query=2)
    explorer.point("profile", x, 0.0)
    assert (explorer.controls["query"].value, explorer.controls["key"].value) == (2, key)
    explorer.close()


# ---- all three at once ----


@pytest.mark.parametrize("name", COMPARED)
def test_side_by_side_are_the_numbers_that_the_trained_encoder_adds(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = trained_rewriter(name)
    encoding = model.encoder.layers[0].attention.encoding
    asked, found = encoding.score_bias, []

    def noted(*given: torch.Tensor) -> torch.Tensor:
        found.append(asked(*given))
        return found[-1]

    monkeypatch.setattr(encoding, "score_bias", noted)
    with torch.no_grad():
        model.encode(TASK.encode(TEXT)[None])
    added = added_scores()[name]
    np.testing.assert_allclose(added, found[0].reshape(added.shape), atol=1e-6)
    by_distance = [np.ptp(np.diagonal(added[0], n)) for n in range(-4, 5)]
    assert (max(by_distance) < 1e-6) == (name != "shaw"), "only Shaw's numbers depend on the query"


def test_side_by_side_one_scale_of_colours_and_the_text_s_own_cursors() -> None:
    explorer = DistanceExplorer()
    explorer.restore({"kind": TOGETHER, "query": 12, "key": 8, "head": 4})
    scene, reading = explorer.present_scene()
    maps = [layer for panel in scene.panels[:3] for layer in panel.layers if isinstance(layer, Heatmap)]
    assert len({(each.low, each.high) for each in maps}) == 1 and maps[0].low == -maps[0].high
    for name, numbers in added_scores().items():
        assert np.abs(numbers).max() <= maps[0].high
        assert with_minus(float(numbers[3, 12, 8]), ".2f") in reading.zh, name
    assert explorer.pointed("t5", 3.2, 7.6) == {"query": 8, "key": 3}
    assert explorer.pointed("row", 99.0, 0.0) == {"key": len(TEXT) - 1}
    assert explorer.controls["len_q"].disabled and not explorer.controls["head"].disabled
    explorer.restore({"kind": "alibi", "head": 8})
    assert (explorer.controls["query"].value, explorer.controls["head"].value) == (7, 8)
    explorer.close()
