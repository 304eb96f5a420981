"""Find the card of a number. Most explorers have none; these teach a derivation."""

import re
from collections.abc import Mapping

from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.cards import distance, gate, rotation, shuffle, sinusoid
from posenc_lessons.explorers.cards.card import Card, Maker, Mark, layer_of

# By the explorer's name, and by panel; numbers at the end of a panel's name are left out.
CARDS: dict[str, Mapping[str, Maker]] = {
    "shuffle": shuffle.CARDS,
    "sinusoid": sinusoid.CARDS,
    "distance": distance.CARDS,
    "rotation": rotation.CARDS,
    "gate": gate.CARDS,
}


def card_of(explorer: Explorer, mark: Mark) -> Card | None:
    """Return the card of the number at ``mark``; None if there is none, or the picture has changed."""
    if explorer.shown is None or explorer.message is not None or layer_of(explorer.shown, mark) is None:
        return None
    panel = re.sub(r"(_\d+)+$", "", mark.panel)  # panels that differ only in a number have the same cards
    maker = CARDS.get(explorer.name, {}).get(panel)
    return None if maker is None else maker(mark, *explorer.shown_from)
