"""Vision towers and pictures that are not square. ``tests/oracles/test_config_towers.py`` has the models."""

from __future__ import annotations

from typing import Any

import pytest

from posenc_lessons.encodings import LearnedEncoding, PositionEncoding, encoding_from_config
from posenc_lessons.encodings.config import read_config
from posenc_lessons.language import BilingualValueError

VIT = {"model_type": "vit", "hidden_size": 8, "num_attention_heads": 2, "num_hidden_layers": 1}


@pytest.mark.parametrize(
    ("picture", "patch", "patches"),
    [(64, 8, 8 * 8), ([32, 64], 8, 4 * 8), ([64, 32], [8, 16], 8 * 2), (64, [16, 8], 4 * 8), (65, 8, 8 * 8)],
)
def test_a_table_has_a_row_for_each_patch_down_and_across(picture: Any, patch: Any, patches: int) -> None:
    encoding = encoding_from_config({**VIT, "image_size": picture, "patch_size": patch}, part="vision")
    assert repr(encoding) == repr(LearnedEncoding(8, 1 + patches))  # the class token has a row too


def test_the_scale_is_the_window_over_the_patches_across() -> None:
    config = {"model_type": "sam3_vit_model", "image_size": [32, 64], "patch_size": [16, 8], "window_size": 4}
    layers = read_config({**config, "num_hidden_layers": 2, "global_attn_indexes": [1]}, part="vision").layers
    assert [layer.settings["scale"] for layer in layers] == [1.0, 4 / 8]


@pytest.mark.parametrize(
    ("keys", "base"),
    [
        ({}, 10000.0),
        ({"rope_theta": 100.0}, 100.0),
        ({"rope_parameters": {"rope_theta": 100.0}}, 100.0),
        ({"rope_theta": 100.0, "rope_parameters": {"rope_theta": 100.0}}, 100.0),
    ],
    ids=["nowhere", "outside", "inside", "both"],
)
def test_a_towers_base_may_be_inside_its_rope_parameters_or_outside(
    keys: dict[str, Any], base: float
) -> None:
    layers = read_config({"model_type": "pixtral", **keys}, part="vision").layers
    assert {layer.settings["base"] for layer in layers} == {base}


def test_two_bases_of_a_tower_are_refused() -> None:
    config = {"model_type": "pixtral", "rope_theta": 100.0, "rope_parameters": {"rope_theta": 200.0}}
    with pytest.raises(
        BilingualValueError, match=r"rope_parameters\.rope_theta is 200.0 but rope_theta is 100"
    ):
        read_config(config, part="vision")


@pytest.mark.parametrize("table", [True, False])
def test_sam_without_its_vectors_has_its_table_or_nothing(table: bool) -> None:
    config = {"model_type": "sam_vision_model", "hidden_size": 8, "num_attention_heads": 2, "image_size": 64}
    config |= {"num_hidden_layers": 1, "patch_size": 16, "use_rel_pos": False, "use_abs_pos": table}
    encoding = encoding_from_config(config, part="vision")
    assert type(encoding) is (LearnedEncoding if table else PositionEncoding)


def test_beits_table_has_a_row_for_each_patch_of_a_picture_that_is_not_square() -> None:
    config = {"model_type": "beit", "hidden_size": 8, "num_attention_heads": 2, "num_hidden_layers": 1}
    config |= {"image_size": [32, 64], "patch_size": 16, "use_absolute_position_embeddings": True}
    assert repr(encoding_from_config(config, part="vision")) == repr(LearnedEncoding(8, 1 + 2 * 4))


def test_a_window_of_0_is_the_whole_picture() -> None:
    config = {"model_type": "sam_vision_model", "hidden_size": 8, "num_attention_heads": 2, "image_size": 64}
    config |= {"num_hidden_layers": 2, "global_attn_indexes": [1], "patch_size": 16}
    windows = [
        [layer.settings["window"] for layer in read_config(config | {"window_size": w}, part="vision").layers]
        for w in (2, 0)
    ]
    assert windows == [[2, (4, 4)], [(4, 4), (4, 4)]]


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ([32, 0], r"image_size\[1\] must be a whole number, 1 or more; got 0"),
        ([0, 32], r"image_size\[0\] .*got 0"),
        ([32, 32, 32], r"image_size must be a whole number, 1 or more; got \[32, 32, 32\]"),
    ],
)
def test_an_invalid_size_is_named(sizes: list[int], message: str) -> None:
    with pytest.raises(BilingualValueError, match=message):
        encoding_from_config({**VIT, "image_size": sizes, "patch_size": 8}, part="vision")
