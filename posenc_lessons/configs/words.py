"""Describe what a model does with positions, in plain words, for each group of equal layers."""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from posenc_lessons.configs.files import INSTALL, printable
from posenc_lessons.configs.layers import Layer, ModelPositions, Part
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
from posenc_lessons.language import Text, joined

# Every line is "label: what it says".
_DOOR = Text("门：{what}", "door: {what}")
_UNUSUAL = Text("不寻常：{what}", "unusual: {what}")
_TEMPERATURE = Text("2：只有查询：乘以 {factor}", "2, queries only: the one at p is multiplied by {factor}")
_DOORS: Mapping[type[PositionEncoding], Text] = {
    RotaryEncoding: Text(
        "2：查询和键按位置旋转（RoPE）", "2: queries and keys rotate by their positions (RoPE)"
    ),
    MultiAxisRotary: Text(
        "2：查询和键按位置的几个坐标旋转（M-RoPE）",
        "2: queries and keys rotate by the coordinates of their positions (M-RoPE)",
    ),
    SinusoidalEncoding: Text(
        "1：嵌入加上正弦和余弦的表", "1: a table of sines and cosines is added to the embeddings"
    ),
    LearnedEncoding: Text("1：嵌入加上学到的位置表", "1: a learned table is added to the embeddings"),
    ALiBi: Text(
        "3：分数减去 斜率 × 距离（ALiBi）", "3: slope × distance is subtracted from the scores (ALiBi)"
    ),
    T5RelativeBias: Text(
        "3：每个头、每一桶距离一个学到的数，加在分数上（T5）",
        "3: a learned number for each head and bucket of distances is added to the scores (T5)",
    ),
    QueryTemperature: _TEMPERATURE.format(factor="1 + scale · ln(1 + ⌊(p + plus) / step⌋)"),
    PowerTemperature: _TEMPERATURE.format(factor="(1 + (p + 1) / step)^exponent"),
    LogTemperature: _TEMPERATURE.format(factor="1 + scale · ln(max((p + 1) / floor, 1))"),
}
_NO_DOOR = {  # by whether the layer attends
    True: Text(
        "没有：顺序靠掩码和别的层（NoPE）", "none: order comes from the mask and the other layers (NoPE)"
    ),
    False: Text("没有：这一层没有注意力", "none: this layer has no attention"),
}
_INDEXER = Text(
    "索引器：它挑选键，自己也旋转：{pairing}，{features} 个特征，底数 {base}",
    "indexer: it chooses keys and rotates too: {pairing}, {features} features, base {base}",
)
_SEES = {
    "chunked": Text(
        "看得见：同一段里的词元，每段 {w} 个（chunked）", "sees: tokens of the same chunk of {w} (chunked)"
    ),
    "both_sides": Text(
        "看得见：自己、前面 {w} 个和后面 {w} 个词元", "sees: itself, {w} tokens before it and {w} after it"
    ),
    "sliding": Text("看得见：最近的 {w} 个词元（sliding）", "sees: the last {w} tokens (sliding)"),
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
      door:       1: a learned table is added to the embeddings: d_model=768, max_len=1024
    ...
    """
    model = read_config(config, like)
    blocks = [_head(model)]
    alike: dict[str, list[int]] = {}
    for number, layer in enumerate(model.layers):
        alike.setdefault(repr(layer), []).append(number)
    for numbers in alike.values():
        names, several = _ranges(numbers), "layer" if len(numbers) == 1 else "layers"
        title = Text(f"第 {names} 层", f"{several} {names}")
        blocks.append(_block(title, _lines(model.layers[numbers[0]])))
    about = [_UNUSUAL.format(what=remark) for remark in model.remarks]
    if model.unread:
        unread = Text(
            "没有读的键：{keys}：类和代码都不用它们",
            "not read: {keys}: neither the class nor the code uses them",
        )
        about.append(unread.format(keys=", ".join(map(printable, model.unread))))
    if about:
        blocks.append(_block(Text("这份文件", "this file"), about))
    return joined(blocks, "\n\n", "\n\n")


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


def _ranges(numbers: Sequence[int]) -> str:
    """Abbreviate numbers: "0–2, 4–6", or "3, 7, …, 47" for more than four in equal steps."""
    steps = {second - first for first, second in itertools.pairwise(numbers)}
    if len(numbers) > 4 and len(steps) == 1 and steps != {1}:
        return f"{numbers[0]}, {numbers[1]}, …, {numbers[-1]}"
    starts = [number for number in numbers if number - 1 not in numbers]
    ends = [number for number in numbers if number + 1 not in numbers]
    runs = zip(starts, ends, strict=True)
    return ", ".join(f"{first}" if first == last else f"{first}–{last}" for first, last in runs)


def _block(title: Text, lines: Sequence[Text]) -> Text:
    """Return a title with its lines below; English labels are as wide as each other."""
    labels = [line.en.partition(": ") for line in lines]
    en = [title.en, *(f"  {label + ':':<12}{what}" for label, _, what in labels)]
    return Text("\n  ".join([title.zh, *(line.zh for line in lines)]), "\n".join(en))


def _lines(layer: Layer) -> list[Text]:
    lines = [Text("没有量到：{what}", "unknown: {what}").format(what=layer.reason)] if layer.reason else []
    lines += [_DOOR.format(what=layer.lacks)] if layer.lacks else []
    for part in layer.parts:
        lines += _of_part(part)
    lines = lines or [_DOOR.format(what=_NO_DOOR[layer.attends])]
    for rotation in layer.rotations:
        if rotation.of == "indexer":
            base = f"{rotation.base:.12g}" if rotation.base else "?"
            lines.append(_INDEXER.format(pairing=rotation.pairing, features=rotation.features, base=base))
    if layer.sees in _SEES:
        lines.append(_SEES[layer.sees].format(w=layer.window))
    if layer.keys_of is not None:
        lines.append(Text("键：用第 {n} 层的", "keys: those of layer {n}").format(n=layer.keys_of))
    if layer.passes > 1:
        zh = f"一遍里运行 {layer.passes} 次，每次位置都一样"
        several = Text(zh, f"it runs {layer.passes} times in one pass, at the same positions")
        lines.append(_UNUSUAL.format(what=several))
    return lines + [_UNUSUAL.format(what=remark) for remark in layer.remarks]


def _of_part(part: Part) -> list[Text]:
    """Return the door of an encoding with its settings; those of a rotation have a line each."""
    says, door = part.settings, _DOORS[part.makes]
    if part.makes is QueryTemperature:
        says = {"plus": 1, **says}  # its default
    if "rotary_dim" not in says:
        settings = ", ".join(f"{name}={value}" for name, value in says.items())
        return [_DOOR.format(what=Text(f"{door.zh}：{settings}", f"{door.en}: {settings}"))]
    head, width, pairs = says["d_head"], says["rotary_dim"], says.get("turning_pairs")
    rotates = Text(f"整个头，{head} 个特征", f"the whole head, {head} features")
    if pairs is not None:
        rotates = Text(
            f"每个头 {head} 个特征里的 {2 * pairs} 个：{head // 2} 对中最快的 {pairs} 对",
            f"{2 * pairs} of the {head} features of a head: the fastest {pairs} of {head // 2} pairs",
        )
    elif width < head:
        zh = f"每个头 {head} 个特征里的前 {width} 个"
        rotates = Text(zh, f"the first {width} of the {head} features of a head")
    pair = "2i, 2i + 1" if says["pairing"] == "interleaved" else f"i, i + {width // 2}"
    lines = [
        _DOOR.format(what=door),
        Text(f"配对：{says['pairing']}：特征 {pair}", f"pairing: {says['pairing']}: features {pair}"),
        Text(f"底数：{says['base']:.12g}", f"base: {says['base']:.12g}"),
        Text(f"旋转的部分：{rotates.zh}", f"rotates: {rotates.en}"),
    ]
    if "sections" in says:
        shares = ", ".join(map(str, says["sections"]))
        lines.append(
            Text(f"坐标：各 {shares} 对，{says['layout']}", f"axes: {shares} pairs, {says['layout']}")
        )
    return [*lines, Text("拉长：{what}", "stretched: {what}").format(what=_stretched(says["extension"]))]


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
