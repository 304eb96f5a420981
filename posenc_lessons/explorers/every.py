"""Every explorer: a new one is imported, listed and named here."""

from posenc_lessons.explorers.attention import AttentionExplorer
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.batch import BatchExplorer
from posenc_lessons.explorers.distance import DistanceExplorer
from posenc_lessons.explorers.gate import GateExplorer
from posenc_lessons.explorers.grid import GridExplorer
from posenc_lessons.explorers.learned_table import LearnedTableExplorer
from posenc_lessons.explorers.race import RaceExplorer
from posenc_lessons.explorers.rotation import RotationExplorer
from posenc_lessons.explorers.shuffle import ShuffleExplorer
from posenc_lessons.explorers.sinusoid import SinusoidExplorer
from posenc_lessons.explorers.spectrum import SpectrumExplorer
from posenc_lessons.explorers.stretch import StretchExplorer

# In the order of the lessons; tabs have the same order.
EXPLORERS: tuple[type[Explorer], ...] = (
    ShuffleExplorer,
    SinusoidExplorer,
    LearnedTableExplorer,
    DistanceExplorer,
    RotationExplorer,
    GateExplorer,
    AttentionExplorer,
    RaceExplorer,
    StretchExplorer,
    BatchExplorer,
    SpectrumExplorer,
    GridExplorer,
)

__all__ = [
    "EXPLORERS",
    "AttentionExplorer",
    "BatchExplorer",
    "DistanceExplorer",
    "GateExplorer",
    "GridExplorer",
    "LearnedTableExplorer",
    "RaceExplorer",
    "RotationExplorer",
    "ShuffleExplorer",
    "SinusoidExplorer",
    "SpectrumExplorer",
    "StretchExplorer",
]
