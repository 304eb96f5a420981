"""Vision towers read from a configuration, compared with transformers' models made from the same one."""

from __future__ import annotations

import copy
import inspect
import math
import sys
from typing import Any

import pytest
import torch
from torch.testing import assert_close
from transformers import AutoConfig, DINOv3ViTConfig
from transformers.models.dinov3_vit import modeling_dinov3_vit as dinov3
from transformers.models.qwen2_vl.modeling_qwen2_vl import apply_rotary_pos_emb
from transformers.models.vjepa2 import modeling_vjepa2 as vjepa2

from posenc_lessons.encodings import (
    AxialRotary,
    GridLearned,
    LearnedEncoding,
    RelativeGridBias,
    Together,
    encoding_from_config,
    patch_centres,
)
from posenc_lessons.encodings.config import describe_config, read_config
from posenc_lessons.encodings.config.tower_by_hand import REASONS
from posenc_lessons.encodings.config.tower_words import reason
from posenc_lessons.encodings.config.towers import Tower, census, towers_table
from posenc_lessons.language import BilingualValueError
from tests.oracles.census.tower_checks import check_tower, read_towers
from tests.oracles.census.tower_models import classes, tables, towers

WITH_TABLES = [name for name in read_towers() if "rows" in towers_table()[name].keys]
REFUSED = sorted(set(towers_table()) - set(read_towers()))


def test_the_table_has_every_tower_of_its_transformers_version() -> None:
    assert set(towers_table()) == set(towers())
    assert set(census()["inside"].values()) <= set(towers_table())


@pytest.mark.parametrize("name", read_towers())
def test_a_towers_patches_are_placed_as_its_model_places_them(name: str) -> None:
    """Compare queries, table or bias of the model itself, at other sizes than those behind the row."""
    check_tower(name)


@pytest.mark.parametrize("name", REFUSED)
def test_a_tower_with_another_encoding_is_refused_with_what_it_does(name: str) -> None:
    tower = towers_table()[name]
    with pytest.raises(BilingualValueError, match=f"vision tower {name}, so none is made") as told:
        encoding_from_config({"model_type": name}, part="vision")
    assert reason(tower).en in str(told.value)


@pytest.mark.parametrize("name", REFUSED)
def test_a_refusal_names_what_is_in_the_code(name: str) -> None:
    """The names that the sentence mentions are still in the code."""
    source = inspect.getsource(sys.modules[classes(towers()[name])[0].__module__])
    assert all(code in source for code in REASONS[name].code), name


def test_reasons_are_given_for_refused_towers_only() -> None:
    assert set(REASONS) == set(REFUSED)


def test_vjepa_2_changes_the_length_of_queries_where_a_rotation_of_three_coordinates_does_not() -> None:
    x, at = torch.randn(1, 1, 7, 8), torch.arange(7)
    theirs = vjepa2.rotate_queries_or_keys(x, at.float())
    assert float((theirs.norm(dim=-1) / x.norm(dim=-1) - 1).abs().max()) > 0.05
    ours = AxialRotary(24, 1e4, widths=(8, 8, 8)).turn(x.repeat(1, 1, 1, 3), at[:, None].expand(-1, 3))
    assert_close(ours.norm(dim=-1), 3**0.5 * x.norm(dim=-1))
    once = vjepa2.rotate_queries_or_keys(x[..., :2], at.float())  # one pair has one frequency
    assert_close(once, ours[..., :2], rtol=0, atol=1e-5)


@pytest.mark.parametrize(
    ("tower", "words", "named"),
    [
        (Tower("new", "new", "unseen", error="KeyError: size"), "could be built (KeyError: size)", True),
        (Tower("new", "new", "unlike"), "order may come from convolutions, from code", False),
        (Tower("new", "new", "unlike", named=("pos",)), "not change as if a table", True),
        (Tower("new", "new", "unlike", seen="turns", named=("pos",)), "none of the rotations", True),
    ],
)
def test_an_unread_tower_is_refused_with_the_programs_findings(tower: Tower, words: str, named: bool) -> None:
    assert words in reason(tower).en and (not tower.named or "parameters: pos" in reason(tower).en)
    assert named == bool(tower.named or tower.error)


def test_a_tower_in_a_released_file_needs_no_type() -> None:
    """Qwen2-VL's file, whose tower has ``embed_dim`` and no ``model_type``."""
    config = {"model_type": "qwen2_vl", "vision_config": {"depth": 32, "embed_dim": 1280, "num_heads": 16}}
    assert len(read_config(config, part="vision").layers) == 32
    assert repr(encoding_from_config(config, part="vision")) == repr(AxialRotary(80, 1e4, "half_split"))
    assert "half of the pairs by the row" in describe_config(config, part="vision").en


def test_dinov3_reads_centres_of_patches_times_two_pi() -> None:
    config = DINOv3ViTConfig(hidden_size=96, num_attention_heads=2, patch_size=8)
    encoding = encoding_from_config(config.to_dict(), part="vision")
    assert isinstance(encoding, AxialRotary) and encoding.scale == 2 * math.pi
    x = torch.randn(1, 2, 15, 48)
    cos, sin = dinov3.DINOv3ViTRopePositionEmbedding(config).eval()(torch.zeros(1, 3, 24, 40))
    theirs = apply_rotary_pos_emb(x, x, cos[None], sin[None])[0]
    assert_close(encoding.turn(x, patch_centres(3, 5)), theirs, rtol=0, atol=1e-5)


def test_layers_of_swin_have_their_stages_heads_and_those_of_sam_3_their_own_scale() -> None:
    swin = AutoConfig.for_model("swin", depths=[1, 2], num_heads=[3, 6], window_size=5).to_dict()
    encodings = [encoding_from_config(swin, layer, part="vision") for layer in range(3)]
    assert [each.n_heads for each in encodings if isinstance(each, RelativeGridBias)] == [3, 6, 6]
    whole = AutoConfig.for_model("sam3").to_dict()
    scales = [layer.settings["scale"] for layer in read_config(whole, part="vision").layers]
    assert scales.count(24 / 72) == 4 and scales[7] == 24 / 72 and scales[0] == 1.0


@pytest.mark.parametrize(
    ("config", "part", "message"),
    [
        ({"model_type": "nobody"}, "vision", r"tower nobody is not in the table of \d+"),
        (
            {"model_type": "new_vision", "rope_parameters": {"rope_type": "axial"}, "patch_size": 14},
            "vision",
            r"What could be read: rope_parameters = .*patch_size = 14.*--like",
        ),
        ({"model_type": "vit"}, "audio", r"part must be one of text, vision; got 'audio'"),
        ({"model_type": "pixtral", "rope_ntk": 2}, "vision", r"unknown keys: rope_ntk"),
        ({"model_type": "pixtral", "rope_parameters": {"rope_type": "yarn"}}, "vision", r"is 'yarn' but"),
        (
            {"model_type": "internvl_vision", "use_absolute_position_embeddings": False},
            "vision",
            r"is False but transformers/models/internvl is True",
        ),
        ({"model_type": "swin", "depths": [2], "num_heads": [3, 6]}, "vision", r"there must be one for each"),
        ({"model_type": "swin", "depths": 2}, "vision", r"depths must be a list"),
    ],
)
def test_a_tower_that_is_not_in_the_table_is_refused(config: dict[str, Any], part: Any, message: str) -> None:
    with pytest.raises(BilingualValueError, match=message):
        encoding_from_config(config, part=part)


def test_a_new_tower_is_read_like_one_of_the_table() -> None:
    config = {"model_type": "new_vision", "hidden_size": 64, "num_attention_heads": 2, "num_hidden_layers": 3}
    read = read_config(config, like="gemma4_vision", part="vision")
    assert read.layers[0].settings["layout"] == "separate" and len(read.layers) == 3


@pytest.mark.parametrize("name", WITH_TABLES)
def test_a_table_has_as_many_rows_as_that_of_the_model_that_the_code_makes_by_default(name: str) -> None:
    """Models have real sizes, on the meta device, which stores no numbers."""
    tower, config = towers_table()[name], copy.deepcopy(towers()[name])
    heads = tower.keys["heads"]
    if heads and isinstance(getattr(config, heads), int):
        setattr(config, heads, 1)  # one tower's default does not divide its width
    with torch.device("meta"):
        theirs = [table for _, table in tables(classes(config)[0]._from_config(config))]
        ours = encoding_from_config(config.to_dict(), part="vision")
    for encoding in ours.parts if isinstance(ours, Together) else (ours,):
        if isinstance(encoding, LearnedEncoding):
            rows = encoding.max_len + (tower.special if tower.left_out else 0) - tower.apart
            assert any(table.numel() == rows * encoding.d_model for table in theirs)
        elif isinstance(encoding, GridLearned):
            side = (encoding.rows, encoding.d_model)
            assert any(table.shape[-2:] == side for table in theirs)
