"""Cards of the grid: the score of two patches pair by pair, one pair's share, a pair's direction."""

from __future__ import annotations

import math
from typing import Any

from posenc_lessons.explorers.cards.card import Card, Mark, Step, Term, said
from posenc_lessons.explorers.definition import Arrays, Parameters
from posenc_lessons.explorers.grid_numbers import TRAINED, D, encoded_patches, pair_scores, window_bias
from posenc_lessons.language import Text

ADDED = Text("表里这两个差的数", "the table's number for both differences")
SETTINGS = ("layout", "direction", "spread", "coordinates", "device")


def settings(parameters: Parameters) -> dict[str, Any]:
    """Return the settings that an encoding of patches depends on, besides the picture."""
    return {name: parameters[name] for name in SETTINGS}


def places(here: tuple[int, int], there: tuple[int, int], frame: int = 0) -> tuple[Text, ...]:
    """Name the two patches by row and column, counted from the picture's corner."""
    later = Text(f"，{frame} 帧以后", f", {frame} frames later") if frame else Text("", "")
    return (
        Text(f"查询：第 {here[0]} 行第 {here[1]} 列", f"query: row {here[0]}, column {here[1]}"),
        Text(
            f"键：第 {there[0]} 行第 {there[1]} 列{later.zh}",
            f"key: row {there[0]}, column {there[1]}{later.en}",
        ),
    )


def score_card(
    parameters: Parameters, there: tuple[int, int], frame: int, trained_at: tuple[int, int] | None = None
) -> Card:
    """Return the score of the chosen patch with ``there``, or of ``trained_at`` in a picture of training."""
    encoding = parameters["encoding"]
    side, shift = (parameters["side"], parameters["shift"]) if trained_at is None else (TRAINED, 0)
    here = (parameters["row"], parameters["column"]) if trained_at is None else trained_at
    patches = encoded_patches(encoding, side, shift, **settings(parameters))
    by_pair = pair_scores(patches, side, *here)[(frame, *there)]
    terms = tuple(
        Term(Text(f"第 {pair} 对", f"pair {pair}"), (float(share),)) for pair, share in enumerate(by_pair)
    )
    law = "q·k / √d"
    if encoding == "bias":
        added = float(window_bias(side, here[0], here[1], parameters["device"])[there])
        terms, law = (*terms, Term(ADDED, (added,))), "q·k / √d + b"
    name = Text("两个图块的分数", "Score of two patches")
    return Card(name, places(here, there, frame), law, terms=terms, total=Text("分数", "score"))


def of_score(mark: Mark, parameters: Parameters, arrays: Arrays) -> Card:
    """Return the score with a patch."""
    return score_card(parameters, (mark.row, mark.column), arrays["frame"])


def of_step(mark: Mark, parameters: Parameters, arrays: Arrays) -> Card:
    """Return a point of a curve: the score with a patch in the same row, column, or another frame."""
    row, column = parameters["row"], parameters["column"]
    at, layer = mark.column, mark.layer.removeprefix("trained_")
    if layer == "time":
        return score_card(parameters, (row, column), at)
    if layer != mark.layer:
        row, column = arrays["trained_at"]
        there = (row, at) if layer == "row" else (at, column)
        return score_card(parameters, there, 0, (row, column))
    return score_card(parameters, (row, at) if layer == "row" else (at, column), arrays["frame"])


def of_share(mark: Mark, parameters: Parameters, arrays: Arrays) -> Card:
    """Return what one pair adds to a score: both features of the query times those of the key."""
    side, pair, frame = parameters["side"], parameters["pair"], arrays["frame"]
    patches = encoded_patches(
        parameters["encoding"], side, parameters["shift"], **settings(parameters)
    ).astype(float)
    here, there = (parameters["row"], parameters["column"]), (mark.row, mark.column)
    if parameters["encoding"] == "bias":
        return of_table(here, there, arrays)
    query = patches[here[0] * side + here[1], pair]
    key = patches[frame * side * side + there[0] * side + there[1], pair]
    product = float(query @ key)
    names = (Text("第一个特征", "first feature"), Text("第二个特征", "second feature"))
    return Card(
        Text(f"第 {pair} 对的贡献", f"Share of pair {pair}"),
        places(here, there, frame),
        "(q_{x}·k_{x} + q_{y}·k_{y}) / √d",
        terms=tuple(
            Term(name, (float(one), float(other))) for name, one, other in zip(names, query, key, strict=True)
        ),
        total=Text("乘积", "product"),
        after=(Step(Text("除以 √d", "over √d"), f"{said(product)} / √{D}", product / math.sqrt(D)),),
    )


def of_table(here: tuple[int, int], there: tuple[int, int], arrays: Arrays) -> Card:
    """Return the number that a window's table adds for two patches, by their differences."""
    down, right = (at - own for at, own in zip(there, here, strict=True))
    number = float(arrays["share"][there])
    return Card(
        Text("表加上的数", "What the table adds"),
        places(here, there),
        "b[Δ_{y}, Δ_{x}]",
        before=(
            Step(Text("往下几行", "rows down"), f"{there[0]} − {here[0]}", float(down)),
            Step(Text("往右几列", "columns right"), f"{there[1]} − {here[1]}", float(right)),
            Step(ADDED, f"b[{said(down)}, {said(right)}]", number),
        ),
    )


def of_pair(mark: Mark, parameters: Parameters, arrays: Arrays) -> Card:
    """Return how fast a pair turns along its direction, from its angles for a step down and to the right."""
    down, right = (float(each[mark.column]) for each in arrays["directions"])
    speed = math.hypot(down, right)
    degrees = math.degrees(math.atan2(down, right))
    return Card(
        Text(f"第 {mark.column} 对朝哪边转、多快", f"Which way pair {mark.column} reads, and how fast"),
        (Text("角度从右边起，顺时针", "angles from the right, clockwise"),),
        "ω = √(ω_{x}^{2} + ω_{y}^{2})",
        before=(
            Step(Text("往右一步转（弧度）", "a step right turns it by (radians)"), "", right),
            Step(Text("往下一步转", "a step down"), "", down),
            Step(
                Text("方向", "direction"), f"atan2({said(down)}, {said(right)})", degrees, said(degrees, "°")
            ),
            Step(
                Text("顺着它走一步转", "a step along it"),
                f"√({said(right)}^{{2}} + {said(down)}^{{2}})",
                speed,
            ),
        ),
    )


CARDS = {"scores": of_score, "share": of_share, "dial": of_pair, "steps": of_step}
