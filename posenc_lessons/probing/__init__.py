"""Measure what any function does with features and positions: which rotation it is, or what else."""

from posenc_lessons.probing.probe import probe_rotation
from posenc_lessons.probing.rotation import Rotation

__all__ = ["Rotation", "probe_rotation"]
