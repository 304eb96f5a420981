"""The census as a table for readers: what the code of each type of text model does, by its defaults.

``census.json`` is written by ``python -m tests.oracles.config_census``, which measures every type.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from posenc_lessons.language import Text

Row = Mapping[str, Any]
Counts = Sequence[tuple[Text, Sequence[tuple[Text, int]]]]  # a title, and for each group its name and number

DOORS = {
    1: Text("1 嵌入", "1 embeddings"),
    2: Text("2 查询和键", "2 queries, keys"),
    3: Text("3 分数", "3 scores"),
    4: Text("4 值", "4 values"),
}
ENCODINGS = {
    "rotary": Text("RoPE", "RoPE"),
    "learned": Text("学到的表", "learned table"),
    "sinusoidal": Text("正弦表", "sinusoidal table"),
    "t5": Text("T5 的偏置", "T5's bias"),
    "alibi": Text("ALiBi", "ALiBi"),
    "unlike": Text("别的", "another"),
    "none": Text("没有", "none"),
    "unseen": Text("没有量到", "not measured"),
}
PAIRINGS = {
    "half_split": Text("前后各半", "half split"),
    "interleaved": Text("相邻", "interleaved"),
}
SHARES = {
    "whole": Text("整个头", "the whole head"),
    "part": Text("一部分", "a part"),
    "proportional": Text("按比例", "proportional"),
    "apart": Text("另立一段", "a part set apart"),
}
LAYERS = {
    "full": Text("全局", "full"),
    "window": Text("窗口", "window"),
    "none": Text("无位置", "no positions"),
    "no_attention": Text("无注意力", "no attention"),
}


@cache
def census() -> Row:
    """Return the census: "made", by which transformers and when; "types"; "of", types that contain others.

    >>> census()["types"]["cohere2"]["layers"]
    {'window': 3, 'none': 1}
    """
    return json.loads(Path(__file__).with_name("census.json").read_text("utf-8"))


def census_rows() -> list[tuple[Any, ...]]:
    """Return a row of values for each type, by name: name, door, encoding, pairing, share, bases, layers."""
    return [
        (
            name,
            DOORS[row["doors"][0]] if len(row["doors"]) == 1 else " + ".join(map(str, row["doors"])) or None,
            ENCODINGS[row["kind"]],
            PAIRINGS[row["pairing"]] if row["pairing"] else None,
            _share(row),
            tuple(row["bases"]) or None,
            _layers(row),
        )
        for name, row in census()["types"].items()
    ]


def _share(row: Row) -> Text | None:
    """Return how much of a head rotates."""
    if row["share"] in (None, "whole"):
        return SHARES.get(row["share"])
    return Text("{name}，{amount}", "{name}, {amount}").format(
        name=SHARES[row["share"]], amount=row["amount"]
    )


def _layers(row: Row) -> Text | None:
    """Return the pattern of a row's layers: how many of each kind come in what repeats."""
    kinds = row["layers"]
    if len(kinds) == 1:
        kind = next(iter(kinds))
        name = LAYERS[kind]
        return Text("都一样", "all alike") if kind == "full" else Text(f"都{name.zh}", f"all {name.en}")
    zh = "，".join(f"{n} {LAYERS[kind].zh}" for kind, n in kinds.items())
    return Text(zh, ", ".join(f"{n} {LAYERS[kind].en}" for kind, n in kinds.items())) if kinds else None


def made() -> Text:
    """Return the version of transformers that the census describes, and its date."""
    return Text("transformers {transformers}，{date}", "transformers {transformers}, {date}").format(
        **census()["made"]
    )


def census_counts() -> Counts:
    """Return how many types have which door, pairing, share and kinds of layers.

    A type with two doors, or with several kinds of layers, counts in each group.
    """
    rows = list(census()["types"].values())
    by_door = [(name, sum(door in row["doors"] for row in rows)) for door, name in DOORS.items()]
    by_door.append((Text("没有，或没有量到", "none, or not measured"), sum(not row["doors"] for row in rows)))
    pairings, shares = (Counter(row[key] for row in rows) for key in ("pairing", "share"))
    only_full = (Text("只有全局", "full ones only"), sum(set(row["layers"]) == {"full"} for row in rows))
    has = [
        (LAYERS[kind], sum(kind in row["layers"] for row in rows))
        for kind in ("window", "none", "no_attention")
    ]
    return [
        (Text("门", "door"), by_door),
        (
            Text("RoPE 的配对", "pairing of RoPE"),
            [(PAIRINGS[key], pairings[key]) for key in ("half_split", "interleaved")],
        ),
        (Text("旋转的部分", "what turns"), [(name, shares[key]) for key, name in SHARES.items()]),
        (Text("有这样的层", "has such layers"), [only_full, *has]),
    ]
