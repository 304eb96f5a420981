"""Cards of the sinusoid explorer: a number of the table, a clock's hand, the similarity of two rows."""

import math

from posenc_lessons.encodings.pairing import rotary_frequencies
from posenc_lessons.explorers.cards.card import Card, Mark, Step, Term, said, without_turns
from posenc_lessons.explorers.definition import Arrays, Parameters
from posenc_lessons.figures.sinusoid import clock_pairs
from posenc_lessons.language import Text

ANGLE = Text("角度", "angle")


def rate(pair: int, parameters: Parameters) -> float:
    """Return how many radians a pair turns for each position, as a rotary pair of that width does."""
    return float(rotary_frequencies(parameters["d_model"], parameters["base"])[pair])


def rate_step(pair: int, parameters: Parameters) -> Step:
    """Return the line that says how the speed of a pair follows from base and width."""
    power = f"{said(parameters['base'])}^{{−{2 * pair}/{parameters['d_model']}}}"
    return Step(Text(f"第 {pair} 对的速度", f"speed of pair {pair}"), power, rate(pair, parameters))


def of_entry(mark: Mark, parameters: Parameters, arrays: Arrays) -> Card:
    """Return a number of the table: the sine or cosine of position times speed."""
    position, column = mark.row, mark.column
    pair, function = column // 2, "cos" if column % 2 else "sin"
    angle = position * rate(pair, parameters)
    value = math.cos(angle) if column % 2 else math.sin(angle)
    return Card(
        Text(f"$PE$ 的第 {position} 行第 {column} 列", f"$PE$ at row {position}, column {column}"),
        (
            Text(f"行：位置 $m = {position}$", f"row: position $m = {position}$"),
            Text(
                f"列 {column}：第 {pair} 对的{'余弦' if column % 2 else '正弦'}",
                f"column {column}: the {'cosine' if column % 2 else 'sine'} of pair {pair}",
            ),
        ),
        f"{function}(m / base^{{2i/d}})",
        before=(
            rate_step(pair, parameters),
            Step(ANGLE, f"{position} × {said(rate(pair, parameters))}", angle),
            Step(Text("值", "value"), f"{function}({said(angle)})", value),
        ),
    )


def of_clock(mark: Mark, parameters: Parameters, arrays: Arrays) -> Card:
    """Return how far a clock's hand has turned, clockwise from the top."""
    pair = int(clock_pairs(parameters["d_model"] // 2)[mark.column])
    position = parameters["position"] + (parameters["offset"] if mark.layer == "other" else 0)
    degrees = math.degrees(rate(pair, parameters))
    turn = position * degrees
    return Card(
        Text(f"第 {pair} 只钟的指针", f"The hand of clock {pair}"),
        (Text(f"位置 ${position}$；从上面起，顺时针", f"position ${position}$; clockwise from the top"),),
        f"m·ω_{{{pair}}}",
        before=(rate_step(pair, parameters),),
        terms=(
            Term(Text("转过", "turned by"), (float(position), degrees), f"{position} × {said(degrees, '°')}"),
        ),
        total=ANGLE,
        unit="°",
        after=without_turns(turn, math.floor(turn / 360)),
    )


def of_similarity(mark: Mark, parameters: Parameters, arrays: Arrays) -> Card:
    """Return the product of two rows: a cosine for each pair, which depends only on the distance."""
    position = parameters["position"]
    distance = mark.column - position
    speeds = rotary_frequencies(parameters["d_model"], parameters["base"]).tolist()
    return Card(
        Text(
            f"$p_{{{position}}}·p_{{{mark.column}}}$：两行的点积",
            f"$p_{{{position}}}·p_{{{mark.column}}}$: the dot product of two rows",
        ),
        (Text(f"距离 $k = {said(distance)}$", f"distance $k = {said(distance)}$"),),
        "Σ_{i} cos(k·ω_{i})",
        terms=tuple(
            Term(
                Text(f"第 {pair} 对", f"pair {pair}"),
                (math.cos(distance * speed),),
                f"cos({said(distance)} × {said(speed)})",
            )
            for pair, speed in enumerate(speeds)
        ),
        total=Text("点积", "dot product"),
    )


CARDS = {"heatmap": of_entry, "clocks": of_clock, "similarity": of_similarity}
