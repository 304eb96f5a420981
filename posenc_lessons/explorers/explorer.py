"""Which explorers there are."""

from __future__ import annotations

from posenc_lessons.explorers.attention import AttentionExplorer
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.distance import DistanceExplorer
from posenc_lessons.explorers.gate import GateExplorer
from posenc_lessons.explorers.race import RaceExplorer
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
    AttentionExplorer,
    RaceExplorer,
)
