"""The grid explorer: its scores are the library's, pictures can shift and grow, the pointer chooses."""

import math
from typing import Any

import numpy as np
import pytest
import torch

from posenc_lessons.encodings import (
    AxialRotary,
    GridSinusoidal,
    MultiAxisRotary,
    RotaryEncoding,
)
from posenc_lessons.encodings.mixed_rotary import mixed_frequencies
from posenc_lessons.explorers import GridExplorer
from posenc_lessons.explorers.grid import ENCODINGS
from posenc_lessons.explorers.grid_numbers import (
    FRAMES,
    REAL,
    SECTIONS,
    D,
    Patches,
    fanned_frequencies,
    grid_numbers,
)
from posenc_lessons.figures.grid import PatchScores, grid_scene
from posenc_lessons.figures.scene import Heatmap, Line
from posenc_lessons.figures.sunset import N_COLORS

START = {
    **{"encoding": "axial", "row": 3, "column": 3, "side": 8, "shift": 0, "frame": 0},
    **{"sections": "interleaved", "direction": 30, "spread": 0, "coordinates": "counted"},
}
NAMES = [encoding for _, encoding in ENCODINGS]
ABSOLUTE = ("sinusoid", "table")


def numbers(**changed: Any) -> dict[str, Any]:
    place = {name: {**START, **changed}[name] for name in ("row", "column", "frame")}
    return vars(grid_numbers(patches(**changed), **place))


def patches(**changed: Any) -> Patches:
    return Patches.of({**START, **changed})


def values(explorer: GridExplorer, *names: str) -> tuple[Any, ...]:
    return tuple(explorer.controls[name].value for name in names)


@pytest.mark.parametrize("side", [5, 8])
def test_scores_are_those_of_the_librarys_encodings(side: int) -> None:
    n, at = side * side, 2 * side + 4
    ones = torch.ones(1, 1, FRAMES * n, D)
    # The positions are made in loops, not by the functions that the explorer calls.
    patches = torch.tensor([[row, column] for row in range(side) for column in range(side)])
    in_time = torch.tensor([[t, *patch] for t in range(FRAMES) for patch in patches.tolist()])
    vectors = {
        "raster": RotaryEncoding(D).turn(ones[:, :, :n], torch.arange(n)),
        "axial": AxialRotary(D).turn(ones[:, :, :n], patches),
        "sinusoid": GridSinusoidal(D).add_to_embeddings(ones[0, :, :n], patches)[None],
        "mrope": MultiAxisRotary(D, SECTIONS, "contiguous").turn(ones, in_time),
    }
    for encoding, turned in vectors.items():
        scores = (turned[0, 0] @ turned[0, 0].T / math.sqrt(D)).numpy()[at]
        for frame in (0, 5) if encoding == "mrope" else (0,):
            settings = {"encoding": encoding, "side": side, "row": 2, "column": 4, "sections": "contiguous"}
            expected = scores[frame * n : (frame + 1) * n].reshape(side, side)
            np.testing.assert_allclose(numbers(**settings, frame=frame)["scores"], expected, atol=2e-5)


@pytest.mark.parametrize("name", NAMES)
def test_scores_lie_within_the_range_of_colours(name: str) -> None:
    arrays = numbers(encoding=name)
    assert arrays["low"] - 1e-5 <= arrays["scores"].min() and arrays["scores"].max() <= arrays["high"] + 1e-5


@pytest.mark.parametrize("name", NAMES)
def test_a_shift_changes_the_scores_of_absolute_positions_only(name: str) -> None:
    shifted, unshifted = (numbers(encoding=name, shift=shift)["scores"] for shift in (3, 0))
    same = np.allclose(shifted, unshifted, atol=1e-4)
    assert same == (name not in ABSOLUTE)
    assert ("no score has changed" in GridExplorer(encoding=name, shift=3).reading.en) == same


def test_a_table_has_no_score_beyond_its_end() -> None:
    scores = numbers(encoding="table", shift=3)["scores"]
    assert np.isnan(scores[5:]).all() and np.isnan(scores[:, 5:]).all() and not np.isnan(scores[:5, :5]).any()
    explorer = GridExplorer(encoding="table", shift=6)
    assert explorer.message is None and "64 patches have no score" in explorer.reading.en
    explorer.restore({"shift": 3, "row": 4, "column": 4})  # whose neighbours below and to the right have none
    assert "39 patches" in explorer.reading.en and "nan" not in explorer.reading.en


@pytest.mark.parametrize("name", NAMES)
def test_only_two_coordinates_still_work_in_a_larger_picture(name: str) -> None:
    below = [numbers(encoding=name, side=side)["scores"][4, 3] for side in (8, 16)]
    assert (below[0] == pytest.approx(below[1], abs=1e-4)) == (name not in ("raster", "table"))


@pytest.mark.parametrize("name", NAMES)
def test_squeezed_coordinates_show_the_trained_map_in_more_detail(name: str) -> None:
    """Two patches of 24 × 24 in the middle of a trained patch each have that patch's coordinates."""
    if name not in REAL:  # its coordinates have to be whole
        squeezed, counted = (
            numbers(encoding=name, side=16, coordinates=how)["scores"] for how in ("squeezed", "counted")
        )
        np.testing.assert_array_equal(squeezed, counted)
        return
    small, large = (
        numbers(encoding=name, side=side, row=at, column=at, coordinates="squeezed")
        for side, at in ((8, 3), (24, 10))
    )
    np.testing.assert_allclose(large["scores"][1::3, 1::3], small["scores"], atol=2e-5)
    assert large["met"].all() and large["names"][0][:4] == ("−0.33", "0", "0.33", "0.67")
    assert not numbers(encoding=name, side=24, row=0, column=0)["met"].all()  # counted on
    reading = GridExplorer(encoding=name, side=16, coordinates="squeezed").reading.en
    assert "The next patch is 0.50 of a step of training away." in reading


@pytest.mark.parametrize(
    ("name", "unseen"), [("raster", 129), ("axial", 31), ("sinusoid", 192), ("table", 0), ("mrope", 31)]
)
def test_untrained_positions_are_counted_and_outlined(name: str, unseen: int) -> None:
    explorer = GridExplorer(encoding=name, side=16, row=7, column=7)
    assert (~explorer.compute(explorer.parameters())["met"]).sum() == unseen
    assert (f"{unseen} of 256 patches" in explorer.reading.en) == bool(unseen)
    assert bool(np.isfinite(outline(explorer.present_scene()[0]).x).sum()) == bool(unseen)


def outline(scene: Any) -> Line:
    (line,) = (layer for layer in scene.panels[0].layers if layer.name == "met")
    assert isinstance(line, Line)
    return line


def test_mixed_directions_fan_out_from_the_one_that_is_set() -> None:
    together, fanned = (fanned_frequencies(30, spread).numpy() for spread in (0, 80))
    expected = mixed_frequencies(D, torch.tensor(math.radians(30), dtype=torch.float64))
    np.testing.assert_allclose(together, expected)
    np.testing.assert_allclose(np.hypot(*fanned), np.hypot(*together))
    down, right = fanned[:, : D // 4]
    np.testing.assert_allclose(np.degrees(np.arctan2(down, right)), 30 + 10 * np.arange(8))


def test_the_pointer_chooses_a_patch_in_every_map_and_in_the_picture_where_it_lies() -> None:
    explorer = GridExplorer(shift=4)
    for panel, x, y in (("scores", 6.4, 1.8), ("picture", 10.2, 5.9)):
        explorer.restore({"row": 0, "column": 0})
        explorer.point(panel, x, y)
        assert values(explorer, "row", "column") == (2, 6), panel
    explorer.point("scores", -3.0, 99.0, "drag")
    assert values(explorer, "row", "column") == (7, 0)


@pytest.mark.parametrize("name", NAMES)
def test_only_the_controls_that_matter_are_shown_within_their_ranges(name: str) -> None:
    explorer = GridExplorer(encoding=name, side=16, row=15, column=12)
    users = {"frame": ["mrope"], "sections": ["mrope"], "direction": ["mixed"], "spread": ["mixed"]}
    users["coordinates"] = ["sinusoid", "axial", "mixed"]
    hidden = {control for control, encodings in users.items() if name not in encodings}
    assert {control.name for control in explorer.controls.values() if control.hidden} == hidden
    explorer.restore({"side": 8})
    assert values(explorer, "row", "column") == (7, 7)


@pytest.mark.parametrize(
    ("at", "shown"), [(0, ("3.72",)), (1, ("2.80", "3.72")), (2, ("0.98",)), (4, ("4.90",))]
)
def test_the_tries_name_the_numbers_that_are_shown(at: int, shown: tuple[str, ...]) -> None:
    explorer = GridExplorer()
    explorer.follow_try(at)
    assert all(number in explorer.reading.en for number in shown)
    assert all(number in explorer.tries[at].look_for.en for number in shown)
    contiguous = numbers(encoding="mrope", frame=3, sections="contiguous")
    assert np.ptp(contiguous["scores"]) < 0.03 * (contiguous["high"] - contiguous["low"]), "nearly one colour"


def test_the_picture_is_drawn_with_each_of_its_colours() -> None:
    (picture,) = (panel for panel in grid_scene(PatchScores(**numbers())).panels if panel.name == "picture")
    (drawing,) = (layer for layer in picture.layers if isinstance(layer, Heatmap))
    assert set(np.unique(drawing.values % N_COLORS)) == set(range(N_COLORS))
    assert drawing.values.max() > drawing.high - N_COLORS > drawing.values[0, 0], "brightest at the patch"
