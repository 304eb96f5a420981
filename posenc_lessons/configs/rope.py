"""Encodings for the settings of RoPE in a configuration, in the standard form of ``rope_parameters``."""

from __future__ import annotations

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

ROPE_TYPES = ("default", "linear", "dynamic", "yarn", "llama3", "longrope", "proportional")
#: Keys that each type needs beside its name, and those that it may have.
NEEDS: Mapping[str, tuple[str, ...]] = {
    "linear": ("factor",),
    "dynamic": ("factor",),
    "yarn": ("factor",),
    "llama3": ("factor", "low_freq_factor", "high_freq_factor", "original_max_position_embeddings"),
    "longrope": ("short_factor", "long_factor"),
}
MAY_HAVE: Mapping[str, tuple[str, ...]] = {
    "yarn": (
        "original_max_position_embeddings",
        "attention_factor",
        "beta_fast",
        "beta_slow",
        "mscale",
        "mscale_all_dim",
        "truncate",
        "finetuned",
    ),
    "longrope": ("factor", "attention_factor", "original_max_position_embeddings"),
    "proportional": ("factor",),
}
ALWAYS = (
    "rope_type",
    "type",
    "rope_theta",
    "partial_rotary_factor",
    "max_position_embeddings",
    "llama_4_scaling_beta",
    "original_max_position_embeddings",
    "mrope_section",
    "mrope_interleaved",
)
#: Other names of types in released files.
RENAMED = {"su": "longrope", "mrope": "default", "deepseek_yarn": "yarn"}


def extension_of(rope: Mapping[str, Any], longest: int | None) -> ContextExtension | None:
    """Return the extension that ``rope`` describes; ``longest`` is ``max_position_embeddings``.

    Raises:
        ValueError: an unknown type, or a key that its type needs and that is missing.
    """
    kind = rope.get("rope_type") or rope.get("type") or "default"
    kind = RENAMED.get(kind, kind) if isinstance(kind, str) else kind
    if kind not in ROPE_TYPES:
        raise BilingualValueError(
            f"rope_type 只能是 {', '.join(ROPE_TYPES)} 之一，收到 {kind!r}",
            f"rope_type must be one of {', '.join(ROPE_TYPES)}; got {kind!r}",
        )
    for key in NEEDS.get(kind, ()):
        if rope.get(key) is None:
            raise BilingualValueError(
                f"rope_type 是 {kind!r}，却没有 {key}", f"rope_type is {kind!r}, but {key} is missing"
            )
    if kind == "default":
        return None
    for key in ("attention_factor", "mscale", "mscale_all_dim", "beta_slow", "beta_fast"):
        if rope.get(key) is not None:
            number(key, rope[key], least=0)
    factor = number("factor", rope["factor"], least=1) if rope.get("factor") is not None else None
    trained = rope.get("original_max_position_embeddings") or longest
    if kind in ("linear", "dynamic", "proportional"):
        trained = longest
    original = whole_number("original_max_position_embeddings", trained, 1)
    if kind == "proportional":
        return ContextExtension("linear", factor, original) if factor and factor > 1 else None
    if kind == "longrope":
        stretch = factor if factor is not None else (longest or original) / original
        return ContextExtension(
            "longrope",
            max(1.0, stretch),
            original,
            attention_scale=rope.get("attention_factor"),
            short_factors=rope["short_factor"],
            long_factors=rope["long_factor"],
        )
    assert factor is not None
    if kind == "llama3":
        slow, fast = rope["low_freq_factor"], rope["high_freq_factor"]
        return ContextExtension("llama3", factor, original, slow=slow, fast=fast)
    if kind == "yarn":
        return _yarn(rope, factor, original)
    return ContextExtension(kind, factor, original)  # type: ignore[arg-type]


def _yarn(rope: Mapping[str, Any], factor: float, original: int) -> ContextExtension:
    scale, one, all_dim = (rope.get(key) for key in ("attention_factor", "mscale", "mscale_all_dim"))
    if scale is None and one and all_dim:
        scale = (
            (0.1 * one * math.log(factor) + 1) / (0.1 * all_dim * math.log(factor) + 1) if factor > 1 else 1.0
        )
    truncate = rope.get("truncate", True)
    slow, fast = (float(rope[key]) if rope.get(key) else None for key in ("beta_slow", "beta_fast"))
    return ContextExtension(
        "yarn", factor, original, slow=slow, fast=fast, truncate=truncate, attention_scale=scale
    )


def rotary_part(
    rope: Mapping[str, Any],
    longest: int | None,
    width: int,
    pairing: Any,
    rotary_dim: int,
    base: float | None = None,
) -> Part:
    """Return the arguments of a ``RotaryEncoding`` (or M-RoPE) of heads with ``width`` features."""
    base = float(rope.get("rope_theta") or base or 10000.0)
    settings: dict[str, Any] = {
        "d_head": width,
        "base": base,
        "pairing": pairing,
        "rotary_dim": rotary_dim,
        "extension": extension_of(rope, longest),
    }
    if rope.get("mrope_section"):
        layout = "interleaved" if rope.get("mrope_interleaved") else "contiguous"
        return Part(MultiAxisRotary, {**settings, "sections": tuple(rope["mrope_section"]), "layout": layout})
    if rope.get("rope_type") == "proportional":
        share = float(rope.get("partial_rotary_factor") or 1.0)
        return Part(
            RotaryEncoding, {**settings, "rotary_dim": width, "turning_pairs": int(share * width // 2)}
        )
    return Part(RotaryEncoding, {**settings, "turning_pairs": None})


def rates(part: Part) -> tuple[float, ...]:
    """Return the frequencies of a rotary encoding with these settings, fastest first; 0 for pairs at rest."""
    width, base, extension = (part.settings[key] for key in ("rotary_dim", "base", "extension"))
    own = extension.frequencies(width, base)[0] if extension is not None else rotary_frequencies(width, base)
    turning = part.settings.get("turning_pairs")
    return tuple(rate if turning is None or pair < turning else 0.0 for pair, rate in enumerate(own.tolist()))
