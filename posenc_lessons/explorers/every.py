"""Every explorer: a new one is imported and listed here."""

from posenc_lessons.explorers.attention import AttentionExplorer as AttentionExplorer
from posenc_lessons.explorers.base import Explorer
from posenc_lessons.explorers.batch import BatchExplorer as BatchExplorer
from posenc_lessons.explorers.distance import DistanceExplorer as DistanceExplorer
from posenc_lessons.explorers.gate import GateExplorer as GateExplorer
from posenc_lessons.explorers.grid import GridExplorer as GridExplorer
from posenc_lessons.explorers.learned_table import LearnedTableExplorer as LearnedTableExplorer
from posenc_lessons.explorers.race import RaceExplorer as RaceExplorer
from posenc_lessons.explorers.rotation import RotationExplorer as RotationExplorer
from posenc_lessons.explorers.shuffle import ShuffleExplorer as ShuffleExplorer
from posenc_lessons.explorers.sinusoid import SinusoidExplorer as SinusoidExplorer
from posenc_lessons.explorers.spectrum import SpectrumExplorer as SpectrumExplorer
from posenc_lessons.explorers.stretch import StretchExplorer as StretchExplorer

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
