"""Make the error for a model type that is not known: it says what could be read, and what to do."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import takewhile
from typing import Any

from posenc_lessons.configs.files import about_positions, printable
from posenc_lessons.language import BilingualValueError, Text

#: What makes any type of transformers known.
INSTALL = "pip install 'posenc-lessons[models]'"
LIKE = Text(
    '如果它的代码和某个模型一样，请指明：like="llama"（命令行是 --like llama）',
    'If its code is like another model\'s, say so: like="llama" (--like llama)',
)
_MOST = 12
_SIZES = (
    "hidden_size",
    "d_model",
    "n_embd",
    "num_attention_heads",
    "n_head",
    "head_dim",
    "num_hidden_layers",
    "n_layer",
)


def unknown_type(
    keys: Mapping[str, Any], known: Collection[str], where: Text, install: str = ""
) -> BilingualValueError:
    """Return the error for the type of ``keys``, which ``where`` does not have among its ``known`` ones."""
    name = printable(str(keys["model_type"]))[:100]
    near = near_names(name, known) or ["llama"]
    readable = "; ".join(found_keys(keys)) or "—"
    own_zh = own_en = ""
    if "auto_map" in keys:
        own_zh = "auto_map 指的是别人的代码，这里从不运行。"
        own_en = " auto_map names other people's code, which is never run here."
    if install:
        own_zh += f"装上 transformers 就能量任何一种：{install}。"
        own_en += f" With transformers any type can be measured: {install}."
    return BilingualValueError(
        f"model_type {name!r} 不在 {where.zh} 里（{len(known)} 种），它的代码怎样放位置，文件里没有写，"
        f"这里也不猜。{own_zh}文件里读得到的：{readable}。{LIKE.zh}；名字相近的有：{', '.join(near)}",
        f"model_type {name!r} is not in {where.en}, which has {len(known)}: how its code places positions is"
        f" not in the file and is not guessed.{own_en} What could be read: {readable}. {LIKE.en}; names close"
        f" to it: {', '.join(near)}",
    )


def near_names(wanted: str, names: Collection[str]) -> list[str]:
    """Return up to three names that begin as ``wanted`` does, the longest common beginning first."""
    shared = {name: _shared(name, wanted.lower()) for name in names}
    near = (name for name, length in shared.items() if length >= 3)
    return sorted(near, key=lambda name: (-shared[name], len(name), name))[:3]


def _shared(one: str, other: str) -> int:
    """Return how many letters at their beginning two names share."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def found_keys(keys: Mapping[str, Any], where: str = "") -> list[str]:
    """Return keys about positions with their values, also those of a ``text_config``."""
    found = []
    for key, value in keys.items():
        if value is not None and (about_positions(key) or key in _SIZES):
            text = repr(value)
            found.append(printable(f"{where}{key} = {text if len(text) <= 60 else text[:57] + '…'}"))
    inner = keys.get("text_config")
    if isinstance(inner, Mapping) and not where:
        found += found_keys(inner, "text_config.")
    return found[:_MOST]
