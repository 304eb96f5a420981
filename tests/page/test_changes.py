"""The painter's pictures during a change from one state to another, and with a kept state drawn faint."""

from __future__ import annotations

import json
import shutil
import subprocess
from base64 import b64decode, b64encode
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from posenc_lessons.browser.build import PANEL
from posenc_lessons.explorers import (
    EXPLORERS,
    DistanceExplorer,
    GateExplorer,
    RaceExplorer,
    RotationExplorer,
    SinusoidExplorer,
)
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.figures import canvas_data
from posenc_lessons.joined_modules import as_script

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="no Node here")

SHARES = (0.0, 0.4, 0.999_999)
# Prints the scenes between the first and the second, and the second with the first drawn faint in LAYERS.
# Bytes are printed as base64.
ENTRY = """\
import { wayBetween } from "./between.js";
import { chosenOf, withKept } from "./faint.js";
const fromBase64 = (said) => Uint8Array.from(Buffer.from(said, "base64"));
const asBytes = (_, value) => (value?.base64 === undefined ? value : fromBase64(value.base64));
const asBase64 = (_, value) =>
    value instanceof Uint8Array ? { base64: Buffer.from(value).toString("base64") } : value;
const [kept, scene] = JSON.parse(TOLD, asBytes);
const way = wayBetween(kept, scene);
const chosen = chosenOf(scene, kept, LAYERS);
const both = withKept(scene, kept, chosen, "kept");
console.log(JSON.stringify({ way: way && SHARES.map(way), chosen, both }, asBase64));
"""


def as_data(explorer: Explorer) -> dict[str, Any]:
    scene = explorer.present_scene()[0]
    return {
        "stage": canvas_data.stage(scene, "en"),
        "axes": canvas_data.axes(scene),
        "data": canvas_data.data(scene),
        "alt": scene.alt.en,
    }


def asked(explorer: Explorer, folder: Path, **values: Any) -> tuple[dict[str, Any], ...]:
    """Return the explorer's scenes before and after setting ``values``, and the panel's between them."""
    kept = as_data(explorer)
    explorer.restore(values)
    scene = as_data(explorer)
    assert explorer.shown is not None
    layers = {panel: list(names) for panel, names in explorer.compared(explorer.shown).items()}
    (folder / "main.js").write_text(ENTRY, encoding="utf-8")
    told = json.dumps([kept, scene], default=lambda content: {"base64": b64encode(content).decode()})
    made = f"const TOLD = {json.dumps(told)}, LAYERS = {json.dumps(layers)}, SHARES = {list(SHARES)};\n"
    script = made + as_script("main.js", (folder, PANEL))
    ran = subprocess.run(["node", "-"], input=script, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    explorer.close()
    return kept, scene, json.loads(ran.stdout, object_hook=_with_bytes)


def _with_bytes(value: dict[str, Any]) -> Any:
    return b64decode(value["base64"]) if "base64" in value else value


def numbers(layer: dict[str, Any]) -> np.ndarray:
    kind: Any = np.uint8 if len(layer["bytes"]) == np.prod(layer["shape"]) else np.float32
    return np.frombuffer(layer["bytes"], kind).astype(float)


# ---- Changes ----


@pytest.mark.parametrize("make", EXPLORERS, ids=lambda make: make.name)
def test_a_glide_starts_at_the_present_picture_and_ends_at_the_new_one(
    make: type[Explorer], tmp_path: Path
) -> None:
    for tried in make.tries:
        before, after, said = asked(make(), tmp_path, **tried.settings())
        for share, scene in zip(SHARES, said["way"] or (), strict=said["way"] is not None):
            assert_paintable(scene)
            for panel, looks in scene["stage"]["panels"].items():
                for layer in after["stage"]["panels"][panel]["layers"]:
                    comes = "alpha" in looks["layers"][layer]
                    now = scene["data"][name := f"{panel}_{layer}"]
                    if share == SHARES[-1]:
                        there = numbers(after["data"][name])
                        np.testing.assert_allclose(numbers(now), there, rtol=1e-3, atol=0.02, err_msg=name)
                    elif share == 0 and not comes and "places" not in now:
                        np.testing.assert_allclose(
                            numbers(now), numbers(before["data"][name]), rtol=1e-5, atol=1e-5, err_msg=name
                        )


def assert_paintable(scene: dict[str, Any]) -> None:
    """Assert that each layer has data and each tick is on its axis."""
    for name, panel in scene["stage"]["panels"].items():
        assert all(f"{name}_{layer}" in scene["data"] for layer in panel["layers"])
        for axis in (scene["axes"][name]["x"], scene["axes"][name]["y"]):
            low, high = sorted((axis["start"], axis["end"]))
            assert all(low - 1e-9 <= value <= high + 1e-9 for value, _ in axis["ticks"]) or not axis["ticks"]


def test_lines_move_arrows_turn_colours_blend_and_limits_widen(tmp_path: Path) -> None:
    before, after, said = asked(SinusoidExplorer(), tmp_path, base=100.0, position=80, length=256)
    start, middle, _ = said["way"]
    for name in ("row_even", "clocks_here", "similarity_other"):
        then, end = numbers(before["data"][name]), numbers(after["data"][name])
        np.testing.assert_array_equal(numbers(start["data"][name]), then)
        assert not np.allclose(numbers(middle["data"][name]), then)
        if name == "row_even":
            np.testing.assert_allclose(numbers(middle["data"][name]), then + 0.4 * (end - then), rtol=1e-5)
    far = [scene["axes"]["heatmap"]["y"]["start"] for scene in (before, middle, after)]
    assert far == [127.5, pytest.approx(127.5 + 0.4 * 128), 255.5]
    layers = middle["stage"]["panels"]["heatmap"]["layers"]
    assert (
        layers["table before"]["alpha"] == 1 and layers["table"]["alpha"] == 0.4
    )  # it has another size, so it fades
    _, blended, said = asked(SinusoidExplorer(), tmp_path, base=100.0)
    tables = [numbers(scene["data"]["heatmap_table"]) for scene in (before, said["way"][1], blended)]
    np.testing.assert_allclose(tables[1], tables[0] + 0.4 * (tables[2] - tables[0]), atol=0.51)


def test_pictures_with_different_panels_have_no_steps_between_them(tmp_path: Path) -> None:
    assert asked(DistanceExplorer(), tmp_path, kind="together")[2]["way"] is None


# ---- Kept states ----

KEPT_IN_THE_SAME_AXES = [
    (RotationExplorer, {"m": 60}, {"plane", "products", "dials", "score"}),
    (RotationExplorer, {"d": 8, "pair": 1}, {"plane", "products", "score"}),  # the dials are in other places
    (SinusoidExplorer, {"position": 90}, {"heatmap", "row", "clocks", "similarity"}),
    (
        SinusoidExplorer,
        {"length": 16, "d_model": 8},
        {"row", "similarity"},
    ),  # the cursors are outside the table
    (SinusoidExplorer, {"length": 512, "d_model": 128}, {"heatmap", "row", "similarity"}),
    (RaceExplorer, {"task": "flip_flop"}, {"curves"}),
    (RaceExplorer, {"task": "flip_flop", "highlight": "rotary"}, {"curves"}),
    (DistanceExplorer, {"kind": "alibi", "key": 2}, {"matrix", "profile"}),
    (DistanceExplorer, {"kind": "t5", "len_q": 2, "len_k": 3}, {"profile"}),
]


@pytest.mark.parametrize(("make", "values", "panels"), KEPT_IN_THE_SAME_AXES)
def test_a_kept_state_is_in_the_scene_and_inside_its_axes(
    make: type[Explorer], values: dict[str, Any], panels: set[str], tmp_path: Path
) -> None:
    kept, scene, said = asked(make(), tmp_path, **values)
    both = said["both"]
    assert {each["panel"] for each in said["chosen"]} == panels
    for chosen in said["chosen"]:
        name = chosen["panel"]
        layers = both["stage"]["panels"][name]["layers"]
        for layer in chosen["layers"]:
            pale = layers[f"kept_{layer}"]
            assert both["data"][f"{name}_kept_{layer}"] == kept["data"][f"{name}_{layer}"]
            assert pale.get("dashed") or pale.get("hollow"), "told apart without colours"
            assert_inside(numbers(both["data"][f"{name}_kept_{layer}"]), both["axes"][name])
        order = list(layers)
        assert order.index(f"kept_{chosen['layers'][0]}") < order.index(chosen["layers"][0]), "below"
        words = both["stage"]["panels"][name]
        if not chosen["onMap"] and not words["equal"]:
            named = [said for said, _ in words["ends"]] + [said for said, _ in words["legend"]]
            assert named.count("kept") + named.count("- - kept") == 1
            assert len(both["axes"][name]["ends"]) == len(words["ends"])
        for layer in scene["stage"]["panels"][name]["layers"]:
            assert both["data"][f"{name}_{layer}"] == scene["data"][f"{name}_{layer}"]


def assert_inside(points: np.ndarray, axes: dict[str, Any]) -> None:
    for values, axis in ((points[0::2], axes["x"]), (points[1::2], axes["y"])):
        low, high = sorted((axis["start"], axis["end"]))
        assert low - 1e-6 <= np.nanmin(values) and np.nanmax(values) <= high + 1e-6


def test_only_the_highlighted_curve_is_kept(tmp_path: Path) -> None:
    _, _, said = asked(RaceExplorer(), tmp_path, task="flip_flop", highlight="rotary")
    assert [each["layers"] for each in said["chosen"]] == [["rotary"]]


def test_an_arrows_name_is_where_there_is_room(tmp_path: Path) -> None:
    _, _, said = asked(RotationExplorer(), tmp_path, m=25)
    (name,) = said["both"]["data"]["plane_kept_name"]["texts"]
    assert name == "kept"
    _, _, said = asked(RotationExplorer(), tmp_path)
    assert said["both"]["data"]["plane_kept_name"]["texts"] == [], "nothing differs"


def test_an_explorer_with_only_heatmaps_is_compared_as_a_second_picture(tmp_path: Path) -> None:
    assert asked(GateExplorer(), tmp_path, query=3)[2]["chosen"] == []
    assert asked(DistanceExplorer(), tmp_path, kind="together")[2]["chosen"] == []
