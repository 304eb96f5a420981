"""Read the vision tower of a configuration: how its patches know their places in the picture.

Each row was read in the code of transformers 5.23.0 and is held against its modules in the oracles.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from posenc_lessons.encodings.arguments import whole_number
from posenc_lessons.encodings.config.keys import Keys, printable, same_or_refuse
from posenc_lessons.encodings.config.layers import LayerPositions
from posenc_lessons.encodings.learned import LearnedEncoding
from posenc_lessons.encodings.rotary_axes import AxialRotary
from posenc_lessons.language import BilingualValueError, Text

_SIZES = ("hidden_size", "num_attention_heads", "num_hidden_layers")
_OTHERS = ("hidden_size", "num_heads", "depth")


@dataclass(frozen=True)
class Tower:
    """How to read the configurations of a vision ``model_type``.

    Attributes:
        folder: the folder of ``transformers/models`` that this is about.
        kind: "axial", rotation by row and column; "table", a learned table added to the patches.
        sizes: the keys of its width, heads and layers.
        missing: the code's values for keys that are not in the file.
        alternate: whether the frequencies of one RoPE are dealt to the axes in turn.
        special: rows of the table before those of the patches.
        reads: other keys about positions that the code reads.
        remarks: what else a reader should know.
    """

    folder: str
    kind: Literal["axial", "table"]
    sizes: tuple[str, str, str]
    missing: Mapping[str, Any]
    alternate: bool = False
    special: int = 0
    reads: tuple[str, ...] = ()
    remarks: tuple[Text, ...] = field(default=())

    @property
    def source(self) -> str:
        """The folder of the code that this row was read from."""
        return f"transformers/models/{self.folder}"


_WINDOWS = Text(
    "fullatt_block_indexes 以外的层，词元只看得见同一个窗口里的词元（窗口边长 window_size 个像素）",
    "in layers outside fullatt_block_indexes tokens see those of the same window only, window_size pixels"
    " wide",
)
_TABLE_TOO = Text(
    "嵌入另外加上一张学到的位置表，随图的大小插值",
    "a learned table of positions is added to the embeddings as well, interpolated to the picture's size",
)
_ROWS = Text(
    "图比训练时大或小时，代码给表插值（见 interpolate_table）",
    "for larger and smaller pictures the code can interpolate the table (see interpolate_table)",
)


def _axial(folder: str, sizes: tuple[str, str, str], values: tuple[int, int, int], **more: Any) -> Tower:
    return Tower(folder, "axial", sizes, dict(zip(sizes, values, strict=True)), **more)


def _table(folder: str, special: int, image: int, patch: int) -> Tower:
    values = {"hidden_size": 768, "num_attention_heads": 12, "num_hidden_layers": 12}
    missing = {**values, "image_size": image, "patch_size": patch}
    return Tower(folder, "table", _SIZES, missing, special=special, remarks=(_ROWS,))


_QWEN_3 = {"reads": ("num_position_embeddings",), "remarks": (_TABLE_TOO,)}

#: By the ``model_type`` of the tower.
TOWERS: Mapping[str, Tower] = {
    "qwen2_vl_vision": _axial("qwen2_vl", ("embed_dim", "num_heads", "depth"), (1280, 16, 32)),
    "qwen2_5_vl_vision": _axial(
        "qwen2_5_vl", _OTHERS, (3584, 16, 32), reads=("window_size",), remarks=(_WINDOWS,)
    ),
    "qwen3_vl_vision": _axial("qwen3_vl", _OTHERS, (1152, 16, 27), **_QWEN_3),
    "qwen3_vl_moe_vision": _axial("qwen3_vl_moe", _OTHERS, (1152, 16, 27), **_QWEN_3),
    "qwen3_5_vision": _axial("qwen3_5", _OTHERS, (1152, 16, 27), **_QWEN_3),
    "glm4v_vision": _axial("glm4v", _OTHERS, (1536, 12, 24), remarks=(_TABLE_TOO,)),
    "pixtral": _axial("pixtral", _SIZES, (1024, 16, 24), alternate=True),
    "vit": _table("vit", 1, 224, 16),
    "deit": _table("deit", 2, 224, 16),
    "clip_vision_model": _table("clip", 1, 224, 32),
    "siglip_vision_model": _table("siglip", 0, 224, 16),
}
#: The tower of a larger model, for files whose ``vision_config`` says no type, or the larger model's.
INSIDE: Mapping[str, str] = {
    **{name: f"{name}_vision" for name in ("qwen2_vl", "qwen2_5_vl", "qwen3_vl", "qwen3_vl_moe", "qwen3_5")},
    **{"glm4v": "glm4v_vision", "glm46v": "glm4v_vision"},
    **{"clip": "clip_vision_model", "siglip": "siglip_vision_model"},
}


def read_tower(config: Mapping[str, Any], like: str | None = None) -> tuple[str, Tower, list[LayerPositions]]:
    """Return the name of a configuration's vision tower, its row, and its layers.

    Raises:
        ValueError: no tower in the file, or one that is not in the table; keys that are missing or unknown.
    """
    outer = Keys(config)
    inner, where = config.get("vision_config"), "vision_config."
    if inner is None:
        inner, where = config, ""
    said = [Keys(inner, where).said("model_type"), outer.said("model_type")] if like is None else [like]
    names = list(dict.fromkeys(INSIDE.get(name, name) for name in said if isinstance(name, str)))
    name = next((name for name in names if name in TOWERS), None)
    if name is None:
        shown, known = ", ".join(map(printable, names)) or "—", ", ".join(TOWERS)
        raise BilingualValueError(
            f"视觉部分 {shown} 不在表里；认识的有：{known}",
            f"the vision tower {shown} is not in the table; known are {known}",
        )
    tower = TOWERS[name]
    keys = Keys(inner, where, tower.missing)
    for key in tower.reads:
        keys.said(key)
    layer = (_rotating if tower.kind == "axial" else _adding)(keys, tower)
    keys.refuse_unread(tower.source, only_about_positions=True)
    return name, tower, [layer] * keys.layers(tower.sizes[2])


def _rotating(keys: Keys, tower: Tower) -> LayerPositions:
    width, heads = keys.whole(tower.sizes[0]), keys.whole(tower.sizes[1])
    own = keys.said("head_dim") if tower.folder == "pixtral" else None
    head = keys.whole("head_dim") if own is not None else width // heads
    rope = Keys(keys.said("rope_parameters") or {}, f"{keys.where}rope_parameters.")
    kind = rope.said("rope_type")
    if kind not in (None, "axial", "default"):
        same_or_refuse(f"{rope.where}rope_type", kind, tower.source, "axial")
    inside, outside = rope.some_number("rope_theta", above=1), keys.some_number("rope_theta", above=1)
    if inside is not None and outside is not None:
        same_or_refuse(f"{rope.where}rope_theta", inside, f"{keys.where}rope_theta", outside)
    rope.refuse_unread(tower.source)
    settings = {"d_head": head, "base": inside or outside or 10000.0, "pairing": "half_split"}
    return LayerPositions(AxialRotary, {**settings, "alternate": tower.alternate}, remarks=tower.remarks)


def _adding(keys: Keys, tower: Tower) -> LayerPositions:
    down, across = (
        size // patch for size, patch in zip(_two(keys, "image_size"), _two(keys, "patch_size"), strict=True)
    )
    rows = tower.special + down * across
    remarks = tower.remarks
    if tower.special:
        before = Text(
            f"表的前 {tower.special} 行属于图块以外的词元（分类用的），图块从第 {tower.special} 行起，"
            f"逐行往下",
            f"the first {tower.special} rows of the table belong to tokens that are no patches (for classes);"
            f" patches follow, row by row",
        )
        remarks = (before, *remarks)
    settings = {"d_model": keys.whole(tower.sizes[0]), "max_len": rows}
    return LayerPositions(LearnedEncoding, settings, remarks=remarks)


def _two(keys: Keys, name: str) -> tuple[int, int]:
    """Return a size down and across: a number is both."""
    value = keys.said(name)
    if isinstance(value, list) and len(value) == 2:
        return whole_number(f"{keys.where}{name}[0]", value[0], 1), whole_number(
            f"{keys.where}{name}[1]", value[1], 1
        )
    return keys.whole(name), keys.whole(name)
