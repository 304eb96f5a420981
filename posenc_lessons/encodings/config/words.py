"""Describe what a configuration says about positions, in plain words, for each group of equal layers."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from posenc_lessons.encodings.alibi import ALiBi
from posenc_lessons.encodings.axial import AxialRotary
from posenc_lessons.encodings.config.layers import LayerPositions
from posenc_lessons.encodings.config.reading import Part, read_config
from posenc_lessons.encodings.config.rotary_words import Row, rotary_rows
from posenc_lessons.encodings.context_extension import ContextExtension
from posenc_lessons.encodings.doors import PositionEncoding
from posenc_lessons.encodings.grid_bias import ContinuousGridBias, RelativeGridBias
from posenc_lessons.encodings.grid_learned import GridLearned
from posenc_lessons.encodings.grid_query_bias import DecomposedGridBias
from posenc_lessons.encodings.learned import LearnedEncoding
from posenc_lessons.encodings.rotary import RotaryEncoding
from posenc_lessons.encodings.rotary_axes import MultiAxisRotary
from posenc_lessons.encodings.sinusoidal import SinusoidalEncoding
from posenc_lessons.encodings.t5 import T5RelativeBias
from posenc_lessons.encodings.temperature import PowerTemperature, QueryTemperature
from posenc_lessons.language import Text

_DOOR = Text("门", "door")
_QUERIES = Text("查询", "queries")
_SEES = Text("看得见", "sees")
_UNUSUAL = Text("不寻常", "unusual")
_TURNING: Mapping[type[PositionEncoding], Text] = {
    RotaryEncoding: Text(
        "2：查询和键按位置旋转（RoPE）", "2: queries and keys are rotated by their positions (RoPE)"
    ),
    AxialRotary: Text(
        "2：查询和键一部分按图块的行旋转，一部分按列旋转（轴向 RoPE）",
        "2: queries and keys are rotated, one part by a patch's row, the other by its column (axial RoPE)",
    ),
    MultiAxisRotary: Text(
        "2：查询和键按位置的几个坐标旋转（M-RoPE）",
        "2: queries and keys are rotated by the coordinates of their positions (M-RoPE)",
    ),
}


def describe_config(config: Mapping[str, Any], like: str | None = None, part: Part = "text") -> Text:
    """Describe what ``config`` says about positions, in several lines in each language.

    For each group of equal layers: the door; for RoPE the pairing, the base, what rotates, how far it was
    stretched and by which method; what is unusual; and how far a layer sees if it does not see all. ``like``
    and ``part`` are as for ``encoding_from_config``.

    Raises:
        ValueError: as for ``encoding_from_config``.

    >>> config = {"model_type": "gpt2", "n_embd": 768, "n_head": 12, "n_layer": 12, "n_positions": 1024}
    >>> print(describe_config(config).en)  # doctest: +ELLIPSIS
    gpt2, 12 layers; what the file does not say is as in the code of transformers/models/gpt2
    <BLANKLINE>
    layers 0–11
      door:       1: a learned table is added to the embeddings, 1024 rows of 768 numbers
    ...
    """
    model = read_config(config, like, part)
    groups = _alike(model.layers)
    shared = [r for r in model.layers[0].remarks if all(r in layer.remarks for layer, _ in groups)]
    head = Text(
        f"{model.name}，{len(model.layers)} 层；文件没有说的，按 {model.family.source} 的代码",
        f"{model.name}, {len(model.layers)} layers; what the file does not say is as in the code of"
        f" {model.family.source}",
    )
    parts = [head]
    for layer, numbers in groups:
        rows = [*_rows(layer), *_view(layer)]
        rows += [(_UNUSUAL, remark) for remark in (*_unusual(layer), *layer.remarks) if remark not in shared]
        several = "layer" if numbers.isdecimal() else "layers"
        parts.append(_block(Text(f"第 {numbers} 层", f"{several} {numbers}"), rows))
    if shared:
        parts.append(_block(Text("所有层", "all layers"), [(_UNUSUAL, remark) for remark in shared]))
    return Text("\n\n".join(part.zh for part in parts), "\n\n".join(part.en for part in parts))


def _alike(layers: Sequence[LayerPositions]) -> list[tuple[LayerPositions, str]]:
    """Return each kind of layer with the numbers of its layers, such as "0–2, 4–6"."""
    kinds: list[tuple[LayerPositions, list[int]]] = []
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


def _rows(layer: LayerPositions) -> list[Row]:
    if layer.lacks is not None:
        return [(_DOOR, layer.lacks)]
    first = [] if layer.table is None else [(_DOOR, _door(layer.table.makes, layer.table.settings))]
    if layer.makes in _TURNING:
        turning = (_DOOR, _TURNING[layer.makes])
        return [*first, turning, *rotary_rows(layer.settings), *_besides(layer)]
    return [*first, (_DOOR, _door(layer.makes, layer.settings))]


def _door(makes: type[PositionEncoding], says: Mapping[str, Any]) -> Text:
    """Return what an encoding that does not rotate does, and at which door."""
    if isinstance(window := says.get("window"), int):
        says = {**says, "window": (window, window)}
    doors: dict[type[PositionEncoding], Text] = {
        PositionEncoding: Text(
            "没有：这一层不知道位置，顺序靠掩码和别的层（NoPE）",
            "none: this layer knows no positions, order comes from the mask and the other layers (NoPE)",
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
        RelativeGridBias: Text(
            "3：每个头、每个行差和列差一个学到的数，加在分数上（Swin）：{n_heads} 个头，"
            "窗口 {window[0]} × {window[1]}",
            "3: a learned number for each head and each difference of row and column is added to the scores"
            " (Swin): {n_heads} heads, windows of {window[0]} × {window[1]}",
        ),
        ContinuousGridBias: Text(
            "3：每个头、每个行差和列差一个数，由一个小网络从差的对数算出，加在分数上（Swin v2）："
            "{n_heads} 个头，窗口 {window[0]} × {window[1]}",
            "3: for each head and each difference of row and column a small network computes a number from"
            " their logarithms, which is added to the scores (Swin v2): {n_heads} heads, windows of"
            " {window[0]} × {window[1]}",
        ),
        DecomposedGridBias: Text(
            "3：分数加上 查询 ·（行差的学到的向量 + 列差的学到的向量）（SAM），"
            "窗口 {window[0]} × {window[1]}",
            "3: query · (a learned vector for the difference of rows + one for that of columns) is added to"
            " the scores (SAM), windows of {window[0]} × {window[1]}",
        ),
        GridLearned: Text(
            "1：嵌入加上行的一个学到的向量和列的一个，各 {rows} 行、{columns} 列，每个 {d_model} 个数",
            "1: a learned vector of the row and one of the column are added to the embeddings, {rows} rows"
            " and {columns} columns, of {d_model} numbers each",
        ),
        T5RelativeBias: Text(
            "3：每个头、每一桶距离一个学到的数，加在分数上（T5）：{n_heads} 个头，{n_buckets} 个桶，"
            "{max_distance} 以外同一桶，" + ("两个方向" if says.get("bidirectional") else "只看以前的键"),
            "3: a learned number for each head and bucket of distances is added to the scores (T5): {n_heads}"
            " heads, {n_buckets} buckets, beyond {max_distance} all in one, "
            + ("both directions" if says.get("bidirectional") else "earlier keys only"),
        ),
        QueryTemperature: Text(
            "2，只有查询，而且不旋转：位置 p 的查询乘以 1 + {scale:g} · ln(1 + ⌊(p + 1) / {step}⌋)",
            "2, queries only, and nothing rotates: the query at p is multiplied by"
            " 1 + {scale:g} · ln(1 + ⌊(p + 1) / {step}⌋)",
        ),
        PowerTemperature: Text(
            "2，只有查询，而且不旋转：位置 p 的查询乘以 (1 + (p + 1) / {step})^{exponent:g}",
            "2, queries only, and nothing rotates: the query at p is multiplied by"
            " (1 + (p + 1) / {step})^{exponent:g}",
        ),
    }
    return doors[makes].format(**says)


def _besides(layer: LayerPositions) -> list[Row]:
    """Return what multiplies queries that rotate as well."""
    if layer.temperature is None:
        return []
    warmer = Text(
        "位置 p 的查询另外乘以 1 + {scale:g} · ln(1 + ⌊p / {step}⌋)",
        "the query at p is also multiplied by 1 + {scale:g} · ln(1 + ⌊p / {step}⌋)",
    )
    return [(_QUERIES, warmer.format(**layer.temperature.settings))]


def _view(layer: LayerPositions) -> list[Row]:
    if layer.sees == "whole":
        return []
    if layer.sees == "chunked":
        chunk = Text(
            f"同一段里的词元，每段 {layer.window} 个（chunked）",
            f"tokens of the same chunk of {layer.window} (chunked)",
        )
        return [(_SEES, chunk)]
    if layer.sees == "both_sides":
        around = Text(
            f"自己、前面 {layer.window} 个和后面 {layer.window} 个词元（sliding，两边都看）",
            f"itself, {layer.window} tokens before it and {layer.window} after it (sliding, on both sides)",
        )
        return [(_SEES, around)]
    last = Text(f"最近的 {layer.window} 个词元（sliding）", f"the last {layer.window} tokens (sliding)")
    return [(_SEES, last)]


def _unusual(layer: LayerPositions) -> list[Text]:
    """Return what is unusual in the settings themselves."""
    extension: ContextExtension | None = layer.settings.get("extension")
    found = {
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
    return [text for text, holds in found.items() if holds]
