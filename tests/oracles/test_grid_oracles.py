"""Encodings of several coordinates compared with transformers': language models with images, vision towers.

Transformers computes angles in float32, with a relative error of 6e-8; angles here are below 100. timm, which
has the most rotary embeddings for images, needs torchvision and is not used.
"""

import math
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.testing import assert_close
from transformers import DINOv3ViTConfig, ViTConfig
from transformers.models.dinov3_vit import modeling_dinov3_vit as dinov3
from transformers.models.qwen2_5_vl import modeling_qwen2_5_vl as qwen2_5
from transformers.models.qwen2_vl import modeling_qwen2_vl as qwen2
from transformers.models.qwen3_vl import modeling_qwen3_vl as qwen3
from transformers.models.vit import modeling_vit as vit

from posenc_lessons.encodings import (
    AxialRotary,
    MultiAxisRotary,
    PositionEncoding,
    grid_positions,
    interpolate_table,
    multimodal_positions,
)

HEIGHT, WIDTH = 9, 13
GRID = grid_positions(HEIGHT, WIDTH)
TEXT_AND_IMAGES = [("text", 4), ("image", 5, 3), ("text", 2), ("image", 2, 7), ("text", 9)]


def turned(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Return their cosines and sines, in the half-split form."""
    return qwen2.apply_rotary_pos_emb(x, x, cos, sin)[0]


@pytest.mark.parametrize(
    ("rotary", "sections", "layout"),
    [
        (qwen2.Qwen2VLRotaryEmbedding, (16, 24, 24), "contiguous"),
        (qwen3.Qwen3VLTextRotaryEmbedding, (24, 20, 20), "interleaved"),
    ],
)
def test_m_rope_equals_qwens(rotary: Any, sections: tuple[int, ...], layout: Any) -> None:
    parameters = {"rope_type": "default", "rope_theta": 1e6, "mrope_section": list(sections)}
    config = SimpleNamespace(rope_parameters=parameters, max_position_embeddings=99, head_dim=128)
    at, _ = multimodal_positions(TEXT_AND_IMAGES)
    x = torch.randn(1, 2, len(at), 128)
    theirs = turned(x, *rotary(config)(x, at.T[:, None]))
    ours = MultiAxisRotary(128, sections, layout, base=1e6).turn(x, at)
    assert_close(ours, theirs, rtol=0, atol=2e-5)
    other = "contiguous" if layout == "interleaved" else "interleaved"
    assert not torch.allclose(MultiAxisRotary(128, sections, other, 1e6).turn(x, at), theirs, atol=0.1)


Tower = Callable[[Tensor], Tensor]


def axial_config(width: int, base: float) -> Any:
    return SimpleNamespace(rope_parameters={"rope_type": "axial", "rope_theta": base}, head_dim=width)


def qwen3_tower(x: Tensor) -> Tensor:
    cos, sin = qwen3.Qwen3VLVisionRotaryEmbedding(axial_config(64, 1e4))(x, GRID)
    return turned(x, cos[None], sin[None])


def dinov3_tower(x: Tensor) -> Tensor:
    config = DINOv3ViTConfig(hidden_size=64, num_attention_heads=1, patch_size=16)
    rope = dinov3.DINOv3ViTRopePositionEmbedding(config).eval()
    cos, sin = rope(torch.zeros(1, 3, 16 * HEIGHT, 16 * WIDTH))
    return dinov3.apply_rotary_pos_emb(x, x, cos, sin)[0]


TOWERS: dict[str, tuple[Tower, PositionEncoding, Tensor]] = {
    "Qwen3-VL": (qwen3_tower, AxialRotary(64, 1e4, "half_split"), GRID),
    "DINOv3": (
        dinov3_tower,
        AxialRotary(64, 100.0, "half_split"),
        2 * math.pi * ((2 * GRID + 1) / torch.tensor([HEIGHT, WIDTH]) - 1),  # from −1 to 1
    ),
}


@pytest.mark.parametrize("name", TOWERS)
def test_axial_rope_of_vision_towers(name: str) -> None:
    tower, ours, at = TOWERS[name]
    x = torch.randn(1, 2, HEIGHT * WIDTH, 64)
    assert_close(ours.turn(x, at), tower(x), rtol=0, atol=1e-5)
    assert not torch.allclose(ours.turn(x, at.flip(-1)), tower(x), atol=0.1)  # columns before rows


def rope_index(module: Any, model: Any, segments: Sequence[Any], merge: int = 2) -> tuple[Tensor, int]:
    """Return positions [L, 3] and delta by ``get_rope_index`` of a model in transformers."""
    kinds, grids, seconds = [], {"image": [], "video": []}, []
    for kind, *sizes in segments:
        if kind == "text":
            kinds += [0] * sizes[0]
            continue
        frames, height, width = (1, *sizes) if kind == "image" else sizes[:3]
        kinds += [1 if kind == "image" else 2] * frames * height * width
        grids[kind].append((frames, height * merge, width * merge))
        seconds += sizes[3:]
    vision = SimpleNamespace(spatial_merge_size=merge, tokens_per_second=4)
    self = SimpleNamespace(config=SimpleNamespace(vision_config=vision))
    self.get_vision_position_ids = lambda *a, **named: model.get_vision_position_ids(self, *a, **named)
    types = torch.tensor([kinds])
    inputs = {f"{kind}_grid_thw": torch.tensor(grids[kind]) if grids[kind] else None for kind in grids}
    more = {"second_per_grid_ts": seconds} if module is qwen2_5 else {}
    positions, delta = model.get_rope_index(self, types, types, **inputs, **more)
    return positions[:, 0].T, int(delta)


MODELS = {
    "Qwen2-VL": (qwen2, qwen2.Qwen2VLModel),
    "Qwen2.5-VL": (qwen2_5, qwen2_5.Qwen2_5_VLModel),
}


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize(
    "segments", [[("text", 7)], TEXT_AND_IMAGES, [("image", 4, 4), ("text", 1), ("image", 1, 9)]]
)
def test_positions_of_text_and_images(name: str, segments: list[Any]) -> None:
    ours, delta = multimodal_positions(segments)
    theirs, their_delta = rope_index(*MODELS[name], segments)
    assert torch.equal(ours, theirs) and delta == their_delta


@pytest.mark.parametrize(("name", "tokens_per_second"), [("Qwen2-VL", 1), ("Qwen2.5-VL", 4)])
@pytest.mark.parametrize(
    ("frames", "seconds", "differs"),
    [(3, 1, {"Qwen2.5-VL"}), (5, 1, {"Qwen2-VL", "Qwen2.5-VL"}), (3, 0.4, {"Qwen2.5-VL"})],
)
def test_positions_of_video_and_of_the_text_after_it(
    name: str, tokens_per_second: int, frames: int, seconds: float, differs: set[str]
) -> None:
    """transformers continues after a frame's longer side, so text may repeat numbers of earlier frames."""
    per_grid = seconds if name == "Qwen2.5-VL" else 1
    segments = [("text", 3), ("video", frames, 2, 3, per_grid), ("text", 2)]
    theirs = rope_index(*MODELS[name], segments)
    side, largest = (
        multimodal_positions(segments, tokens_per_second=tokens_per_second, resume=rule)
        for rule in ("side", "largest")
    )
    assert torch.equal(side[0], theirs[0]) and side[1] == theirs[1]
    assert torch.equal(largest[0][:-2], theirs[0][:-2])
    assert (not torch.equal(largest[0], theirs[0])) == (name in differs)


@pytest.mark.parametrize("size", [(3, 3), (4, 7), (2, 3), (9, 5)])
def test_vits_table_stretched(size: tuple[int, int]) -> None:
    config = ViTConfig(hidden_size=8, num_attention_heads=1, image_size=48, patch_size=16)
    theirs = vit.ViTEmbeddings(config)
    table = torch.nn.init.normal_(theirs.position_embeddings.data)[0]
    height, width = size
    patches = torch.zeros(1, 1 + height * width, 8)
    expected = theirs.interpolate_pos_encoding(patches, 16 * height, 16 * width)[0]
    assert_close(interpolate_table(table, (3, 3), size, prefix=1), expected)
