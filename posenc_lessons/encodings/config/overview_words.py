"""Describe the census: the names of the values in its table, and how often each value comes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from posenc_lessons.encodings.config.families import Kind, census
from posenc_lessons.encodings.config.overview import CensusRow, LayerKind, census_rows
from posenc_lessons.language import Text

Counts = Sequence[tuple[Text, Sequence[tuple[Text, int]]]]  # a title, and for each group its name and number

DOORS = {
    1: Text("1 嵌入", "1 embeddings"),
    2: Text("2 查询和键", "2 queries, keys"),
    3: Text("3 分数", "3 scores"),
    4: Text("4 值", "4 values"),
}
NOTHING = Text("–", "–")
ENCODINGS: dict[Kind, Text] = {
    "rotary": Text("RoPE", "RoPE"),
    "learned": Text("学到的表", "learned table"),
    "sinusoidal": Text("正弦表", "sinusoidal table"),
    "t5": Text("T5 的偏置", "T5's bias"),
    "alibi": Text("ALiBi", "ALiBi"),
    "unlike": Text("别的", "another"),
    "none": Text("没有", "none"),
    "unseen": Text("未能查看", "not looked at"),
}
PAIRINGS: Mapping[str, Text] = {
    "half_split": Text("前后各半", "half split"),
    "interleaved": Text("相邻", "interleaved"),
}
SHARES: Mapping[str, Text] = {
    "whole": Text("整个头", "the whole head"),
    "part": Text("一部分", "a part"),
    "proportional": Text("按比例", "proportional"),
    "apart": Text("另立一段", "a part set apart"),
}
LAYERS: dict[LayerKind, Text] = {
    "window": Text("窗口", "window"),
    "full": Text("全局", "full"),
    "none": Text("无位置", "no positions"),
    "no_attention": Text("无注意力", "no attention"),
}
EVERY_LAYER: dict[LayerKind, Text] = {
    "window": Text("都是窗口", "all window"),
    "full": Text("都一样", "all alike"),
    "none": Text("都无位置", "all without positions"),
    "no_attention": Text("都无注意力", "all without attention"),
}
EXTENSIONS = {"yarn": Text("YaRN", "YaRN"), "llama3": Text("Llama 3 的分段", "Llama 3's parts")}


def doors(row: CensusRow) -> Text:
    """Return the numbers of the doors of a row."""
    said = " + ".join(map(str, row.doors))
    return Text(said, said) if said else NOTHING


def share(row: CensusRow) -> Text:
    """Return how much of a head rotates."""
    if row.share is None:
        return NOTHING
    if row.amount is None:
        return SHARES[row.share]
    amount = f"{100 * row.amount:g}%" if row.amount <= 1 else f"{row.amount:g}"
    return Text("{name}，{amount}", "{name}, {amount}").format(name=SHARES[row.share], amount=amount)


def bases(row: CensusRow) -> Text:
    """Return the bases of a row, those of several kinds of layers with a stroke between."""
    said = " / ".join(f"{base:,.0f}" for base in row.bases)
    return Text(said, said) if said else NOTHING


def layers(row: CensusRow) -> Text:
    """Return the pattern of a row's layers."""
    if not row.layers:
        return NOTHING
    if row.kind == "rotary" and set(row.layers) == {"no_attention"}:
        return Text("无注意力，除非文件另说", "no attention, unless the file says so")
    if len(row.layers) == 1:
        return EVERY_LAYER[next(iter(row.layers))]
    zh = "，".join(f"{n} {LAYERS[kind].zh}" for kind, n in row.layers.items())
    en = ", ".join(f"{n} {LAYERS[kind].en}" for kind, n in row.layers.items())
    return Text(zh, en)


def extension(row: CensusRow) -> Text:
    """Return the extension of a row's frequencies."""
    return EXTENSIONS[row.extension] if row.extension else NOTHING


def made() -> Text:
    """Return the version of transformers that the census describes, and its date."""
    head = census()["made"]
    return Text("transformers {transformers}，{date}", "transformers {transformers}, {date}").format(**head)


def census_counts(rows: Sequence[CensusRow] | None = None) -> Counts:
    """Return how many ``rows`` (all of the census if None) have which door, pairing, share and layers.

    A row with two doors, or with several kinds of layers, counts in each group.
    """
    rows = census_rows() if rows is None else rows
    by_door = [(name, sum(door in row.doors for row in rows)) for door, name in DOORS.items()]
    without = Text("没有，或未能查看", "none, or not looked at")
    return [
        (Text("门", "door"), [*by_door, (without, sum(not row.doors for row in rows))]),
        (Text("RoPE 的配对", "pairing of RoPE"), _counted(PAIRINGS, (row.pairing for row in rows))),
        (Text("旋转的部分", "what turns"), _counted(SHARES, (row.share for row in rows))),
        (Text("有这样的层", "has such layers"), _with_layers(rows)),
    ]


def _counted(names: Mapping[str, Text], said: Iterable[str | None]) -> list[tuple[Text, int]]:
    found = Counter(said)
    return [(name, found[key]) for key, name in names.items()]


def _with_layers(rows: Sequence[CensusRow]) -> list[tuple[Text, int]]:
    has: dict[Text, Callable[[CensusRow], bool]] = {
        Text("只有全局", "full ones only"): lambda row: set(row.layers) == {"full"},
        LAYERS["window"]: lambda row: "window" in row.layers,
        LAYERS["none"]: lambda row: "none" in row.layers,
        LAYERS["no_attention"]: lambda row: "no_attention" in row.layers,
    }
    return [(name, sum(map(each, rows))) for name, each in has.items()]
