"""Lines that several cards share: from scores to a weight by softmax, and a product of two vectors."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from torch import Tensor

from posenc_lessons.explorers.cards.card import Card, Step, Term, said
from posenc_lessons.language import Text
from posenc_lessons.models import MultiHeadAttention


def softmax_steps(scores: Sequence[float], at: int) -> tuple[Step, Step]:
    """Return the two lines of softmax at place ``at`` of ``scores``, which are −∞ at hidden keys."""
    most = max(scores)
    parts = [math.exp(score - most) for score in scores]
    whole = math.fsum(parts)
    raised = Step(
        Text("$exp(s − s_{max})$", "$exp(s − s_{max})$"),
        f"exp({said(scores[at])} − {in_brackets(most)})",
        parts[at],
    )
    share = Step(
        Text("占这一行之和", "over the row's sum"), f"{said(parts[at])} / {said(whole)}", parts[at] / whole
    )
    return raised, share


def in_brackets(value: float) -> str:
    """Return ``value``, in brackets if it begins with a minus."""
    text = said(value)
    return f"({text})" if text.startswith("−") else text


def product_terms(first: Sequence[float], second: Sequence[float]) -> tuple[Term, ...]:
    """Return the terms of a product of two vectors, feature by feature."""
    return tuple(
        Term(Text(f"特征 {at}", f"feature {at}"), (float(one), float(other)))
        for at, (one, other) in enumerate(zip(first, second, strict=True))
    )


@contextmanager
def kept(attention: MultiHeadAttention) -> Iterator[dict[str, Tensor]]:
    """Yield a dict that gets "q", "k" [B, H, L, d_head] and "scores" when ``attention`` computes them."""
    heard: dict[str, Tensor] = {}
    explicit, weigh = attention._explicit, attention._weigh

    def keep_vectors(q: Tensor, k: Tensor, *others: Any) -> tuple[Tensor, Tensor | None]:
        heard.update(q=q, k=k)
        return explicit(q, k, *others)

    def keep_scores(scores: Tensor) -> Tensor:
        heard["scores"] = scores
        return weigh(scores)

    here: dict[str, Any] = attention.__dict__
    here.update(_explicit=keep_vectors, _weigh=keep_scores)  # Python finds these before the class's methods
    try:
        yield heard
    finally:
        del here["_explicit"], here["_weigh"]


def weight_card(
    title: Text, places: tuple[Text, ...], heard: dict[str, Tensor], at: tuple[int, int, int, int]
) -> Card:
    """Return the card of the weight ``at`` (text, head, query, key): q·k/√d, a bias, softmax.

    ``heard`` is the dict of ``kept``. What a position encoding adds to the score is a separate term; q and k
    are already changed by encodings of doors 1 and 2.
    """
    batch, head, i, j = at
    q, k = (heard[name][batch, head].double() for name in ("q", "k"))
    width = q.shape[-1]
    terms = product_terms((q[i] / math.sqrt(width)).tolist(), k[j].tolist())
    row = heard["scores"][batch, head, i].double().tolist()
    added = row[j] - math.fsum(term.value for term in terms)
    law = "softmax(q·k/√d)"
    if abs(added) > 1e-4:
        terms = (*terms, Term(Text("位置编码加的", "added by the position encoding"), (added,)))
        law = "softmax(q·k/√d + b)"
    return Card(title, places, law, terms=terms, total=Text("分数", "score"), after=softmax_steps(row, j))
