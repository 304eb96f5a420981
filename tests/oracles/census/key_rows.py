"""Make the part of a row about keys: a class's own values, keys that are read, and unexplained keys."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import Any

from tests.oracles.census.experiments import Asked, words
from tests.oracles.census.folders import MODELS

Row = dict[str, Any]

_POSITIONS = re.compile(
    r"rope|rotary|position|alibi|relative|theta|partial|yarn|ntk|mscale|sliding|window|layer_types"
    r"|per_layer_config|global_head_dim|chunk_size$|attn_temperature|floor_scale|attn_scale$|^attn_factor|no_rope"
)
#: Keys that attentions read but that change no score, or that our reader reads.
_EXPLAINED = re.compile(
    r"hidden|heads?$|head_dim|bias$|drop|eps(ilon)?$|logits?_|types?$|implementation|is_decoder|cache|rank$|initializer|init_"
    r"|d_model|n_embd|pretraining|dtype|device|gradient|norm$|use_qk|num_|layer_idx|token_id|head_size|embed_dim|max_seq"
    r"|^d_|_dim$|^dim$|cross|encoder|decoder|rms|bidirectional|model_type|scale_attn|reorder|fuse|conv|expand|group|gating|output|chunk_size_feed"
)


def keys_row(ask: Asked, text: Any, folder: str, row: Row) -> Row:
    """Return the class's own values of keys, the keys that are not read, and unexplained keys."""
    said = text.to_dict()
    missing = dict(row.get("missing", {}))
    for name in (
        "head_dim",
        "qk_rope_head_dim",
        *row.get("windows", {}).values(),
        "max_position_embeddings",
        "max_window_layers",
        "pad_token_id",
        "num_attention_heads",
        "rope_interleave",
        "use_sliding_window",
        "original_max_position_embeddings",
    ):
        value = said.get(name)
        if (
            name in ("pad_token_id", "num_attention_heads")
            and row["kind"] != "learned"
            and (name[0] == "p" or not row.get("inner"))
        ):
            continue
        if name == "head_dim" and row.get("head"):
            continue
        if value is not None and not (name == "head_dim" and _derived(ask, said)):
            missing[name] = value
    for name in ("attn_temperature_tuning", "attn_scale", "floor_scale"):
        if "attn_temperature_tuning" in said:
            missing[name] = said[name]
    read = reads(folder)
    known = {name for name in (*said, *words(ask.kind)) if _POSITIONS.search(name)}
    unexplained = {
        name: _neutral(name, said[name])
        for name in sorted(read["attention"])
        if name in said
        and not _EXPLAINED.search(name)
        and not _POSITIONS.search(name)
        and said[name] is not None
    }
    return {
        "missing": missing,
        "ignored": sorted(each for each in known - read["all"] if each in said or each in _FILE_KEYS),
        "unexplained": unexplained,
        "reads": sorted(name for name in read["all"] if _POSITIONS.search(name) and name in said),
    }


_FILE_KEYS = {"no_rope_layer_interval", "max_window_layers"}


def _neutral(name: str, value: Any) -> Any:
    """Return the value of ``name`` that has no effect: 1 for factors, null or false for others."""
    return 1.0 if re.search("multiplier|scale", name) else False if isinstance(value, bool) else None


def _derived(ask: Asked, said: Mapping[str, Any]) -> bool:
    """Return whether the class computes head_dim from the other sizes."""
    width = said.get("hidden_size")
    if not isinstance(width, int):
        return False
    wider = ask(hidden_size=2 * width)
    return wider is None or wider.get("head_dim") != said["head_dim"]


def reads(folder: str) -> dict[str, set[str]]:
    """Return the keys that a folder's models read from ``config``: those of attention classes, and all."""
    found: dict[str, set[str]] = {"attention": set(), "all": set()}
    for path in (MODELS / folder).glob("modeling_*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.ClassDef):
                continue
            names = {_config_key(each) for each in ast.walk(node)} - {None}
            found["all"] |= names  # type: ignore[arg-type]
            if re.search("Attention|Attn", node.name) and not re.search(
                "Vision|Audio|Image|Linear", node.name
            ):
                found["attention"] |= names  # type: ignore[arg-type]
    return found


def _config_key(node: ast.AST) -> str | None:
    """Return ``key`` of ``config.key``, ``self.config.key`` or ``getattr(config, "key", …)``."""
    if isinstance(node, ast.Attribute):
        value = node.value
        if (isinstance(value, ast.Name) and value.id == "config") or (
            isinstance(value, ast.Attribute) and value.attr == "config"
        ):
            return node.attr
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id != "getattr":
        return None
    named = len(node.args) > 1 and isinstance(node.args[1], ast.Constant)
    return str(node.args[1].value) if named else None  # type: ignore[attr-defined]
