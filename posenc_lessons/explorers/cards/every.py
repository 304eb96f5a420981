"""Find the card of a number: the cards of every explorer, by panel."""

from __future__ import annotations

import re
from collections.abc import Mapping

from posenc_lessons.explorers import (
    AttentionExplorer,
    BatchExplorer,
    DistanceExplorer,
    GateExplorer,
    GridExplorer,
    LearnedTableExplorer,
    RaceExplorer,
    RotationExplorer,
    ShuffleExplorer,
    SinusoidExplorer,
    SpectrumExplorer,
    StretchExplorer,
)
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.cards import (
    attention,
    batch,
    distance,
    gate,
    grid,
    learned_table,
    race,
    rotation,
    shuffle,
    sinusoid,
    spectrum,
    stretch,
)
from posenc_lessons.explorers.cards.card import Card, Maker, Mark, layer_of

# By explorer, and by panel; numbers at the end of a panel's name are left out.
CARDS: dict[str, Mapping[str, Maker]] = {
    ShuffleExplorer.name: shuffle.CARDS,
    SinusoidExplorer.name: sinusoid.CARDS,
    LearnedTableExplorer.name: learned_table.CARDS,
    DistanceExplorer.name: distance.CARDS,
    RotationExplorer.name: rotation.CARDS,
    GateExplorer.name: gate.CARDS,
    AttentionExplorer.name: attention.CARDS,
    RaceExplorer.name: race.CARDS,
    StretchExplorer.name: stretch.CARDS,
    BatchExplorer.name: batch.CARDS,
    SpectrumExplorer.name: spectrum.CARDS,
    GridExplorer.name: grid.CARDS,
}


def family(panel: str) -> str:
    """Return the name of a panel without the numbers at its end, in which similar panels differ."""
    return re.sub(r"(_\d+)+$", "", panel)


def card_of(explorer: Explorer, mark: Mark) -> Card | None:
    """Return the card of the number at ``mark``; None if the picture does not show it any more."""
    if explorer.shown is None or explorer.hides_picture or layer_of(explorer.shown, mark) is None:
        return None
    parameters, arrays = explorer.shown_from
    return CARDS[explorer.name][family(mark.panel)](mark, parameters, arrays)
