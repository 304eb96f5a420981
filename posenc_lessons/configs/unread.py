"""Find the keys of a file that change nothing: neither the class nor the model's code reads them.

The names that the code asks a configuration for are recorded while the small model is built and runs. A key
counts as read if its name is among them, or if another value of it changes what the code is given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields
from typing import Any

from transformers.configuration_utils import PreTrainedConfig
from transformers.generation.configuration_utils import GenerationConfig

from posenc_lessons.configs.files import about_positions
from posenc_lessons.configs.rope import ALWAYS, MAY_HAVE, NEEDS, RENAMED
from posenc_lessons.configs.small import attribute

#: Keys that tell of the file and of training, not of the model.
_GENERAL = {
    *(field.name for field in fields(PreTrainedConfig)),
    *GenerationConfig._get_default_generation_params(),
    *(
        "model_type",
        "auto_map",
        "torch_dtype",
        "transformers_version",
        "_name_or_path",
        "name_or_path",
        "num_labels",
    ),
    *("quantization_config", "output_attentions", "use_cache", "initializer_range", "layer_types_comment"),
    *(
        "pretraining_tp",
        "attn_implementation",
        "_attn_implementation",
        "_commit_hash",
        "is_decoder",
        "pruned_heads",
    ),
}


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
    file: Mapping[str, Any], make: Callable[[Mapping[str, Any]], Any], text: Any, asked: set[str]
) -> tuple[list[str], list[str]]:
    """Return keys that neither the class nor the code reads, and keys about positions without effect here.

    Args:
        file: the whole file. make: returns the text model's configuration of a file. text: that of ``file``.
        asked: the names that were recorded.
    """
    inner = inner_name(file, text)
    unread, idle = _unread_of(file, make, text, asked, outside=inner is not None)
    if inner is not None:

        def make_inner(keys: Mapping[str, Any]) -> Any:
            return make({**file, inner: keys})

        more, more_idle = _unread_of(file[inner], make_inner, text, asked, outside=False)
        unread += [f"{inner}.{key}" for key in more]
        idle += [f"{inner}.{key}" for key in more_idle]
    return unread, idle


def inner_name(file: Mapping[str, Any], text: Any) -> str | None:
    """Return the key under which ``file`` has its text model; None if it is a text model's own file."""
    inner = [name for name, value in file.items() if isinstance(value, Mapping) and name.endswith("config")]
    same = [name for name in inner if file[name].get("model_type") == text.model_type]
    known = [name for name in ("text_config", "llm_config", "language_config") if name in inner]
    return next(iter((*same, *known)), None) if file.get("model_type") != text.model_type else None


def _unread_of(
    keys: Mapping[str, Any],
    make: Callable[[Mapping[str, Any]], Any],
    text: Any,
    asked: set[str],
    outside: bool,
) -> tuple[list[str], list[str]]:
    """Return the unread keys of one level of a file, and those without effect.

    ``outside`` is True for the level of a larger model around the text model.
    """
    declared = set() if outside else {field.name for field in fields(type(text))} | set(text.attribute_map)
    seen = _given(text, asked)
    unread: list[str] = []
    idle: list[str] = []
    for key, value in keys.items():
        about = about_positions(key)
        if key in _GENERAL or value is None or (isinstance(value, Mapping) and key.endswith("config")):
            continue
        is_rope = key in ("rope_scaling", "rope_parameters") and isinstance(value, Mapping)
        if is_rope and not outside and hasattr(text, "rope_parameters"):
            unread += [f"{key}.{name}" for name in _unread_of_rope(value)]
            continue
        ropes = [keys.get(name) for name in ("rope_parameters", "rope_scaling")]
        if any(isinstance(rope, Mapping) and rope.get(key) == value for rope in ropes):
            continue  # said twice, and the same
        if (outside or key in declared or key in asked) and not about:
            continue  # of the larger model's other parts, or read by the class or the code
        if not _changes(keys, key, value, make, seen, asked):
            (idle if key in declared else unread).append(key)
    return unread, idle


def _unread_of_rope(rope: Mapping[str, Any]) -> list[str]:
    kind = rope.get("rope_type") or rope.get("type") or "default"
    kind = RENAMED.get(str(kind), kind)
    known = {*ALWAYS, *NEEDS.get(str(kind), ()), *MAY_HAVE.get(str(kind), ())}
    unread = []
    for name, value in rope.items():
        if isinstance(value, Mapping):
            unread += [f"{name}.{inner}" for inner in _unread_of_rope(value)]
        elif name not in known and value is not None:
            unread.append(name)
    return unread


def _given(text: Any, asked: set[str]) -> dict[str, str]:
    """Return what the code is given: the values of all names it asks for."""
    found = {}
    for name in asked:
        value = None if name.startswith("__") else attribute(text, name)
        if value is not None and not callable(value):
            found[name] = repr(value)
    return found


def _changes(
    keys: Mapping[str, Any], key: str, value: Any, make: Any, seen: Mapping[str, str], asked: set[str]
) -> bool:
    """Return whether another value of ``key`` changes what the code is given."""
    for other in _others(value):
        try:
            changed = _given(make({**keys, key: other}), asked)
        except Exception:
            return True
        if any(changed.get(name) != value for name, value in seen.items() if name != key or key in seen):
            return True
    return False


def _others(value: Any) -> list[Any]:
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, 2 * value + 2]
    if isinstance(value, float):
        return [2.0 * value + 1.0, value / 2]
    if isinstance(value, str):
        return [value + "x", value[1:] + value[:1]]
    if isinstance(value, list):
        return [value[1:] + value[:1], value[:-1]]
    return [None]
