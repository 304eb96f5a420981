"""Cards, which say where one number of a picture comes from, step by step and term by term.

A term has factors and no separate value, and a total is always the sum of its terms, so that a card cannot
contradict itself.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from posenc_lessons.explorers.definition import Arrays, Parameters
from posenc_lessons.figures.scene import Heatmap, Labels, Layer, Scene
from posenc_lessons.language import Text

FIRST, LAST = 3, 1  # how many terms of a long sum are shown at each end; those between are one line
SUM = Text("加起来", "sum")
MORE = Text("中间 {n} 项", "{n} more")
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Mark:
    """A cell of a heatmap, in ``row`` and ``column``, or mark number ``column`` of another layer.

    ``part`` is the number of a term, where the mark is a sum and one of its terms is meant.
    """

    panel: str
    layer: str
    row: int
    column: int
    part: int = -1


@dataclass(frozen=True)
class Step:
    """A line: its name, the computation, and the ``value``, which is read as ``shown`` if given."""

    name: Text
    written: str
    value: float
    shown: str = ""


@dataclass(frozen=True)
class Term:
    """One term of a sum: the product of its ``factors``, which is read as ``written`` if given."""

    name: Text
    factors: tuple[float, ...]
    written: str = ""

    @property
    def value(self) -> float:
        """Return the product of the factors."""
        return math.prod(self.factors)


@dataclass(frozen=True)
class Card:
    """Where a number comes from: ``before`` a sum, its ``terms``, their ``total``, and what comes ``after``.

    ``places`` are its row and column, or other names of its place. ``formula`` is set in the font for
    mathematics: ``_{…}`` is a subscript, ``^{…}`` a superscript. ``unit`` is the unit of the terms and their
    total. ``before``, ``terms`` or ``after`` may be empty, but not all three.
    """

    title: Text
    places: tuple[Text, ...]
    formula: str
    before: tuple[Step, ...] = ()
    terms: tuple[Term, ...] = ()
    total: Text = SUM
    unit: str = ""
    after: tuple[Step, ...] = ()

    @property
    def sum(self) -> float:
        """Return the sum of the terms."""
        return math.fsum(term.value for term in self.terms)

    @property
    def value(self) -> float:
        """Return the number that the card explains: its last line."""
        if self.after:
            return self.after[-1].value
        return self.sum if self.terms else self.before[-1].value


Maker: TypeAlias = Callable[[Mark, Parameters, Arrays], Card]


def as_data(card: Card) -> dict[str, Any]:
    """Return ``card`` in the reader's language for the panel: {title, places, formula, lines}.

    A line is [name, what is computed, value, kind]; its kind is "term", "total" for the last line, or "".
    """
    lines = [_line(step) for step in card.before]
    if card.terms:
        lines += _terms(card.terms, card.unit)
        if len(card.terms) > 1 or not card.after:
            lines.append([card.total.show(), "", f"= {said(card.sum, card.unit)}", ""])
    lines += [_line(step) for step in card.after]
    lines[-1][3] = "total"
    return {
        "title": card.title.show(),
        "places": [place.show() for place in card.places],
        "formula": card.formula,
        "lines": lines,
    }


def _line(step: Step) -> list[str]:
    return [step.name.show(), step.written, f"= {step.shown or said(step.value)}", ""]


def _terms(terms: Sequence[Term], unit: str) -> list[list[str]]:
    lines = [
        [term.name.show(), term.written or written(term.factors), said(term.value, unit), "term"]
        for term in terms
    ]
    if len(terms) <= FIRST + LAST + 1:
        return lines
    between = terms[FIRST:-LAST]
    rest = math.fsum(term.value for term in between)
    more = [MORE.format(n=len(between)).show(), "…", said(rest, unit), "term"]
    return [*lines[:FIRST], more, *lines[-LAST:]]


def written(factors: Sequence[float]) -> str:
    """Return a product as it is read, "0.52 × (−1.20)"; "" for a single factor, which is the value itself."""
    if len(factors) < 2:
        return ""
    first, *others = factors
    return " × ".join([said(first), *map(in_brackets, others)])


def in_brackets(value: float) -> str:
    """Return ``value`` as it is read, in brackets if it begins with a minus."""
    text = said(value)
    return f"({text})" if text.startswith("−") else text


def said(value: float, unit: str = "") -> str:
    """Return ``value`` with three or four digits: "−0.630", "12.35", "1,204", "2.1×10⁻⁵"; 3.0 is "3"."""
    size = abs(value)
    if not math.isfinite(value):
        return f"{value}".replace("inf", "∞").replace("-", "−") + unit
    if value == round(value) and size < 1e15:
        text = f"{round(value):,}"
    elif size < 0.001:
        mantissa, power = f"{value:.1e}".split("e")
        text = f"{mantissa}×10{str(int(power)).translate(RAISED)}"
    elif size < 0.1:
        text = f"{value:.3g}"
    else:
        text = f"{value:,.{0 if size >= 1000 else 1 if size >= 100 else 2 if size >= 10 else 3}f}"
    return text.replace("-", "−") + unit


def product_terms(first: Sequence[float], second: Sequence[float]) -> tuple[Term, ...]:
    """Return the terms of a product of two vectors, feature by feature."""
    return tuple(
        Term(Text(f"特征 {at}", f"feature {at}"), factors)
        for at, factors in enumerate(zip(first, second, strict=True))
    )


def softmax_steps(scores: Sequence[float], at: int) -> tuple[Step, Step]:
    """Return the two lines of softmax at place ``at`` of ``scores``, which are −∞ at hidden keys."""
    most = max(scores)
    powers = [math.exp(score - most) for score in scores]
    power, total = powers[at], math.fsum(powers)
    law, share = Text("$exp(s − s_{max})$", "$exp(s − s_{max})$"), Text("占这一行之和", "over the row's sum")
    return (
        Step(law, f"exp({said(scores[at])} − {in_brackets(most)})", power),
        Step(share, f"{said(power)} / {said(total)}", power / total),
    )


def without_turns(degrees: float, turns: int) -> tuple[Step, ...]:
    """Return the line that takes whole ``turns`` off an angle; none if there are none."""
    rest = degrees - 360 * turns
    name = Text("去掉整圈", "without whole turns")
    return (Step(name, f"{said(degrees, '°')} − {said(turns)}×360°", rest, said(rest, "°")),) if turns else ()


def layer_of(scene: Scene, mark: Mark) -> Layer | None:
    """Return the layer of ``mark`` in ``scene``; None if such a mark has no card there any more."""
    for panel in scene.panels:
        if panel.name == mark.panel and mark.layer in panel.asked:
            layer = next(layer for layer in panel.layers if layer.name == mark.layer)
            rows, columns = extent(layer)
            if 0 <= mark.row < rows and 0 <= mark.column < columns and not math.isnan(drawn(layer, mark)):
                return layer
    return None


def extent(layer: Layer) -> tuple[int, int]:
    """Return how many rows and columns of marks ``layer`` has."""
    if isinstance(layer, Heatmap):
        rows, columns = layer.values.shape
        return int(rows), int(columns)
    return 1, len(layer.end) if hasattr(layer, "end") else len(layer.x)


def drawn(layer: Layer, mark: Mark) -> float:
    """Return the number at ``mark``: a cell's value, a label's, a height, the height of an arrow's end."""
    if isinstance(layer, Heatmap):
        return float(layer.values[mark.row, mark.column])
    if isinstance(layer, Labels):
        return float(layer.texts[mark.column])
    return float(layer.end[mark.column, 1] if hasattr(layer, "end") else layer.y[mark.column])
