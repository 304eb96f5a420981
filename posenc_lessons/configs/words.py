"""Describe what a model does with positions, in plain words, for each group of equal layers."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from posenc_lessons.configs.files import INSTALL, printable
from posenc_lessons.configs.layers import Layer, ModelPositions, Part, Rotation
from posenc_lessons.configs.reading import read_config
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

Row = tuple[Text, Text]  # a label and its description

_DOOR = Text("门", "door")
_UNUSUAL = Text("不寻常", "unusual")
_NO_DOOR = {  # by whether the layer attends
    True: Text(
        "没有：顺序靠掩码和别的层（NoPE）", "none: order comes from the mask and the other layers (NoPE)"
    ),
    False: Text("没有：这一层没有注意力", "none: this layer has no attention"),
}
_DOORS: Mapping[type[PositionEncoding], Text] = {
    RotaryEncoding: Text(
        "2：查询和键按位置旋转（RoPE）", "2: queries and keys rotate by their positions (RoPE)"
    ),
    MultiAxisRotary: Text(
        "2：查询和键按位置的几个坐标旋转（M-RoPE）",
        "2: queries and keys rotate by the coordinates of their positions (M-RoPE)",
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
_FACTORS: Mapping[type[PositionEncoding], str] = {
    QueryTemperature: "1 + {scale:g} · ln(1 + ⌊{place} / {step}⌋)",
    PowerTemperature: "(1 + (p + 1) / {step})^{exponent:g}",
    LogTemperature: "1 + {scale:g} · ln(max((p + 1) / {floor}, 1))",
}
_SEES = {
    "chunked": Text("同一段里的词元，每段 {w} 个（chunked）", "tokens of the same chunk of {w} (chunked)"),
    "both_sides": Text("自己、前面 {w} 个和后面 {w} 个词元", "itself, {w} tokens before it and {w} after it"),
    "sliding": Text("最近的 {w} 个词元（sliding）", "the last {w} tokens (sliding)"),
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
    model = read_config(config, like)
    blocks = [_head(model)]
    for layer, numbers in _alike(model.layers):
        several = "layer" if numbers.isdecimal() else "layers"
        blocks.append(_block(Text(f"第 {numbers} 层", f"{several} {numbers}"), _rows(layer)))
    about = [(_UNUSUAL, remark) for remark in model.remarks]
    if model.unread:
        names = ", ".join(map(printable, model.unread))
        unread = Text(f"{names}：类和代码都不用它们", f"{names}: neither the class nor the code uses them")
        about.append((Text("没有读的键", "not read"), unread))
    if about:
        blocks.append(_block(Text("这份文件", "this file"), about))
    return Text("\n\n".join(block.zh for block in blocks), "\n\n".join(block.en for block in blocks))


def _head(model: ModelPositions) -> Text:
    name, count, version = model.name, len(model.layers), f"transformers {model.measured_with}"
    if model.from_table:
        return Text(
            f"{name}，{count} 层；查的是随课程来的表（{version}）。要当场去量：{INSTALL}",
            f"{name}, {count} layers; from the table that comes with the course ({version}). To have it"
            f" measured: {INSTALL}",
        )
    return Text(
        f"{name}，{count} 层；在 {version} 的类造的小模型上量的",
        f"{name}, {count} layers; measured on a small model of the class in {version}",
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
    steps = {second - first for first, second in itertools.pairwise(numbers)}
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
    rows: list[Row] = [(Text("没有量到", "unknown"), layer.reason)] if layer.reason else []
    rows += [(_DOOR, layer.lacks)] if layer.lacks else []
    for part in layer.parts:
        rows.append((_DOOR, _door(part.makes, part.settings)))
        rows += _rotary(part) if part.makes in (RotaryEncoding, MultiAxisRotary) else []
    rows = rows or [(_DOOR, _NO_DOOR[layer.attends])]
    rows += [(Text("索引器", "indexer"), _indexer(item)) for item in layer.rotations if item.of == "indexer"]
    if layer.sees in _SEES:
        rows.append((Text("看得见", "sees"), _SEES[layer.sees].format(w=layer.window)))
    if layer.keys_of is not None:
        same = Text(f"用第 {layer.keys_of} 层的", f"those of layer {layer.keys_of}")
        rows.append((Text("键", "keys"), same))
    if layer.passes > 1:
        zh = f"一遍里运行 {layer.passes} 次，每次位置都一样"
        rows.append((_UNUSUAL, Text(zh, f"it runs {layer.passes} times in one pass, at the same positions")))
    return rows + [(_UNUSUAL, remark) for remark in layer.remarks]


def _door(makes: type[PositionEncoding], says: Mapping[str, Any]) -> Text:
    if makes in _FACTORS:
        place = "(p + 1)" if says.get("plus", 1) == 1 else "p"
        factor = _FACTORS[makes].format(**says, place=place)
        zh = f"2：只有查询：位置 p 的查询乘以 {factor}"
        return Text(zh, f"2, queries only: the query at p is multiplied by {factor}")
    both = says.get("bidirectional")
    zh, en = "两个方向" if both else "只看以前的键", "both directions" if both else "earlier keys only"
    return _DOORS[makes].format(**says, zh=zh, en=en)


def _rotary(part: Part) -> list[Row]:
    """Return a row for each setting of a rotation: pairing, base, what rotates, coordinates, extension."""
    says = part.settings
    head, width, pairs = says["d_head"], says["rotary_dim"], says.get("turning_pairs")
    pair = "2i, 2i + 1" if says["pairing"] == "interleaved" else f"i, i + {width // 2}"
    if pairs is not None:
        rotates = Text(
            f"每个头 {head} 个特征里的 {2 * pairs} 个：{head // 2} 对中最快的 {pairs} 对",
            f"{2 * pairs} of the {head} features of a head: the fastest {pairs} of {head // 2} pairs",
        )
    elif width < head:
        zh = f"每个头 {head} 个特征里的前 {width} 个"
        rotates = Text(zh, f"the first {width} of the {head} features of a head")
    else:
        rotates = Text(f"整个头，{head} 个特征", f"the whole head, {head} features")
    rows = [
        (
            Text("配对", "pairing"),
            Text(f"{says['pairing']}：特征 {pair}", f"{says['pairing']}: features {pair}"),
        ),
        (Text("底数", "base"), Text(f"{says['base']:.12g}", f"{says['base']:.12g}")),
        (Text("旋转的部分", "rotates"), rotates),
    ]
    if "sections" in says:
        shares = ", ".join(map(str, says["sections"]))
        rows.append(
            (
                Text("坐标", "axes"),
                Text(f"各 {shares} 对，{says['layout']}", f"{shares} pairs, {says['layout']}"),
            )
        )
    return [*rows, (Text("拉长", "stretched"), _stretched(says["extension"]))]


def _stretched(extension: ContextExtension | None) -> Text:
    if extension is None:
        return Text("没有", "no")
    method, factor, length = extension.method, f"{extension.factor:g}", extension.original_length
    zh, en = f"{length} 的 {factor} 倍，{method}", f"{factor} times, from {length} tokens, by {method}"
    if extension.scale != 1:
        square = f"{extension.scale * extension.scale:.6g}"  # a power would overflow
        zh, en = f"{zh}；分数乘 {square}", f"{en}; scores × {square}"
    if extension.follows_length:
        zh, en = f"{zh}；频率随文本长度变", f"{en}; frequencies follow the length of the text"
    return Text(zh, en)


def _indexer(rotation: Rotation) -> Text:
    base = f"{rotation.base:.12g}" if rotation.base else "?"
    return Text(
        f"它挑选键，自己也旋转：{rotation.pairing}，{rotation.features} 个特征，底数 {base}",
        f"it chooses keys and rotates too: {rotation.pairing}, {rotation.features} features, base {base}",
    )
