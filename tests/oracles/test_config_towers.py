"""Vision towers read from a configuration, beside transformers' modules made from the same one."""

from __future__ import annotations

import json
from importlib import import_module
from typing import Any

import pytest
import torch
from torch.testing import assert_close
from transformers import AutoConfig, AutoModel
from transformers.models.qwen2_vl.modeling_qwen2_vl import apply_rotary_pos_emb

from posenc_lessons.encodings import AxialRotary, LearnedEncoding, encoding_from_config
from posenc_lessons.encodings.config import describe_config, read_config
from posenc_lessons.encodings.config.towers import TOWERS
from posenc_lessons.language import BilingualValueError

LARGER = {"pixtral": "pixtral"} | {
    name: name.removesuffix("_vision") for name in TOWERS if name.endswith("_vision")
}
#: Some rows, some columns.
PLACES = torch.randint(0, 40, (24, 2), generator=torch.Generator().manual_seed(2))


def tower_of(name: str) -> tuple[Any, dict[str, Any]]:
    """Return a tower's configuration as its class has it, and as a file would say it."""
    whole = AutoConfig.for_model(name)
    return getattr(whole, "vision_config", whole), json.loads(whole.to_json_string(use_diff=False))


@pytest.mark.parametrize("name", sorted(LARGER))
def test_axial_rope_of_a_tower_in_its_file(name: str) -> None:
    """At random places of a picture; rows come first in transformers' positions too."""
    config, said = tower_of(LARGER[name])
    module = import_module(type(config).__module__.replace(".configuration_", ".modeling_"))
    rotary = next(
        kind
        for kind in vars(module).values()
        if hasattr(kind, "compute_axial_rope_parameters") and kind.__module__ == module.__name__
    )
    encoding = encoding_from_config(said, part="vision")
    assert isinstance(encoding, AxialRotary)
    x = torch.randn(1, 2, len(PLACES), encoding.d_head)
    cos, sin = rotary(config)(x, PLACES)
    theirs = apply_rotary_pos_emb(x, x, cos[None], sin[None])[0]
    assert_close(encoding.turn(x, PLACES), theirs, rtol=0, atol=2e-5)


@pytest.mark.parametrize("name", sorted(name for name in TOWERS if TOWERS[name].kind == "table"))
def test_a_towers_table_is_added_row_by_row(name: str) -> None:
    """Changing the table changes the embeddings by as much."""
    sizes = {"hidden_size": 24, "num_attention_heads": 2, "num_hidden_layers": 1, "intermediate_size": 8}
    config = AutoConfig.for_model(name, **sizes, image_size=48, patch_size=16)
    network = AutoModel.from_config(config).eval()
    encoding = encoding_from_config(config.to_dict(), part="vision")
    assert isinstance(encoding, LearnedEncoding)
    embeddings = next(part for part_name, part in network.named_modules() if part_name.endswith("embeddings"))
    table = next(each for each_name, each in embeddings.named_parameters() if "position" in each_name)
    picture = torch.randn(1, 3, 48, 48)
    with torch.no_grad():
        before = embeddings(picture)
        table.data += encoding.table.data.view_as(table)
        after = embeddings(picture)
    assert_close(after, encoding(before), rtol=0, atol=1e-5)


def test_a_released_files_tower_need_not_say_its_type() -> None:
    """Qwen2-VL's file, whose tower has ``embed_dim`` and no ``model_type``."""
    config = {"model_type": "qwen2_vl", "vision_config": {"depth": 32, "embed_dim": 1280, "num_heads": 16}}
    assert len(read_config(config, part="vision").layers) == 32
    assert repr(encoding_from_config(config, part="vision")) == repr(AxialRotary(80, 1e4, "half_split"))
    assert "one part by a patch's row" in describe_config(config, part="vision").en


@pytest.mark.parametrize(
    ("config", "part", "message"),
    [
        (
            {"model_type": "nobody"},
            "vision",
            r"tower nobody is not in the table; known are qwen2_vl",
        ),
        ({"model_type": "vit"}, "audio", r"part must be one of text, vision; got 'audio'"),
        ({"model_type": "pixtral", "rope_ntk": 2}, "vision", r"unknown keys: rope_ntk"),
        ({"model_type": "pixtral", "rope_parameters": {"rope_type": "yarn"}}, "vision", r"is 'yarn' but"),
    ],
)
def test_what_is_no_tower_of_the_table_is_refused(config: dict[str, Any], part: Any, message: str) -> None:
    with pytest.raises(BilingualValueError, match=message):
        encoding_from_config(config, part=part)
