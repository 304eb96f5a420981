"""The lines that say how fast a rotary pair turns: from base and width, and slowed down for longer texts."""

from __future__ import annotations

import math

from posenc_lessons.explorers.cards.card import Card, Step, Term, said
from posenc_lessons.language import Text

SLOWED = Text("现在的速度", "speed now")
PARTLY = ("parts", "yarn", "llama3")


def speed_lines(
    pair: int, width: int, base: float, method: str, factor: float, before: float, after: float
) -> tuple[tuple[Step, ...], tuple[Term, ...]]:
    """Return the lines from ``base`` and ``width`` to the speed of a pair, as a sum of terms.

    ``before`` and ``after`` a method of extension by ``factor`` are radians per position.
    """
    power = f"{{−{2 * pair}/{width}}}"
    steps = [Step(Text(f"第 {pair} 对的速度", f"speed of pair {pair}"), f"{said(base)}^{power}", before)]
    if method == "ntk":
        larger = base * factor ** (width / (width - 2))
        exponent = f"{said(base)} × {said(factor)}^{{{width}/{width - 2}}}"
        steps.append(Step(Text("换成的底数", "the new base"), exponent, larger))
        slowed = larger ** (-2 * pair / width)
        return tuple(steps), (Term(SLOWED, (slowed,), f"{said(larger)}^{power}"),)
    if method == "linear":
        return tuple(steps), (
            Term(
                Text("除以倍数", "over the factor"), (1 / factor, before), f"{said(before)} / {said(factor)}"
            ),
        )
    if before == after:
        return tuple(steps), (Term(Text("没有改变", "as it was"), (before,)),)
    if method not in PARTLY:  # LongRoPE, whose numbers were found by a search
        own = before / after
        name = Text("除以这一对自己的数", "over this pair's own number")
        return tuple(steps), (Term(name, (1 / own, before), f"{said(before)} / {said(own)}"),)
    share = (after / before - 1 / factor) / (1 - 1 / factor)
    stays = Term(Text("照旧的部分", "the part that stays"), (share, before))
    slow = Term(
        Text(f"除以 {said(factor)} 的部分", f"the part over {said(factor)}"), (1 - share, before / factor)
    )
    return tuple(steps), (stays, slow)


def wavelength_card(
    pair: int,
    places: tuple[Text, ...],
    lines: tuple[tuple[Step, ...], tuple[Term, ...]],
    more: tuple[Step, ...] = (),
) -> Card:
    """Return how many positions a pair needs for one turn; ``more`` lines may follow."""
    before, terms = lines
    speed = math.fsum(term.value for term in terms)
    wave = 2 * math.pi / speed if speed else math.inf
    return Card(
        Text(f"第 {pair} 对的波长", f"Wavelength of pair {pair}"),
        places,
        "λ = 2π / θ",
        before=before,
        terms=terms,
        total=SLOWED,
        after=(
            Step(
                Text("波长（几个位置转一圈）", "wavelength (positions a turn)"), f"2π / {said(speed)}", wave
            ),
            *more,
        ),
    )
