"""Every text model of transformers that could be built: the encoding of each of its layers is what its
model does.

``census_seen.json`` has what small models of each type showed, in numbers: ``python -m
tests.oracles.census`` builds
them, runs them and writes it. Here nothing of transformers is needed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from posenc_lessons.encodings import (
    LearnedEncoding,
    MultiAxisRotary,
    PositionEncoding,
    RotaryEncoding,
    encoding_from_config,
)
from posenc_lessons.encodings.config import read_config
from posenc_lessons.encodings.config.families import census, families
from posenc_lessons.encodings.config.layers import LayerPositions


def _scaled(name: str) -> bool:
    return any("scale" in each for each in SEEN[name]["layers"])


SEEN: dict[str, Any] = json.loads(Path(__file__).with_name("census_seen.json").read_text("utf-8"))
#: Model types that are only described: the library has no such encoding. ``by_hand.py`` has the reasons.
UNLIKE = {name for name, family in families().items() if family.kind == "unlike"}
#: Model types that could not be built on a CPU.
UNSEEN = {name for name, family in families().items() if family.kind == "unseen"}


def rotation(layer: dict[str, Any], angles: list[float]) -> Tensor:
    """Return, as a matrix, what the layer does to the rotated part of a head if pairs turn by ``angles``.

    [width, width]
    """
    turn = torch.tensor(angles, dtype=torch.float64)
    apart, pairs = layer["apart"], len(turn)
    width = 2 * apart if layer["pairing"] == "half_split" else 2 * pairs
    matrix = torch.eye(width, dtype=torch.float64)
    first = torch.arange(pairs) * (1 if layer["pairing"] == "half_split" else 2)
    second = first + apart
    matrix[first, first] = matrix[second, second] = turn.cos()
    matrix[first, second], matrix[second, first] = -turn.sin(), turn.sin()
    return matrix


def ours(encoding: PositionEncoding, position: int | list[int], width: int, head: int) -> Tensor:
    """Return what the encoding does to a key, as a matrix: column i is the result for feature i."""
    one_hot = torch.eye(head, dtype=torch.float64)[:, None, None]  # [head, 1, 1, head]
    turned = encoding.turn(one_hot, torch.tensor([position]), "key")[:, 0, 0].T  # [head, head]
    assert torch.equal(turned[width:, width:], torch.eye(head - width, dtype=torch.float64)), "the rest stays"
    return turned[:width, :width]


def layers_of(name: str) -> Iterator[tuple[dict[str, Any], LayerPositions]]:
    """Yield for each layer what the census saw and what is read. An encoder's layers come first."""
    layers = read_config(SEEN[name]["config"]).layers
    numbers = [number for each in SEEN[name]["layers"] for number in each["layers"]]
    offset = len(layers) - 1 - max(numbers, default=0) if families()[name].later else 0
    for each in SEEN[name]["layers"]:
        for number in each["layers"]:
            yield each, layers[number + offset]


TURNING = (RotaryEncoding, MultiAxisRotary)


@pytest.mark.parametrize("name", sorted(set(SEEN) - UNLIKE))
def test_each_layer_is_what_the_model_does(name: str) -> None:
    """To 1e-5, at position 1 and at a random one, and at random positions of several coordinates."""
    for each, layer in layers_of(name):
        if each["kind"] != "turns":
            assert layer.makes not in TURNING, "does not turn"
            continue
        assert layer.makes in TURNING, "turns"
        encoding: Any = layer.makes(**layer.settings)
        known = [*zip(each["at"], (each["angles"], each["angles_there"]), strict=True)]
        assert (encoding.axes > 1) == ("axes" in each)
        if "axes" in each:
            known += [*zip(each["axes"]["at"], each["axes"]["angles"], strict=True)]
        for position, angles in known:
            expected = rotation(each, angles)
            got = ours(encoding, position, len(expected), encoding.d_head) / _scale(encoding)
            farthest = max(position) if isinstance(position, list) else position
            assert (got - expected).abs().max() < 1e-5 * max(1, farthest / 10), position


@pytest.mark.parametrize("name", sorted(set(SEEN) - UNLIKE))
def test_each_layer_sees_as_far_as_the_models(name: str) -> None:
    for each, layer in layers_of(name):
        if layer.makes is not PositionEncoding or each["kind"] == "still":
            assert (layer.sees, layer.window) == (each["sees"], each["window"])


@pytest.mark.parametrize("name", sorted(set(SEEN) - UNLIKE))
def test_keys_turn_as_queries_do(name: str) -> None:
    """To float32's precision at positions below 510."""
    for each, _ in layers_of(name):
        if each["kind"] == "turns":
            assert isinstance(each["keys"], float) and each["keys"] < 1e-4


@pytest.mark.parametrize("name", sorted(name for name in SEEN if name not in UNLIKE and _scaled(name)))
def test_queries_grow_with_their_position_as_the_models_do(name: str) -> None:
    """Against the query at position 0, at a random position."""
    for each, layer in layers_of(name):
        if "scale" not in each:
            continue
        head, at = torch.ones(1, 1, 2, each["head"]), torch.tensor([0, each["scale_at"]])
        start, there = layer.encoding().turn(head, at).norm(dim=-1).flatten()
        assert float(there / start) == pytest.approx(each["scale"], abs=1e-5)


def _scale(encoding: Any) -> float:
    return 1.0 if encoding.extension is None else encoding.extension.scale


@pytest.mark.parametrize("name", sorted(name for name in SEEN if families()[name].kind == "learned"))
def test_a_learned_table_has_as_many_positions_as_the_models(name: str) -> None:
    encoding = encoding_from_config(SEEN[name]["config"])
    assert isinstance(encoding, LearnedEncoding)
    for table in SEEN[name]["tables"]:
        assert encoding.table.shape == (table["size"][0] - table["first_row"], table["size"][1])


@pytest.mark.parametrize("name", sorted(UNLIKE & set(SEEN)))
def test_encodings_that_the_library_lacks_are_described_and_not_made(name: str) -> None:
    layer = read_config(SEEN[name]["config"]).layers[0]
    assert layer.lacks is not None and layer.lacks.zh != layer.lacks.en
    with pytest.raises(ValueError, match="no encoding of this kind"):
        layer.encoding()


SIZES = {"width": 256, "heads": 4, "layers": 6, "later": 6, "longest": 512}


@pytest.mark.parametrize("name", sorted(set(families()) - UNLIKE - UNSEEN))
def test_a_file_with_only_sizes_gets_the_models_own_defaults(name: str) -> None:
    family = families()[_root(name)]
    if family.kind in ("unlike", "unseen"):
        return
    sizes = {names[0]: SIZES[what] for what in SIZES if (names := getattr(family, what))}
    config: dict[str, Any] = {"model_type": name, **sizes}
    if family.sections.get("layout") == "contiguous":  # others fit any head
        config["head_dim"] = int(2 * sum(family.sections["default"]) / (family.rotary_share or 1))
    if family.listed == "layers_block_type":
        config[family.listed] = ["full_attention"] * 6
    if families()[name].inside:
        config = {"model_type": name, families()[name].inside: config | {"model_type": _root(name)}}
    based = json.loads(json.dumps(config))
    inner = based.get(families()[name].inside, based)
    assert isinstance(encoding_from_config(config), PositionEncoding)
    if family.kind == "rotary" and family.old_keys and not isinstance(family.theta, dict):
        inner["rope_theta"] = 5e5
        bases = {
            layer.settings.get("base") for layer in read_config(based).layers if layer.makes is RotaryEncoding
        }
        assert bases <= ({family.base} if family.base_with_scaling else {5e5})


def test_nine_of_ten_models_are_answered() -> None:
    """Count all types whose attention uses positions. A type that could not be built counts as refused."""
    models = census()["models"]
    reading = {name for name in models if families()[_root(name)].kind != "none"}
    refused = {name for name in reading if _root(name) in UNLIKE | UNSEEN}
    assert len(reading) - len(refused) >= 0.9 * len(reading), sorted(refused)


def test_models_without_attention_do_not_count_as_answered() -> None:
    config = {"model_type": "mamba2", "num_hidden_layers": 2}
    assert families()["mamba2"].kind == "none"
    assert all("no attention" in layer.remarks[-1].en for layer in read_config(config).layers)


def test_every_family_says_where_it_was_read() -> None:
    assert all(family.source.startswith("transformers/models/") for family in families().values())


def _root(name: str) -> str:
    family = families()[name]
    return _root(family.of) if family.of and family.of in families() else name
