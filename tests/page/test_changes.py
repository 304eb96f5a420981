"""The painter's pictures during a change from one state of an explorer to another."""

from typing import Any

import numpy as np
import pytest

from posenc_lessons.explorers import EXPLORERS, ShuffleExplorer, SinusoidExplorer, SpectrumExplorer
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.figures import canvas_data
from tests.page.node_scripts import answered, needs_node

pytestmark = needs_node

SHARES = (0.0, 0.4, 1.0)
SCRIPT = """
const { wayBetween, changesOrder } = await import(`${panel}/change.js`);
const { before, after, shares } = given;
const way = wayBetween(before, after);
answer({ scenes: way && shares.map(way), reorders: changesOrder(before.data, after.data) });
"""


def steps(before: dict[str, Any], after: dict[str, Any]) -> Any:
    """Return ``scenes`` at SHARES of the way, None if the panels differ, and whether rows change places."""
    return answered(SCRIPT, {"before": before, "after": after, "shares": SHARES})


def scene_of(explorer: Explorer) -> dict[str, Any]:
    scene = explorer.present_scene()[0]
    return {
        "stage": canvas_data.stage(scene, "en"),
        "axes": canvas_data.axes(scene),
        "data": canvas_data.data(scene),
        "alt": scene.alt.en,
    }


def numbers(layer: dict[str, Any]) -> np.ndarray:
    kind: Any = np.uint8 if len(layer["bytes"]) == np.prod(layer["shape"]) else np.float32
    return np.frombuffer(layer["bytes"], kind).astype(float)


def drawn(**layers: dict[str, Any]) -> dict[str, Any]:
    """Return a scene without panels, which has these layers."""
    return {"stage": {"panels": {}, "width": 1, "height": 1}, "axes": {}, "data": layers, "alt": ""}


def points(*values: float) -> dict[str, Any]:
    return {"shape": [1, len(values)], "bytes": np.array(values, np.float32).tobytes()}


def cells(*indices: int, **more: Any) -> dict[str, Any]:
    return {"shape": [1, len(indices)], "bytes": bytes(indices), **more}


@pytest.mark.parametrize("make", EXPLORERS, ids=lambda make: make.name)
def test_a_change_ends_at_the_new_picture_and_keeps_ticks_on_their_axes(make: type[Explorer]) -> None:
    explorer = make()
    before = scene_of(explorer)
    explorer.restore(make.tries[0].settings())
    after = scene_of(explorer)
    explorer.close()
    scenes = steps(before, after)["scenes"]
    for scene in scenes or []:
        assert set(scene["data"]) == set(after["data"]), "whatever a panel draws has its data"
        for axes in scene["axes"].values():
            for axis in (axes["x"], axes["y"]):
                low, high = sorted((axis["start"], axis["end"]))
                assert all(low <= value <= high for value, _ in axis["ticks"])
    for name, layer in after["data"].items() if scenes else ():
        now = numbers(scenes[-1]["data"][name])
        np.testing.assert_allclose(now, numbers(layer), atol=1e-4, err_msg=name)


def test_lines_move_colours_blend_and_limits_widen() -> None:
    explorer = SinusoidExplorer()
    before = scene_of(explorer)
    explorer.restore({"base": 100.0, "position": 80})
    after = scene_of(explorer)
    start, middle, _ = steps(before, after)["scenes"]
    for name, close in (("similarity_curve", 1e-5), ("heatmap_table", 0.51)):
        earlier, later = numbers(before["data"][name]), numbers(after["data"][name])
        np.testing.assert_array_equal(numbers(start["data"][name]), earlier)
        blend = earlier + 0.4 * (later - earlier)
        np.testing.assert_allclose(numbers(middle["data"][name]), blend, atol=close)
    explorer.restore({"length": 256})
    far = steps(before, scene_of(explorer))["scenes"][1]["axes"]["heatmap"]["y"]["start"]
    assert far == pytest.approx(127.5 + 0.4 * 128)
    explorer.close()


def test_arrows_turn_the_shorter_way_and_what_has_no_counterpart_changes_at_once() -> None:
    before = drawn(arrow=points(1, 1, 2, 1), dot=points(0, 0), cells=cells(0, 9), gone=points(0, 0))
    after = drawn(arrow=points(1, 1, -0.5, 1.5), dot=points(4, 2), cells=cells(4, 5), new=points(1, 2))
    data = steps(before, after)["scenes"][1]["data"]
    angle, length = 0.4 * np.arctan2(0.5, -1.5), 0.6 + 0.4 * np.hypot(0.5, 1.5)
    assert numbers(data["arrow"]) == pytest.approx(
        [1, 1, 1 + length * np.cos(angle), 1 + length * np.sin(angle)]
    )
    assert numbers(data["dot"]) == pytest.approx([1.6, 0.8])
    assert numbers(data["cells"]).tolist() == [4, 7], "an empty cell does not go through all colours"
    assert numbers(data["new"]).tolist() == [1, 2] and "gone" not in data


def test_a_new_line_is_drawn_from_its_beginning() -> None:
    line = {"shape": [3, 2], "bytes": np.array([0, 0, 1, 5, 2, 5], np.float32).tobytes()}
    scenes = steps(drawn(), drawn(curve=line))["scenes"]
    drawn_to = [numbers(scene["data"]["curve"]).tolist() for scene in scenes]
    assert drawn_to[0] == [0] * 6
    assert drawn_to[1] == pytest.approx([0, 0, 0.8, 4, 0.8, 4])
    assert drawn_to[2] == [0, 0, 1, 5, 2, 5]


@pytest.mark.parametrize(
    ("order", "places", "middle"),
    [([2, 0, 1], None, [0, 1, 1.06]), ([0, 1], None, None), ([0, 1, 2], [1, 1.5, 0.5], [0, 1, 1.295])],
)
def test_rows_that_only_change_their_order_slide_from_where_they_are(
    order: list[int], places: list[float] | None, middle: list[float] | None
) -> None:
    before = drawn(table=cells(1, 2, 3, order=order, **({"places": places} if places else {})))
    result = steps(before, drawn(table=cells(1, 2, 3, order=[0, 1, 2])))
    assert result["reorders"] == (middle is not None)
    table = result["scenes"][1]["data"]["table"]  # at 0.4: the last row is on its way, columns have not begun
    assert table.get("places") == (middle and pytest.approx(middle, abs=1e-3))
    assert table.get("columns") == (middle and [order.index(column) for column in range(3)])


@pytest.mark.parametrize("share", [0.08, 0.2, 0.3, 0.6, 0.7, 0.8])
def test_no_number_is_seen_through_a_row_that_slides_over_it(share: float) -> None:
    explorer = ShuffleExplorer()
    before = scene_of(explorer)
    explorer.restore({"arrangement": 0})
    (scene,) = answered(SCRIPT, {"before": before, "after": scene_of(explorer), "shares": [share]})["scenes"]
    explorer.close()
    at = numbers(scene["data"]["after_dark"]).reshape(-1, 2)  # [numbers, (x, y)]
    visible = at[~np.isnan(at).any(1)]
    apart = np.abs(visible[:, None] - visible).max(2)[np.triu_indices(len(visible), 1)]
    assert 0 < len(visible) < len(at) and apart.min() >= 0.6 - 1e-6


def test_pictures_with_different_panels_have_no_steps_between_them() -> None:
    explorer = SpectrumExplorer()
    before = scene_of(explorer)
    explorer.restore({"plot": True})
    assert steps(before, scene_of(explorer))["scenes"] is None
    explorer.close()
