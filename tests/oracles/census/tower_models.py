"""Build small vision towers of transformers, and record the inputs of their attention for a picture.

A tower is a type of configuration with a patch size whose model takes a picture and no text. It is built with
an attention that records its queries and keys. Attention layers get the same vector at every place, so that
only positions make a difference.
"""

from __future__ import annotations

import copy
import importlib
import inspect
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any, NamedTuple

import torch
import transformers
from torch import Tensor, nn
from transformers import CONFIG_MAPPING, AttentionInterface
from transformers.models.auto.configuration_auto import CONFIG_MAPPING_NAMES

from posenc_lessons.encodings import grid_positions

WIDTH, HEADS, HEAD = 128, 2, 64
#: A model with more parameters than this is not small: some size was not recognised.
MOST = 60_000_000
#: (height, width) of the shown picture in patches, if the code takes any size.
GRID = (4, 6)

#: The first pattern that a key matches gives its value.
SIZES: tuple[tuple[str, int], ...] = (
    (r"^(hidden_size|embed_dim|d_model)$", WIDTH),
    (r"^(num_attention_heads|num_heads|num_key_value_heads)$", HEADS),
    (r"^(num_hidden_layers|depth|num_layers)$", 2),
    (r"^head_dim$", HEAD),
    (r"intermediate_size$", 64),
    (r"adapter_in_dim|out_hidden_size|projection_dim|output_dim|text_hidden_size", WIDTH),
    (r"^(adapter_|spatial_)?merge_size$", 1),
    (r"^num_position_embeddings$", 16),
    (r"^posemb_grid_size$", 7),
    (r"^pos_emb_(height|width)$", 9),
)
#: Lists about layers and stages: the first of the small model's two layers, or both.
LISTS: dict[str, list[Any]] = {
    **{name: [0] for name in ("deepstack_visual_indexes", "fullatt_block_indexes", "global_attn_indexes")},
    "layer_types": ["full_attention"] * 2,
    "mlp_layer_types": ["dense"] * 2,
}
#: Other keys by which a type of tower is small, or has its patches in order.
OWN: dict[str, dict[str, Any]] = {
    "vit_mae": {"mask_ratio": 0.0},  # no patch is left out
    "xclip_vision_model": {"num_frames": 1},
    "videomae": {"num_frames": 4},
    "rf_detr_dinov2": {"num_windows": 1, "window_block_indexes": []},
    "lw_detr_vit": {"num_windows": 4, "num_windows_side": 2, "window_block_indices": [0]},
}
#: Keys that name stages or layers; without them the class counts itself.
DROPPED = ("out_features", "out_indices", "stage_names", "per_layer_config", "_attn_implementation_internal")
_FIRST = ("pixel_values", "pixel_values_videos", "hidden_states", "image", "flattened_patches")
_NOT_ALONE = {"input_ids", "labels", "decoder_input_ids", "mask_labels", "encoder_hidden_states"}


class Seen(NamedTuple):
    """The input of one attention: query, key [B, H, L, d], and what is added to its scores."""

    module: nn.Module
    query: Tensor
    key: Tensor
    added: Tensor | None


_seen: list[Seen] = []


def _write_down(
    module: nn.Module, query: Tensor, key: Tensor, value: Tensor, attention_mask: Any = None, **_: Any
) -> tuple[Tensor, None]:
    added = attention_mask if isinstance(attention_mask, Tensor) else None
    _seen.append(Seen(module, query.detach(), key.detach(), added))
    return torch.zeros(query.shape[0], query.shape[2], query.shape[1], value.shape[-1]), None


AttentionInterface.register("written_down", _write_down)


@cache
def towers() -> dict[str, Any]:
    """Return the class's own configuration of each type of tower, by ``model_type``."""
    found: dict[str, Any] = {}
    for name in sorted(CONFIG_MAPPING_NAMES):
        try:
            config = CONFIG_MAPPING[name]()
        except Exception:  # a class that needs keys, or a missing package, has no default
            continue
        for each in inner_configs(config):
            if each.model_type and re.search(r"'patch\w*_size", str(each.to_dict().keys())):
                found.setdefault(each.model_type, _own(each))
    return {name: found[name] for name in sorted(found) if classes(found[name])}


def _own(config: Any) -> Any:
    """Return the defaults of a configuration's class, because a larger model may give it other values."""
    try:
        return type(config)()
    except Exception:  # the class needs keys
        return config


def inner_configs(config: Any) -> Iterator[Any]:
    """Yield a configuration and all inside it."""
    yield config
    for each in vars(config).values():
        if isinstance(each, transformers.PreTrainedConfig):
            yield from inner_configs(each)


def classes(config: Any) -> list[Any]:
    """Return the models of a configuration that take only a picture, the shortest name first."""
    try:
        module = importlib.import_module(type(config).__module__.replace(".configuration_", ".modeling_"))
    except ImportError:
        return []
    kinds = [kind for kind in vars(module).values() if isinstance(kind, type)]
    own = [
        kind
        for kind in kinds
        if issubclass(kind, transformers.PreTrainedModel)
        and kind.config_class is type(config)
        and kind.__module__ == module.__name__
        and "forward" in vars(kind)
        and _takes_a_picture(kind)
    ]
    return sorted(own, key=lambda kind: len(kind.__name__))


def _takes_a_picture(kind: Any) -> bool:
    named = list(inspect.signature(kind.forward).parameters)[1:]
    if not named or named[0] not in _FIRST or _NOT_ALONE & set(named):
        return False
    return named[0] != "hidden_states" or "grid_thw" in named


def small(config: Any, grid: tuple[int, int] = GRID, more: Mapping[str, Any] | None = None) -> Any:
    """Return a configuration of the same type with narrow layers and a small picture of ``grid`` patches.

    If the file has one side of the picture, it is the width. Towers in stages are not made smaller. ``more``
    are other keys.
    """
    said = {key: value for key, value in config.to_dict().items() if key not in DROPPED}
    if isinstance(said.get("depths"), list):  # stages, each with its own heads and width
        return type(config)(**said)
    for key, value in said.items():
        if isinstance(value, int) and not isinstance(value, bool):
            said[key] = next((size for pattern, size in SIZES if re.search(pattern, key)), value)
        elif isinstance(value, list) and key in LISTS:
            said[key] = LISTS[key]

    said |= {**OWN.get(config.model_type, {}), **(more or {})}
    patch = sides(said.get("patch_size"))
    if patch and "pretrain_image_size" in said:  # of the table's picture, a square
        said["pretrain_image_size"] = grid[1] * patch[0]
    if patch and isinstance(said.get("image_size"), list) and "num_position_embeddings" in said:
        said["num_position_embeddings"] = grid[0] * grid[1]
    if patch and isinstance(said.get("image_size"), list):
        said["image_size"] = [grid[0] * patch[0], grid[1] * patch[1]]
    elif patch and isinstance(said.get("image_size"), int):
        said["image_size"] = grid[1] * patch[0]
    return type(config)(**said)


def sides(given: Any) -> tuple[int, int] | None:
    """Return a size as (down, across): a number is both; None for anything but one or two numbers."""
    pair = (given, given) if isinstance(given, int) else given
    fit = isinstance(pair, (list, tuple)) and len(pair) == 2 and all(isinstance(each, int) for each in pair)
    return (pair[0], pair[1]) if fit else None


def step(config: Any) -> tuple[int, int] | None:
    """Return the distance between the beginnings of patches in pixels: their size, if they do not overlap."""
    return sides(getattr(config, "patch_stride", None)) or sides(getattr(config, "patch_size", None))


def usual_grid(config: Any) -> tuple[int, int]:
    """Return how many patches down and across a configuration's usual picture has."""
    picture, patch = sides(getattr(config, "image_size", None)), step(config)
    return (picture[0] // patch[0], picture[1] // patch[1]) if picture and patch else GRID


def built(kind: Any, config: Any) -> nn.Module:
    """Return a model with random weights and random tables; MemoryError if it is not small."""
    with torch.device("meta"):
        numbers = sum(each.numel() for each in kind._from_config(copy.deepcopy(config)).parameters())
    if numbers > MOST:
        raise MemoryError(f"{numbers / 1e6:.0f} million parameters")
    torch.manual_seed(0)
    try:
        network = kind._from_config(copy.deepcopy(config), attn_implementation="written_down").eval()
    except KeyError:  # code that chooses its own attention by name
        network = kind._from_config(copy.deepcopy(config), attn_implementation="eager").eval()
    for _, table in tables(network):
        table.data = torch.randn_like(table) * 0.3
    return network


def tables(network: nn.Module) -> list[tuple[str, nn.Parameter]]:
    """Return the parameters that have names about positions."""
    about = re.compile(
        r"(^|[._])pos(ition|itional)?(?=[._]|_?emb)|relative|rel_pos|bias_table|cpb|row_embedder|column_embedder"
    )
    return [
        (name, each)
        for name, each in network.named_parameters()
        if about.search(name) and each.is_floating_point()
    ]


def picture(network: nn.Module, config: Any, grid: tuple[int, int]) -> dict[str, Any]:
    """Return the arguments that show the model a random picture of (height, width) patches."""
    named = list(inspect.signature(network.forward).parameters)
    height, width = grid
    down, across = step(config) or (16, 16)
    channels = next(
        (n for key in ("num_channels", "in_channels", "in_chans") if (n := getattr(config, key, None))), 3
    )
    frames = next(
        (n for key in ("temporal_patch_size", "patch_temporal") if (n := getattr(config, key, None))), 1
    )
    flat, first = channels * down * across, named[0]
    shape = torch.tensor([[1, height, width]])
    grids = next((each for each in named if each in ("grid_thw", "image_grid_thw")), None)
    if grids:
        pixels = (channels, down, across) if "kimi" in config.model_type else (frames * flat,)
        if config.model_type == "inkling2_vision":
            pixels = (down, across, channels)
        if "paddle" in config.model_type:
            pixels = (channels, down, across)
        given = {first: torch.randn(height * width, *pixels), grids: shape}
        if "paddle" in config.model_type:
            given[first] = given[first][None]
        return given | ({"merge_sizes": torch.tensor([1])} if "merge_sizes" in named else {})
    if "spatial_shapes" in named:
        there = torch.ones(1, height * width, dtype=torch.long)
        return {
            first: torch.randn(1, height * width, flat),
            "pixel_attention_mask": there,
            "spatial_shapes": shape[:, 1:],
        }
    if "pixel_position_ids" in named:  # (x, y), as its image processor gives them
        places = grid_positions(height, width).flip(-1)[None]
        return {first: torch.randn(1, height * width, flat), "pixel_position_ids": places}
    if config.model_type == "molmo2_vision":
        return {first: torch.randn(1, height * width, flat)}
    if first == "flattened_patches":  # the row and the column, from 1, before the pixels
        places, flat = grid_positions(height, width) + 1, config.patch_embed_hidden_size
        return {first: torch.cat((places, torch.randn(height * width, flat)), dim=-1)[None]}
    if "target_sizes" in named:
        return {first: torch.randn(1, channels, down, height * width * across), "target_sizes": shape[:, 1:]}
    given = {first: torch.randn(1, channels, height * down, width * across)}
    if config.model_type in ("videomae", "timesformer"):  # pictures one after another
        given[first] = given[first][:, None].repeat(1, config.num_frames, 1, 1, 1)
    if "noise" in named:  # by which patches are shuffled
        given["noise"] = torch.arange(height * width)[None].float()
    if first == "pixel_values_videos":
        given[first] = given[first][:, None].repeat(1, getattr(config, "num_frames", 2), 1, 1, 1)
    if "image_sizes" in named:
        given["image_sizes"] = torch.tensor([[height * down, width * across]])
    if "patch_attention_mask" in named:
        given["patch_attention_mask"] = torch.ones(1, height, width, dtype=torch.bool)
    if "interpolate_pos_encoding" in named and grid != usual_grid(config):
        given["interpolate_pos_encoding"] = True
    return given


def attended(network: nn.Module, given: dict[str, Any]) -> list[Seen]:
    """Return the input of each attention if its hidden states are the same at every place.

    The first run finds the attentions. Layers after the attentions may fail with zeros: such an error is
    ignored, but one before the attentions is raised.
    """
    _run(network, given)
    with _still({id(each.module): each.module for each in _seen}.values()):
        _run(network, given)
    return list(_seen)


def _run(network: nn.Module, given: dict[str, Any]) -> None:
    _seen.clear()
    try:
        with torch.no_grad():
            network(**given)
    except Exception:
        if not _seen:
            raise


@contextmanager
def _still(modules: Any) -> Iterator[None]:
    def same(x: Any) -> Any:
        if not isinstance(x, Tensor) or not x.is_floating_point() or x.ndim not in (2, 3, 4):
            return x
        vector = torch.randn(x.shape[-1], generator=torch.Generator().manual_seed(6))
        return vector.expand_as(x).contiguous()

    def before(module: nn.Module, args: Any, named: Any) -> Any:
        if args:
            args = (same(args[0]), *args[1:])
        if "hidden_states" in named:
            named = {**named, "hidden_states": same(named["hidden_states"])}
        return args, named

    hooks = [each.register_forward_pre_hook(before, with_kwargs=True) for each in modules]
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()
