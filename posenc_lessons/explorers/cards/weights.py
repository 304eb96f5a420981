"""The lines that several cards share: from scores to a weight by softmax, and a product of two vectors."""

from __future__ import annotations

import math
from collections.abc import Sequence

from posenc_lessons.explorers.cards.card import Step, Term, said
from posenc_lessons.language import Text


def softmax_steps(scores: Sequence[float], at: int) -> tuple[Step, Step]:
    """Return the two lines of softmax at place ``at`` of ``scores``, of which −∞ are hidden."""
    most = max(scores)
    parts = [math.exp(score - most) for score in scores]
    whole = math.fsum(parts)
    raised = Step(
        Text("指数，减去最大的", "exp, less the largest"),
        f"exp({said(scores[at])} − {in_brackets(most)})",
        parts[at],
    )
    share = Step(Text("占这一行的", "share of the row"), f"{said(parts[at])} / {said(whole)}", parts[at] / whole)
    return raised, share


def in_brackets(value: float) -> str:
    """Return ``value``, in brackets where it begins with a minus."""
    text = said(value)
    return f"({text})" if text.startswith("−") else text


def product_terms(first: Sequence[float], second: Sequence[float]) -> tuple[Term, ...]:
    """Return the terms of a product of two vectors, feature by feature."""
    return tuple(
        Term(Text(f"特征 {at}", f"feature {at}"), (float(one), float(other)))
        for at, (one, other) in enumerate(zip(first, second, strict=True))
    )
