"""Cards of the gate explorer: a gate, a count as gates added up, a score between two rows, a weight."""

from __future__ import annotations

import math

import numpy as np

from posenc_lessons.explorers.cards.card import Card, Mark, Step, Term, said
from posenc_lessons.explorers.cards.weights import product_terms, softmax_steps
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
    logits = rule_logits(
        tokens,
        rule,
        chosen_token(parameters),
        parameters["seed"],
        parameters["head"],
        parameters["device"],
        turned,
    )
    logit = float(logits[i, j])
    opened = Step(Text("门控 $g$", "gate $g$"), f"1 / (1 + exp({said(-logit)}))", 1 / (1 + math.exp(-logit)))
    title, law = Text("一个门控", "One gate"), f"g_{{{i},{j}}} = σ(s)"
    if rule == "random":
        query, key = random_queries_and_keys(tokens, parameters["seed"])
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
    terms = tuple(
        Term(
            Text(f"{k} {arrays['tokens'][k]}", f"{k} {arrays['tokens'][k]}"),
            (float(arrays["gates"][i, k]),),
        )
        for k in range(j, i + 1)
    )
    last = len(arrays["table"]) - 1
    added = math.fsum(term.value for term in terms)
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
        scores = [
            sum(term.value for term in score_terms(float(c), table)) for c in arrays["counts"][i, : i + 1]
        ]
        before: tuple[Step, ...] = (Step(COUNT, "", p),)
        terms = score_terms(p, table)
        title = Text("按计数的注意力", "Attention by count")
    else:
        steps = [min((i - k) // width, last) for k in range(i + 1)]
        scores = [float(table[step]) for step in steps]
        back = Step(
            Text("往回的步数", "steps back"), f"floor(({i} − {j}) / {width})", float((i - j) // width)
        )
        before, terms = (
            (back,),
            (Term(Text(f"第 {steps[j]} 行", f"row {steps[j]}"), (float(table[steps[j]]),)),),
        )
        title = Text("按距离的注意力", "Attention by distance")
    after: tuple[Step, ...] = softmax_steps(scores, j)
    if mark.panel in MATRICES:
        most = softmax_steps(scores, int(np.argmax(scores)))[-1].value
        relative = after[-1].value / most
        after = (
            *after,
            Step(
                Text("除以这一行最大的", "over the row's largest"),
                f"{said(after[-1].value)} / {said(most)}",
                relative,
            ),
        )
    law = "softmax(z)_{j}, z = z[p]" if by_count else "softmax(z)_{j}, z = z[floor((i−j)/w)]"
    return Card(title, places(i, j, arrays), law, before, terms, SCORE, after=after)


def of_row(mark: Mark, parameters: Parameters, arrays: Arrays) -> Card:
    """Return the score at a row of the table, or between two."""
    table = arrays["table"].astype(float)
    if mark.layer == "result":
        p = float(arrays["counts"][parameters["query"], parameters["key"]])
        where = places(parameters["query"], parameters["key"], arrays)
        law = "(1−s)·z[n] + s·z[n+1], p = n + s"
        title = Text("两行之间的分数", "The score between two rows")
        return Card(title, where, law, (Step(COUNT, "", p),), score_terms(p, table), SCORE)
    p = float(arrays["counts"][parameters["query"], parameters["key"]])
    row = max(min(math.floor(p), len(table) - 1) - 1, 0) + mark.column
    name = Text(
        f"{TABLES[parameters['table']].zh}：第 {row} 行", f"{TABLES[parameters['table']].en}: row {row}"
    )
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
