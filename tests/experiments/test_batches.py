"""A correct batch gives each text the same output as by itself, and each mistake shows where it should."""

import itertools

import pytest
import torch

from posenc_lessons.experiments.batches import (
    Layout,
    lay_out,
    mask_of,
    positions_of,
    probability_moved,
    run_batch,
)
from posenc_lessons.experiments.trained.induction import PAD, encode, trained_induction

TEXTS = [encode(word) for word in ("banana", "abracadabra", "cocoa")]


def moved(name: str, layout: Layout, counted: str = "own", late: int = 0, **mask: object) -> float:
    model, batch = trained_induction(name), lay_out(TEXTS, layout, PAD, late)
    chances = run_batch(model, batch, positions_of(batch, counted), mask_of(batch, **mask))  # type: ignore[arg-type]
    each = probability_moved(model, TEXTS, batch, chances)
    assert torch.equal(each.isnan(), ~batch.real)
    return float(each[batch.place > 0].max())


@pytest.mark.parametrize(("layout", "late"), [*itertools.product(("left", "right"), (0, 3)), ("packed", 0)])
@pytest.mark.parametrize("name", ["rotary", "learned"])
def test_a_correct_batch_gives_the_same_as_each_text_by_itself(name: str, layout: Layout, late: int) -> None:
    assert moved(name, layout, late=late) < 1e-6


@pytest.mark.parametrize("layout", ["left", "packed"])
def test_a_shift_changes_a_table_but_not_rotations(layout: Layout) -> None:
    assert moved("rotary", layout, "column") < 1e-6 < 0.5 < moved("learned", layout, "column")


def test_a_causal_mask_hides_only_padding_on_the_right() -> None:
    assert moved("rotary", "right", hide=False) < 1e-6
    assert min(moved("rotary", layout, hide=False) for layout in ("left", "packed")) > 0.5


@pytest.mark.parametrize("counted", ["cache", "zero"])
def test_a_gap_between_the_query_and_cached_keys_changes_the_output(counted: str) -> None:
    assert moved("rotary", "left", counted, late=3) > 0.5
    assert moved("rotary", "left", counted) < 1e-6, "without a cache there is no gap"


def test_a_window_keeps_the_first_token_of_the_text() -> None:
    batch = lay_out([torch.arange(3), torch.arange(5)], "packed", 9)
    mask = mask_of(batch, window=2, first=1)[0]
    assert mask[7].tolist() == [False, False, False, True, False, False, True, True]
    assert not mask_of(batch, hide=False, window=2)[0, 3, :2].any()
