"""Cards of the rotation explorer: an arrow's angle, a pair's product, a dial, the score at a distance."""

import math

import numpy as np
import torch

from posenc_lessons.encodings import rotary_angles
from posenc_lessons.explorers.cards.card import Card, Mark, Step, Term, said, without_turns
from posenc_lessons.explorers.definition import Arrays, Parameters
from posenc_lessons.explorers.rotation import in_pairs, query_and_key
from posenc_lessons.language import Text

ARROWS = {"query": ("q", "m"), "key": ("k", "n")}
ANGLE = Text("角度", "angle")


def pair_name(pair: int, parameters: Parameters) -> Text:
    """Name a pair by its number and its two features."""
    d = parameters["d"]
    interleaved = parameters["pairing"] == "interleaved"
    first, second = (2 * pair, 2 * pair + 1) if interleaved else (pair, pair + d // 2)
    return Text(
        f"第 {pair} 对（第 {first}、{second} 个特征）", f"pair {pair} (features {first} and {second})"
    )


def rate(parameters: Parameters, pair: int) -> float:
    """Return how many radians a pair turns for each position."""
    return float(rotary_angles(torch.tensor([1]), parameters["d"], parameters["base"])[0, pair])


def rate_step(parameters: Parameters, pair: int) -> Step:
    """Return the line that says how the speed of a pair follows from base and width."""
    theta = rate(parameters, pair)
    power = f"{said(parameters['base'])}^{{−{2 * pair}/{parameters['d']}}}"
    return Step(
        Text(f"$θ_{{{pair}}}$", f"$θ_{{{pair}}}$"),
        power,
        theta,
        f"{said(theta)} = {said(math.degrees(theta), '°')}",
    )


def of_arrow(mark: Mark, parameters: Parameters, arrays: Arrays) -> Card:
    """Return the angle of an arrow: before it turns, or turned by its position."""
    name = mark.layer.removeprefix("turned_")
    vector, position = ARROWS[name]
    pair, at = parameters["pair"], parameters[position]
    before = math.degrees(math.atan2(*arrays[name][::-1]))
    if mark.layer == name:
        pairing = parameters["pairing"]
        pairs = in_pairs(query_and_key(parameters["vectors"], parameters["d"], pairing), pairing)
        x, y = pairs[list(ARROWS).index(name), pair].tolist()
        return Card(
            Text(f"${vector}$ 旋转以前的角度", f"Angle of ${vector}$ before it turns"),
            (pair_name(pair, parameters),),
            f"φ = atan2({vector}_{{y}}, {vector}_{{x}})",
            before=(Step(ANGLE, f"atan2({said(y)}, {said(x)})", before, said(before, "°")),),
        )
    degrees = math.degrees(rate(parameters, pair))
    turn = before + at * degrees
    return Card(
        Text(f"${vector}$ 旋转以后的角度", f"Angle of ${vector}$ after it has turned"),
        (pair_name(pair, parameters), Text(f"位置 ${position} = {at}$", f"position ${position} = {at}$")),
        f"φ + {position}·θ_{{{pair}}}",
        before=(rate_step(parameters, pair),),
        terms=(
            Term(Text("原来的角度", "angle before"), (before,)),
            Term(Text("转过", "turned by"), (float(at), degrees), f"{at} × {said(degrees, '°')}"),
        ),
        total=ANGLE,
        unit="°",
        after=without_turns(turn, round(turn / 360)),
    )


def of_dial(mark: Mark, parameters: Parameters, arrays: Arrays) -> Card:
    """Return how much farther a pair turns the key than the query."""
    pair, degrees = mark.column, math.degrees(rate(parameters, mark.column))
    m, n = parameters["m"], parameters["n"]
    return Card(
        Text(f"第 {pair} 对：n − m 步给夹角添上多少", f"Pair {pair}: what n − m steps add to the angle"),
        (pair_name(pair, parameters),),
        f"(n − m)·θ_{{{pair}}}",
        before=(rate_step(parameters, pair),),
        terms=(
            Term(
                Text(f"键的指针，$n = {n}$", f"key's hand, $n = {n}$"),
                (float(n), degrees),
                f"{n} × {said(degrees, '°')}",
            ),
            Term(
                Text(f"减去查询的，$m = {m}$", f"less the query's, $m = {m}$"),
                (float(-m), degrees),
                f"−{m} × {said(degrees, '°')}",
            ),
        ),
        total=Text("添上", "added"),
        unit="°",
    )


def of_score(mark: Mark, parameters: Parameters, arrays: Arrays) -> Card:
    """Return the score at a distance, pair by pair: lengths times the cosine of the angle between."""
    curve = mark.layer == "curve"
    distance = int(arrays["distances"][mark.column]) if curve else arrays["distance"]
    d, base = parameters["d"], parameters["base"]
    vectors = query_and_key(parameters["vectors"], d, parameters["pairing"]).double()
    query, key = in_pairs(vectors, parameters["pairing"]).numpy()
    lengths = np.hypot(*query.T) * np.hypot(*key.T)
    between = np.arctan2(key[:, 1], key[:, 0]) - np.arctan2(query[:, 1], query[:, 0])
    turned = rotary_angles(torch.tensor([1]), d, base)[0].numpy() * distance
    cosines = np.cos(between + turned)
    where = Text(f"$n − m = {said(distance)}$", f"$n − m = {said(distance)}$")
    if 0 <= mark.part < len(lengths):
        i = mark.part
        title = Text(f"第 {i} 对给分数的那一份", f"What pair {i} adds to the score")
        angle = Step(
            ANGLE,
            f"φ_{{{i}}} + {said(distance)}·θ_{{{i}}}",
            (degrees := float(np.degrees(between + turned)[i])),
            said(degrees, "°"),
        )
        part = Term(Text("长度 × 余弦", "lengths × cosine"), (float(lengths[i]), float(cosines[i])))
        law = f"|q_{{{i}}}||k_{{{i}}}| cos(φ_{{{i}}} + (n−m)·θ_{{{i}}})"
        return Card(
            title, (pair_name(i, parameters), where), law, (angle,), (part,), Text("这一份", "its part")
        )
    return Card(
        Text(f"相距 {said(distance)} 的分数", f"Score at distance {said(distance)}"),
        (where,),
        "Σ_{i} |q_{i}||k_{i}| cos(φ_{i} + (n−m)·θ_{i})",
        terms=tuple(
            Term(Text(f"第 {i} 对", f"pair {i}"), (float(length), float(cosine)))
            for i, (length, cosine) in enumerate(zip(lengths, cosines, strict=True))
        ),
        total=Text("分数", "score"),
    )


CARDS = {"plane": of_arrow, "dials": of_dial, "score": of_score}
