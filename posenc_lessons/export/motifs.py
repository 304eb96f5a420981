"""Draw a motif for each lesson from panels of its explorer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from posenc_lessons.explorers import (
    AttentionExplorer,
    BatchExplorer,
    DistanceExplorer,
    GateExplorer,
    GridExplorer,
    LearnedTableExplorer,
    RotationExplorer,
    ShuffleExplorer,
    SinusoidExplorer,
    SpectrumExplorer,
    StretchExplorer,
)
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.figures.panel_svg import panels_svg
from posenc_lessons.language import shown_in

WIDTH, HEIGHT = 288, 96  # of a motif, CSS pixels on a page


@dataclass(frozen=True)
class Motif:
    """An explorer, its settings, and the panels of its scene that are drawn."""

    explorer: type[Explorer]
    panels: tuple[str, ...]
    settings: Mapping[str, Any] = field(default_factory=dict)
    fills: bool = False  # whether the panels fill the whole width


# By the number of the lesson; each shows the subject of its lesson.
MOTIFS: dict[str, Motif] = {
    "00": Motif(RotationExplorer, ("dials",), {"d": 16}),
    "01": Motif(ShuffleExplorer, ("before", "after")),
    "02": Motif(SinusoidExplorer, ("heatmap",), {"length": 64, "d_model": 32, "position": 24}, fills=True),
    "03": Motif(LearnedTableExplorer, ("similarity", "accuracy"), fills=True),
    "04": Motif(DistanceExplorer, ("matrix",)),
    "05": Motif(RotationExplorer, ("plane",)),
    "06": Motif(GateExplorer, ("gates", "row"), {"query": 27, "key": 17}, fills=True),
    "07": Motif(AttentionExplorer, ("head_0_1", "head_1_1"), {"kind": "decoder"}),
    "08": Motif(StretchExplorer, ("dials",)),
    "09": Motif(BatchExplorer, ("tokens",), {"encoding": "learned", "counted": "column"}, fills=True),
    "10": Motif(SpectrumExplorer, ("spectrum", "strip"), fills=True),
    "11": Motif(GridExplorer, ("scores", "dial")),
}


@cache
def motif(number: str) -> str:
    """Return the motif of the lesson with that number as SVG; "" if it has none."""
    chosen = MOTIFS.get(number)
    if chosen is None:
        return ""
    with shown_in("en"):  # some explorers begin with a sentence in the reader's language
        explorer = chosen.explorer(**chosen.settings)
        scene, *_ = explorer.present_scene()
        explorer.close()
    by_name = {panel.name: panel for panel in scene.panels}
    return panels_svg([by_name[name] for name in chosen.panels], WIDTH, HEIGHT, chosen.fills)
