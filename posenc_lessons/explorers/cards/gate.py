"""Cards of the gate explorer: a count as gates added up, and a weight."""

from __future__ import annotations

import math

import numpy as np

from posenc_lessons.explorers.cards.card import Card, Mark, Step, Term, said, softmax_steps
from posenc_lessons.explorers.definition import Arrays, Parameters
from posenc_lessons.explorers.gate import MATRICES
from posenc_lessons.language import Text

COUNT = Text("计数 $p$", "count $p$")
SCORE = Text("位置分数 $z$", "position score $z$")


def cell(mark: Mark, parameters: Parameters) -> tuple[int, int]:
    """Return the query and the key of a mark: the text has one query, a matrix all of them."""
    return (mark.row if mark.panel in MATRICES else parameters["query"]), mark.column


def places(i: int, j: int, arrays: Arrays) -> tuple[Text, ...]:
    """Name the query and the key."""
    query, key = arrays["tokens"][i], arrays["tokens"][j]
    return (
        Text(f"查询 $i = {i}$“{query}”", f"query $i = {i}$ “{query}”"),
        Text(f"键 $j = {j}$“{key}”", f"key $j = {j}$ “{key}”"),
    )


def of_count(mark: Mark, parameters: Parameters, arrays: Arrays) -> Card:
    """Return a count: the gates from the key to the query, added up."""
    i, j = cell(mark, parameters)
    names = [f"{k} {arrays['tokens'][k]}" for k in range(j, i + 1)]
    gates = arrays["gates"][i, j : i + 1].tolist()
    terms = tuple(Term(Text(name, name), (gate,)) for name, gate in zip(names, gates, strict=True))
    last = len(arrays["table"]) - 1
    added = math.fsum(gates)
    clamped = Step(
        Text(f"表只到第 {last} 行", f"the table ends at row {last}"),
        f"min({said(added)}, {last})",
        float(last),
    )
    return Card(
        Text("计数：从键到查询的门控加起来", "A count: the gates from key to query, added up"),
        places(i, j, arrays),
        f"p_{{{i},{j}}} = Σ_{{k={j}…{i}}} g_{{{i},k}}",
        terms=terms,
        total=COUNT,
        after=(clamped,) if added > last else (),
    )


def score_terms(p: float, table: np.ndarray) -> tuple[Term, ...]:
    """Return the score at a count: a share of the table's row below it, and a share of the row above."""
    low = min(math.floor(p), len(table) - 1)
    share = p - low
    rows = [(low, 1 - share), (low + 1, share)] if share > 0 else [(low, 1.0)]
    return tuple(
        Term(Text(f"第 {row} 行", f"row {row}"), (weight, float(table[row]))) for row, weight in rows
    )


def of_weight(mark: Mark, parameters: Parameters, arrays: Arrays) -> Card:
    """Return a weight of attention by count or by distance, as a share of the row's largest."""
    i, j = cell(mark, parameters)
    by_count = mark.panel == "by_count"
    table, width = arrays["table"].astype(float), parameters["width"]
    last = len(table) - 1
    p = float(arrays["counts"][i, j])
    if by_count:
        sums = [score_terms(float(count), table) for count in arrays["counts"][i, : i + 1]]
        first = Step(COUNT, "", p)
        title, law = Text("按计数的注意力", "Attention by count"), "softmax(z)_{j}, z = z[p]"
    else:
        sums = [score_terms(min((i - k) // width, last), table) for k in range(i + 1)]
        back = Text("往回的步数", "steps back")
        first = Step(back, f"floor(({i} − {j}) / {width})", float((i - j) // width))
        title, law = Text("按距离的注意力", "Attention by distance"), "softmax(z)_{j}, z = z[floor((i−j)/w)]"
    scores = [sum(term.value for term in terms) for terms in sums]
    steps = softmax_steps(scores, j)
    weight, most = steps[-1].value, softmax_steps(scores, int(np.argmax(scores)))[-1].value
    relative = Step(
        Text("除以这一行最大的", "over the row's largest"), f"{said(weight)} / {said(most)}", weight / most
    )
    after = (*steps, relative)
    return Card(title, places(i, j, arrays), law, (first,), sums[j], SCORE, after=after)


CARDS = {"text": of_count, "counts": of_count, "by_count": of_weight, "by_distance": of_weight}
