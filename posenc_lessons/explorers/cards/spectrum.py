"""Cards of the spectrum: a pair's wavelength, a score at a distance, how far a layer's pairs turn."""

from __future__ import annotations

import math

import numpy as np

from posenc_lessons.explorers.cards.card import Card, Mark, Step, Term, said
from posenc_lessons.explorers.cards.frequencies import speed_lines, wavelength_card
from posenc_lessons.explorers.definition import Arrays, Parameters
from posenc_lessons.explorers.spectrum import BY_HAND
from posenc_lessons.explorers.spectrum_models import HAND, Layers, Model, by_hand, presets
from posenc_lessons.figures.spectrum import Spectrum, counts, groups, reach
from posenc_lessons.language import Text


def model_of(parameters: Parameters) -> Model:
    """Return the model that is shown."""
    if parameters["model"] == HAND:
        return by_hand(**{name: parameters[name] for name in BY_HAND})
    return presets()[parameters["model"]]


def layers_of(parameters: Parameters, arrays: Arrays) -> tuple[Layers, Spectrum]:
    """Return the kind of the layer looked at, as configured and as drawn."""
    kind = arrays["layers"][arrays["layer"]]
    return model_of(parameters).kinds[kind], arrays["kinds"][kind]


def of_pair(mark: Mark, parameters: Parameters, arrays: Arrays) -> Card:
    """Return the wavelength of a pair, and how much of a turn it makes at the farthest key."""
    layers, chosen = layers_of(parameters, arrays)
    pair = int(np.flatnonzero(groups(chosen, arrays["context"])[mark.layer])[mark.column])
    far = reach(chosen, arrays["context"])
    places = (
        Text(
            f"一个头 {len(chosen.waves)} 对里的第 {pair} 对",
            f"pair {pair} of the {len(chosen.waves)} of a head",
        ),
        Text(f"看得见 {far:,} 个词元", f"it sees {far:,} tokens"),
    )
    wave, before = float(chosen.waves[pair]), float(chosen.before[pair])
    if layers.rotary is None or math.isinf(wave):
        still = Step(Text("这一对不转", "this pair does not turn"), "2π / 0", math.inf)
        return Card(
            Text(f"第 {pair} 对的波长", f"Wavelength of pair {pair}"), places, "λ = 2π / θ", before=(still,)
        )
    extension = layers.extension
    method, factor = (extension.method, float(extension.factor)) if extension else ("none", 1.0)
    width, base = layers.rotary["rotary_dim"], float(layers.rotary["base"])
    lines = speed_lines(pair, width, base, method, factor, 2 * math.pi / before, 2 * math.pi / wave)
    return wavelength_card(pair, places, lines)


def of_score(mark: Mark, parameters: Parameters, arrays: Arrays) -> Card:
    """Return the score at a distance, for a query and a key that are equal: the mean of cosines."""
    _, chosen = layers_of(parameters, arrays)
    distance, n = int(chosen.distances[mark.column]), len(chosen.waves)
    speeds = 2 * np.pi / chosen.waves
    cosines = np.cos(distance * speeds)
    added = math.fsum(cosines.tolist())
    return Card(
        Text(f"相距 {distance:,} 的分数", f"Score at distance {distance:,}"),
        (Text("查询和键相同，各对一样长", "query and key are equal, and all pairs as long"),),
        "(1/n) Σ_{i} cos(k·θ_{i})",
        terms=tuple(
            Term(
                Text(f"第 {pair} 对", f"pair {pair}"),
                (float(cosine),),
                f"cos({distance:,} × {said(float(speed))})",
            )
            for pair, (cosine, speed) in enumerate(zip(cosines, speeds, strict=True))
        ),
        after=(Step(Text("平均", "mean"), f"{said(added)} / {n}", added / n),),
    )


def of_layer(mark: Mark, parameters: Parameters, arrays: Arrays) -> Card:
    """Return how many pairs of a layer make a full turn, how many less, and how many are at rest."""
    kind = arrays["kinds"][arrays["layers"][mark.column]]
    found, far = counts(kind, arrays["context"]), reach(kind, arrays["context"])
    names = {
        "full": Text("转满一圈", "a full turn"),
        "slow": Text("不满一圈", "less than a turn"),
        "still": Text("不转", "no turn"),
    }
    return Card(
        Text(f"第 {mark.column} 层：{kind.name.zh}", f"Layer {mark.column}: {kind.name.en}"),
        (Text(f"一个头的各对，看得见 {far:,} 个词元", f"the pairs of a head that sees {far:,} tokens"),)
        if kind.attention
        else (),
        "",
        terms=tuple(Term(names[name], (float(found[name]),)) for name in names),
        total=Text("一个头的对数", "pairs of a head"),
    )


CARDS = {"spectrum": of_pair, "curve": of_score, "strip": of_layer}
