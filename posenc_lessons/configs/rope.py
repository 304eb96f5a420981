"""Encodings for the settings of RoPE in a configuration, in the standard form of ``rope_parameters``."""

import math
from collections.abc import Mapping
from typing import Any

from posenc_lessons.configs.layers import Part
from posenc_lessons.encodings.arguments import number, whole_number
from posenc_lessons.encodings.context_extension import ContextExtension
from posenc_lessons.encodings.pairing import rotary_frequencies
from posenc_lessons.encodings.rotary import RotaryEncoding
from posenc_lessons.encodings.rotary_axes import MultiAxisRotary
from posenc_lessons.language import BilingualValueError

#: For each type the keys that it needs beside its name, and those that it may have.
_TYPES: Mapping[str, tuple[str, str]] = {
    "default": ("", ""),
    "linear": ("factor", ""),
    "dynamic": ("factor", ""),
    "yarn": ("factor", "attention_factor beta_fast beta_slow mscale mscale_all_dim truncate finetuned"),
    "llama3": ("factor low_freq_factor high_freq_factor original_max_position_embeddings", ""),
    "longrope": ("short_factor long_factor", "factor attention_factor"),
    "proportional": ("", "factor"),
}
_ALWAYS = (
    "rope_type type rope_theta partial_rotary_factor max_position_embeddings llama_4_scaling_beta"
    " original_max_position_embeddings mrope_section mrope_interleaved"
)
#: Other names of types in released files.
RENAMED = {"su": "longrope", "mrope": "default", "deepseek_yarn": "yarn"}


def kind_of(rope: Mapping[str, Any]) -> str:
    """Return the type of ``rope``, by its usual name."""
    kind = rope.get("rope_type") or rope.get("type") or "default"
    return RENAMED.get(str(kind), str(kind))


def unread_of_rope(rope: Mapping[str, Any]) -> list[str]:
    """Return the keys of ``rope``, or of those inside it, that its type does not read."""
    unread = []
    all_keys = " ".join((*_TYPES.get(kind_of(rope), ()), _ALWAYS)).split()
    for name, value in rope.items():
        if isinstance(value, Mapping):
            unread += [f"{name}.{inner}" for inner in unread_of_rope(value)]
        elif name not in all_keys and value is not None:
            unread.append(name)
    return unread


def check_numbers(rope: Mapping[str, Any]) -> None:
    """Raise ValueError for a base that is not above 1, and for other settings that are no numbers above 0."""
    for key in ("rope_theta", "partial_rotary_factor", "factor"):
        if rope.get(key) is not None:
            number(key, rope[key], above=1 if key == "rope_theta" else 0)


def extension_of(rope: Mapping[str, Any], longest: int | None) -> ContextExtension | None:
    """Return the extension that ``rope`` describes; ``longest`` is ``max_position_embeddings``.

    Raises:
        ValueError: an unknown type, or a key that its type needs and that is missing.
    """
    kind = kind_of(rope)
    if kind not in _TYPES:
        names = ", ".join(_TYPES)
        raise BilingualValueError(
            f"rope_type 只能是 {names} 之一，收到 {kind!r}", f"rope_type must be one of {names}; got {kind!r}"
        )
    for key in _TYPES[kind][0].split():
        if rope.get(key) is None:
            raise BilingualValueError(
                f"rope_type 是 {kind!r}，却没有 {key}", f"rope_type is {kind!r}, but {key} is missing"
            )
    for key in ("attention_factor", "mscale", "mscale_all_dim", "beta_slow", "beta_fast"):
        if rope.get(key) is not None:
            number(key, rope[key], least=0)
    factor = number("factor", rope["factor"], least=1) if rope.get("factor") is not None else 1.0
    if kind == "default" or (kind == "proportional" and factor == 1):
        return None
    trained = rope.get("original_max_position_embeddings") or longest
    if kind in ("linear", "dynamic", "proportional"):
        trained = longest
    original = whole_number("original_max_position_embeddings", trained, 1)
    method: Any = "linear" if kind == "proportional" else kind
    scale = rope.get("attention_factor") if kind in ("yarn", "longrope") else None
    settings: dict[str, Any] = {}
    if kind == "longrope":
        if rope.get("factor") is None:
            factor = max(1.0, whole_number("max_position_embeddings", longest or original, 1) / original)
        settings = {"short_factors": rope["short_factor"], "long_factors": rope["long_factor"]}
    elif kind == "llama3":
        settings = {"slow": rope["low_freq_factor"], "fast": rope["high_freq_factor"]}
    elif kind == "yarn":
        one, all_dim, growth = rope.get("mscale"), rope.get("mscale_all_dim"), 0.1 * math.log(factor)
        if scale is None and one and all_dim:
            scale = (one * growth + 1) / (all_dim * growth + 1)
        slow, fast = (float(rope[key]) if rope.get(key) else None for key in ("beta_slow", "beta_fast"))
        settings = {"slow": slow, "fast": fast, "truncate": rope.get("truncate", True)}
    return ContextExtension(method, factor, original, attention_scale=scale, **settings)


def rotary_part(
    rope: Mapping[str, Any], longest: int | None, width: int, pairing: Any, rotary_dim: int
) -> Part:
    """Return the arguments of a ``RotaryEncoding`` (or M-RoPE) of heads with ``width`` features."""
    settings: dict[str, Any] = {
        "d_head": width,
        "base": float(rope.get("rope_theta") or 10000.0),
        "pairing": pairing,
        "rotary_dim": rotary_dim,
        "extension": extension_of(rope, longest),
    }
    if rope.get("mrope_section"):
        layout = "interleaved" if rope.get("mrope_interleaved") else "contiguous"
        return Part(MultiAxisRotary, {**settings, "sections": tuple(rope["mrope_section"]), "layout": layout})
    if kind_of(rope) == "proportional":
        turning = int(float(rope.get("partial_rotary_factor") or 1.0) * width // 2)
        return Part(RotaryEncoding, {**settings, "rotary_dim": width, "turning_pairs": turning})
    return Part(RotaryEncoding, {**settings, "turning_pairs": None})


def rates(part: Part) -> tuple[float, ...]:
    """Return the frequencies of a rotary encoding with these settings, fastest first; 0 for pairs at rest."""
    width, base, extension = (part.settings[key] for key in ("rotary_dim", "base", "extension"))
    own = extension.frequencies(width, base)[0] if extension is not None else rotary_frequencies(width, base)
    turning = part.settings.get("turning_pairs")
    return tuple(rate if turning is None or pair < turning else 0.0 for pair, rate in enumerate(own.tolist()))
