"""The card of the gate explorer: a count as gates added up."""

import math

from posenc_lessons.explorers.cards.card import Card, Mark, Step, Term, said
from posenc_lessons.explorers.definition import Arrays, Parameters
from posenc_lessons.language import Text

COUNT = Text("计数 $p$", "count $p$")


def places(m: int, n: int, arrays: Arrays) -> tuple[Text, ...]:
    """Name the query and the key."""
    query, key = arrays["tokens"][m], arrays["tokens"][n]
    return (
        Text(f"查询 $m = {m}$“{query}”", f"query $m = {m}$ “{query}”"),
        Text(f"键 $n = {n}$“{key}”", f"key $n = {n}$ “{key}”"),
    )


def of_count(mark: Mark, parameters: Parameters, arrays: Arrays) -> Card:
    """Return a count: the gates from the key to the query, added up."""
    m, n = parameters["query"], mark.column
    names = [f"{k} {arrays['tokens'][k]}" for k in range(n, m + 1)]
    gates = arrays["gates"][m, n : m + 1].tolist()
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
        places(m, n, arrays),
        f"p_{{{m},{n}}} = Σ_{{k={n}…{m}}} g_{{{m},k}}",
        terms=terms,
        total=COUNT,
        after=(clamped,) if added > last else (),
    )


CARDS = {"text": of_count}
