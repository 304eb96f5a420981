"""Cards of the gate explorer: a gate, a count as gates added up, a score between two rows, a weight."""

from __future__ import annotations

import math

import numpy as np

from posenc_lessons.explorers.cards.card import Card, Mark, Step, Term, product_terms, said, softmax_steps
from posenc_lessons.explorers.definition import Arrays, Parameters
from posenc_lessons.explorers.gate import MATRICES, chosen_token, turned_gates
from posenc_lessons.explorers.gate_numbers import (
    BY_TOKEN,
    RULES,
    TABLES,
    random_queries_and_keys,
    rule_logits,
    tokens_of,
)
from posenc_lessons.explorers.word_vectors import D_MODEL
from posenc_lessons.language import Text

COUNT = Text("计数 $p$", "count $p$")
SCORE = Text("位置分数 $z$", "position score $z$")


def cell(mark: Mark, parameters: Parameters) -> tuple[int, int]:
    """Return the query and the key of a mark: a strip has one query, a matrix all of them."""
    return (mark.row if mark.panel in MATRICES else parameters["query"]), mark.column


def places(i: int, j: int, arrays: Arrays) -> tuple[Text, ...]:
    """Name the query and the key."""
    query, key = arrays["tokens"][i], arrays["tokens"][j]
    return (
        Text(f"查询 $i = {i}$“{query}”", f"query $i = {i}$ “{query}”"),
        Text(f"键 $j = {j}$“{key}”", f"key $j = {j}$ “{key}”"),
    )


def of_gate(mark: Mark, parameters: Parameters, arrays: Arrays) -> Card:
    """Return the card of a gate: what opens or shuts it."""
    i, j = cell(mark, parameters)
    tokens, rule = tokens_of(parameters["text"], parameters["unit"]), parameters["rule"]
    turned = turned_gates(parameters)
    seed, head, device = (parameters[name] for name in ("seed", "head", "device"))
    logits = rule_logits(tokens, rule, chosen_token(parameters), seed, head, device, turned)
    logit = float(logits[i, j])
    opened = Step(Text("门控 $g$", "gate $g$"), f"1 / (1 + exp({said(-logit)}))", 1 / (1 + math.exp(-logit)))
    title, law = Text("一个门控", "One gate"), f"g_{{{i},{j}}} = σ(s)"
    if rule == "random":
        query, key = random_queries_and_keys(tokens, seed)
        terms = product_terms((query[i].double() / math.sqrt(D_MODEL)).tolist(), key[j].double().tolist())
        return Card(
            title,
            places(i, j, arrays),
            f"{law}, s = q·k/√d",
            terms=terms,
            total=Text("分数 $s$", "score $s$"),
            after=(opened,),
        )
    by_hand = Text("（你改过）", " (turned by hand)") if rule in BY_TOKEN and j in turned else Text("", "")
    name = Text(f"{RULES[rule].zh}{by_hand.zh}", f"{RULES[rule].en}{by_hand.en}")
    return Card(title, places(i, j, arrays), law, before=(Step(name, "s", logit), opened))


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
    """Return a weight of attention by count or by distance; in a matrix, its share of the row's largest."""
    i, j = cell(mark, parameters)
    by_count = mark.layer == "count_dots" or mark.panel == "by_count"
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
    after: tuple[Step, ...] = softmax_steps(scores, j)
    if mark.panel in MATRICES:
        weight, most = after[-1].value, softmax_steps(scores, int(np.argmax(scores)))[-1].value
        relative = Text("除以这一行最大的", "over the row's largest")
        after = (*after, Step(relative, f"{said(weight)} / {said(most)}", weight / most))
    return Card(title, places(i, j, arrays), law, (first,), sums[j], SCORE, after=after)


def of_row(mark: Mark, parameters: Parameters, arrays: Arrays) -> Card:
    """Return the score at a row of the table, or between two."""
    table, query, key = arrays["table"].astype(float), parameters["query"], parameters["key"]
    p = float(arrays["counts"][query, key])
    if mark.layer == "result":
        law = "(1−s)·z[n] + s·z[n+1], p = n + s"
        title = Text("两行之间的分数", "The score between two rows")
        before = (Step(COUNT, "", p),)
        return Card(title, places(query, key, arrays), law, before, score_terms(p, table), SCORE)
    row = max(min(math.floor(p), len(table) - 1) - 1, 0) + mark.column
    prefers = TABLES[parameters["table"]]
    name = Text(f"{prefers.zh}：第 {row} 行", f"{prefers.en}: row {row}")
    return Card(
        Text("表里的一行", "A row of the table"),
        (Text(f"计数 ${row}$", f"count ${row}$"),),
        f"z[{row}] = q·e[{row}]",
        before=(Step(name, f"z[{row}]", float(table[row])),),
    )


CARDS = {
    "gates": of_gate,
    "row": of_count,
    "counts": of_count,
    "attention": of_weight,
    "by_count": of_weight,
    "by_distance": of_weight,
    "between": of_row,
}
