"""The font of the formulas on exported pages: a part of STIX Two Math, which ``build`` makes."""

from __future__ import annotations

from pathlib import Path

FAMILY = "Posenc Math"
FONT = Path(__file__).parent / "PosencMath-Regular.woff"
