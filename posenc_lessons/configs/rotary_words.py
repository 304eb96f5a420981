"""Describe the settings of a rotation in plain words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from posenc_lessons.encodings.context_extension import ContextExtension
from posenc_lessons.language import Text

Row = tuple[Text, Text]  # a label and its description

_PAIRING = Text("配对", "pairing")
_BASE = Text("底数", "base")
_ROTATES = Text("旋转的部分", "rotates")
_AXES = Text("坐标", "axes")
_STRETCHED = Text("拉长", "stretched")
_TWO = (Text("行", "row"), Text("列", "column"))
_THREE = (Text("时间", "time"), *_TWO)


def rotary_rows(says: Mapping[str, Any]) -> list[Row]:
    """Return a row for each setting of a rotation: pairing, base, what rotates, coordinates, extension."""
    head, width, pairs = says["d_head"], says.get("rotary_dim", says["d_head"]), says.get("turning_pairs")
    partner = "2i + 1" if says["pairing"] == "interleaved" else f"i + {width // 2}"
    first = "2i" if says["pairing"] == "interleaved" else "i"
    if pairs is not None:
        rotates = Text(
            f"每个头 {head} 个特征里的 {2 * pairs} 个：{head // 2} 对中最快的 {pairs} 对，其余频率为 0",
            f"{2 * pairs} of the {head} features of a head: the fastest {pairs} of {head // 2} pairs, the"
            f" others have frequency 0",
        )
    elif width < head:
        rotates = Text(
            f"每个头 {head} 个特征里的前 {width} 个", f"the first {width} of the {head} features of a head"
        )
    else:
        rotates = Text(f"整个头，{head} 个特征", f"the whole head, {head} features")
    stretched = _stretched(says.get("extension"))
    return [
        (
            _PAIRING,
            Text(
                f"{says['pairing']}：特征 {first} 和 {partner} 一对",
                f"{says['pairing']}: features {first} and {partner} are a pair",
            ),
        ),
        (_BASE, Text(f"{says['base']:.12g}", f"{says['base']:.12g}")),
        (_ROTATES, rotates),
        *_coordinates(says),
        (_STRETCHED, stretched),
    ]


def _coordinates(says: Mapping[str, Any]) -> list[Row]:
    """Return which coordinate each pair reads, if positions have several."""
    if "sections" not in says:
        return []
    sections = says["sections"]
    names = _THREE if len(sections) == 3 else _TWO
    zh = "，".join(f"{name.zh} {pairs} 对" for name, pairs in zip(names, sections, strict=True))
    en = ", ".join(f"{name.en} {pairs} pairs" for name, pairs in zip(names, sections, strict=True))
    if says["layout"] == "contiguous":
        return [(_AXES, Text(f"{zh}，一段接一段", f"{en}, one section after the other"))]
    return [(_AXES, Text(f"{zh}，轮流排", f"{en}, taking turns"))]


def _stretched(extension: ContextExtension | None) -> Text:
    if extension is None:
        return Text("没有", "no")
    how = {
        "linear": Text(
            "每一对都慢到 1/{s}（linear，位置插值）", "every pair {s} times slower (linear: interpolation)"
        ),
        "dynamic": Text(
            "超过 {L} 后底数随文本变大（dynamic，factor {s}）",
            "beyond {L} tokens the base grows with the text (dynamic, factor {s})",
        ),
        "yarn": Text(
            "{L} 的 {s} 倍（yarn）：快的对不变，慢的对慢到 1/{s}；查询和键各乘 {scale}，分数乘 {square}",
            "{s} times, from {L} tokens (yarn): fast pairs are kept, slow ones become {s} times slower;"
            " queries and keys × {scale}, so scores × {square}",
        ),
        "llama3": Text(
            "{L} 的 {s} 倍（llama3）：在 {L} 内转 {fast} 圈以上的对不变，不到 {slow} 圈的慢到 1/{s}",
            "{s} times, from {L} tokens (llama3): pairs that make {fast} turns or more in {L} are kept, those"
            " that make {slow} or fewer become {s} times slower",
        ),
        "longrope": Text(
            "{L} 的 {s} 倍（longrope）：每对各除以一个搜索得来的数，{L} 以内一组，以外另一组；"
            "查询和键各乘 {scale}，分数乘 {square}",
            "{s} times, from {L} tokens (longrope): each pair is divided by a number found by search, of one"
            " list up to {L} tokens and of another beyond; queries and keys × {scale}, so scores × {square}",
        ),
    }[extension.method]
    return how.format(
        s=f"{extension.factor:g}",
        L=extension.original_length,
        scale=f"{extension.scale:.6g}",
        square=f"{extension.scale * extension.scale:.6g}",  # a power would overflow
        slow=f"{extension.slow or 0:g}",
        fast=f"{extension.fast or 0:g}",
    )
