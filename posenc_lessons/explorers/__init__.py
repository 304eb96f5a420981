"""Explorers: live pictures with controls, on one small canvas. ``SinusoidExplorer()`` in a cell shows one."""

from posenc_lessons.explorers.attention import AttentionExplorer
from posenc_lessons.explorers.distance import DistanceExplorer
from posenc_lessons.explorers.explorer import EXPLORERS
from posenc_lessons.explorers.gate import GateExplorer
from posenc_lessons.explorers.race import RaceExplorer
from posenc_lessons.explorers.rotation import RotationExplorer
from posenc_lessons.explorers.shuffle import ShuffleExplorer
from posenc_lessons.explorers.sinusoid import SinusoidExplorer

__all__ = [
    "EXPLORERS",
    "AttentionExplorer",
    "DistanceExplorer",
    "GateExplorer",
    "RaceExplorer",
    "RotationExplorer",
    "ShuffleExplorer",
    "SinusoidExplorer",
]
