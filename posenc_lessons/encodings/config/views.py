"""Read how far each layer of a model sees: all tokens, a window of them, or its chunk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from posenc_lessons.encodings.config.families import Family
from posenc_lessons.encodings.config.keys import Keys, whole_up_to
from posenc_lessons.language import BilingualValueError

Sees = Literal["whole", "sliding", "both_sides", "chunked"]


class View(NamedTuple):
    """How far a layer sees.

    sees: "whole" is the whole text; "sliding", the last ``window`` tokens; "both_sides", ``window`` tokens
    before and as many after; "chunked", the chunk of ``window`` tokens that a token is in.
    """

    sees: Sees = "whole"
    window: int | None = None


def views(keys: Keys, family: Family, types: Sequence[str]) -> list[View]:
    """Return the view of each layer, whose types are ``types``."""
    sizes = {layer_type: _size(keys, family, name) for layer_type, name in family.windows.items()}
    own = _own_windows(keys, len(types)) if "per_layer_config" in family.reads else {}
    found = []
    for layer, layer_type in enumerate(types):
        size = own[layer] if layer in own else sizes.get(layer_type)
        if isinstance(size, list):
            size = _of_layer(keys.where + family.windows[layer_type], size, layer, len(types))
        found.append(_view(family, layer_type, size))
    return found


def _view(family: Family, layer_type: str, window: int | None) -> View:
    if window is None:
        return View()
    if layer_type.startswith("chunked"):
        return View("chunked", window)
    return View("both_sides" if family.both_sides else "sliding", window // 2 if family.halved else window)


def _size(keys: Keys, family: Family, name: str) -> Any:
    """Return the size of windows: a number, a list of one for each layer, or None."""
    size = keys.said(name)
    if not name.endswith("chunk_size"):
        said = keys.flag("use_sliding_window", False) if family.upper or family.by_rope else None
        if said is False or keys.said("use_sliding_window") is False:
            return None
    if isinstance(size, list):
        return size
    return keys.whole(name) if size else None  # 0 is what some files have for none


def _of_layer(name: str, sizes: list[Any], layer: int, layers: int) -> int:
    """Return the layer's own size from a list, as Longformer has it."""
    if len(sizes) != layers:
        raise BilingualValueError(
            f"{name} 有 {len(sizes)} 项，而模型有 {layers} 层：每层一项",
            f"{name} has {len(sizes)} entries and the model {layers} layers: there must be one for each",
        )
    return whole_up_to(f"{name}[{layer}]", sizes[layer])


def _own_windows(keys: Keys, layers: int) -> dict[int, int | None]:
    """Return the windows that ``per_layer_config`` gives to some of the layers."""
    given = keys.said("per_layer_config")
    if not given:
        return {}
    found = {}
    for number, settings in Keys(given, f"{keys.where}per_layer_config.").by_number(layers).items():
        if "sliding_window" in settings:
            own = Keys(settings, f"{keys.where}per_layer_config.{number}.")
            found[number] = own.whole("sliding_window") if own.said("sliding_window") else None
    return found
