"""All explorers on one page: what Voilà serves from ``notebooks/explorer.ipynb``."""

from __future__ import annotations

import ipywidgets

from posenc_lessons.course import language
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.distance import DistanceExplorer
from posenc_lessons.explorers.gate import GateExplorer
from posenc_lessons.explorers.rotation import RotationExplorer
from posenc_lessons.explorers.shuffle import ShuffleExplorer
from posenc_lessons.explorers.sinusoid import SinusoidExplorer

# In the order of the lessons.
EXPLORERS: tuple[type[Explorer], ...] = (
    ShuffleExplorer,
    SinusoidExplorer,
    DistanceExplorer,
    RotationExplorer,
    GateExplorer,
)


def app() -> ipywidgets.VBox:
    """The language switch and a tab for each explorer."""
    tabs = ipywidgets.Tab([make() for make in EXPLORERS])

    def name_tabs() -> None:
        tabs.titles = [explorer.title.show() for explorer in EXPLORERS]

    name_tabs()
    language.on_change(name_tabs)
    return ipywidgets.VBox([language.switch(), tabs])
