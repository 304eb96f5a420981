"""Cards of the stretched contexts: the angles of a pair, its wavelength, how many times slower it became."""

from __future__ import annotations

import math

from posenc_lessons.explorers.cards.card import Card, Mark, Step, Term, said
from posenc_lessons.explorers.cards.frequencies import speed_lines, wavelength_card
from posenc_lessons.explorers.definition import Arrays, Parameters
from posenc_lessons.language import Text


def speeds(pair: int, arrays: Arrays) -> tuple[float, float]:
    """Return the speed of a pair before and after, radians per position."""
    return 2 * math.pi / float(arrays["before"][pair]), 2 * math.pi / float(arrays["after"][pair])


def lines_of(pair: int, parameters: Parameters, arrays: Arrays) -> tuple[tuple[Step, ...], tuple[Term, ...]]:
    """Return the lines from base and width to the present speed of a pair."""
    names = ("d", "base", "method", "factor")
    width, base, method, factor = (parameters[name] for name in names)
    return speed_lines(pair, width, base, method, float(factor), *speeds(pair, arrays))


def places(pair: int, parameters: Parameters) -> tuple[Text, ...]:
    """Name the lengths that the pair is looked at for."""
    trained, factor = parameters["trained"], parameters["factor"]
    length = trained * factor
    return (Text(f"训练长度 {trained:,}，文本长 {length:,}", f"trained on {trained:,}, text of {length:,}"),)


def of_dial(mark: Mark, parameters: Parameters, arrays: Arrays) -> Card:
    """Return the largest angle that a pair reaches in this text, at most a whole circle, and in training."""
    pair = mark.column
    before, _ = speeds(pair, arrays)
    steps, terms = lines_of(pair, parameters, arrays)
    now = math.fsum(term.value for term in terms)
    trained, length = parameters["trained"], parameters["trained"] * parameters["factor"]
    seen, swept = (min(math.degrees(angle), 360.0) for angle in (trained * before, length * now))
    new = max(swept - seen, 0.0)

    def reached(name: Text, far: int, speed: float, angle: float) -> Step:
        return Step(name, f"min({far:,} × {said(math.degrees(speed), '°')}, 360°)", angle, said(angle, "°"))

    return Card(
        Text(f"第 {pair} 对转到哪里", f"How far pair {pair} turns"),
        places(pair, parameters),
        "min(L·θ, 360°)",
        before=steps,
        terms=terms,
        total=Text("现在的速度", "speed now"),
        after=(
            reached(Text("训练时见过", "seen in training"), trained, before, seen),
            Step(
                Text("没见过的", "never seen"),
                f"{said(swept, '°')} − {said(seen, '°')}" if new else "",
                new,
                said(new, "°"),
            ),
            reached(Text("这个文本里", "in this text"), length, now, swept),
        ),
    )


def of_wavelength(mark: Mark, parameters: Parameters, arrays: Arrays) -> Card:
    """Return a wavelength, before or after."""
    pair = mark.column
    if mark.layer == "before":
        before, _ = speeds(pair, arrays)
        lines = speed_lines(pair, parameters["d"], parameters["base"], "none", 1.0, before, before)
        return wavelength_card(pair, (Text("训练时", "in training"),), lines)
    return wavelength_card(pair, places(pair, parameters), lines_of(pair, parameters, arrays))


def of_slower(mark: Mark, parameters: Parameters, arrays: Arrays) -> Card:
    """Return how many times slower a pair became."""
    pair = mark.column
    before, _ = speeds(pair, arrays)
    steps, terms = lines_of(pair, parameters, arrays)
    now = math.fsum(term.value for term in terms)
    ratio = Step(Text("放慢的倍数", "times slower"), f"{said(before)} / {said(now)}", before / now)
    return Card(
        Text(f"第 {pair} 对放慢几倍", f"How many times slower pair {pair} is"),
        places(pair, parameters),
        "θ / θ′",
        before=steps,
        terms=terms,
        total=Text("现在的速度", "speed now"),
        after=(ratio,),
    )


CARDS = {"dials": of_dial, "wavelengths": of_wavelength, "slower": of_slower}
