"""Describe what a model does with positions, in plain words, for each group of equal layers."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from posenc_lessons.configs.files import printable
from posenc_lessons.configs.layers import Layer, ModelPositions, Part, Rotation
from posenc_lessons.configs.reading import read_config
from posenc_lessons.configs.rotary_words import Row, rotary_rows
from posenc_lessons.configs.unknown import INSTALL
from posenc_lessons.encodings.alibi import ALiBi
from posenc_lessons.encodings.context_extension import ContextExtension
from posenc_lessons.encodings.doors import PositionEncoding
from posenc_lessons.encodings.learned import LearnedEncoding
from posenc_lessons.encodings.rotary import RotaryEncoding
from posenc_lessons.encodings.rotary_axes import MultiAxisRotary
from posenc_lessons.encodings.sinusoidal import SinusoidalEncoding
from posenc_lessons.encodings.t5 import T5RelativeBias
from posenc_lessons.encodings.temperature import LogTemperature, PowerTemperature, QueryTemperature
from posenc_lessons.language import Text

_DOOR = Text("门", "door")
_QUERIES = Text("查询", "queries")
_SEES = Text("看得见", "sees")
_INDEXER = Text("索引器", "indexer")
_UNUSUAL = Text("不寻常", "unusual")
_NOT_MEASURED = Text("没有量到", "unknown")
_DOORS: Mapping[type[PositionEncoding], Text] = {
    RotaryEncoding: Text(
        "2：查询和键按位置旋转（RoPE）", "2: queries and keys are rotated by their positions (RoPE)"
    ),
    MultiAxisRotary: Text(
        "2：查询和键按位置的几个坐标旋转（M-RoPE）",
        "2: queries and keys are rotated by the coordinates of their positions (M-RoPE)",
    ),
    SinusoidalEncoding: Text(
        "1：嵌入加上正弦和余弦的表，每行 {d_model} 个数",
        "1: a table of sines and cosines is added to the embeddings, {d_model} numbers a row",
    ),
    LearnedEncoding: Text(
        "1：嵌入加上学到的位置表，{max_len} 行，每行 {d_model} 个数",
        "1: a learned table is added to the embeddings, {max_len} rows of {d_model} numbers",
    ),
    ALiBi: Text(
        "3：分数减去 斜率 × 距离（ALiBi），{n_heads} 个头，各有一个斜率",
        "3: slope × distance is subtracted from the scores (ALiBi), a slope for each of {n_heads} heads",
    ),
    T5RelativeBias: Text(
        "3：每个头、每一桶距离一个学到的数，加在分数上（T5）：{n_heads} 个头，{n_buckets} 个桶，"
        "{max_distance} 以外同一桶，{zh}",
        "3: a learned number for each head and bucket of distances is added to the scores (T5): {n_heads}"
        " heads, {n_buckets} buckets, beyond {max_distance} all in one, {en}",
    ),
}
_NONE = Text(
    "没有：这一层不知道位置，顺序靠掩码和别的层（NoPE）",
    "none: this layer knows no positions, order comes from the mask and the other layers (NoPE)",
)
_NO_ATTENTION = Text("没有：这一层没有注意力", "none: this layer has no attention")
_TIMES: Mapping[type[PositionEncoding], str] = {
    QueryTemperature: "1 + {scale:g} · ln(1 + ⌊{place} / {step}⌋)",
    PowerTemperature: "(1 + (p + 1) / {step})^{exponent:g}",
    LogTemperature: "1 + {scale:g} · ln(max((p + 1) / {floor}, 1))",
}


def describe_config(config: Mapping[str, Any], like: str | None = None) -> Text:
    """Describe what ``config`` says about positions, in several lines in each language.

    For each group of equal layers: the door; for RoPE the pairing, the base, what rotates, and the method and
    factor of an extension; what is unusual; and how far a layer sees if it does not see all.

    Raises:
        ValueError: as for ``read_config``.

    >>> config = {"model_type": "gpt2", "n_embd": 768, "n_head": 12, "n_layer": 12, "n_positions": 1024}
    >>> print(describe_config(config).en)  # doctest: +ELLIPSIS
    gpt2, 12 layers; ...
    <BLANKLINE>
    layers 0–11
      door:       1: a learned table is added to the embeddings, 1024 rows of 768 numbers
    ...
    """
    return describe(read_config(config, like))


def describe(model: ModelPositions) -> Text:
    """Describe a configuration that was read."""
    groups = _alike(model.layers)
    shared = [
        remark for remark in model.layers[0].remarks if all(remark in layer.remarks for layer, _ in groups)
    ]
    parts = [_head(model)]
    for layer, numbers in groups:
        rows = _rows(layer)
        rows += [(_UNUSUAL, remark) for remark in (*_unusual(layer), *layer.remarks) if remark not in shared]
        several = "layer" if numbers.isdecimal() else "layers"
        parts.append(_block(Text(f"第 {numbers} 层", f"{several} {numbers}"), rows))
    if shared:
        parts.append(_block(Text("所有层", "all layers"), [(_UNUSUAL, remark) for remark in shared]))
    about = [(_UNUSUAL, remark) for remark in model.remarks]
    if model.unread:
        names = ", ".join(map(printable, model.unread))
        about.append(
            (
                Text("没有读的键", "not read"),
                Text(f"{names}：类和代码都不用它们", f"{names}: neither the class nor the code uses them"),
            )
        )
    if about:
        parts.append(_block(Text("这份文件", "this file"), about))
    return Text("\n\n".join(part.zh for part in parts), "\n\n".join(part.en for part in parts))


def _head(model: ModelPositions) -> Text:
    count, version = len(model.layers), model.measured_with
    if model.from_table:
        return Text(
            f"{model.name}，{count} 层；查的是随课程来的表（transformers {version}）。要当场去量：{INSTALL}",
            f"{model.name}, {count} layers; from the table that comes with the course (transformers"
            f" {version}). To have it measured: {INSTALL}",
        )
    return Text(
        f"{model.name}，{count} 层；在 transformers {version} 的类造的小模型上量的",
        f"{model.name}, {count} layers; measured on a small model of the class in transformers {version}",
    )


def _alike(layers: Sequence[Layer]) -> list[tuple[Layer, str]]:
    """Return each kind of layer with the numbers of its layers, such as "0–2, 4–6"."""
    kinds: list[tuple[Layer, list[int]]] = []
    for number, layer in enumerate(layers):
        same = next((numbers for kind, numbers in kinds if kind == layer), None)
        if same is None:
            kinds.append((layer, [number]))
        else:
            same.append(number)
    return [(kind, _ranges(numbers)) for kind, numbers in kinds]


def _ranges(numbers: Sequence[int]) -> str:
    """Abbreviate numbers: "0–2, 4–6", or "3, 7, …, 47" for more than four in equal steps."""
    steps = {after - before for before, after in itertools.pairwise(numbers)}
    if len(numbers) > 4 and len(steps) == 1 and steps != {1}:
        return f"{numbers[0]}, {numbers[1]}, …, {numbers[-1]}"
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(f"{first}" if first == last else f"{first}–{last}" for first, last in runs)


def _block(title: Text, rows: Sequence[Row]) -> Text:
    zh = [title.zh, *(f"  {label.zh}：{value.zh}" for label, value in rows)]
    en = [title.en, *(f"  {label.en + ':':<12}{value.en}" for label, value in rows)]
    return Text("\n".join(zh), "\n".join(en))


def _rows(layer: Layer) -> list[Row]:
    if not layer.attends:
        return [(_DOOR, _NO_ATTENTION)]
    rows: list[Row] = [(_NOT_MEASURED, layer.reason)] if layer.reason is not None else []
    if layer.lacks is not None:
        rows.append((_DOOR, layer.lacks))
    alone = len(layer.parts) == 1
    for part in layer.parts:
        if part.makes in _TIMES:
            rows.append((_DOOR if alone else _QUERIES, _temperature(part, alone)))
        else:
            rows.append((_DOOR, _door(part)))
            rows += rotary_rows(part.settings) if part.makes in (RotaryEncoding, MultiAxisRotary) else []
    if not rows:
        rows.append((_DOOR, _NONE))
    rows += [(_INDEXER, _indexer(rotation)) for rotation in layer.rotations if rotation.of == "indexer"]
    return [*rows, *_view(layer)]


def _door(part: Part) -> Text:
    zh, en = (
        ("两个方向", "both directions")
        if part.settings.get("bidirectional")
        else ("只看以前的键", "earlier keys only")
    )
    return _DOORS[part.makes].format(**part.settings, zh=zh, en=en)


def _temperature(part: Part, alone: bool) -> Text:
    place = "(p + 1)" if part.settings.get("plus", 1) == 1 else "p"
    times = _TIMES[part.makes].format(**part.settings, place=place)
    if alone:
        return Text(
            f"2，只有查询，而且不旋转：位置 p 的查询乘以 {times}",
            f"2, queries only, and nothing rotates: the query at p is multiplied by {times}",
        )
    return Text(f"位置 p 的查询另外乘以 {times}", f"the query at p is also multiplied by {times}")


def _indexer(rotation: Rotation) -> Text:
    base = f"{rotation.base:.12g}" if rotation.base else "?"
    return Text(
        f"它挑选键，自己也旋转：{rotation.pairing}，{rotation.features} 个特征，底数 {base}",
        f"it chooses keys and has a rotation of its own: {rotation.pairing}, {rotation.features} features,"
        f" base {base}",
    )


def _view(layer: Layer) -> list[Row]:
    kinds = {
        "chunked": Text(
            "同一段里的词元，每段 {w} 个（chunked）", "tokens of the same chunk of {w} (chunked)"
        ),
        "both_sides": Text(
            "自己、前面 {w} 个和后面 {w} 个词元（sliding，两边都看）",
            "itself, {w} tokens before it and {w} after it (sliding, on both sides)",
        ),
        "sliding": Text("最近的 {w} 个词元（sliding）", "the last {w} tokens (sliding)"),
    }
    return [(_SEES, kinds[layer.sees].format(w=layer.window))] if layer.sees in kinds else []


def _unusual(layer: Layer) -> list[Text]:
    """Return what is unusual in the settings themselves."""
    extension: ContextExtension | None = layer.settings.get("extension")
    remarks = {
        Text(
            "频率的指数以整个头的宽度为分母，而不是以旋转的部分（proportional，p-RoPE）",
            "the exponents of the frequencies are divided by the width of the whole head, not of the part"
            " that rotates (proportional, p-RoPE)",
        ): layer.settings.get("turning_pairs") is not None,
        Text(
            "频率随文本长度变：缓存里的键保留旧的角度",
            "frequencies follow the length of the text: keys in a cache keep their old angles",
        ): extension is not None and extension.follows_length,
        Text(
            "YaRN 的斜坡不取整（truncate: false）",
            "YaRN's ramp does not begin and end at whole pairs (truncate: false)",
        ): extension is not None and extension.truncate is False,
        Text("两个界限相等：没有斜坡，只有一级台阶", "both limits are equal: a step, and no ramp"): extension
        is not None
        and extension.slow is not None
        and extension.slow == extension.fast,
    }
    return [text for text, holds in remarks.items() if holds]
