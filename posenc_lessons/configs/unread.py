"""Find the keys of a file that change nothing: neither the class nor the model's code reads them.

The names that the code asks a configuration for are recorded while the small model is built and runs. A key
counts as read if its name is among them, or if another value of it changes what the code is given.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from typing import Any

from transformers.configuration_utils import PreTrainedConfig
from transformers.generation.configuration_utils import GenerationConfig

from posenc_lessons.configs.files import about_positions, ropes_in
from posenc_lessons.configs.layers import Layer
from posenc_lessons.configs.network import Network
from posenc_lessons.configs.rope import unread_of_rope
from posenc_lessons.configs.small import attribute, full_config, text_of

#: Keys that tell of the file and of training, not of the model.
_GENERAL = {field.name for field in fields(PreTrainedConfig)}
_GENERAL |= set(GenerationConfig._get_default_generation_params())
_OF_THE_FILE = re.compile(
    r"^(model_type|auto_map|(torch_)?dtype|transformers_version|_?name_or_path|num_labels|quantization_config"
    r"|output_attentions|use_cache|initializer_range|layer_types_comment|pretraining_tp|_?attn_implementation"
    r"|_commit_hash|is_decoder|pruned_heads)$"
)


@contextmanager
def recorded() -> Iterator[set[str]]:
    """Record the names of all attributes that any configuration is asked for."""
    names: set[str] = set()
    original = PreTrainedConfig.__getattribute__

    def noting(self: Any, name: str) -> Any:
        names.add(name)
        return original(self, name)

    PreTrainedConfig.__getattribute__ = noting
    try:
        yield names
    finally:
        PreTrainedConfig.__getattribute__ = original


def unread_keys(
    file: Mapping[str, Any], text: Any, names: set[str], network: Network, layers: Sequence[Layer]
) -> tuple[list[str], list[str]]:
    """Return keys that neither the class nor the code reads, and keys about positions without effect here.

    Args:
        file: the whole file. text: the configuration of its text model. names: those that the code asked for.
        network, layers: what was measured.
    """
    values = _given(text, names)
    declared = {field.name for field in fields(type(text))} | set(text.attribute_map)
    unread: list[str] = []
    idle: list[str] = []
    inner = _inner_name(file, text)
    for where, keys in (("", file), *([] if inner is None else [(inner, file[inner])])):
        around = inner is not None and not where  # the level of a larger model around the text model
        ropes = ropes_in(keys)
        for key, value in keys.items():
            path = f"{where}.{key}" if where else key
            inside = isinstance(value, Mapping) and key.endswith("config")
            if key in _GENERAL or _OF_THE_FILE.search(key) or value is None or inside:
                continue
            if key in ropes and not around and hasattr(text, "rope_parameters"):
                unread += [f"{path}.{name}" for name in unread_of_rope(value)]
            elif any(rope.get(key) == value for rope in ropes.values()):
                continue  # said twice, and the same
            elif not about_positions(key) and (around or key in declared or key in names):
                continue  # of the larger model's other parts, or read by the class or the code
            elif not _changes(file, where, key, values) or (
                not around and _in_vain(key, value, network, layers)
            ):
                (idle if key in declared and not around else unread).append(path)
    return unread, idle


def _inner_name(file: Mapping[str, Any], text: Any) -> str | None:
    """Return the key under which ``file`` has its text model; None if it is a text model's own file."""
    inner = [name for name, value in file.items() if isinstance(value, Mapping) and name.endswith("config")]
    same = [name for name in inner if file[name].get("model_type") == text.model_type]
    usual = [name for name in ("text_config", "llm_config", "language_config") if name in inner]
    return next(iter((*same, *usual)), None) if file.get("model_type") != text.model_type else None


def _in_vain(key: str, value: Any, network: Network, layers: Sequence[Layer]) -> bool:
    """Return whether ``key`` sets a window that no layer has, or a share that no rotation has."""
    sizes = [size for name, size in network.small.windows.values() if name == key]
    if sizes:
        near = {size + more for size in sizes for more in (0, 1, -1)} | {size // 2 for size in sizes}
        return near.isdisjoint(layer.window for layer in layers)
    turned = {rotation.features for layer in layers for rotation in layer.rotations if not rotation.start}
    if key != "partial_rotary_factor" or not turned:
        return False
    features = (network.features(number, network.positions) for number in range(len(layers)))
    widths = {queries.shape[-1] for queries in features if queries is not None}
    return not any(abs(int(width * value) - count) <= 1 for width in widths for count in turned)


def _given(text: Any, names: set[str]) -> dict[str, str]:
    """Return what the code is given: the values of all names it asks for."""
    values = {name: attribute(text, name) for name in names if not name.startswith("__")}
    return {name: repr(value) for name, value in values.items() if value is not None and not callable(value)}


def _changes(file: Mapping[str, Any], where: str, key: str, values: Mapping[str, str]) -> bool:
    """Return whether another value of ``key``, at the level ``where``, changes what the code is given."""
    keys = file[where] if where else file
    for other in _others(keys[key]):
        changed = {**keys, key: other}
        try:
            text = text_of(full_config({**file, where: changed} if where else changed))
        except Exception:  # the class refuses it, so it reads it
            return True
        if _given(text, set(values)) != values:
            return True
    return False


def _others(value: Any) -> list[Any]:
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, (int, float)):
        return [value + 1, 2 * value + 2, value / 2 if isinstance(value, float) else 0]
    if isinstance(value, str):
        return [value + "x", value[1:]]
    if isinstance(value, list):
        return [value[::-1], value[:-1]]
    return [None]
