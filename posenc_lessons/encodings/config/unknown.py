"""Make the error for a model that is not in the table: it says what could be read, and what to do."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import takewhile
from typing import Any

from posenc_lessons.encodings.config.families import Family, families
from posenc_lessons.encodings.config.keys import printable
from posenc_lessons.language import BilingualValueError

_WORTH_TELLING = re.compile(
    r"rope|rotary|theta|position|alibi|relative|partial|sliding|window|layer_types|hidden_size$|d_model|n_embd"
    r"|image_size|patch_size|num_patches|attention_heads|n_head|head_dim|num_hidden_layers|num_layers|n_layer"
)
_MOST = 12


def unknown_model(
    config: Mapping[str, Any], name: Any, like: str | None, family: Family | None = None
) -> BilingualValueError:
    """Return the error for a ``model_type`` that is not in the table, or a ``like`` that is not.

    The error says which keys about positions the file has, and which models in the table have similar names.
    """
    table = families()
    wanted = name if like is None else like
    near = near_names(str(wanted), table)
    for_example = ", ".join(near or ["llama"])
    if like is not None:
        return BilingualValueError(
            f"like={printable(like)!r} 不在表里；名字相近的有：{for_example}",
            f"like={printable(like)!r} is not in the table; names close to it: {for_example}",
        )
    if family is not None:
        return BilingualValueError(
            f"{family.source} 的小模型没能造出来（{family.error}），所以不知道它怎样放位置。"
            f'如果它和某个模型一样，请写 like="llama"（命令行是 --like llama）',
            f"no small model of {family.source} could be built ({family.error}), so how it places"
            f" positions is"
            f' not known. If its code is like another model\'s, say so: like="llama" (--like llama)',
        )
    shown = printable(repr(name))
    told = "; ".join(found_keys(config)) or "—"
    return BilingualValueError(
        f"model_type {shown} 不在表里（{len(table)} 种），它的代码怎样放位置，文件里没有写，这里也不猜。"
        f"文件里读得到的：{told}。如果它的代码和某个模型一样，请指明："
        f'like="llama"（命令行是 --like llama）；名字相近的有：{for_example}',
        f"model_type {shown} is not in the table of {len(table)}: how its code places positions is not in the"
        f" file and is not guessed. What could be read: {told}. If its code is like another model's, say so:"
        f' like="llama" (--like llama); names close to it: {for_example}',
    )


def near_names(wanted: str, names: Iterable[str]) -> list[str]:
    """Return up to three names that begin as ``wanted`` does, the longest common beginning first."""
    shared = {name: _shared(name, wanted.lower()) for name in names}
    near = (name for name, length in shared.items() if length >= 3)
    return sorted(near, key=lambda name: (-shared[name], len(name), name))[:3]


def _shared(one: str, other: str) -> int:
    """Return how many letters at their beginning two names share."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def found_keys(config: Any, where: str = "") -> list[str]:
    """Return keys about positions with their values, also those of a ``text_config``."""
    if not isinstance(config, Mapping):
        return []
    found = []
    for key, value in config.items():
        if isinstance(key, str) and value is not None and _WORTH_TELLING.search(key):
            text = repr(value)
            found.append(printable(f"{where}{key} = {text if len(text) <= 60 else text[:57] + '…'}"))
    if isinstance(inner := config.get("text_config"), Mapping):
        found += found_keys(inner, f"{where}text_config.")
    return found[:_MOST]
