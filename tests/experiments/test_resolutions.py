"""Pictures of two squares, and a small vision model tested on finer pictures than it was trained on."""

from __future__ import annotations

import math

import pytest
import torch
from torch.testing import assert_close

from posenc_lessons.encodings import grid_positions
from posenc_lessons.experiments.pictures import DIRECTIONS, PATCH, as_patches, two_squares
from posenc_lessons.experiments.resolutions import (
    ENCODINGS,
    SIZES,
    Setting,
    VisionModel,
    compared,
    one_cycle,
    outcome,
    recorded,
)

TINY = Setting(d_model=16, n_heads=2, n_layers=1, steps=3, batch_size=4, n_test=5)


def drawn(n: int, side: int, seed: int = 0) -> tuple[torch.Tensor, torch.Tensor]:
    return two_squares(n, side, torch.Generator().manual_seed(seed))


@pytest.mark.parametrize("side", [8, 16])
def test_the_answer_is_the_direction_from_the_grey_square_to_the_white_one(side: int) -> None:
    """Compute it from the picture: from the centres of grey and of white pixels."""
    pictures, answers = drawn(64, side)
    at = torch.arange(side * PATCH) + 0.5
    for picture, answer in zip(pictures, answers.tolist(), strict=True):
        white = (picture > 0.75).float()
        grey = ((picture > 0.3) & (picture < 0.72)).float()
        grey = torch.nn.functional.avg_pool2d(grey[None], 3, 1, 1)[0] > 0.99  # no rims, no noise
        (small, large) = (
            torch.stack((mask.sum(1) @ at, mask.sum(0) @ at)) / mask.sum() for mask in (white, grey.float())
        )
        down, right = (small - large).tolist()
        turned = (math.degrees(math.atan2(-down, right)) - 45 * answer + 180) % 360 - 180
        assert abs(turned) < 22.5 + 8  # a rim may hide a pixel or two
    assert len(DIRECTIONS) == 8 and set(answers.tolist()) == set(range(8))


def test_patches_go_row_by_row_as_their_positions_do() -> None:
    picture = torch.arange(8 * 12).float().view(1, 8, 12)
    patches, at = as_patches(picture), grid_positions(2, 3)
    for patch, (row, column) in zip(patches[0], (at * PATCH).tolist(), strict=True):
        assert torch.equal(patch.view(PATCH, PATCH), picture[0, row : row + PATCH, column : column + PATCH])


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_model_takes_any_size_and_only_none_ignores_positions(encoding: str) -> None:
    torch.manual_seed(0)
    model = VisionModel(encoding, TINY)
    for side in SIZES:
        pictures, _ = drawn(2, side)
        shuffled = pictures.unflatten(1, (side, PATCH)).flip(1).flatten(1, 2)  # rows of patches, upside down
        own = model.for_side(side)
        out, other = own(pictures), own(shuffled)
        assert out.shape == (2, 8)
        assert torch.allclose(out, other, atol=1e-5) == (encoding == "none")
        assert (own is model) == (encoding != "learned" or side == SIZES[0])


def test_stretched_coordinates_keep_the_range_and_edges_of_training() -> None:
    model, seen = VisionModel("axial", TINY), []
    turn = type(model.encoder.attentions[0].encoding).turn

    def noted(self, x, positions, role="query"):  # type: ignore[no-untyped-def]
        seen.append(positions)
        return turn(self, x, positions, role)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(model.encoder.attentions[0].encoding), "turn", noted)
        model(drawn(1, 16)[0], True)
    at = seen[0].view(16, 16, 2)
    assert_close(at[0, :, 1], torch.arange(16) / 2 - 0.25)
    assert_close(at[:, 0, 0], torch.arange(16) / 2 - 0.25)


def test_rate_and_momentum_are_those_of_pytorchs_one_cycle() -> None:
    optimizer = torch.optim.Adam([torch.zeros(1, requires_grad=True)])
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 1.0, total_steps=41, pct_start=0.1)
    for step in range(40):
        (group,) = optimizer.param_groups
        assert one_cycle(step, 40) == pytest.approx((group["lr"], group["betas"][0]))
        optimizer.step()
        schedule.step()


def test_a_seed_gives_the_same_result_of_each_encoding() -> None:
    first, again = (outcome("mixed", 3, TINY, progress=False) for _ in range(2))
    assert first == again and len(first.continued) == len(first.stretched) == len(SIZES)
    record = compared([3], TINY)
    assert record.outcomes["mixed"] == [first] and set(record.outcomes) == set(ENCODINGS)


@pytest.mark.sweep
def test_a_recorded_run_can_be_made_again() -> None:
    run, kept = outcome("axial", 0, progress=False), recorded().outcomes["axial"]
    off = [max(abs(a - b) for a, b in zip(run.continued, one.continued, strict=True)) for one in kept]
    assert off[0] < 0.02, "another machine's last digits may turn some answers, not many"
    assert min(off[1:]) > 0.02, "the other seeds' runs are others"
